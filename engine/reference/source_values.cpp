#include "engine/reference/source_values.h"

#include "engine/model/convert.h"
#include "engine/model/generators.h"

#include <algorithm>

namespace engine {

namespace {

using Batch = std::optional<std::pair<std::int64_t, std::int64_t>>;

Result<const SourceArray*> arrayOf(const Source& source, const ArrayTable& arrays, std::string_view place)
{
    const std::string key = source.arrayKey();
    if (key.empty())
        return static_cast<const SourceArray*>(nullptr);
    const auto it = arrays.find(key);
    if (it == arrays.end())
        return Error{"source-missing", std::string(place), "the array \"" + source.name + "\" is not loaded",
                     "check that the file or tensor exists and can be read"};
    return &it->second;
}

// The shape with its one -1 filled in so that it holds `elements`.
Result<Shape> fillShape(const IntList& dims, std::int64_t elements, std::string_view place)
{
    std::int64_t known = 1;
    std::ptrdiff_t open = -1;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == -1 && open < 0)
            open = static_cast<std::ptrdiff_t>(i);
        else if (dims[i] < 0)
            return Error{"source-shape", std::string(place), "shape " + Shape(dims).text() + " has more than one -1",
                         "leave at most one dimension open"};
        else if (dims[i] > 0 && known > kMaxElements / dims[i])
            return Error{"shape-overflow", std::string(place),
                         "shape " + Shape(dims).text() + " has more than 2^40 elements", "make a dimension smaller"};
        else
            known *= dims[i];
    }
    Shape shape(dims);
    if (open >= 0) {
        if (known == 0 || elements % known != 0)
            return Error{"source-shape", std::string(place),
                         "an array of " + std::to_string(elements) + " elements does not fill shape " + shape.text(),
                         "change the shape parameter"};
        shape[static_cast<int>(open)] = elements / known;
    }
    return shape;
}

Result<Shape> cutBatch(Shape shape, const Batch& batch, std::string_view place)
{
    if (!batch)
        return shape;
    if (shape.rank() == 0 || batch->first < 0 || batch->second > shape[0] || batch->first >= batch->second)
        return Error{"batch-range", std::string(place),
                     "batch " + std::to_string(batch->first) + ":" + std::to_string(batch->second) +
                         " is not within the first dimension of " + shape.text(),
                     "ask for rows that exist"};
    shape[0] = batch->second - batch->first;
    return shape;
}

// k / (2^depth - 1), one float64 division each.
DDTensor scaleToUnit(const DDTensor& raw, int depth, const Exec& exec)
{
    const double top = static_cast<double>((std::uint64_t{1} << depth) - 1);
    DDTensor out = DDTensor::allocate(raw.shape(), DDTensor::Lo::Absent);
    double* y = out.mutableHi();
    const double* x = raw.hi();
    constexpr std::int64_t kChunk = 65536;
    const std::int64_t n = raw.elements();
    exec.parallelFor((n + kChunk - 1) / kChunk, [&](std::int64_t c) {
        for (std::int64_t i = c * kChunk; i < std::min(n, (c + 1) * kChunk); ++i)
            y[i] = x[i] / top;
    });
    return out;
}

int unitDepth(const SourceArray& a)
{
    if (a.integerDepth > 0 && a.integerDepth <= 32)
        return a.integerDepth;
    switch (a.dtype) {
    case DType::u8:
        return 8;
    case DType::u16:
        return 16;
    case DType::u32:
        return 32;
    default:
        return 0;
    }
}

// Rows [first, last) of the first dimension; `full` is the shape before the cut.
DDTensor sliceRows(const DDTensor& t, const Shape& full, const Shape& cut, std::int64_t first)
{
    const std::int64_t row = full[0] == 0 ? 0 : full.elements() / full[0];
    DDTensor out = DDTensor::allocate(cut, t.hasLo() ? DDTensor::Lo::Present : DDTensor::Lo::Absent);
    std::copy_n(t.hi() + first * row, out.elements(), out.mutableHi());
    if (t.hasLo())
        std::copy_n(t.lo() + first * row, out.elements(), out.mutableLo());
    return out;
}

// The shape before `batch` cut its first dimension.
Shape fullShape(const Shape& shape, const Shape& array, const Batch& batch)
{
    Shape full = shape;
    if (batch && full.rank() > 0 && shape[0] > 0) {
        const std::int64_t row = shape.elements() / shape[0];
        full[0] = row == 0 ? shape[0] : array.elements() / row;
    }
    return full;
}

Error stopped(std::string_view place)
{
    return Error{"stopped", std::string(place), "the run was stopped", {}};
}

Error misfit(const Source& source, const SourceArray& array, const Shape& full, std::string_view place)
{
    return Error{"source-shape", std::string(place),
                 "the array \"" + source.name + "\" of shape " + array.shape.text() + " does not fit shape " +
                     full.text(),
                 "change the shape parameter, or choose another array"};
}

} // namespace

Result<Shape> sourceShape(const Params& params, const ArrayTable& arrays, std::string_view place, Batch batch)
{
    const IntList& dims = params.list("shape");
    auto array = arrayOf(params.source("value"), arrays, place);
    if (!array)
        return array.error();
    if (*array && dims.empty())
        return cutBatch((*array)->shape, batch, place);
    const bool isOpen = std::find(dims.begin(), dims.end(), -1) != dims.end();
    if (isOpen && !*array)
        return Error{"source-shape", std::string(place),
                     "shape " + Shape(dims).text() + " leaves a dimension open, but no array fills it",
                     "give every dimension, or take the values from an array"};
    auto shape = fillShape(dims, *array ? (*array)->shape.elements() : 0, place);
    if (!shape)
        return shape;
    if (auto n = checkedElements(*shape); !n)
        return Error{n.error().code, std::string(place), n.error().message, n.error().remedy};
    return cutBatch(*shape, batch, place);
}

Status checkSource(const Source& source, const Shape& shape, const ArrayTable& arrays, std::string_view place,
                   Batch batch)
{
    auto array = arrayOf(source, arrays, place);
    if (!array)
        return array.error();
    if (!*array) {
        const auto names = initializerNames();
        if (source.kind == Source::Kind::Generator &&
            std::find(names.begin(), names.end(), source.generator) == names.end())
            return Error{"source-init", std::string(place), "there is no initialiser \"" + source.generator + "\"",
                         "choose one of the list that `ops` prints"};
        const auto count = static_cast<std::int64_t>(source.values.size());
        const std::int64_t wanted = shape.elements();
        if (source.kind == Source::Kind::Values && count != 1 && (batch ? count < wanted : count != wanted))
            return Error{"source-values", std::string(place),
                         std::to_string(count) + " values do not fill shape " + shape.text(),
                         "give one value, or one for each element"};
        return success();
    }
    const Shape full = fullShape(shape, (*array)->shape, batch);
    if (full.elements() != (*array)->shape.elements())
        return misfit(source, **array, full, place);
    return success();
}

Result<DDTensor> sourceValues(const Source& source, const Shape& shape, const ArrayTable& arrays,
                              std::string_view place, const Exec& exec, Batch batch)
{
    auto array = arrayOf(source, arrays, place);
    if (!array)
        return array.error();
    if (!*array) {
        Shape full = shape;
        if (batch && full.rank() > 0)
            full[0] = batch->second; // a generator's row i is the same whatever the batch
        auto made = generate(source, full, exec);
        if (exec.stopRequested())
            return stopped(place);
        if (!made)
            return Error{made.error().code, std::string(place), made.error().message, made.error().remedy};
        return batch && full.rank() > 0 ? sliceRows(*made, full, shape, batch->first) : *made;
    }
    const SourceArray& a = **array;
    const Shape full = fullShape(shape, a.shape, batch);
    if (full.elements() != a.shape.elements())
        return misfit(source, a, full, place);
    DDTensor values = widen(a.data, exec);
    if (source.scale == Source::Scale::Unit)
        if (const int depth = unitDepth(a); depth > 0)
            values = exec.stopRequested() ? DDTensor{} : scaleToUnit(values, depth, exec);
    if (exec.stopRequested()) // a stopped kernel leaves no values
        return stopped(place);
    if (batch && full.rank() > 0)
        return sliceRows(values, full, shape, batch->first);
    return values.reshaped(shape);
}

} // namespace engine
