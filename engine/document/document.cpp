// Equality of documents.
#include "engine/document/document.h"

#include <algorithm>
#include <cstring>

namespace engine {

namespace {

bool isSameArray(const SourceArray& a, const SourceArray& b)
{
    const Tensor &x = a.data, &y = b.data;
    if (a.dtype != b.dtype || a.shape != b.shape || a.integerDepth != b.integerDepth || x.isNull() != y.isNull())
        return false;
    return x.isNull() || x.sharesBytesWith(y) ||
           (x.dtype() == y.dtype() && x.shape() == y.shape() &&
            std::memcmp(x.raw(), y.raw(), static_cast<std::size_t>(x.bytes())) == 0);
}

} // namespace

bool equal(const Document& a, const Document& b)
{
    return a.title == b.title && a.about == b.about && a.graph == b.graph && a.layout == b.layout &&
           a.settings == b.settings && a.tensorDTypes == b.tensorDTypes && a.extra == b.extra &&
           std::equal(
               a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(),
               [](const auto& x, const auto& y) { return x.first == y.first && isSameArray(x.second, y.second); });
}

} // namespace engine
