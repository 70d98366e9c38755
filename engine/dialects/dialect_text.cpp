// What is said at a mismatch: the framework's own texts with the dtypes as that library spells them, and ours.
#include "engine/dialects/dialects.h"

#include <array>

namespace engine {
namespace {

struct Spelling {
    DType dtype;
    std::string_view tf, torch, meta, onnx;
};
constexpr std::array<Spelling, 4> kSpellings{{
    {DType::f64, "double", "Double", "double", "double"},
    {DType::f32, "float", "Float", "float", "float"},
    {DType::f16, "half", "Half", "c10::Half", "float16"},
    {DType::bf16, "bfloat16", "BFloat16", "c10::BFloat16", "bfloat16"},
}};

std::string_view spell(DType dtype, std::string_view style)
{
    for (const Spelling& s : kSpellings) {
        if (s.dtype != dtype)
            continue;
        if (style == "tf")
            return s.tf;
        if (style == "torch")
            return s.torch;
        if (style == "meta")
            return s.meta;
        if (style == "onnx")
            return s.onnx;
    }
    return dtypeName(dtype);
}

std::string why(const DialectSpec& dialect, const DialectQuery& query)
{
    const std::string name{dialect.title};
    switch (dialect.behaviour) {
    case Behaviour::Explicit:
        return name + " converts nothing by itself";
    case Behaviour::Promote:
        return "there is no dtype that both promote to";
    case Behaviour::CastToLayer:
        return query.isLayer ? name + " casts only floating operands"
                             : "a raw op, and " + name + " casts only in layers";
    default:
        return name + " refuses a mismatch here";
    }
}

} // namespace

std::string fillDialectText(std::string_view text, std::string_view op, DType input, DType weight)
{
    std::string out;
    while (!text.empty()) {
        const std::size_t open = text.find('{');
        out += text.substr(0, open);
        if (open == std::string_view::npos)
            return out;
        const std::size_t close = text.find('}', open);
        if (close == std::string_view::npos)
            return out.append(text.substr(open));
        const std::string_view key = text.substr(open + 1, close - open - 1);
        const std::size_t colon = key.find(':');
        const std::string_view what = key.substr(0, colon);
        const std::string_view style = colon == std::string_view::npos ? std::string_view{} : key.substr(colon + 1);
        if (what == "op")
            out += op;
        else if (what == "input")
            out += spell(input, style);
        else if (what == "weight")
            out += spell(weight, style);
        else
            out += text.substr(open, close + 1 - open);
        text.remove_prefix(close + 1);
    }
    return out;
}

std::string mismatchSentence(const DialectSpec& dialect, const DialectQuery& query, const DialectAnswer& answer,
                             std::string_view first, std::string_view other)
{
    const auto nameAt = [&](std::size_t i) { return std::string(dtypeName(query.operands[i].dtype)); };
    const auto i = static_cast<std::size_t>(answer.mismatchOperand < 0 ? 0 : answer.mismatchOperand);
    return std::string(query.op) + "'s " + std::string(first) + " is " + nameAt(0) + " and its " + std::string(other) +
           " is " + nameAt(i) + ": " + why(dialect, query);
}

int significandBits(DType dtype)
{
    switch (facts(dtype).kind) {
    case DTypeKind::Float:
        return precision(dtype);
    case DTypeKind::Boolean:
        return 1;
    case DTypeKind::Integer:
        break;
    }
    return facts(dtype).bytes * 8 - (dtypeName(dtype).front() == 'u' ? 0 : 1);
}

} // namespace engine
