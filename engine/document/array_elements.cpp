// What all array readers share: bounded allocation, elements from a stream, byte order.
#include "engine/document/array_readers.h"

#include <new>

namespace engine {

namespace {

// Tensor storage, or an error where the machine has none.
Result<Tensor> allocateBounded(DType dtype, const Shape& shape, const std::string& name, std::uint64_t limit)
{
    const Result<std::int64_t> elements = checkedElements(shape);
    if (!elements)
        return Error{"array-limit", name, elements.error().message, elements.error().remedy};
    const std::uint64_t bytes = static_cast<std::uint64_t>(*elements) * static_cast<std::uint64_t>(facts(dtype).bytes);
    if (bytes > limit)
        return Error{"array-limit", name,
                     "shape " + shape.text() + " of " + std::string(dtypeName(dtype)) + " takes " +
                         std::to_string(bytes) + " bytes, more than the " + std::to_string(limit) +
                         " a file of this size may become",
                     "store it uncompressed, or in smaller files"};
    try {
        return Tensor::allocate(dtype, shape);
    } catch (const std::bad_alloc&) {
        return Error{"array-limit", name, "there is no memory for " + std::to_string(bytes) + " bytes",
                     "close other programs, or use a smaller file"};
    }
}

} // namespace

int depthOf(DType dtype)
{
    const bool isUnsigned = facts(dtype).kind == DTypeKind::Integer && dtypeName(dtype).starts_with('u');
    return isUnsigned ? facts(dtype).bytes * 8 : 0;
}

Result<Tensor> readElements(ByteStream& stream, DType dtype, const Shape& shape, const std::string& name,
                            std::uint64_t limit)
{
    const std::optional<std::uint64_t> left = stream.left();
    const Result<std::int64_t> elements = checkedElements(shape);
    const auto itemSize = static_cast<std::uint64_t>(facts(dtype).bytes);
    const std::uint64_t bytes = elements ? static_cast<std::uint64_t>(*elements) * itemSize : 0;
    const auto tooShort = [&](std::uint64_t there) {
        return Error{"array-truncated", name,
                     "shape " + shape.text() + " of " + std::string(dtypeName(dtype)) + " needs " +
                         std::to_string(bytes) + " bytes, the file has " + std::to_string(there),
                     "copy or write the file again"};
    };
    if (left && elements && *left < bytes)
        return tooShort(*left);
    Result<Tensor> tensor = allocateBounded(dtype, shape, name, limit);
    if (!tensor)
        return tensor;
    const Result<std::size_t> got = stream.read({tensor->mutableRaw(), static_cast<std::size_t>(bytes)});
    if (!got)
        return got.error();
    if (*got < bytes)
        return tooShort(*got);
    std::byte beyond{};
    const Result<std::size_t> more = stream.read({&beyond, 1});
    if (!more)
        return more.error();
    if (*more != 0)
        return Error{"array-header", name,
                     "shape " + shape.text() + " of " + std::string(dtypeName(dtype)) + " needs " +
                         std::to_string(bytes) + " bytes, the file has more" +
                         (left ? ": " + std::to_string(*left) : std::string()),
                     "write the file again with one array in it"};
    return tensor;
}

void swapByteOrder(Tensor& tensor)
{
    const int size = facts(tensor.dtype()).bytes;
    std::byte* p = tensor.mutableRaw();
    for (std::int64_t i = 0; i < tensor.elements(); ++i, p += size)
        std::reverse(p, p + size);
}

SourceArray sourceArrayOf(Tensor tensor)
{
    SourceArray array;
    array.dtype = tensor.dtype();
    array.shape = tensor.shape();
    array.integerDepth = depthOf(array.dtype);
    array.data = std::move(tensor);
    return array;
}

Result<Tensor> allocateImage(DType dtype, std::uint64_t height, std::uint64_t width, std::uint64_t channels,
                             const std::string& name, std::uint64_t limit)
{
    Shape shape{static_cast<std::int64_t>(height), static_cast<std::int64_t>(width)};
    if (channels > 1)
        shape = Shape{shape[0], shape[1], static_cast<std::int64_t>(channels)};
    return allocateBounded(dtype, shape, name, limit);
}

} // namespace engine
