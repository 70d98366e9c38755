// Computes the cells of the dialect table from the records and the resolver.
#include "engine/dialects/dialect_cells.h"

#include <algorithm>
#include <array>

namespace engine {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kFixtureNames{
    {{"conv2d", "Conv2D"}, {"dense", "Dense"}, {"add", "Add"}, {"matmul", "MatMul"}}};

std::string cellName(std::string_view op)
{
    for (const auto& [catalogue, fixture] : kFixtureNames)
        if (catalogue == op)
            return std::string(fixture);
    return std::string(op);
}

std::string resultName(const OpSpec& op)
{
    if (op.name == "conv2d")
        return "conv_result";
    return op.role == OpRole::Contraction ? "matmul_result" : "result";
}

// A Cast node's target as its record defaults it; the only cast that no dialect decides.
std::optional<DType> castTarget(const OpSpec& op)
{
    if (op.role != OpRole::Cast)
        return std::nullopt;
    for (const ParamSpec& p : op.params)
        if (p.name == "to" && p.defaultText.size() > 2)
            return dtypeFromName(p.defaultText.substr(1, p.defaultText.size() - 2));
    return std::nullopt;
}

struct Operands {
    std::vector<OperandInfo> infos;
    std::vector<std::string> names;
};

Operands operandsOf(const OpSpec& op, DType input, DType weight, bool withBias)
{
    Operands o;
    bool hasWeight = false;
    for (const PortSpec& port : op.ports) {
        if (port.role == PortRole::Bias && op.role == OpRole::Contraction && !withBias)
            continue;
        const bool isActivation = port.role == PortRole::Activation;
        o.infos.push_back({isActivation ? input : weight, port.role});
        o.names.push_back(isActivation || hasWeight ? std::string(port.name) : "weight");
        hasWeight = hasWeight || !isActivation;
    }
    return o;
}

bool sameMove(const CellCast& a, const CellCast& b)
{
    return a.from == b.from && a.to == b.to && a.exact == b.exact;
}

// Casts of weight-like operands beyond the first are listed only where that first one has no cast like it.
void addCasts(DialectCell& cell, const std::vector<CastDecision>& casts, const Operands& operands,
              const std::string& result, bool afterResult)
{
    for (const CastDecision& c : casts) {
        const auto i = static_cast<std::size_t>(std::max(c.operand, 0));
        const bool isFollower = !afterResult && c.operand >= 0 && operands.infos[i].role != PortRole::Activation &&
                                operands.names[i] != "weight";
        CellCast listed{c.operand < 0 ? result : operands.names[i], c.from, c.to, c.exact};
        const bool isRepeated = isFollower && std::any_of(cell.casts.begin(), cell.casts.end(), [&](const CellCast& k) {
                                    return k.operand == "weight" && sameMove(k, listed);
                                });
        if (!isRepeated)
            cell.casts.push_back(std::move(listed));
    }
}

int effectiveBitsOf(const OpSpec& op, const DialectCell& cell, const Operands& operands)
{
    int bits = 1 << 20;
    for (const CellCast& c : cell.casts)
        bits = std::min(bits, significandBits(c.to));
    if (op.carriesBits || op.role == OpRole::Output) {
        for (const OperandInfo& o : operands.infos)
            bits = std::min(bits, significandBits(o.dtype));
        return bits;
    }
    const DType accumulate = hasSlot(op, Slot::Accumulate) ? defaultAccumulate(*cell.compute) : *cell.compute;
    return std::min({bits, significandBits(*cell.compute), significandBits(accumulate), significandBits(*cell.output)});
}

// A bias added by itself, so that the op without one answers differently.
bool biasMatters(const DialectSpec& dialect, const OpSpec& op)
{
    return std::any_of(dialect.demotions.begin(), dialect.demotions.end(), [&](const Demotion& d) {
        return d.op == op.name &&
               (d.bias == DemotedBias::WidensResult || (d.bias == DemotedBias::Narrowed && !d.operands));
    });
}

void addLossy(DialectCell& cell)
{
    for (const CellCast& c : cell.casts)
        if (!c.exact)
            cell.lossyOperands.push_back(c.operand);
    std::sort(cell.lossyOperands.begin(), cell.lossyOperands.end());
    cell.lossyOperands.erase(std::unique(cell.lossyOperands.begin(), cell.lossyOperands.end()),
                             cell.lossyOperands.end());
}

} // namespace

DialectCell dialectCell(const DialectSpec& dialect, const OpSpec& op, DType input, DType weight,
                        std::optional<DType> layerDtype, bool withBias)
{
    const Operands operands = operandsOf(op, input, weight, withBias);
    DialectQuery query;
    query.op = op.name;
    query.role = op.role;
    query.isLayer = op.isLayer;
    query.operands = operands.infos;
    query.layerDtype = layerDtype;
    for (const PortSpec& p : op.ports)
        query.ownsWeights = query.ownsWeights || !p.source.empty();
    const DialectAnswer answer = resolve(dialect, query);

    DialectCell cell;
    cell.dialect = dialect.name;
    cell.op = cellName(op.name);
    cell.input = input;
    if (operands.infos.size() > 1)
        cell.weight = weight;
    cell.layerDtype = layerDtype;
    cell.ok = answer.ok;
    cell.errors = answer.messages;
    if (!answer.ok) {
        const auto other = static_cast<std::size_t>(answer.mismatchOperand);
        if (cell.errors.empty())
            cell.errors.emplace_back(
                "mantissa", mismatchSentence(dialect, query, answer, operands.names[0], operands.names[other]));
        return cell;
    }
    cell.compute = answer.compute;
    cell.output = answer.output;
    addCasts(cell, answer.casts, operands, resultName(op), false);
    addCasts(cell, answer.resultCasts, operands, resultName(op), true);
    if (const std::optional<DType> to = castTarget(op)) {
        if (*to != input)
            cell.casts.push_back({"input", input, *to, isExactCast(input, *to)});
        cell.compute = cell.output = *to;
    }
    cell.effectiveBits = effectiveBitsOf(op, cell, operands);
    addLossy(cell);
    cell.warning = answer.warning;
    cell.warned = !answer.warning.empty();
    return cell;
}

std::vector<DialectCell> dialectCells(const DialectCatalog& dialects, const OpCatalog& ops)
{
    std::vector<DType> storage;
    for (const DTypeFacts& f : allDTypes())
        if (f.isStorage)
            storage.push_back(f.dtype);
    std::vector<DialectCell> cells;
    for (const DialectSpec* dialect : dialects.all()) {
        const Behaviour after =
            dialect->behaviour == Behaviour::Canonicalize ? dialect->afterCanonicalize : dialect->behaviour;
        for (const OpSpec* op : ops.all()) {
            if (op->ports.empty())
                continue;
            const bool isUnary = op->ports.size() == 1;
            for (const DType input : storage) {
                for (const DType weight : isUnary ? std::vector<DType>{input} : storage) {
                    cells.push_back(dialectCell(*dialect, *op, input, weight));
                    if (biasMatters(*dialect, *op)) {
                        cells.push_back(dialectCell(*dialect, *op, input, weight, {}, false));
                        cells.back().variant = "no_bias";
                    }
                    if (after == Behaviour::CastToLayer && op->name == "add") {
                        cells.push_back(dialectCell(*dialect, *op, input, weight, DType::f64));
                        cells.back().variant = "layer_float64";
                    }
                }
            }
        }
    }
    return cells;
}

} // namespace engine
