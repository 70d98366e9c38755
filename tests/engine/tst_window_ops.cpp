// conv2d, dense and matmul as ops, and the geometry of windows: shapes and padding by hand, documented cases of ONNX
// and Keras, refusals with their numbers.
#include "engine/ops/window.h"
#include "tests/engine/window_op_tools.h"
#include "tests/support/two_threads.h"

#include <QtTest/QtTest>

#include <cmath>
#include <limits>

using namespace engine;
using namespace support;

class TestWindowOps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void axes_data()
    {
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("dilation");
        QTest::addColumn<QByteArray>("padding");
        QTest::addColumn<int>("pads"); // before * 10 + after
        QTest::addColumn<bool>("ceil");
        QTest::addColumn<int>("out"); // -1: refused
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        const auto row = [](const char* name, int in, int k, int s, int d, const char* p, int pads, bool ceil, int out,
                            int before, int after) {
            QTest::newRow(name) << in << k << s << d << QByteArray(p) << pads << ceil << out << before << after;
        };
        row("valid", 28, 3, 1, 1, "valid", 0, false, 26, 0, 0);
        row("valid ignores pads", 28, 3, 1, 1, "valid", 12, false, 26, 0, 0);
        row("valid leaves a rest", 8, 3, 2, 1, "valid", 0, false, 3, 0, 0);
        row("valid dilated", 9, 3, 2, 3, "valid", 0, false, 2, 0, 0);
        row("exactly one", 7, 3, 5, 3, "valid", 0, false, 1, 0, 0);
        row("too large", 6, 3, 1, 3, "valid", 0, false, -1, 0, 0);
        row("same odd kernel", 28, 3, 1, 1, "same", 0, false, 28, 1, 1);
        row("same even kernel: after", 5, 2, 1, 1, "same", 0, false, 5, 0, 1);
        row("same_lower: before", 5, 2, 1, 1, "same_lower", 0, false, 5, 1, 0);
        row("same strided", 224, 7, 2, 1, "same", 0, false, 112, 2, 3);
        row("same_lower strided", 224, 7, 2, 1, "same_lower", 0, false, 112, 3, 2);
        row("same stride beyond kernel", 10, 1, 4, 1, "same", 0, false, 3, 0, 0);
        row("same dilated", 10, 3, 1, 2, "same", 0, false, 10, 2, 2);
        row("same kernel larger than input", 2, 5, 1, 1, "same", 0, false, 2, 2, 2);
        row("same of nothing", 0, 3, 1, 1, "same", 0, false, 0, 0, 0);
        row("explicit asymmetric", 10, 4, 3, 1, "explicit", 25, false, 5, 2, 5);
        row("explicit saves a large kernel", 2, 5, 1, 1, "explicit", 21, false, 1, 2, 1);
        row("ceil", 4, 3, 2, 1, "valid", 0, true, 2, 0, 0);
        row("ceil must not start in the padding after", 2, 3, 3, 1, "explicit", 11, true, 1, 1, 1);
        row("ceil starts at the last element", 4, 2, 3, 1, "valid", 0, true, 2, 0, 0);
        row("ceil covers less than a window", 2, 3, 2, 1, "valid", 0, true, 1, 0, 0);
        row("ceil of no window", 2, 4, 2, 1, "valid", 0, true, -1, 0, 0);
    }
    void axes()
    {
        QFETCH(int, in);
        QFETCH(int, kernel);
        QFETCH(int, stride);
        QFETCH(int, dilation);
        QFETCH(QByteArray, padding);
        QFETCH(int, pads);
        QFETCH(bool, ceil);
        QFETCH(int, out);
        QFETCH(int, before);
        QFETCH(int, after);
        const window::Axis given{in, kernel, stride, dilation, pads / 10, pads % 10, 0};
        const Result<window::Axis> a =
            window::resolveAxis(given, padding.constData(), ceil ? window::Rounding::Ceil : window::Rounding::Floor);
        QCOMPARE(a.ok(), out >= 0);
        if (!a)
            return;
        QCOMPARE(a->out, std::int64_t{out});
        QCOMPARE(a->before, std::int64_t{before});
        QCOMPARE(a->after, std::int64_t{after});
    }

    void convolutions()
    {
        // Keras: same padding of an even kernel and stride 2; the first output sees rows 0 and 1.
        verify(op_conv2d, R"({"kernel_size":[2,2],"strides":[2,2],"padding":"same","use_bias":false})",
               {{{1, 3, 3, 1}, ramp(1, 9)}, {{2, 2, 1, 1}, {1, 10, 100, 1000}}}, {1, 2, 2, 1}, {5421, 603, 87, 9});
        verify(op_conv2d, R"({"kernel_size":[2,2],"strides":[2,2],"padding":"same_lower","use_bias":false})",
               {{{1, 3, 3, 1}, ramp(1, 9)}, {{2, 2, 1, 1}, {1, 10, 100, 1000}}}, {1, 2, 2, 1},
               {1000, 3200, 7040, 9865});
        // ONNX Conv with asymmetric padding, 5x5 ramp from 0, ones, stride 2, pads 1,0,1,0.
        verify(
            op_conv2d,
            R"({"strides":[2,2],"padding":"explicit","pads":[1,0,1,0],"use_bias":false,"data_format":"channels_first"})",
            {{{1, 1, 7, 5}, ramp(0, 34)}, {{3, 3, 1, 1}, Values(9, 1.0)}}, {1, 1, 4, 2},
            {21, 33, 99, 117, 189, 207, 171, 183});
        // Dilation, two filters, bias.
        verify(op_conv2d, R"({"filters":2,"kernel_size":[1,2],"dilation":[1,2]})",
               {{{1, 1, 4, 1}, {1, 2, 3, 4}}, {{1, 2, 1, 2}, {1, 0, 10, -1}}, {{2}, {0.5, 100}}}, {1, 1, 2, 2},
               {31.5, 97, 42.5, 96});
    }

    void denseAndMatmul()
    {
        verify(op_dense, R"({"units":2})",
               {{{2, 1, 2}, {1, 2, 3, 4}}, {{2, 2}, {1, 10, 100, 1000}}, {{2}, {0.5, -0.5}}}, {2, 1, 2},
               {201.5, 2009.5, 403.5, 4029.5});
        // [2, 1, 2, 2] x [3, 2, 1]: every left matrix with every right one.
        verify(op_matmul, "{}", {{{2, 1, 2, 2}, ramp(1, 8)}, {{3, 2, 1}, {1, 0, 0, 1, 1, 1}}}, {2, 3, 2, 1},
               {1, 3, 2, 4, 3, 7, 5, 7, 6, 8, 11, 15});
        verify(op_matmul, "{}", {{{1, 2}, {3, 4}}, {{2, 1, 2, 1}, {1, 2, 10, 20}}}, {2, 1, 1, 1}, {11, 110});
        verify(op_matmul, "{}", {{{2, 1, 1, 2}, {1, 2, 3, 4}}, {{1, 2, 2}, {1, 10, 100, 1000}}}, {2, 1, 1, 2},
               {201, 2010, 403, 4030});
    }

    void referenceHasMagnitudes()
    {
        const Params p = *paramsOf(op_dense, R"({"units":1})");
        const ReferenceResult r =
            *runReference(op_dense, p, {ddOf({1, 2}, {1, -2}), ddOf({2, 1}, {3, 4}), ddOf({1}, {-7})});
        QCOMPARE(r.value.hi()[0], -12.0);
        QCOMPARE(valuesOf(r.magnitudes), (Values{18}));
        const SerialExec exec;
        const Tensor x = tensorOf(DType::f64, {1, 2}, {1, -2}), w = tensorOf(DType::f64, {2, 1}, {3, 4});
        QCOMPARE(valuesOf(*op_dense.contract64({p, x, w, exec})), (Values{-5})); // without bias
        QCOMPARE(op_dense.reductionLength(p, present({{1, 2}, {2, 1}, {1}})), std::int64_t{3});
        const Params c = *paramsOf(op_conv2d, R"({"filters":4,"kernel_size":[3,2],"groups":2,"use_bias":false})");
        QCOMPARE(op_conv2d.reductionLength(c, present({{1, 9, 9, 6}})), std::int64_t{18});
        QCOMPARE(op_conv2d.kernelName(c, kF64, Isa::V3), std::string("conv2d plain x86-64-v3"));
    }

    void weightShapes()
    {
        const std::vector<Shape> in{{2, 9, 8, 6}};
        const Params c = *paramsOf(op_conv2d, R"({"filters":4,"kernel_size":[3,2],"groups":2})");
        QCOMPARE(op_conv2d.weightShape(c, in, 1)->text(), std::string("[3, 2, 3, 4]"));
        QCOMPARE(op_conv2d.weightShape(c, in, 2)->text(), std::string("[4]"));
        const Params d = *paramsOf(op_dense, R"({"units":5})");
        QCOMPARE(op_dense.weightShape(d, in, 1)->text(), std::string("[6, 5]"));
        QVERIFY(!op_dense.portPresent(*paramsOf(op_dense, R"({"use_bias":false})"), 2));
    }

    void refusals()
    {
        const auto check = [](const Error& e, const char* code, std::initializer_list<const char*> parts) {
            QCOMPARE(e.code, std::string(code));
            for (const char* part : parts)
                QVERIFY2(e.message.find(part) != std::string::npos, e.message.c_str());
            QVERIFY(!e.remedy.empty());
        };
        const Shape image{1, 8, 8, 4}, kernel{3, 3, 4, 1}, one{1};
        check(refusal(op_conv2d, "{}", {{8, 8, 4}, kernel, one}), "shape-rank", {"[8, 8, 4]", "needs 4"});
        check(refusal(op_conv2d, "{}", {image, {3, 3, 5, 1}, one}), "shape-weight", {"[3, 3, 5, 1]", "[3, 3, 4, 1]"});
        check(refusal(op_conv2d, "{}", {image, kernel, {2}}), "shape-weight", {"bias", "[2]", "[1]"});
        check(refusal(op_conv2d, R"({"groups":3,"filters":3})", {image, kernel, one}), "shape-groups", {"4", "3"});
        check(refusal(op_conv2d, R"({"kernel_size":[9,1]})", {image, kernel, one}), "shape-window",
              {"9", "8", "height", "[1, 8, 8, 4]"});
        check(refusal(op_conv2d, R"({"dilation":[1,1000000]})", {image, kernel, one}), "shape-window", {"2000001"});
        check(refusal(op_conv2d, R"({"kernel_size":[0,1]})", {image, kernel, one}), "param-range", {});
        check(refusal(op_conv2d, R"({"pads":[-1,0,0,0]})", {image, kernel, one}), "param-range", {});
        check(refusal(op_conv2d, R"({"filters":1000000000,"kernel_size":[1000000,1000000],"padding":"same"})",
                      {image, kernel, one}),
              "shape-overflow", {});
        check(refusal(op_conv2d, "{}", {{1, 1 << 20, 1 << 20, 1}, {3, 3, 1, 1}, one}), "accepted", {});
        check(refusal(op_dense, "{}", {{4}, {4, 1}, one}), "shape-rank", {"[4]"});
        check(refusal(op_dense, "{}", {{2, 3}, {4, 1}, one}), "shape-weight", {"[4, 1]", "[3, 1]"});
        check(refusal(op_matmul, "{}", {{2, 3}, {4, 5}}), "shape-mismatch", {"[2, 3]", "[4, 5]"});
        check(refusal(op_matmul, "{}", {{3}, {3, 5}}), "shape-rank", {"[3]"});
        check(refusal(op_matmul, "{}", {{2, 2, 3}, {3, 3, 5}}), "shape-broadcast", {});
        check(refusal(op_matmul, "{}", {{1 << 21, 1}, {1, 1 << 21}}), "shape-overflow", {});
        check(refusal(op_max_pooling2d, R"({"strides":[2]})", {image}), "param-range", {"1 entry"});
        check(refusal(op_max_pooling2d, R"({"pool_size":[9,9]})", {image}), "shape-window", {"9", "8"});
        check(refusal(op_max_pooling2d,
                      R"({"padding":"explicit","pads":[1000000,1000000,1000000,1000000],"strides":[1,1]})", {image}),
              "shape-overflow", {});
    }

    void stopsAndThreads()
    {
        const Params p = *paramsOf(op_conv2d, R"({"filters":3,"padding":"same"})");
        std::vector<Tensor> operands;
        for (const Shape& s : {Shape{2, 13, 11, 5}, Shape{3, 3, 5, 3}, Shape{3}}) {
            Values v(static_cast<std::size_t>(s.elements()));
            for (std::size_t i = 0; i < v.size(); ++i)
                v[i] = std::sin(static_cast<double>(i));
            operands.push_back(tensorOf(DType::f64, s, v));
        }
        const Tensor one = *runCpu(op_conv2d, p, kF64, operands);
        const TwoThreads threads;
        const Tensor two = *op_conv2d.cpu({p, operands, kF64, threads});
        QVERIFY(std::memcmp(one.raw(), two.raw(), static_cast<std::size_t>(one.bytes())) == 0);
        const Stopped stopped;
        const Result<Tensor> none = op_conv2d.cpu({p, operands, kF64, stopped});
        QVERIFY(!none && none.error().code == "stopped");
        const Params pool = *paramsOf(op_max_pooling2d, "{}");
        QCOMPARE(op_max_pooling2d.cpu({pool, {operands.data(), 1}, kF64, stopped}).error().code,
                 std::string("stopped"));
    }
};

QTEST_GUILESS_MAIN(TestWindowOps)
#include "tst_window_ops.moc"
