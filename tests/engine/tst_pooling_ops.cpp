// The poolings as ops: ONNX' documented cases, divisors and empty windows by hand, every storage dtype, and random
// windows against loops of our own.
#include "tests/engine/window_op_tools.h"

#include <QtTest/QtTest>

#include <random>

using namespace engine;
using namespace support;

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
        const auto draw = [&](int low, int high) {
            return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
        };
        int compared = 0;
        for (int round = 0; round < 300; ++round) {
            const int n = draw(1, 2), h = draw(1, 9), w = draw(1, 9), c = draw(1, 5), kh = draw(1, 4), kw = draw(1, 4);
            const int sh = draw(1, 3), sw = draw(1, 3), dh = draw(1, 2), dw = draw(1, 2);
            const int pads[]{draw(0, 3), draw(0, 3), draw(0, 3), draw(0, 3)};
            const bool first = draw(0, 1), ceil = draw(0, 1), include = draw(0, 1);
            const auto list = [](int a, int b) { return "[" + std::to_string(a) + "," + std::to_string(b) + "]"; };
            const std::string shared =
                R"({"pool_size":)" + list(kh, kw) + R"(,"strides":)" + list(sh, sw) + R"(,"dilation":)" + list(dh, dw) +
                R"(,"padding":"explicit","pads":[)" + std::to_string(pads[0]) + "," + std::to_string(pads[1]) + "," +
                std::to_string(pads[2]) + "," + std::to_string(pads[3]) + "]" +
                (first ? R"(,"data_format":"channels_first")" : "") + (ceil ? R"(,"ceil_mode":true)" : "");
            const Shape in = first ? Shape{n, c, h, w} : Shape{n, h, w, c};
            Values x(static_cast<std::size_t>(in.elements()));
            for (double& d : x)
                d = draw(-50, 50);
            const auto index = [&](int a, int ci, int y, int z, int height, int width) {
                return static_cast<std::size_t>(first ? ((a * c + ci) * height + y) * width + z
                                                      : ((a * height + y) * width + z) * c + ci);
            };
            // Sizes by trying: positions whose window fits (with ceil: misses less than a stride). As in ONNX, ceil
            // drops the last one if it starts in the padding after the input.
            const auto count = [&](int size, int before, int after, int extent, int stride) {
                int o = 0;
                while (o * stride + extent <= size + before + after + (ceil ? stride - 1 : 0))
                    ++o;
                return ceil && o > 0 && (o - 1) * stride >= size + before ? o - 1 : o;
            };
            const int oh = count(h, pads[0], pads[2], (kh - 1) * dh + 1, sh);
            const int ow = count(w, pads[1], pads[3], (kw - 1) * dw + 1, sw);
            const std::string averaged = shared + (include ? R"(,"count_include_pad":true})" : "}");
            if (oh == 0 || ow == 0) {
                QCOMPARE(refusal(op_average_pooling2d, averaged.c_str(), {in}).code, std::string("shape-window"));
                continue;
            }
            ++compared;
            Values maxima(static_cast<std::size_t>(n * oh * ow * c)), means(maxima.size());
            for (int a = 0; a < n; ++a)
                for (int ci = 0; ci < c; ++ci)
                    for (int y = 0; y < oh; ++y)
                        for (int z = 0; z < ow; ++z) {
                            double best = -kInf, sum = 0;
                            int seen = 0, padded = 0;
                            for (int i = 0; i < kh; ++i)
                                for (int j = 0; j < kw; ++j) {
                                    const int ih = y * sh - pads[0] + i * dh, iw = z * sw - pads[1] + j * dw;
                                    padded += ih < h + pads[2] && iw < w + pads[3];
                                    if (ih < 0 || iw < 0 || ih >= h || iw >= w)
                                        continue;
                                    ++seen;
                                    sum += x[index(a, ci, ih, iw, h, w)];
                                    best = std::max(best, x[index(a, ci, ih, iw, h, w)]);
                                }
                            maxima[index(a, ci, y, z, oh, ow)] = best;
                            means[index(a, ci, y, z, oh, ow)] = sum / (include ? padded : seen);
                        }
            const Shape out = first ? Shape{n, c, oh, ow} : Shape{n, oh, ow, c};
            verify(op_max_pooling2d, (shared + "}").c_str(), {{in, x}}, out, maxima);
            verify(op_average_pooling2d, averaged.c_str(), {{in, x}}, out, means);
            if (QTest::currentTestFailed())
                return;
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
