// A stop at every place where the engine asks for one, in turn: the run ends as stopped, nothing asserts, and what the
// runner keeps is whole: the next run of the same request is, bit for bit, that of a runner that was never stopped.
#include "engine/dialects/dialects.h"
#include "engine/model/exec.h"
#include "engine/ops/ops.h"
#include "engine/run/local_runner.h"
#include "tests/engine/plan_graphs.h"

#include <QtTest>

#include <cstring>

using namespace engine;
using engine::testing::GraphBuilder;

namespace {

// Stops at the k-th question, and from then on; a task of a parallel loop is preceded by one.
class StopAt final : public Exec {
public:
    explicit StopAt(std::int64_t k) : m_left(k) {}
    Isa isa() const override { return bestIsa(); }
    int threads() const override { return 1; }
    bool stopRequested() const override
    {
        ++asked;
        return m_left <= 0 || --m_left <= 0;
    }
    bool parallelFor(std::int64_t tasks, const std::function<void(std::int64_t)>& body) const override
    {
        for (std::int64_t i = 0; i < tasks; ++i) {
            if (stopRequested())
                return false;
            body(i);
        }
        return true;
    }
    mutable std::int64_t asked = 0;

private:
    mutable std::int64_t m_left;
};

// Images as bytes, a cast of its own, every kind of kernel: contraction, window, normalisation, function, move.
RunRequest request()
{
    GraphBuilder b;
    Source images;
    images.kind = Source::Kind::Tensor;
    images.name = "images";
    images.scale = Source::Scale::Unit;
    const NodeId in = b.add("in", "input", {{"shape", IntList{2, 8, 8, 1}}, {"value", images}});
    const NodeId conv = b.then(in, "conv", "conv2d", {{"filters", std::int64_t{3}}, {"kernel_size", IntList{3, 3}}});
    const NodeId bn = b.then(conv, "bn", "batch_normalization");
    const NodeId relu = b.then(bn, "gelu", "gelu");
    const NodeId pool = b.then(relu, "pool", "max_pooling2d");
    const NodeId flat = b.then(pool, "flat", "flatten");
    const NodeId dense = b.then(flat, "dense", "dense", {{"units", std::int64_t{4}}});
    const NodeId cast = b.then(dense, "cast", "cast", {{"to", std::string("bfloat16")}});
    const NodeId soft = b.then(cast, "soft", "softmax");
    b.then(soft, "out", "output");
    RunRequest r;
    r.graph = b.graph;
    SourceArray array;
    array.dtype = DType::u8;
    array.shape = Shape(IntList{2, 8, 8, 1});
    array.integerDepth = 8;
    array.data = Tensor::allocate(DType::u8, array.shape);
    for (int i = 0; i < 128; ++i)
        array.data.mutableData<std::uint8_t>()[i] = static_cast<std::uint8_t>(37 * i);
    r.arrays.emplace(images.arrayKey(), array);
    r.configurations = {{"keras_tf26", {DType::f64, DType::f32}}, {"promote", {DType::f16, DType::bf16}}};
    return r;
}

LocalRunner makeRunner()
{
    return LocalRunner(opCatalog(), dialectCatalog(), {.threads = 1});
}

QString difference(const RunSnapshot& a, const RunSnapshot& b)
{
    if (a.stopped || b.stopped || a.runs.size() != b.runs.size())
        return "a run is missing";
    for (std::size_t i = 0; i < a.runs.size(); ++i) {
        if (a.runs[i].nodes.size() != b.runs[i].nodes.size())
            return QString("run %1: a node is missing").arg(i);
        for (std::size_t n = 0; n < a.runs[i].nodes.size(); ++n) {
            const NodeResult &x = a.runs[i].nodes[n], &y = b.runs[i].nodes[n];
            const QString place = QString("run %1, %2: ").arg(i).arg(QString::fromStdString(x.name));
            if (x.output.bytes() != y.output.bytes() ||
                std::memcmp(x.output.raw(), y.output.raw(), static_cast<std::size_t>(x.output.bytes())) != 0)
                return place + "output";
            if (x.error.has_value() != y.error.has_value() || x.stages.has_value() != y.stages.has_value() ||
                x.bound.has_value() != y.bound.has_value())
                return place + "something is missing";
            if (x.error && (x.error->relL2 != y.error->relL2 || x.error->ulpHistogram != y.error->ulpHistogram))
                return place + "error";
            for (std::size_t s = 0; x.stages && s < kStageCount; ++s)
                if (x.stages->stages[s].rmse != y.stages->stages[s].rmse)
                    return place + "stages";
            if (x.bound && (x.bound->maxRatio != y.bound->maxRatio || x.bound->maxAbs != y.bound->maxAbs))
                return place + "bound";
            if (x.health.normal != y.health.normal || x.health.zero != y.health.zero ||
                x.casts.size() != y.casts.size())
                return place + "health or casts";
            for (std::size_t c = 0; c < x.casts.size(); ++c)
                if (x.casts[c].changed != y.casts[c].changed || x.casts[c].bitsKept != y.casts[c].bitsKept)
                    return place + "a cast's measure";
        }
    }
    return {};
}

} // namespace

class StopAnywhereTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPlaceInTurn()
    {
        const RunRequest r = request();
        LocalRunner fresh = makeRunner();
        const StopAt never(std::int64_t{1} << 40);
        const auto whole = fresh.runOn(never, r);
        QVERIFY2(whole.ok(), whole.ok() ? "" : whole.error().text().c_str());
        for (const RunResult& run : (*whole)->runs)
            QCOMPARE(run.nodes.size(), std::size_t{10});
        QVERIFY(never.asked > 100); // otherwise nothing is tried
        for (std::int64_t k = 1; k <= never.asked; ++k) {
            LocalRunner runner = makeRunner();
            const StopAt exec(k);
            const auto stopped = runner.runOn(exec, r);
            QVERIFY2(stopped.ok(), qPrintable(QString("stop %1 became an error").arg(k)));
            QVERIFY2((*stopped)->stopped || k == never.asked, qPrintable(QString("stop %1 was not seen").arg(k)));
            const auto again = runner.runOn(StopAt(std::int64_t{1} << 40), r);
            QVERIFY(again.ok());
            const QString d = difference(**whole, **again);
            QVERIFY2(d.isEmpty(), qPrintable(QString("after stop %1 of %2: %3").arg(k).arg(never.asked).arg(d)));
        }
        qInfo("%lld places", static_cast<long long>(never.asked));
    }
};

QTEST_GUILESS_MAIN(StopAnywhereTest)
#include "tst_stop_anywhere.moc"
