// The poolings as ops: ONNX' documented cases, divisors and empty windows by hand, every storage dtype, and random
// windows against loops of our own.
#include "tests/engine/window_op_tools.h"

#include <QtTest/QtTest>

#include <random>

using namespace engine;
using namespace support;

namespace {

// A pooling drawn at random, and its definition in plain loops.
struct RandomPool {
    int n, h, w, c, kernelH, kernelW, strideH, strideW, dilationH, dilationW, top, left, bottom, right;
    bool isFirst, isCeil, isInclusive;

    explicit RandomPool(std::mt19937_64& random)
    {
        const auto draw = [&](int low, int high) {
            return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
        };
        n = draw(1, 2), h = draw(1, 9), w = draw(1, 9), c = draw(1, 5), kernelH = draw(1, 4), kernelW = draw(1, 4);
        strideH = draw(1, 3), strideW = draw(1, 3), dilationH = draw(1, 2), dilationW = draw(1, 2);
        top = draw(0, 3), left = draw(0, 3), bottom = draw(0, 3), right = draw(0, 3);
        isFirst = draw(0, 1), isCeil = draw(0, 1), isInclusive = draw(0, 1);
    }

    std::string json() const
    {
        const auto number = [](int i) { return std::to_string(i); };
        return R"({"pool_size":[)" + number(kernelH) + "," + number(kernelW) + R"(],"strides":[)" + number(strideH) +
               "," + number(strideW) + R"(],"dilation":[)" + number(dilationH) + "," + number(dilationW) +
               R"(],"padding":"explicit","pads":[)" + number(top) + "," + number(left) + "," + number(bottom) + "," +
               number(right) + "]" + (isFirst ? R"(,"data_format":"channels_first")" : "") +
               (isCeil ? R"(,"ceil_mode":true)" : "");
    }
    std::string averageJson() const { return json() + (isInclusive ? R"(,"count_include_pad":true})" : "}"); }

    // Sizes by trying: positions whose window fits (with ceil: misses less than a stride). As in ONNX, ceil drops the
    // last one if it starts in the padding after the input.
    int count(int size, int before, int after, int extent, int stride) const
    {
        int o = 0;
        while (o * stride + extent <= size + before + after + (isCeil ? stride - 1 : 0))
            ++o;
        return isCeil && o > 0 && (o - 1) * stride >= size + before ? o - 1 : o;
    }
    int outH() const { return count(h, top, bottom, (kernelH - 1) * dilationH + 1, strideH); }
    int outW() const { return count(w, left, right, (kernelW - 1) * dilationW + 1, strideW); }
    Shape shape(int height, int width) const
    {
        return isFirst ? Shape{n, c, height, width} : Shape{n, height, width, c};
    }
    std::size_t index(int image, int channel, int y, int x, int height, int width) const
    {
        return static_cast<std::size_t>(isFirst ? ((image * c + channel) * height + y) * width + x
                                                : ((image * height + y) * width + x) * c + channel);
    }

    void evaluate(const Values& x, Values& maxima, Values& means) const
    {
        const int height = outH(), width = outW();
        maxima.resize(static_cast<std::size_t>(n * height * width * c));
        means.resize(maxima.size());
        for (int image = 0; image < n; ++image)
            for (int channel = 0; channel < c; ++channel)
                for (int oh = 0; oh < height; ++oh)
                    for (int ow = 0; ow < width; ++ow) {
                        const std::size_t to = index(image, channel, oh, ow, height, width);
                        window(x, image, channel, oh * strideH - top, ow * strideW - left, maxima[to], means[to]);
                    }
    }

    void window(const Values& x, int image, int channel, int y, int z, double& maximum, double& mean) const
    {
        double sum = 0;
        int seen = 0, padded = 0;
        maximum = -kInf;
        for (int i = 0; i < kernelH; ++i)
            for (int j = 0; j < kernelW; ++j) {
                const int ih = y + i * dilationH, iw = z + j * dilationW;
                padded += ih < h + bottom && iw < w + right;
                if (ih < 0 || iw < 0 || ih >= h || iw >= w)
                    continue;
                const double value = x[index(image, channel, ih, iw, h, w)];
                ++seen;
                sum += value;
                maximum = std::max(maximum, value);
            }
        mean = sum / (isInclusive ? padded : seen);
    }
};

} // namespace

class TestPoolingOps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // ONNX operator documentation, node tests of AveragePool and MaxPool.
    void onnxPooling()
    {
        const Operand four{{1, 1, 4, 4}, ramp(1, 16)}, five{{1, 1, 5, 5}, ramp(1, 25)};
        const OpSpec &average = op_average_pooling2d, &maximum = op_max_pooling2d;
        verify(average, R"({"pool_size":[3,3],"strides":[2,2],"ceil_mode":true,"data_format":"channels_first"})",
               {four}, {1, 1, 2, 2}, {6, 7.5, 12, 13.5});
        verify(
            average,
            R"({"pool_size":[5,5],"strides":[1,1],"padding":"explicit","pads":[2,2,2,2],"data_format":"channels_first"})",
            {five}, {1, 1, 5, 5}, {7,    7.5, 8,    8.5, 9,    9.5, 10,   10.5, 11,   11.5, 12,   12.5, 13,
                                   13.5, 14,  14.5, 15,  15.5, 16,  16.5, 17,   17.5, 18,   18.5, 19});
        verify(average, R"({"pool_size":[3,3],"strides":[2,2],"padding":"same","data_format":"channels_first"})",
               {five}, {1, 1, 3, 3}, {4, 5.5, 7, 11.5, 13, 14.5, 19, 20.5, 22});
        verify(maximum, R"({"pool_size":[3,3],"strides":[2,2],"ceil_mode":true,"data_format":"channels_first"})",
               {four}, {1, 1, 2, 2}, {11, 12, 15, 16});
        verify(maximum, R"({"strides":[1,1],"dilation":[2,2],"data_format":"channels_first"})", {four}, {1, 1, 2, 2},
               {11, 12, 15, 16});
        verify(maximum, R"({"pool_size":[3,3],"strides":[2,2],"padding":"same","data_format":"channels_first"})",
               {five}, {1, 1, 3, 3}, {7, 9, 10, 17, 19, 20, 22, 24, 25});
        verify(
            maximum,
            R"({"pool_size":[5,5],"strides":[1,1],"padding":"explicit","pads":[2,2,2,2],"data_format":"channels_first"})",
            {five}, {1, 1, 5, 5},
            {13, 14, 15, 15, 15, 18, 19, 20, 20, 20, 23, 24, 25, 25, 25, 23, 24, 25, 25, 25, 23, 24, 25, 25, 25});
    }

    void divisors()
    {
        const Operand row{{1, 1, 3, 1}, {6, 12, 24}};
        const auto average = [&](const std::string& more, const Shape& shape, const Values& expected) {
            const std::string json = R"({"pool_size":[1,2],"strides":[1,2])" + more + "}";
            verify(op_average_pooling2d, json.c_str(), {row}, shape, expected);
        };
        average(R"(,"padding":"same")", {1, 1, 2, 1}, {9, 24});
        average(R"(,"padding":"same","count_include_pad":true)", {1, 1, 2, 1}, {9, 12});
        average(R"(,"padding":"same_lower")", {1, 1, 2, 1}, {6, 18});
        // What ceil_mode adds beyond the padding never counts.
        average(R"(,"ceil_mode":true,"count_include_pad":true)", {1, 1, 2, 1}, {9, 24});
        average(R"(,"padding":"explicit","pads":[0,1,0,1],"count_include_pad":true)", {1, 1, 2, 1}, {3, 18});
        average(R"(,"padding":"explicit","pads":[0,2,0,2])", {1, 1, 3, 1}, {kNan, 9, 24});
        average(R"(,"padding":"explicit","pads":[0,2,0,2],"count_include_pad":true)", {1, 1, 3, 1}, {0, 9, 12});
    }

    void emptyWindowsAreRemarked()
    {
        const char* json = R"({"pool_size":[1,2],"padding":"explicit","pads":[0,2,0,0]})";
        const std::vector<Shape> shapes{{1, 1, 2, 1}};
        for (const OpSpec* spec : {&op_max_pooling2d, &op_average_pooling2d}) {
            QCOMPARE(spec->remarks(*paramsOf(*spec, json), present(shapes)).size(), std::size_t{1});
            QCOMPARE(spec->remarks(*paramsOf(*spec, "{}"), present({{1, 4, 4, 1}})).size(), std::size_t{0});
            QCOMPARE(spec->remarks(*paramsOf(*spec, R"({"padding":"same"})"), present({{1, 3, 3, 1}})).size(),
                     std::size_t{0});
            // One element between the two taps of a dilated window that is padded to see it.
            const char* straddle = R"({"pool_size":[1,2],"dilation":[1,2],"padding":"explicit","pads":[0,1,0,1]})";
            QCOMPARE(spec->remarks(*paramsOf(*spec, straddle), present({{1, 1, 1, 1}})).size(), std::size_t{1});
        }
        verify(op_max_pooling2d, json, {{shapes[0], {3, 4}}}, {1, 1, 2, 1}, {-kInf, 4});
        const char* counts = R"({"pool_size":[1,2],"padding":"explicit","pads":[0,2,0,0],"count_include_pad":true})";
        QCOMPARE(op_average_pooling2d.remarks(*paramsOf(op_average_pooling2d, counts), present(shapes)).size(),
                 std::size_t{0});
    }

    void maximumKeepsNanAndSigns()
    {
        const char* json = R"({"pool_size":[1,4]})";
        const auto pooled = [&](const Values& v) {
            const Params p = *paramsOf(op_max_pooling2d, json);
            return runCpu(op_max_pooling2d, p, {DType::f64, DType::f64}, {tensorOf(DType::f64, {1, 1, 4, 1}, v)})
                ->data<double>()[0];
        };
        QVERIFY(std::isnan(pooled({1, kNan, 5, kInf})));
        QVERIFY(std::isnan(pooled({kNan, 1, 5, kInf})));
        QVERIFY(std::isnan(pooled({1, 2, 5, kNan})));
        QCOMPARE(pooled({-kInf, -kInf, -kInf, -kInf}), -kInf);
        QVERIFY(std::signbit(pooled({-0.0, 0.0, -1, -1}))); // equal: the first
        QVERIFY(!std::signbit(pooled({0.0, -0.0, -1, -1})));
        // In double-double the low part decides, and a NaN has none.
        const Params p = *paramsOf(op_max_pooling2d, json);
        const DDTensor x = ddOf({1, 1, 4, 1}, {1, 1, 1, 0.5}, {0x1p-60, 0x1p-55, -0x1p-54, 0x1p-56});
        const ReferenceResult r = *runReference(op_max_pooling2d, p, {x});
        QCOMPARE(r.value.hi()[0], 1.0);
        QCOMPARE(r.value.lo()[0], 0x1p-55);
        const ReferenceResult n =
            *runReference(op_max_pooling2d, p, {ddOf({1, 1, 4, 1}, {1, kNan, 2, 3}, {0x1p-60, 0, 0, 0})});
        QVERIFY(std::isnan(n.value.hi()[0]) && n.value.lo()[0] == 0);
    }

    void maximumOfEveryStorageDtype()
    {
        // -Inf of pure padding: NaN in E4M3FN, the lowest integer, false.
        const char* json = R"({"pool_size":[1,2],"padding":"explicit","pads":[0,2,0,0]})";
        const Params p = *paramsOf(op_max_pooling2d, json);
        for (const DTypeFacts& f : allDTypes()) {
            if (!f.isStorage)
                continue;
            const bool isSigned = f.kind == DTypeKind::Float || f.name.front() == 'i';
            const Values v = f.dtype == DType::boolean ? Values{1, 0} : isSigned ? Values{-7, -3} : Values{3, 7};
            const Values largest{f.dtype == DType::boolean ? 1.0 : isSigned ? -3.0 : 7.0};
            const Tensor y = *runCpu(op_max_pooling2d, p, {f.dtype, f.dtype}, {tensorOf(f.dtype, {1, 1, 2, 1}, v)});
            QVERIFY(y.dtype() == f.dtype);
            const Values got = valuesOf(y);
            QVERIFY2(got[1] == largest[0], std::string(f.name).c_str());
            const double lowest = f.kind == DTypeKind::Float ? (f.hasInfinity ? -kInf : kNan)
                                  : isSigned                 ? -std::ldexp(1.0, 8 * f.bytes - 1)
                                                             : 0.0;
            QVERIFY2(same({got[0]}, {lowest}), std::string(f.name).c_str());
        }
    }

    void poolingAgainstLoops()
    {
        std::mt19937_64 random(77);
        int compared = 0;
        for (int round = 0; round < 300 && !QTest::currentTestFailed(); ++round) {
            const RandomPool pool(random);
            const Shape in = pool.shape(pool.h, pool.w), out = pool.shape(pool.outH(), pool.outW());
            if (out.elements() == 0) {
                QCOMPARE(refusal(op_average_pooling2d, pool.averageJson().c_str(), {in}).code,
                         std::string("shape-window"));
                continue;
            }
            ++compared;
            Values x(static_cast<std::size_t>(in.elements())), maxima, means;
            for (double& d : x)
                d = static_cast<int>(random() % 101) - 50;
            pool.evaluate(x, maxima, means);
            verify(op_max_pooling2d, (pool.json() + "}").c_str(), {{in, x}}, out, maxima);
            verify(op_average_pooling2d, pool.averageJson().c_str(), {{in, x}}, out, means);
        }
        QVERIFY(compared > 200);
    }

    void averageRoundsEveryStep()
    {
        // float16 accumulator: 2048 + 1 + 1 stays 2048 (ties to even); in float32 it is 2050. Thirds round once.
        const Params p = *paramsOf(op_average_pooling2d, R"({"pool_size":[1,3]})");
        const Tensor x = tensorOf(DType::f16, {1, 1, 3, 1}, {2048, 1, 1});
        QCOMPARE(valuesOf(*runCpu(op_average_pooling2d, p, {DType::f16, DType::f16}, {x})), (Values{682.5})); // 682.67
        QCOMPARE(valuesOf(*runCpu(op_average_pooling2d, p, {DType::f16, DType::f32}, {x})),
                 (Values{static_cast<double>(2050.0f / 3.0f)}));
        const Tensor ones = tensorOf(DType::f32, {1, 1, 3, 1}, {1, 0, 0});
        QCOMPARE(valuesOf(*runCpu(op_average_pooling2d, p, {DType::f32, DType::f32}, {ones})),
                 (Values{static_cast<double>(1.0f / 3.0f)}));
        const ReferenceResult r = *runReference(op_average_pooling2d, p, {ddOf({1, 1, 3, 1}, {1, 0, 0})});
        QCOMPARE(r.value.hi()[0], 1.0 / 3);
        // 1/3 - fl(1/3) = fl(1/3) / 2^54, as 3 fl(1/3) = 1 - 2^-54.
        QCOMPARE(r.value.lo()[0], (1.0 / 3) * 0x1p-54);
        QVERIFY(!r.value.limited);
        QVERIFY(runReference(op_average_pooling2d, p, {ddOf({1, 1, 3, 1}, {1e308, 1e308, 1e308})})->value.limited);
        QVERIFY(runReference(op_average_pooling2d, p, {ddOf({1, 1, 3, 1}, {0x1p-960, 0, 0})})->value.limited);
        QVERIFY(!runReference(op_average_pooling2d, p, {ddOf({1, 1, 3, 1}, {kInf, 0, 0})})->value.limited);
    }
};

QTEST_GUILESS_MAIN(TestPoolingOps)
#include "tst_pooling_ops.moc"
