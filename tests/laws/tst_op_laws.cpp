// Laws over the catalogue of ops: a new record is tested by them before anyone writes a test for it. Shapes and
// parameters are random but repeatable; a failure prints the op, the case and its operands.
#include "engine/ops/ops.h"
#include "tests/support/op_harness.h"
#include "tests/support/random_op_case.h"

#include <QtTest/QtTest>

#include <cmath>
#include <regex>
#include <set>

using namespace engine;
using namespace support;

namespace {

constexpr int kCases = 2000;
constexpr std::int64_t kMostWork = 1 << 14;

const ParamSpec* paramOf(const OpSpec& spec, std::string_view name)
{
    const auto it = std::find_if(spec.params.begin(), spec.params.end(), [&](const auto& p) { return p.name == name; });
    return it == spec.params.end() ? nullptr : &*it;
}

std::vector<ComputePair> pairsOf(PairSet set)
{
    std::vector<ComputePair> pairs;
    for (const DTypeFacts& m : allDTypes())
        for (const DTypeFacts& a : allDTypes())
            if (pairAllowed(set, {m.dtype, a.dtype}))
                pairs.push_back({m.dtype, a.dtype});
    return pairs;
}

// Source values for the present operands: moderate, of both signs, statistics positive.
std::vector<DDTensor> randomOperands(Random& random, const OpSpec& spec, const OpCase& c)
{
    std::vector<DDTensor> operands(c.operands.size());
    for (std::size_t port = 0; port < operands.size(); ++port) {
        if (!c.operands[port])
            continue;
        const double low = spec.ports[port].role == PortRole::Statistic ? 0.25 : -1.5;
        DDTensor t = DDTensor::allocate(*c.operands[port], DDTensor::Lo::Absent);
        for (std::int64_t i = 0; i < t.elements(); ++i)
            t.mutableHi()[i] = random.between(low, 1.5);
        operands[port] = t;
    }
    return operands;
}

std::vector<Tensor> stored(const std::vector<DDTensor>& operands, DType dtype)
{
    std::vector<Tensor> out(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (!operands[i].isNull())
            out[i] = convertSource(operands[i], dtype, SerialExec());
    return out;
}

std::vector<DDTensor> widened(const std::vector<Tensor>& operands)
{
    std::vector<DDTensor> out(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (!operands[i].isNull())
            out[i] = widen(operands[i], SerialExec());
    return out;
}

bool isSmall(const OpCase& c, const Shape& out)
{
    std::int64_t work = out.elements() + 1, most = 1;
    for (const auto& shape : c.operands)
        most = std::max(most, shape ? shape->elements() : 0);
    return c.isTame && most <= kMostWork && work <= kMostWork && work * most <= 16 * kMostWork;
}

// Calls body(case, params, output shape) for every random case that the op accepts. Returns how many there were,
// or -1 after a failed verification.
template <class Body> int forAcceptedCases(const OpSpec& spec, int cases, std::uint64_t seed, const Body& body)
{
    Random random(seedOf(spec.name) + seed);
    int accepted = 0;
    for (int i = 0; i < cases; ++i) {
        const OpCase c = randomOpCase(random, spec);
        const Result<Params> params = Params::check(spec.params, c.params, "law");
        if (!params)
            continue;
        const Result<Shape> shape = spec.inferShape(*params, c.operands);
        if (!shape)
            continue;
        ++accepted;
        if (!body(random, c, *params, *shape)) {
            qCritical("op %s, case %d: %s", std::string(spec.name).c_str(), i, c.text().c_str());
            return -1;
        }
    }
    return accepted;
}

bool isClose(double got, double expected)
{
    if (std::isnan(expected) || std::isinf(expected) || expected == 0)
        return (std::isnan(got) && std::isnan(expected)) || got == expected;
    return std::abs(got - expected) <= 0x1p-50 * std::abs(expected);
}

void addOps()
{
    QTest::addColumn<int>("index");
    const auto all = opCatalog().all();
    for (std::size_t i = 0; i < all.size(); ++i)
        QTest::newRow(std::string(all[i]->name).c_str()) << static_cast<int>(i);
}

const OpSpec& opAt(int index)
{
    return *opCatalog().all()[static_cast<std::size_t>(index)];
}

} // namespace

class TestOpLaws : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesAreUnique()
    {
        std::set<std::string_view> names;
        for (const OpSpec* spec : opCatalog().all()) {
            QVERIFY2(names.insert(spec->name).second, std::string(spec->name).c_str());
            QCOMPARE(opCatalog().find(spec->name), spec);
        }
        QVERIFY(opCatalog().find("no_such_op") == nullptr);
    }

    void recordIsComplete_data() { addOps(); }
    void recordIsComplete()
    {
        QFETCH(int, index);
        const OpSpec& spec = opAt(index);
        const std::regex word("[a-z][a-z0-9]*(_[a-z0-9]+)*");
        const std::set<std::string_view> categories{"sources", "layers", "activations",
                                                    "pooling", "shape",  "precision"};
        QVERIFY(std::regex_match(std::string(spec.name), word));
        QVERIFY(!spec.title.empty() && !spec.doc.empty() && categories.contains(spec.category));
        QVERIFY(spec.summary.ends_with('.'));
        std::set<std::string_view> names;
        for (const ParamSpec& p : spec.params) {
            QVERIFY2(std::regex_match(std::string(p.name), word) && names.insert(p.name).second,
                     std::string(p.name).c_str());
            QVERIFY2(!p.sentence.empty(), std::string(p.name).c_str());
            QCOMPARE(p.kind == ParamKind::Choice, !p.choices.empty());
        }
        names.clear();
        for (const PortSpec& port : spec.ports) {
            const std::string name(port.name);
            QVERIFY2(std::regex_match(name, word) && names.insert(port.name).second, name.c_str());
            QVERIFY2(!port.sentence.empty(), name.c_str());
            const ParamSpec* source = paramOf(spec, port.source);
            QVERIFY2(port.source.empty() || (source && source->kind == ParamKind::Source && spec.weightShape),
                     name.c_str());
        }
        QVERIFY(spec.inferShape != nullptr);
        if (spec.role == OpRole::Source)
            return;
        QVERIFY(spec.reference && spec.cpu && spec.kernelName && spec.examples);
        QVERIFY(spec.role != OpRole::Contraction || (spec.contract64 && spec.reductionLength));
    }

    void defaultsAreInRange_data() { addOps(); }
    void defaultsAreInRange()
    {
        QFETCH(int, index);
        const OpSpec& spec = opAt(index);
        const Result<Params> params = Params::check(spec.params, {}, "default");
        QVERIFY2(params.ok(), params.ok() ? "" : params.error().text().c_str());
        for (const ParamSpec& p : spec.params) {
            const ParamValue& value = params->map().find(p.name)->second;
            const Result<ParamValue> back = paramFromJson(p.kind, paramToJson(value), "default");
            QVERIFY2(back.ok() && *back == value, std::string(p.name).c_str());
        }
    }

    // The rule refuses or gives a valid shape; where it accepts, reference and kernel give exactly that shape.
    void shapeRule_data() { addOps(); }
    void shapeRule()
    {
        QFETCH(int, index);
        const OpSpec& spec = opAt(index);
        const std::vector<ComputePair> pairs = pairsOf(spec.pairs);
        int computed = 0;
        const int accepted = forAcceptedCases(
            spec, kCases, 1, [&](Random& random, const OpCase& c, const Params& params, const Shape& shape) {
                if (!checkedElements(shape))
                    return false;
                if (!spec.reference || !isSmall(c, shape))
                    return true;
                ++computed;
                const std::vector<DDTensor> operands = randomOperands(random, spec, c);
                const Result<ReferenceResult> reference = runReference(spec, params, operands);
                if (!reference || !(reference->value.shape() == shape))
                    return false;
                for (ComputePair pair : pairs) {
                    const Result<Tensor> y = runCpu(spec, params, pair, stored(operands, pair.multiply));
                    const bool fits = y.ok() && y->shape() == shape && y->dtype() == resultDType(spec, pair);
                    if (!fits) {
                        qCritical("pair %s: %s", pair.text().c_str(),
                                  y.ok() ? (y->shape().text() + " " + std::string(dtypeName(y->dtype()))).c_str()
                                         : y.error().text().c_str());
                        return false;
                    }
                    if (spec.kernelName(params, pair, bestIsa()).empty())
                        return false;
                }
                return true;
            });
        QVERIFY(accepted > 20);
        QVERIFY(computed > 20 || !spec.reference);
        qInfo("accepted %d of %d, computed %d in %d pairs", accepted, kCases, computed, static_cast<int>(pairs.size()));
    }

    // What a rule refuses, it refuses with a code, the shapes and a remedy.
    void refusalsAreExplained_data() { addOps(); }
    void refusalsAreExplained()
    {
        QFETCH(int, index);
        const OpSpec& spec = opAt(index);
        Random random(seedOf(spec.name));
        for (int i = 0; i < kCases; ++i) {
            const OpCase c = randomOpCase(random, spec);
            const Result<Params> params = Params::check(spec.params, c.params, "law");
            QVERIFY2(params.ok(), c.text().c_str());
            const Result<Shape> shape = spec.inferShape(*params, c.operands);
            if (!shape)
                QVERIFY2(!shape.error().code.empty() && !shape.error().message.empty() && !shape.error().remedy.empty(),
                         (c.text() + ": " + shape.error().text()).c_str());
        }
    }

    void examplesAgree_data() { addOps(); }
    void examplesAgree()
    {
        QFETCH(int, index);
        const OpSpec& spec = opAt(index);
        if (!spec.examples)
            return;
        const std::vector<OpExample> examples = spec.examples();
        QVERIFY(!examples.empty());
        for (const OpExample& example : examples) {
            const std::string title(example.title);
            const Result<Params> params = paramsOf(spec, example.params);
            QVERIFY2(params.ok(), title.c_str());
            QCOMPARE(example.shapes.size(), example.values.size());
            std::vector<DDTensor> operands(spec.ports.size());
            std::vector<std::optional<Shape>> shapes(spec.ports.size());
            std::size_t next = 0;
            for (std::size_t port = 0; port < spec.ports.size() && next < example.shapes.size(); ++port) {
                if (spec.portPresent && !spec.portPresent(*params, static_cast<int>(port)))
                    continue;
                QCOMPARE(static_cast<std::int64_t>(example.values[next].size()), example.shapes[next].elements());
                operands[port] = ddOf(example.shapes[next], example.values[next]);
                shapes[port] = example.shapes[next++];
            }
            QVERIFY2(next == example.shapes.size(), title.c_str());
            const Result<Shape> shape = spec.inferShape(*params, shapes);
            QVERIFY2(shape.ok(), shape.ok() ? "" : (title + ": " + shape.error().text()).c_str());
            const Result<ReferenceResult> result = runReference(spec, *params, operands);
            QVERIFY2(result.ok() && result->value.shape() == *shape, title.c_str());
            QCOMPARE(result->value.elements(), static_cast<std::int64_t>(example.expected.size()));
            for (std::size_t i = 0; i < example.expected.size(); ++i)
                QVERIFY2(isClose(result->value.hi()[i], example.expected[i]),
                         qPrintable(QString("%1, element %2: %3, expected %4")
                                        .arg(title.c_str())
                                        .arg(i)
                                        .arg(result->value.hi()[i], 0, 'g', 17)
                                        .arg(example.expected[i], 0, 'g', 17)));
        }
    }

    // |kernel - exact| <= n u sum|ab| + n eta/2, both fed the same rounded operands: arithmetic alone.
    void arithmeticStaysWithinItsBound_data() { addOps(); }
    void arithmeticStaysWithinItsBound()
    {
        QFETCH(int, index);
        const OpSpec& spec = opAt(index);
        if (!spec.reductionLength)
            return;
        const std::vector<ComputePair> pairs = pairsOf(spec.pairs);
        double largest = 0;
        std::int64_t elements = 0;
        const int accepted = forAcceptedCases(
            spec, 600, 2, [&](Random& random, const OpCase& c, const Params& params, const Shape& shape) {
                if (!isSmall(c, shape))
                    return true;
                const std::vector<DDTensor> sources = randomOperands(random, spec, c);
                const auto n = static_cast<double>(spec.reductionLength(params, c.operands));
                for (ComputePair pair : pairs) {
                    const std::vector<Tensor> operands = stored(sources, pair.multiply);
                    const Result<ReferenceResult> exact = runReference(spec, params, widened(operands));
                    const Result<Tensor> y = runCpu(spec, params, pair, operands);
                    if (!exact || !y || exact->magnitudes.isNull())
                        return false;
                    const DType sum = pair.accumulate;
                    for (std::int64_t i = 0; i < y->elements(); ++i) {
                        const DDTensor& r = exact->value;
                        const double low = r.hasLo() ? r.lo()[i] : 0;
                        const double error = std::abs((elementAsDouble(*y, i) - r.hi()[i]) - low);
                        const double bound = n * unitRoundoff(sum) * exact->magnitudes.data<double>()[i] +
                                             n * facts(sum).minSubnormal / 2;
                        // The bound itself is rounded.
                        if (!(error <= bound * (1 + 0x1p-48))) {
                            qCritical("pair %s, element %lld: error %g, bound %g", pair.text().c_str(),
                                      static_cast<long long>(i), error, bound);
                            return false;
                        }
                        largest = std::max(largest, bound > 0 ? error / bound : 0);
                        ++elements;
                    }
                }
                return true;
            });
        QVERIFY(accepted > 10 && elements > 1000);
        qInfo("%lld elements, largest error / bound %.3f", static_cast<long long>(elements), largest);
    }
};

QTEST_GUILESS_MAIN(TestOpLaws)
#include "tst_op_laws.moc"
