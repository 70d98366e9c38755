#include "engine/model/shape.h"

#include <algorithm>

namespace engine {

std::string Error::text() const
{
    std::string t = place.empty() ? message : place + ": " + message;
    return remedy.empty() ? t : t + " (" + remedy + ")";
}

std::int64_t Shape::elements() const
{
    std::int64_t n = 1;
    for (std::int64_t d : m_dims)
        n *= d;
    return n;
}

std::string Shape::text() const
{
    std::string t = "[";
    for (std::size_t i = 0; i < m_dims.size(); ++i)
        t += (i ? ", " : "") + std::to_string(m_dims[i]);
    return t + "]";
}

Result<std::int64_t> checkedElements(const Shape& shape)
{
    if (shape.rank() > kMaxRank)
        return Error{"shape-rank",
                     {},
                     "shape " + shape.text() + " has " + std::to_string(shape.rank()) + " dimensions",
                     "at most " + std::to_string(kMaxRank) + " are possible"};
    bool isEmpty = false;
    for (std::int64_t d : shape.dims()) {
        if (d < 0)
            return Error{"shape-negative", {}, "shape " + shape.text() + " has a negative dimension", "use sizes >= 0"};
        isEmpty = isEmpty || d == 0;
    }
    std::int64_t n = 1;
    for (std::int64_t d : shape.dims()) {
        if (d > kMaxElements || (d > 0 && n > kMaxElements / d))
            return Error{"shape-overflow",
                         {},
                         "shape " + shape.text() + " has more than 2^40 elements",
                         "make a dimension smaller"};
        n *= std::max<std::int64_t>(d, 1);
    }
    return isEmpty ? 0 : n;
}

Result<Shape> broadcast(const Shape& a, const Shape& b)
{
    const int rank = std::max(a.rank(), b.rank());
    std::vector<std::int64_t> dims(static_cast<std::size_t>(rank));
    for (int i = 0; i < rank; ++i) {
        const int ia = i - (rank - a.rank()), ib = i - (rank - b.rank());
        const std::int64_t da = ia < 0 ? 1 : a[ia], db = ib < 0 ? 1 : b[ib];
        if (da != db && da != 1 && db != 1)
            return Error{"shape-broadcast",
                         {},
                         "shapes " + a.text() + " and " + b.text() + " do not broadcast",
                         "each dimension, counted from the right, must be equal or 1"};
        dims[static_cast<std::size_t>(i)] = da == 1 ? db : da;
    }
    return Shape(std::move(dims));
}

} // namespace engine
