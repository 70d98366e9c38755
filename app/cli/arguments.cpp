#include "app/cli/arguments.h"

#include "app/cli/limits.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <sstream>

namespace app {

namespace {

using engine::Combo;

constexpr int kWrongUsage = 2;

struct Raw {
    std::vector<std::string> combos, inputs, limits;
    std::string batch, memory;
};

std::optional<Combo> comboFrom(const std::string& text)
{
    const auto colon = text.find(':');
    if (colon == std::string::npos)
        return std::nullopt;
    const auto input = engine::dtypeFromName(text.substr(0, colon));
    const auto weight = engine::dtypeFromName(text.substr(colon + 1));
    if (!input || !weight || !engine::facts(*input).isStorage || !engine::facts(*weight).isStorage)
        return std::nullopt;
    return Combo{*input, *weight};
}

template <class T> std::optional<T> numberFrom(std::string_view text)
{
    T value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Each returns a complaint, or nothing.
std::optional<std::string> readCombos(const Raw& raw, Arguments& a)
{
    for (const std::string& text : raw.combos) {
        if (text == "all") {
            a.allCombos = true;
            a.combos.insert(a.combos.end(), engine::kFourCombos.begin(), engine::kFourCombos.end());
        } else if (const auto combo = comboFrom(text)) {
            a.combos.push_back(*combo);
        } else {
            return "--combo " + text + ": write INPUT:WEIGHT with dtype names, as float64:float32 or f16:f16, or all";
        }
    }
    return std::nullopt;
}

std::optional<std::string> readInputs(const Raw& raw, Arguments& a)
{
    for (const std::string& text : raw.inputs) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
            return "--input " + text + ": write NODE=FILE, NODE an id or a name";
        a.inputs.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
    return std::nullopt;
}

std::optional<std::string> readLimit(const std::string& text, Arguments& a)
{
    const auto equals = text.find('=');
    const std::string metric = text.substr(0, equals);
    const auto value = equals == std::string::npos ? std::nullopt : numberFrom<double>(text.substr(equals + 1));
    if (!value || std::isnan(*value))
        return "--max-error " + text + ": write METRIC=VALUE with a number, as rel_l2=1e-6";
    if (!isMetric(metric))
        return "--max-error " + text + ": there is no metric \"" + metric + "\"; there are " + metricNames();
    a.limits.push_back({metric, *value});
    return std::nullopt;
}

std::optional<std::string> readLimits(const Raw& raw, Arguments& a)
{
    for (const std::string& text : raw.limits)
        if (auto wrong = readLimit(text, a))
            return wrong;
    return std::nullopt;
}

std::optional<std::string> readBatch(const Raw& raw, Arguments& a)
{
    if (raw.batch.empty())
        return std::nullopt;
    const auto colon = raw.batch.find(':');
    const auto first = numberFrom<std::int64_t>(raw.batch.substr(0, colon));
    const auto last = colon == std::string::npos ? std::nullopt : numberFrom<std::int64_t>(raw.batch.substr(colon + 1));
    if (!first || !last || *first < 0 || *last <= *first)
        return "--batch " + raw.batch + ": write A:B with 0 <= A < B, rows A to B-1";
    a.batch = {*first, *last};
    return std::nullopt;
}

void addChoices(CLI::App& app, Arguments& a, Raw& raw)
{
    app.add_option("model", a.model, "a .mantissa file")->required();
    app.add_option("--combo", raw.combos, "input:weight storage dtypes, or all; repeatable")->expected(1)->take_all();
    app.add_option("--dialect", a.dialects, "whose cast rules, or all; repeatable")->expected(1)->take_all();
    app.add_option("--backend", a.backend, "cpu or cuda");
    app.add_option("--input", raw.inputs, "NODE=FILE: an array or image in place of an input's values")
        ->expected(1)
        ->take_all();
    app.add_option("--batch", raw.batch, "A:B: rows A to B-1 of every input");
    app.add_option("--memory-limit", raw.memory, "bytes; default: half of what is available");
    app.add_option("--threads", a.threads, "default: as many as the machine has")->check(CLI::Range(1, 1024));
    app.add_flag("--json", a.json, "one JSON object on stdout");
}

std::optional<std::string> readAll(const Raw& raw, Arguments& a)
{
    for (auto* reader : {&readCombos, &readInputs, &readLimits, &readBatch})
        if (auto complaint = (*reader)(raw, a))
            return complaint;
    if (!raw.memory.empty()) {
        a.memoryLimit = numberFrom<std::int64_t>(raw.memory);
        if (!a.memoryLimit || *a.memoryLimit < 0)
            return "--memory-limit " + raw.memory + ": write a number of bytes";
    }
    for (const std::string& d : a.dialects)
        a.allDialects = a.allDialects || d == "all";
    return std::nullopt;
}

} // namespace

Parsed parseArguments(int argc, const char* const* argv)
{
    Arguments a;
    Raw raw;
    CLI::App app("Mantissa: runs a neural network in the dtypes you choose and measures what each choice costs.");
    app.set_version_flag("--version", std::string("mantissa-cli " MANTISSA_VERSION));
    app.require_subcommand(1);
    CLI::App* run = app.add_subcommand("run", "run a model and report its errors against a double-double run");
    CLI::App* explain = app.add_subcommand("explain", "every cast of a model, its cause and its loss");
    CLI::App* check = app.add_subcommand("check", "run every op and compute pair here, against the reference");
    CLI::App* ops = app.add_subcommand("ops", "the ops");
    CLI::App* dialects = app.add_subcommand("dialects", "the dialects");
    addChoices(*run, a, raw);
    run->add_option("--max-error", raw.limits, "METRIC=VALUE at the output; exceeded: exit 3")->expected(1)->take_all();
    run->add_option("--dump", a.dumpDirectory, "write every number behind the report into this folder");
    run->add_flag("--plan", a.plan, "print the plan: every step that runs");
    addChoices(*explain, a, raw);
    check->add_option("--backend", a.backend, "cpu or cuda");
    check->add_option("--threads", a.threads, "default: as many as the machine has")->check(CLI::Range(1, 1024));
    for (CLI::App* command : {check, ops, dialects})
        command->add_flag("--json", a.json, "one JSON object on stdout");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        std::ostringstream out, err;
        const int code = app.exit(e, out, err);
        return {std::nullopt, code == 0 ? 0 : kWrongUsage, out.str() + err.str()};
    }
    a.command = run->parsed()       ? Command::Run
                : explain->parsed() ? Command::Explain
                : check->parsed()   ? Command::Check
                : ops->parsed()     ? Command::Ops
                                    : Command::Dialects;
    if (auto complaint = readAll(raw, a))
        return {std::nullopt, kWrongUsage, *complaint + "\n"};
    return {std::move(a), 0, {}};
}

} // namespace app
