#include "ui/style/dot_level.h"

namespace ui {

namespace {

// Bits that a value of the target can tell apart: the significand, or an integer's magnitude.
int bitsOf(engine::DType dtype)
{
    const engine::DTypeFacts& f = engine::facts(dtype);
    if (f.kind == engine::DTypeKind::Float)
        return f.fractionBits + 1;
    if (f.kind == engine::DTypeKind::Boolean)
        return 1;
    return f.bytes * 8 - (f.name.front() == 'u' ? 0 : 1);
}

DotLevel levelOfBits(double bits)
{
    return bits >= 20 ? DotLevel::Small : bits >= 8 ? DotLevel::Medium : DotLevel::Large;
}

} // namespace

DotLevel dotLevel(engine::DType from, engine::DType to)
{
    return engine::isExactCast(from, to) ? DotLevel::Exact : levelOfBits(bitsOf(to));
}

DotLevel dotLevel(const engine::CastReport& report)
{
    if (report.newInf > 0 || report.newNan > 0)
        return DotLevel::Overflow;
    if (report.newZero > 0)
        return DotLevel::Large;
    if (report.changed <= 0)
        return DotLevel::Exact;
    return levelOfBits(report.bitsKept.value_or(bitsOf(report.to)));
}

} // namespace ui
