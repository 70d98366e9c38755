#include "engine/report/text_report.h"

#include "engine/report/text_table.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace engine {

namespace {

constexpr Align kLeft = Align::Left, kRight = Align::Right;

std::string number(const std::optional<double>& v)
{
    return v ? shortNumber(*v) : "-";
}

std::string percent(double share)
{
    return shortNumber(100 * share) + " %";
}

std::string headText(const RunSnapshot& s, const ReportModel& model)
{
    std::string text = printable(model.name.empty() ? model.file : model.name + "  (" + model.file + ")");
    text += "\n" + s.machine.backend + " " + s.machine.isa + (s.machine.fma ? ", FMA, " : ", no FMA, ") +
            std::to_string(s.machine.threads) + (s.machine.threads == 1 ? " thread" : " threads") + "\n";
    return text;
}

std::string runTitle(const RunResult& r)
{
    return "\ninput " + std::string(dtypeName(r.combo.input)) + ", weights " + std::string(dtypeName(r.combo.weight)) +
           ", dialect " + r.dialect + (r.ok ? "" : ": REFUSED") + "  (" + shortNumber(r.timeMs) + " ms)\n";
}

std::string nodeName(const RunResult& r, NodeId id)
{
    for (const NodeResult& n : r.nodes)
        if (n.id == id)
            return n.name;
    return "node " + std::to_string(id.value);
}

std::string findingsText(const RunResult& r)
{
    std::string text;
    for (const Finding& f : r.findings) {
        const std::string place = f.node ? nodeName(r, f.node) + (f.port.empty() ? "" : "." + f.port) + ": " : "";
        const char* mark = f.severity == Severity::Error     ? "error: "
                           : f.severity == Severity::Warning ? "warning: "
                                                             : "note: ";
        std::string remedies;
        for (const std::string& remedy : f.remedies)
            remedies += (remedies.empty() ? " [" : ", ") + remedy;
        text += wrap(mark + place + f.message + (remedies.empty() ? "" : remedies + "]") + " (" + f.rule + ")", 2, 6);
        if (!f.frameworkMessage.empty())
            text += wrap("the framework says: " + f.frameworkMessage, 6, 8);
    }
    return text;
}

std::string largestStage(const NodeResult& n)
{
    if (!n.stages)
        return "-";
    int best = -1;
    for (int s = 0; s < kStageCount; ++s) {
        const auto share = n.stages->stages[static_cast<std::size_t>(s)].share;
        if (share && (best < 0 || std::abs(*share) > std::abs(*n.stages->stages[static_cast<std::size_t>(best)].share)))
            best = s;
    }
    if (best < 0)
        return "none";
    return std::string(stageName(static_cast<Stage>(best))) + " " +
           percent(*n.stages->stages[static_cast<std::size_t>(best)].share);
}

std::string shapeText(const Shape& shape)
{
    std::string text;
    for (std::int64_t d : shape.dims())
        text += (text.empty() ? "" : "x") + std::to_string(d);
    return text.empty() ? "scalar" : text;
}

TextTable nodeTable(const RunResult& r)
{
    TextTable table({kRight, kLeft, kLeft, kRight, kRight, kRight, kRight, kRight, kRight, kLeft});
    table.add({"id", "node", "dtype", "shape", "eff.", "max abs", "rel L2", "max ULP", "bits", "largest stage"});
    for (const NodeResult& n : r.nodes) {
        const ErrorMetrics e = n.error.value_or(ErrorMetrics{});
        table.add({std::to_string(n.id.value), n.name, std::string(facts(n.dtype).shortName), shapeText(n.shape),
                   std::to_string(n.effectiveBits), number(e.maxAbs), number(e.relL2), number(e.maxUlp),
                   number(e.medianBits), largestStage(n)});
    }
    return table;
}

TextTable castTable(const RunResult& r)
{
    TextTable table({kLeft, kLeft, kLeft, kRight, kRight, kRight, kRight, kLeft});
    table.add({"port", "cast", "by", "changed", "max ULP", "max rel", "bits kept", "rule"});
    for (const NodeResult& n : r.nodes)
        for (const CastReport& c : n.casts)
            table.add({n.name + "." + c.port,
                       std::string(facts(c.from).shortName) + " -> " + std::string(facts(c.to).shortName),
                       c.implicit ? "dialect" : "asked", percent(c.changed), number(c.maxUlp), number(c.maxRel),
                       number(c.bitsKept), c.rule});
    return table;
}

std::string counted(std::int64_t count, const char* one, const char* many)
{
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

// What a mean cannot show: elements that are not finite, out of range, or flushed to zero.
std::string notFiniteText(const RunResult& r)
{
    std::string text;
    for (const NodeResult& n : r.nodes) {
        if (!n.error)
            continue;
        const ErrorMetrics& e = *n.error;
        std::string what;
        const auto add = [&](const std::string& part) { what += (what.empty() ? "" : ", ") + part; };
        if (e.nan + e.inf > 0)
            add(std::to_string(e.nan) + " NaN and " + std::to_string(e.inf) + " Inf among " +
                std::to_string(e.elements) + " values" +
                (e.firstBad ? ", the first where the reference is finite at " + std::to_string(*e.firstBad) : ""));
        if (e.overflow > 0)
            add(std::to_string(e.overflow) + " overflowed");
        if (e.underflow > 0)
            add(std::to_string(e.underflow) + " flushed to zero");
        if (e.zeroRefWrong > 0)
            add(std::to_string(e.zeroRefWrong) + " not zero where the reference is");
        if (n.stagesExcluded > 0)
            add(counted(n.stagesExcluded, "element", "elements") + " left out of the stages");
        if (e.referenceLimited)
            add("the reference itself is limited here");
        if (!what.empty())
            text += wrap(n.name + ": " + what, 2, 6);
    }
    return text;
}

// Casts and storage that made infinities, zeros, NaN or subnormals: never only a number in a table.
std::string lossesText(const RunResult& r)
{
    std::string text;
    const auto line = [&](const std::string& place, const std::string& what, std::int64_t inf, std::int64_t zero,
                          std::int64_t subnormal, std::int64_t nan) {
        if (inf + zero + subnormal + nan == 0)
            return;
        text +=
            wrap(place + ": " + what + " made " + counted(inf, "infinity", "infinities") + ", " + std::to_string(nan) +
                     " NaN, " + counted(zero, "zero", "zeros") + ", " + counted(subnormal, "subnormal", "subnormals"),
                 2, 6);
    };
    for (const NodeResult& n : r.nodes) {
        for (const CastReport& c : n.casts)
            line(n.name + "." + c.port, "the cast to " + std::string(dtypeName(c.to)), c.newInf, c.newZero,
                 c.newSubnormal, c.newNan);
        for (const StoredReport& s : n.stored)
            line(n.name + "." + s.port, "storing as " + std::string(dtypeName(s.to)), s.newInf, s.newZero,
                 s.newSubnormal, s.newNan);
    }
    return text;
}

TextTable storedTable(const RunResult& r)
{
    TextTable table({kLeft, kLeft, kRight, kRight});
    table.add({"stored", "dtype", "changed", "max ULP"});
    for (const NodeResult& n : r.nodes)
        for (const StoredReport& s : n.stored)
            table.add({n.name + "." + s.port, std::string(dtypeName(s.to)), percent(s.changed), number(s.maxUlp)});
    return table;
}

} // namespace

std::string runText(const RunSnapshot& snapshot, const ReportModel& model)
{
    std::string text = headText(snapshot, model);
    text += "errors are against a double-double run from the source values (" + shortNumber(snapshot.referenceMs) +
            " ms)\n";
    text += "eff.: effective bits; bits: median correct bits\n";
    for (const RunResult& r : snapshot.runs) {
        text += runTitle(r) + findingsText(r);
        if (const TextTable table = nodeTable(r); !table.isEmpty())
            text += table.text(2);
        if (const TextTable table = castTable(r); !table.isEmpty())
            text += "\n" + table.text(2);
        text += lossesText(r) + notFiniteText(r);
        for (const NodeResult& n : r.nodes)
            if (n.bound && n.bound->maxRatio > 1)
                text += wrap("error: " + n.name + ": the arithmetic error is " + shortNumber(n.bound->maxRatio) +
                                 " times its a-priori bound: a defect of the program",
                             2, 6);
    }
    return text;
}

std::string explainText(const RunSnapshot& snapshot, const ReportModel& model)
{
    std::string text = headText(snapshot, model);
    for (const RunResult& r : snapshot.runs) {
        text += runTitle(r) + findingsText(r);
        if (const TextTable table = storedTable(r); !table.isEmpty())
            text += table.text(2) + "\n";
        const TextTable casts = castTable(r);
        text += casts.isEmpty() ? "  no casts\n" : casts.text(2);
        text += lossesText(r);
        std::map<std::string, std::string> sentences;
        for (const NodeResult& n : r.nodes)
            for (const CastReport& c : n.casts)
                if (!c.sentence.empty())
                    sentences[c.rule] = c.sentence;
        for (const auto& [rule, sentence] : sentences)
            text += wrap(std::string(rule).append(": ").append(sentence), 2, 6);
    }
    return text;
}

namespace {

// "float16,float32" -> "f16,f32"
std::string shortPair(std::string pair)
{
    for (const DTypeFacts& f : allDTypes())
        for (std::size_t at; (at = pair.find(f.name)) != std::string::npos && f.name != f.shortName;)
            pair.replace(at, f.name.size(), f.shortName);
    return pair;
}

} // namespace

std::string checkText(const MachineInfo& machine, const std::vector<CheckRow>& rows)
{
    TextTable table({kLeft, kLeft, kLeft, kRight, kLeft, kLeft});
    table.add({"op", "pair", "shape", "max ratio", "of", "result"});
    double worst = 0;
    std::int64_t failed = 0, ran = 0;
    for (const CheckRow& r : rows) {
        table.add({r.op, shortPair(r.pair), r.shape, number(r.maxRatio), r.boundKind,
                   r.ok         ? "ok"
                   : r.maxRatio ? "FAILED " + r.reason
                                : "not run: " + r.reason});
        worst = std::max(worst, r.maxRatio.value_or(0));
        failed += !r.ok && r.maxRatio ? 1 : 0;
        ran += r.maxRatio ? 1 : 0;
    }
    return table.text(0) + "\n" + machine.backend + " " + machine.isa + ": " + std::to_string(ran) + " rows ran, " +
           std::to_string(failed) + " failed, max_ratio " + shortNumber(worst) + "\n";
}

std::string opsText(const OpCatalog& ops)
{
    TextTable table({kLeft, kLeft, kLeft});
    table.add({"op", "category", "what it does"});
    for (const OpSpec* s : ops.all())
        table.add({std::string(s->name), std::string(s->category), std::string(s->summary)});
    return table.text(0);
}

std::string dialectsText(const DialectCatalog& dialects)
{
    std::string text;
    for (const DialectSpec* d : dialects.all()) {
        text += std::string(d->name) + "  (" + std::string(d->title) + "; " + std::string(d->versions) + ")\n";
        text += wrap(d->sentence, 4, 4);
    }
    return text;
}

} // namespace engine
