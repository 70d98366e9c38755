// The casts between all float storage dtypes, and from each to tf32: one kernel template, one table row a pair.
#include "engine/cuda/cast_device.h"
#include "engine/cuda/cast_table.h"

#include <cuda_runtime.h>

#include <string_view>

namespace engine {

namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMaxBlocks = 65536; // then each thread takes several elements

template <class To, class From>
__global__ void castKernel(const From* source, To* target, std::int64_t elements, NarrowOverflow overflow)
{
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < elements; i += step)
        target[i] = castElement<To>(source[i], overflow);
}

template <class To, class From>
int cast(const void* source, void* target, std::int64_t elements, int saturate, void* stream)
{
    if (elements <= 0)
        return cudaSuccess;
    const std::int64_t wanted = (elements + kThreads - 1) / kThreads;
    const auto blocks = static_cast<unsigned>(wanted < kMaxBlocks ? wanted : kMaxBlocks);
    castKernel<To, From><<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
        static_cast<const From*>(source), static_cast<To*>(target), elements,
        saturate ? NarrowOverflow::Saturate : NarrowOverflow::ToSpecial);
    return cudaGetLastError();
}

template <class To, class From> MantissaCudaKernel row(const char* from, const char* to)
{
    return {"cast", from, to, reinterpret_cast<MantissaCudaFunction>(&cast<To, From>)};
}

// Every target but the source's own dtype.
template <class From> void addRows(const char* from, std::vector<MantissaCudaKernel>& table)
{
    const MantissaCudaKernel rows[] = {
        row<double, From>(from, "float64"),         row<float, From>(from, "float32"),
        row<TensorFloat32, From>(from, "tf32"),     row<Float16, From>(from, "float16"),
        row<BFloat16, From>(from, "bfloat16"),      row<Float8E4M3FN, From>(from, "float8_e4m3fn"),
        row<Float8E5M2, From>(from, "float8_e5m2"),
    };
    for (const MantissaCudaKernel& r : rows)
        if (std::string_view(r.from) != r.to)
            table.push_back(r);
}

} // namespace

std::vector<MantissaCudaKernel> castTable()
{
    std::vector<MantissaCudaKernel> table;
    addRows<double>("float64", table);
    addRows<float>("float32", table);
    addRows<Float16>("float16", table);
    addRows<BFloat16>("bfloat16", table);
    addRows<Float8E4M3FN>("float8_e4m3fn", table);
    addRows<Float8E5M2>("float8_e5m2", table);
    return table;
}

} // namespace engine
