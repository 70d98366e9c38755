// The initialisers: what a source that is not an array means for a shape, with Keras' fan rules. Values are
// made in chunks, each element from its own index, so that threads cannot change a bit.
#include "engine/model/generators.h"

#include "engine/model/number_text.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace engine {

namespace {

struct Fans {
    double in = 1, out = 1;
};

// As Keras computes them: the last two dimensions times the receptive field.
Fans fansOf(const Shape& shape)
{
    const int rank = shape.rank();
    const auto dim = [&shape](int i) { return static_cast<double>(shape[i]); };
    if (rank == 0)
        return {};
    if (rank == 1)
        return {dim(0), dim(0)};
    double field = 1;
    for (int i = 0; i < rank - 2; ++i)
        field *= dim(i);
    return {field * dim(rank - 2), field * dim(rank - 1)};
}

// An initialiser resolved for a shape: value = offset + scale * draw.
enum class Draw : std::uint8_t { None, Ramp, Uniform, Normal, Truncated };
struct Recipe {
    Draw draw = Draw::None;
    double offset = 0, scale = 0;
};

Recipe symmetricUniform(double limit)
{
    return {Draw::Uniform, -limit, 2 * limit};
}

Result<Recipe> recipeOf(const Source& s, const Shape& shape)
{
    const Fans fans = fansOf(shape);
    const auto init = [&s](std::string message, std::string remedy) {
        return Error{"source-init", {}, "initialiser " + s.generator + " " + std::move(message), std::move(remedy)};
    };
    const std::string& name = s.generator;
    if (name == "zeros" || name == "ones" || name == "constant")
        return Recipe{Draw::None, name == "constant" ? s.a.value_or(0) : (name == "ones" ? 1.0 : 0.0), 0};
    if (name == "ramp")
        return Recipe{Draw::Ramp, 0, 1};
    if (name == "glorot_uniform")
        return symmetricUniform(std::sqrt(6 / (fans.in + fans.out)));
    if (name == "he_uniform")
        return symmetricUniform(std::sqrt(6 / fans.in));
    if (name == "glorot_normal")
        return Recipe{Draw::Truncated, 0, std::sqrt(2 / (fans.in + fans.out))};
    if (name == "he_normal")
        return Recipe{Draw::Truncated, 0, std::sqrt(2 / fans.in)};
    if (name == "lecun_normal")
        return Recipe{Draw::Truncated, 0, std::sqrt(1 / fans.in)};
    if (name == "uniform") {
        const double low = s.a.value_or(-0.05), high = s.b.value_or(0.05);
        if (!(low <= high) || !std::isfinite(high - low))
            return init("has the range " + numberText(low) + " to " + numberText(high), "give finite a <= b");
        return Recipe{Draw::Uniform, low, high - low};
    }
    if (name == "normal") {
        const double mean = s.a.value_or(0), deviation = s.b.value_or(0.05);
        if (!std::isfinite(mean) || !std::isfinite(deviation) || deviation < 0)
            return init("has mean " + numberText(mean) + " and standard deviation " + numberText(deviation),
                        "give finite numbers, the deviation b >= 0");
        return Recipe{Draw::Normal, mean, deviation};
    }
    return init("does not exist", "choose one of the initialisers of the file format");
}

double valueAt(const Recipe& r, std::uint64_t seed, std::int64_t index, std::int64_t count)
{
    const auto i = static_cast<std::uint64_t>(index);
    switch (r.draw) {
    case Draw::None:
        return r.offset;
    case Draw::Ramp:
        return static_cast<double>(index) / static_cast<double>(count);
    case Draw::Uniform:
        return r.offset + r.scale * uniformAt(seed, i);
    case Draw::Normal:
        return r.offset + r.scale * normalAt(seed, i);
    case Draw::Truncated:
        return r.scale * truncatedNormalAt(seed, i);
    }
    return 0;
}

template <class ValueAt>
Result<DDTensor> filled(const Shape& shape, std::int64_t count, const Exec& exec, ValueAt valueOf)
try {
    constexpr std::int64_t kChunk = 1 << 14;
    DDTensor t = DDTensor::allocate(shape, DDTensor::Lo::Absent);
    double* out = t.mutableHi();
    const bool isFinished = exec.parallelFor((count + kChunk - 1) / kChunk, [&](std::int64_t task) {
        for (std::int64_t i = task * kChunk, end = std::min(count, i + kChunk); i < end; ++i)
            out[i] = valueOf(i);
    });
    if (!isFinished)
        return Error{"stopped", {}, "the run was stopped", {}};
    return t;
} catch (const std::bad_alloc&) {
    return Error{
        "memory", {}, "no memory for " + std::to_string(count) + " values of float64", "make the shape smaller"};
}

} // namespace

Result<DDTensor> generate(const Source& source, const Shape& shape, const Exec& exec)
{
    const Result<std::int64_t> count = checkedElements(shape);
    if (!count)
        return Error{"source-shape", {}, count.error().message, count.error().remedy};
    switch (source.kind) {
    case Source::Kind::Values: {
        const std::vector<double>& values = source.values;
        const auto given = static_cast<std::int64_t>(values.size());
        if (given != 1 && given != *count)
            return Error{"source-values",
                         {},
                         std::to_string(given) + " values are written out for shape " + shape.text() + " of " +
                             std::to_string(*count) + " elements",
                         "give one value, or " + std::to_string(*count)};
        return filled(shape, *count, exec,
                      [&](std::int64_t i) { return values[given == 1 ? 0 : static_cast<std::size_t>(i)]; });
    }
    case Source::Kind::Generator: {
        const Result<Recipe> recipe = recipeOf(source, shape);
        if (!recipe)
            return recipe.error();
        return filled(shape, *count, exec, [&](std::int64_t i) { return valueAt(*recipe, source.seed, i, *count); });
    }
    case Source::Kind::Tensor:
    case Source::Kind::File:
        break;
    }
    return Error{
        "source-init", {}, "\"" + source.name + "\" is an array, not a generator", "look the array up by its key"};
}

} // namespace engine
