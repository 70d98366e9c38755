#include "engine/analysis/element_reader.h"

#include "engine/model/double_double.h"
#include "engine/model/narrow_float.h"

namespace engine {

namespace {

template <class T> RealSpan readPlain(const Tensor& t, std::int64_t first, int count, RealRoom& room)
{
    const T* p = t.data<T>() + first;
    for (int i = 0; i < count; ++i)
        room.hi[i] = static_cast<double>(p[i]);
    return {room.hi, nullptr};
}

template <class F> RealSpan readNarrow(const Tensor& t, std::int64_t first, int count, RealRoom& room)
{
    const typename F::Bits* p = t.data<typename F::Bits>() + first;
    for (int i = 0; i < count; ++i)
        room.hi[i] = static_cast<double>(widen<float>(F{p[i]}));
    return {room.hi, nullptr};
}

// Two exact halves, then twoSum: exact.
template <class T> RealSpan readWide(const Tensor& t, std::int64_t first, int count, RealRoom& room)
{
    const T* p = t.data<T>() + first;
    for (int i = 0; i < count; ++i) {
        const double high = static_cast<double>(p[i] >> 32) * 0x1p32;
        const DoubleDouble v = twoSum(high, static_cast<double>(p[i] & 0xffffffff));
        room.hi[i] = v.hi;
        room.lo[i] = v.lo;
    }
    return {room.hi, room.lo};
}

} // namespace

RealSpan ElementReader::read(std::int64_t first, int count, RealRoom& room) const
{
    if (m_dd)
        return {m_dd->hi() + first, m_dd->hasLo() ? m_dd->lo() + first : nullptr};
    const Tensor& t = *m_tensor;
    switch (t.dtype()) {
    case DType::f64:
        return {t.data<double>() + first, nullptr};
    case DType::f32:
    case DType::tf32:
        return readPlain<float>(t, first, count, room);
    case DType::f16:
        return readNarrow<Float16>(t, first, count, room);
    case DType::bf16:
        return readNarrow<BFloat16>(t, first, count, room);
    case DType::e4m3fn:
        return readNarrow<Float8E4M3FN>(t, first, count, room);
    case DType::e5m2:
        return readNarrow<Float8E5M2>(t, first, count, room);
    case DType::i64:
        return readWide<std::int64_t>(t, first, count, room);
    case DType::u64:
        return readWide<std::uint64_t>(t, first, count, room);
    case DType::i32:
        return readPlain<std::int32_t>(t, first, count, room);
    case DType::u32:
        return readPlain<std::uint32_t>(t, first, count, room);
    case DType::i16:
        return readPlain<std::int16_t>(t, first, count, room);
    case DType::u16:
        return readPlain<std::uint16_t>(t, first, count, room);
    case DType::i8:
        return readPlain<std::int8_t>(t, first, count, room);
    case DType::u8:
    case DType::boolean:
        return readPlain<std::uint8_t>(t, first, count, room);
    }
    return {};
}

} // namespace engine
