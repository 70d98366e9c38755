// The GPU module's seam without a GPU: the host-device casts over exhaustive inputs against convert(), and the loader's
// reasons against a stand-in module. With a real module and no driver, the reason must say so; with a GPU, the casts
// run there and must give the same bits.
#include "engine/cuda/cast_device.h"
#include "engine/model/convert.h"
#include "engine/run/cuda_loader.h"

#include <QtTest/QtTest>

#include <cstring>
#include <filesystem>
#include <random>

using namespace engine;

namespace {

const SerialExec kSerial;

// The inputs of each dtype: all patterns up to 16 bits; for float32 every upper half, for both wide ones also random
// words of all exponents, and what the narrow formats widen to with their midpoints' neighbours.
Tensor inputs(DType d)
{
    if (facts(d).bytes <= 2) {
        const std::int64_t count = std::int64_t{1} << (8 * facts(d).bytes);
        Tensor t = Tensor::allocate(d, {count});
        for (std::int64_t i = 0; i < count; ++i)
            if (facts(d).bytes == 1)
                t.mutableData<std::uint8_t>()[i] = static_cast<std::uint8_t>(i);
            else
                t.mutableData<std::uint16_t>()[i] = static_cast<std::uint16_t>(i);
        return t;
    }
    std::mt19937_64 random(31);
    constexpr std::int64_t kCount = 400000;
    Tensor t = Tensor::allocate(d, {kCount});
    for (std::int64_t i = 0; i < kCount; ++i) {
        const std::uint64_t r = random();
        const std::uint64_t tail = std::uint64_t{1} << (18 + r % 30);
        if (d == DType::f32)
            t.mutableData<std::uint32_t>()[i] =
                static_cast<std::uint32_t>(i) << 16 | static_cast<std::uint32_t>(r >> 48);
        else if (i % 2)
            t.mutableData<std::uint64_t>()[i] = r;
        else
            t.mutableData<std::uint64_t>()[i] =
                (r & 0x800FFFFFFFFFFFFF & ~(2 * tail - 1)) + tail + r % 3 - 1 + ((880 + (r >> 52) % 290) << 52);
    }
    return t;
}

template <class To, class From> void checkPair(DType from, DType to, NarrowOverflow overflow)
{
    if (from == to)
        return;
    const Tensor x = inputs(from);
    const auto policy = overflow == NarrowOverflow::Saturate ? FloatOverflow::Saturate : FloatOverflow::ToSpecial;
    const Tensor expected = convert(x, to, kSerial, policy);
    std::vector<To> actual(static_cast<std::size_t>(x.elements()));
    for (std::int64_t i = 0; i < x.elements(); ++i)
        actual[static_cast<std::size_t>(i)] = castElement<To>(x.data<From>()[i], overflow);
    QCOMPARE(expected.bytes(), static_cast<std::int64_t>(actual.size() * sizeof(To)));
    QVERIFY2(std::memcmp(actual.data(), expected.raw(), static_cast<std::size_t>(expected.bytes())) == 0,
             qPrintable(QString("%1 to %2").arg(facts(from).shortName.data(), facts(to).shortName.data())));
}

template <class From> void checkFrom(DType from)
{
    for (NarrowOverflow overflow : {NarrowOverflow::ToSpecial, NarrowOverflow::Saturate}) {
        checkPair<double, From>(from, DType::f64, overflow);
        checkPair<float, From>(from, DType::f32, overflow);
        checkPair<TensorFloat32, From>(from, DType::tf32, overflow);
        checkPair<Float16, From>(from, DType::f16, overflow);
        checkPair<BFloat16, From>(from, DType::bf16, overflow);
        checkPair<Float8E4M3FN, From>(from, DType::e4m3fn, overflow);
        checkPair<Float8E5M2, From>(from, DType::e5m2, overflow);
    }
}

std::string beside(const QString& path)
{
    const std::filesystem::path folder(QCoreApplication::applicationDirPath().toStdString());
    return (folder / path.toStdString()).lexically_normal().string();
}

bool exists(const std::string& path)
{
    return std::filesystem::exists(path);
}

} // namespace

class CudaCastsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void castsAreConverts()
    {
        checkFrom<double>(DType::f64);
        checkFrom<float>(DType::f32);
        checkFrom<Float16>(DType::f16);
        checkFrom<BFloat16>(DType::bf16);
        checkFrom<Float8E4M3FN>(DType::e4m3fn);
        checkFrom<Float8E5M2>(DType::e5m2);
    }

    void noModuleIsAReason()
    {
        const CudaModule m = CudaModule::open("/nowhere/libmantissa_cuda.so");
        QCOMPARE(m.availability().reason, CudaReason::NoModule);
        QVERIFY(m.availability().sentence.find("/nowhere/libmantissa_cuda.so") != std::string::npos);
        QVERIFY(m.availability().remedy.find("MANTISSA_CUDA_MODULE") != std::string::npos);
        QVERIFY(!m.table());
        QVERIFY(!m.find("cast", "float64", "float16"));
        qputenv("MANTISSA_CUDA_MODULE", "/elsewhere/module.so");
        const BackendInfo info = cudaBackend();
        qunsetenv("MANTISSA_CUDA_MODULE");
        QCOMPARE(info.name, std::string("cuda"));
        QVERIFY(!info.available);
        QVERIFY(info.reason.find("/elsewhere/module.so") != std::string::npos);
        QVERIFY(!info.remedy.empty());
    }

    void brokenModuleIsAReason()
    {
        QTemporaryFile text;
        QVERIFY(text.open());
        text.write("this is no library\n");
        text.flush();
        const CudaModule m = CudaModule::open(text.fileName().toStdString());
        QCOMPARE(m.availability().reason, CudaReason::BrokenModule);
        QVERIFY(m.availability().sentence.find(text.fileName().toStdString()) != std::string::npos);
        // A library, but another one.
        const CudaModule other = CudaModule::open("libc.so.6");
        QCOMPARE(other.availability().reason, CudaReason::BrokenModule);
        QVERIFY(other.availability().sentence.find("mantissa_cuda_module") != std::string::npos);
    }

    void standInsReasons_data()
    {
        QTest::addColumn<QString>("pretence");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("fragment"); // of the sentence
        QTest::newRow("version") << "version"
                                 << "wrong-version"
                                 << "interface version 7, this program needs 1";
        QTest::newRow("table") << "no-table"
                               << "broken-module"
                               << "no table";
        QTest::newRow("driver") << "no-driver"
                                << "no-driver"
                                << "libcuda.so.1";
        QTest::newRow("old driver") << "driver-too-old"
                                    << "driver-too-old"
                                    << "serves CUDA 12.4, the GPU module needs 13.0";
        QTest::newRow("device") << "no-device"
                                << "no-device"
                                << "no GPU";
        QTest::newRow("old device") << "old-device"
                                    << "device-too-old"
                                    << "Old Card has compute capability 7.0, the GPU module needs 7.5";
        QTest::newRow("failure") << "failed"
                                 << "driver-failed"
                                 << "fan on fire";
        QTest::newRow("ready") << ""
                               << "ready"
                               << "New Card, compute capability 9.0";
    }

    void standInsReasons()
    {
        QFETCH(QString, pretence);
        QFETCH(QString, code);
        QFETCH(QString, fragment);
        const std::string path = beside("libmantissa_cuda_fake.so");
        if (!exists(path))
            QSKIP("the stand-in module is not built (target mantissa_cuda_fake)");
        qputenv("MANTISSA_FAKE_CUDA", pretence.toUtf8());
        const CudaModule m = CudaModule::open(path);
        qunsetenv("MANTISSA_FAKE_CUDA");
        const CudaAvailability& a = m.availability();
        QCOMPARE(QString::fromUtf8(cudaReasonCode(a.reason).data()), code);
        QVERIFY2(a.sentence.find(fragment.toStdString()) != std::string::npos, a.sentence.c_str());
        QCOMPARE(a.available(), code == "ready");
        QCOMPARE(a.remedy.empty(), code == "ready");
        QCOMPARE(m.table() != nullptr, code == "ready");
        QCOMPARE(m.find("cast", "float64", "float16") != nullptr, code == "ready");
        QVERIFY(!m.find("cast", "float16", "float64"));
    }

    void realModule()
    {
        const std::string path = beside("../app/libmantissa_cuda.so");
        if (!exists(path))
            QSKIP("the GPU module is not built");
        const CudaModule m = CudaModule::open(path);
        const CudaAvailability& a = m.availability();
        const bool hasDriver = QLibrary("libcuda.so.1").load();
        if (!hasDriver) {
            QCOMPARE(a.reason, CudaReason::NoDriver);
            QVERIFY(a.sentence.find("libcuda.so.1") != std::string::npos);
            return;
        }
        QVERIFY(a.reason != CudaReason::NoModule && a.reason != CudaReason::BrokenModule &&
                a.reason != CudaReason::WrongVersion && a.reason != CudaReason::NoDriver);
        if (!a.available())
            QSKIP(a.sentence.c_str());
        constexpr DType kFloats[] = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::e4m3fn, DType::e5m2};
        for (DType from : kFloats)
            for (DType to : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::e4m3fn, DType::e5m2, DType::tf32})
                if (from != to)
                    runOnDevice(m, from, to);
    }

private:
    static void runOnDevice(const CudaModule& m, DType from, DType to)
    {
        const auto cast = reinterpret_cast<MantissaCudaCast>(m.find("cast", dtypeName(from), dtypeName(to)));
        QVERIFY(cast);
        const MantissaCudaModuleV1& gpu = *m.table();
        const Tensor x = inputs(from), expected = convert(x, to, kSerial);
        Tensor y = Tensor::allocate(to, x.shape());
        void *source = nullptr, *target = nullptr;
        QCOMPARE(gpu.allocate(x.bytes(), &source), 0);
        QCOMPARE(gpu.allocate(y.bytes(), &target), 0);
        QCOMPARE(gpu.copyToDevice(source, x.raw(), x.bytes()), 0);
        QCOMPARE(cast(source, target, x.elements(), 0, nullptr), 0);
        QCOMPARE(gpu.copyToHost(y.mutableRaw(), target, y.bytes()), 0);
        QCOMPARE(gpu.release(source), 0);
        QCOMPARE(gpu.release(target), 0);
        QVERIFY(std::memcmp(y.raw(), expected.raw(), static_cast<std::size_t>(y.bytes())) == 0);
    }
};

QTEST_GUILESS_MAIN(CudaCastsTest)
#include "tst_cuda_casts.moc"
