// Drivers of the plain contractions: pack the weights, cut the pixels into strips, run the micro-kernels, add the
// bias and store.
#include "engine/kernels/dispatch.h"
#include "engine/kernels/plain_strips.h"

#include <limits>

namespace engine {

namespace {

// NaN leaves in one form: which operand's payload an FMA keeps is the compiler's choice.
template <class T> struct WideAccumulator {
    using Packed = T;
    using Result = T;
    static const PlainKernel<T>& kernel(const TileKernels& k)
    {
        if constexpr (std::is_same_v<T, float>)
            return k.f32;
        else
            return k.f64;
    }
    static Result canonical(T v) { return v == v ? v : std::numeric_limits<T>::quiet_NaN(); }
    static Result result(T acc) { return canonical(acc); }
    static Result result(T acc, T bias) { return canonical(acc + bias); }
};

template <class F> struct NarrowAccumulator {
    using Packed = double;
    using Result = F;
    static const PlainKernel<double>& kernel(const TileKernels& k)
    {
        return std::is_same_v<F, Float16> ? k.f16 : k.bf16;
    }
    static Result canonical(F v) { return (v.bits & F::kAllOnes) > F::kInfinity ? F{F::kNan} : v; }
    static Result result(double acc) { return canonical(narrow<F>(acc)); }
    static Result result(double acc, double bias) { return canonical(fmaNarrow(narrow<F>(acc), bias)); }
};

template <class Operand, class Accumulator> class PlainConv {
public:
    using Packed = typename Accumulator::Packed;
    using Result = typename Accumulator::Result;

    PlainConv(const Window2d& g, const void* x, const void* w, const void* bias, void* y, const Exec& exec)
        : m_g(g), m_x(static_cast<const Operand*>(x)), m_w(static_cast<const Operand*>(w)),
          m_bias(static_cast<const Operand*>(bias)), m_y(static_cast<Result*>(y)), m_exec(exec),
          m_kernel(Accumulator::kernel(tileKernels(exec.isa()))), m_blocks(g, m_kernel.block),
          m_plan(g, m_blocks, m_kernel.height), m_packed(m_blocks.count * m_plan.depth * m_blocks.width),
          m_scratch(m_plan.strip * (m_plan.depth + m_blocks.width))
    {
    }

    bool run()
    {
        const auto pack = [this](std::int64_t b) { packBlock(m_g, m_blocks, b, m_w, packedBlock(b), m_exec); };
        return runTasks(m_exec, m_blocks.count, pack) &&
               runTasks(m_exec, m_plan.tasks(), [this](std::int64_t task) { runStrip(task); });
    }

private:
    Packed* packedBlock(std::int64_t b) { return m_packed.data() + b * m_plan.depth * m_blocks.width; }

    void runStrip(std::int64_t task)
    {
        const std::int64_t first = task / m_plan.ranges * m_plan.strip;
        const std::int64_t pixels = std::min(m_plan.strip, m_plan.pixels - first);
        const std::int64_t firstBlock = task % m_plan.ranges * m_plan.blocksPerRange;
        const std::int64_t endBlock = std::min(firstBlock + m_plan.blocksPerRange, m_blocks.count);
        typename ScratchPool<Packed>::Lease scratch(m_scratch);
        Packed* acc = scratch.data();
        Packed* operands = acc + m_plan.strip * m_blocks.width;
        std::int64_t packedGroup = -1;
        for (std::int64_t b = firstBlock; b < endBlock; ++b) {
            if (m_blocks.group(b) != packedGroup) {
                packedGroup = m_blocks.group(b);
                for (std::int64_t p = 0; p < pixels; ++p)
                    packPixel(m_g, first + p, packedGroup, m_x, operands + p * m_plan.depth);
            }
            if (!accumulate(operands, pixels, b, acc))
                return;
            storeBlock(acc, first, pixels, b);
        }
    }

    // In pieces of at most kSteps, so that a stop is seen soon; the accumulators wait in memory.
    bool accumulate(const Packed* operands, std::int64_t pixels, std::int64_t b, Packed* acc)
    {
        constexpr std::int64_t kSteps = 8192;
        std::fill(acc, acc + pixels * m_blocks.width, Packed{});
        for (std::int64_t p = 0; p < pixels; p += m_kernel.height)
            for (std::int64_t step = 0; step < m_plan.depth; step += kSteps) {
                if (m_exec.stopRequested())
                    return false;
                PlainTile<Packed> tile;
                tile.x = operands + p * m_plan.depth + step;
                tile.xStride = m_plan.depth;
                tile.w = packedBlock(b) + step * m_blocks.width;
                tile.acc = acc + p * m_blocks.width;
                tile.steps = std::min(kSteps, m_plan.depth - step);
                m_kernel.run(tile, static_cast<int>(std::min<std::int64_t>(m_kernel.height, pixels - p)));
            }
        return true;
    }

    void storeBlock(const Packed* acc, std::int64_t first, std::int64_t pixels, std::int64_t b)
    {
        const std::int64_t channel = m_blocks.first(b), valid = m_blocks.valid(b);
        const std::int64_t channelStride = m_g.channelsFirst ? m_g.outH * m_g.outW : 1;
        for (std::int64_t p = 0; p < pixels; ++p, acc += m_blocks.width) {
            Result* to = m_y + outputIndex(m_g, first + p, channel);
            if (m_bias)
                for (std::int64_t j = 0; j < valid; ++j)
                    to[j * channelStride] = Accumulator::result(acc[j], widenOperand<Packed>(m_bias[channel + j]));
            else
                for (std::int64_t j = 0; j < valid; ++j)
                    to[j * channelStride] = Accumulator::result(acc[j]);
        }
    }

    const Window2d& m_g;
    const Operand* m_x;
    const Operand* m_w;
    const Operand* m_bias;
    Result* m_y;
    const Exec& m_exec;
    const PlainKernel<Packed>& m_kernel;
    const ChannelBlocks m_blocks;
    const StripPlan m_plan;
    AlignedBuffer<Packed> m_packed;
    ScratchPool<Packed> m_scratch;
};

template <class Operand, class Accumulator>
bool runConv(const Window2d& g, const void* x, const void* w, const void* bias, void* y, const Exec& exec)
{
    return PlainConv<Operand, Accumulator>(g, x, w, bias, y, exec).run();
}

using ConvFunction = bool (*)(const Window2d&, const void*, const void*, const void*, void*, const Exec&);

template <class Operand, class NarrowResult> ConvFunction narrowOperandConv(DType accumulate)
{
    return accumulate == DType::f32 ? &runConv<Operand, WideAccumulator<float>>
                                    : &runConv<Operand, NarrowAccumulator<NarrowResult>>;
}

ConvFunction convFunction(ComputePair pair)
{
    switch (pair.multiply) {
    case DType::f64:
        return &runConv<double, WideAccumulator<double>>;
    case DType::f16:
        return narrowOperandConv<Float16, Float16>(pair.accumulate);
    case DType::bf16:
        return narrowOperandConv<BFloat16, BFloat16>(pair.accumulate);
    case DType::e4m3fn:
        return narrowOperandConv<Float8E4M3FN, Float16>(pair.accumulate);
    case DType::e5m2:
        return narrowOperandConv<Float8E5M2, Float16>(pair.accumulate);
    default: // f32, and tf32: its operands come rounded, in float32 words
        return &runConv<float, WideAccumulator<float>>;
    }
}

bool isEmpty(const Window2d& g)
{
    return g.batch * g.outH * g.outW * g.outC == 0;
}

} // namespace

bool conv2dPlain(const Window2d& g, ComputePair pair, const void* x, const void* w, const void* bias, void* y,
                 const Exec& exec)
{
    return isEmpty(g) || convFunction(pair)(g, x, w, bias, y, exec);
}

bool matmulPlain(const MatmulShape& g, ComputePair pair, const void* x, const void* w, const void* bias, void* y,
                 const Exec& exec)
{
    const Window2d window = matmulWindow(g);
    const std::int64_t operandBytes = facts(pair.multiply).bytes, resultBytes = facts(pair.accumulate).bytes;
    const auto at = [](const void* p, std::int64_t bytes) { return static_cast<const std::byte*>(p) + bytes; };
    for (std::int64_t b = 0; b < g.batch; ++b) {
        std::byte* to = static_cast<std::byte*>(y) + b * g.strideY * resultBytes;
        if (!conv2dPlain(window, pair, at(x, b * g.strideX * operandBytes), at(w, b * g.strideW * operandBytes), bias,
                         to, exec))
            return false;
    }
    return true;
}

} // namespace engine
