// Drivers of the double-double contractions (design 3.4). First sum|a b| of every output in float64: it is the
// magnitude asked for, and it bounds every partial sum, so it gives each output its own anchor. The few outputs
// whose anchor would not be finite are done one by one with Dot2.
#include "engine/kernels/dd_sums.h"
#include "engine/kernels/dispatch.h"
#include "engine/kernels/plain_strips.h"
#include "engine/model/double_double.h"

namespace engine {

namespace {

class DDConv {
public:
    DDConv(const Window2d& g, DDSpan x, DDSpan w, DDSpan bias, DDOut y, const Exec& exec)
        : m_g(g), m_x(x), m_w(w), m_bias(bias), m_y(y), m_exec(exec), m_tiles(tileKernels(exec.isa())),
          m_kernel(w.lo   ? m_tiles.x2w2
                   : x.lo ? m_tiles.x2w1
                          : m_tiles.x1w1),
          m_blocks(g, m_tiles.f64.block), m_plan(g, m_blocks, m_tiles.f64.height),
          m_packedSize(m_blocks.count * m_plan.depth * m_blocks.width), m_wHi(m_packedSize),
          m_wLo(w.lo ? m_packedSize : 0), m_wAbs(m_packedSize), m_packedBias(m_blocks.count * m_blocks.width),
          m_scratch(m_plan.strip * (3 * m_plan.depth + kRows * m_blocks.width)),
          m_hasPlainBias(isPlainBias(bias, g.outC))
    {
    }

    DDStatus run()
    {
        DDStatus status;
        if (!findSmallest())
            return status;
        status.finished = runTasks(m_exec, m_blocks.count, [this](std::int64_t b) { packWeights(b); }) &&
                          runTasks(m_exec, m_plan.tasks(), [this](std::int64_t task) { runStrip(task); });
        status.limited = m_isLimited ? Limited::Yes : Limited::No;
        return status;
    }

private:
    // Sums are made in pieces with an anchor each, so that their error does not grow with their length: the low part
    // is rounded at most kPiece times at 2^-53 of 4.5 units (mean, folded every 16 steps) of 2^-50 of the piece.
    static constexpr std::int64_t kPiece = 1024;
    static constexpr int kRows = 7;
    static constexpr std::int64_t kChunk = 65536; // elements between two looks for a stop

    struct Strip {
        std::int64_t first, pixels;
        double *xHi, *xLo, *xAbs;                                              // [pixel][step]
        double *magnitude, *sumHi, *sumLo, *pieceMagnitude, *anchor, *hi, *lo; // [pixel][channel]
    };

    Strip stripOf(std::int64_t task, double* memory) const
    {
        const std::int64_t first = task / m_plan.ranges * m_plan.strip;
        const std::int64_t outputs = m_plan.strip * m_blocks.width, operands = m_plan.strip * m_plan.depth;
        const auto row = [&](int i) { return memory + i * outputs; };
        double* x = row(kRows);
        return {first,
                std::min(m_plan.strip, m_plan.pixels - first),
                x,
                x + operands,
                x + 2 * operands,
                row(0),
                row(1),
                row(2),
                row(3),
                row(4),
                row(5),
                row(6)};
    }

    std::int64_t blockOffset(std::int64_t b) const { return b * m_plan.depth * m_blocks.width; }

    bool findSmallest()
    {
        const double leastX = smallestNonzero(m_x.hi, m_g.batch * m_g.inH * m_g.inW * m_g.inC, m_exec);
        m_leastW = smallestNonzero(m_w.hi, m_plan.depth * m_g.outC, m_exec);
        m_mayBeTiny = leastX * m_leastW < kTinyProduct;
        return !m_exec.stopRequested();
    }

    void packWeights(std::int64_t b)
    {
        const std::int64_t at = blockOffset(b), count = m_plan.depth * m_blocks.width;
        packBlock(m_g, m_blocks, b, m_w.hi, m_wHi.data() + at, m_exec);
        if (m_w.lo)
            packBlock(m_g, m_blocks, b, m_w.lo, m_wLo.data() + at, m_exec);
        for (std::int64_t i = at; i < at + count && !m_exec.stopRequested(); i += kChunk)
            for (std::int64_t k = i; k < std::min(i + kChunk, at + count); ++k)
                m_wAbs.data()[k] = std::fabs(m_wHi.data()[k]);
        double* bias = m_packedBias.data() + b * m_blocks.width;
        for (std::int64_t j = 0; j < m_blocks.width; ++j)
            bias[j] = m_bias.hi && j < m_blocks.valid(b) ? m_bias.hi[m_blocks.first(b) + j] : 0;
    }

    void packOperands(const Strip& s, std::int64_t group) const
    {
        const std::int64_t depth = m_plan.depth, count = s.pixels * depth;
        for (std::int64_t p = 0; p < s.pixels; ++p) {
            packPixel(m_g, s.first + p, group, m_x.hi, s.xHi + p * depth);
            if (m_x.lo)
                packPixel(m_g, s.first + p, group, m_x.lo, s.xLo + p * depth);
        }
        if (!m_x.lo && m_w.lo)
            std::fill(s.xLo, s.xLo + count, 0.0);
        for (std::int64_t i = 0; i < count; ++i)
            s.xAbs[i] = std::fabs(s.xHi[i]);
    }

    void runStrip(std::int64_t task)
    {
        ScratchPool<double>::Lease scratch(m_scratch);
        const Strip s = stripOf(task, scratch.data());
        const std::int64_t firstBlock = task % m_plan.ranges * m_plan.blocksPerRange;
        const std::int64_t endBlock = std::min(firstBlock + m_plan.blocksPerRange, m_blocks.count);
        std::int64_t packedGroup = -1;
        for (std::int64_t b = firstBlock; b < endBlock; ++b) {
            if (m_blocks.group(b) != packedGroup) {
                packedGroup = m_blocks.group(b);
                packOperands(s, packedGroup);
            }
            std::fill(s.magnitude, s.magnitude + s.pixels * m_blocks.width, 0.0);
            for (std::int64_t step = 0; step == 0 || step < m_plan.depth; step += kPiece)
                if (!addPiece(s, b, step, std::min(kPiece, m_plan.depth - step)))
                    return;
            if (m_mayBeTiny)
                scanTinyProducts(s, b);
            for (std::int64_t p = 0; p < s.pixels; ++p)
                storePixel(s, p, b);
        }
    }

    // Calls body(pixel, pixels) for every tile; false: stopped.
    template <class Body> bool forEachTile(std::int64_t pixels, int height, const Body& body) const
    {
        for (std::int64_t p = 0; p < pixels; p += height) {
            if (m_exec.stopRequested())
                return false;
            body(p, static_cast<int>(std::min<std::int64_t>(height, pixels - p)));
        }
        return true;
    }

    bool addPiece(const Strip& s, std::int64_t b, std::int64_t step, std::int64_t steps) const
    {
        const std::int64_t depth = m_plan.depth, width = m_blocks.width, outputs = s.pixels * width;
        const std::int64_t weights = blockOffset(b) + step * width;
        std::fill(s.pieceMagnitude, s.pieceMagnitude + outputs, 0.0);
        bool isRunning = forEachTile(s.pixels, m_tiles.f64.height, [&](std::int64_t p, int pixels) {
            m_tiles.f64.run(
                {s.xAbs + p * depth + step, depth, m_wAbs.data() + weights, s.pieceMagnitude + p * width, steps},
                pixels);
        });
        for (std::int64_t i = 0; i < outputs; ++i) {
            const double magnitude = s.pieceMagnitude[i];
            s.magnitude[i] += magnitude;
            s.anchor[i] = s.hi[i] = magnitude <= kLargeSum ? anchorOf(magnitude, steps) : 0;
            s.lo[i] = 0;
        }
        const double* wLo = m_w.lo ? m_wLo.data() + weights : nullptr;
        isRunning = isRunning && forEachTile(s.pixels, m_kernel.height, [&](std::int64_t p, int pixels) {
                        m_kernel.run({s.xHi + p * depth + step, s.xLo + p * depth + step, depth, m_wHi.data() + weights,
                                      wLo, s.hi + p * width, s.lo + p * width, steps},
                                     pixels);
                    });
        const RowSum sum{s.sumHi, s.sumLo};
        if (step == 0)
            sum.assign(s.anchor, s.hi, s.lo, outputs);
        else
            sum.add(s.anchor, s.hi, s.lo, outputs);
        return isRunning;
    }

    // Exact, and over when the first is found.
    void scanTinyProducts(const Strip& s, std::int64_t b)
    {
        const std::int64_t valid = m_blocks.valid(b);
        for (std::int64_t i = 0; i < s.pixels * m_plan.depth && !m_isLimited; ++i) {
            const double x = s.xAbs[i];
            if (!(x > 0) || x * m_leastW >= kTinyProduct)
                continue;
            const double* w = m_wAbs.data() + blockOffset(b) + i % m_plan.depth * m_blocks.width;
            for (std::int64_t j = 0; j < valid; ++j)
                if (w[j] > 0 && x * w[j] < kTinyProduct)
                    m_isLimited = true;
        }
    }

    // An output whose sum|a b| is beyond 2^1020 or not finite: Dot2 (Ogita, Rump and Oishi, SIAM J. Sci. Comput.
    // 26(6), 2005), or where an operand is not finite what float64 gives.
    DoubleDouble sumSlowly(const Strip& s, std::int64_t p, std::int64_t j, std::int64_t b) const
    {
        double hi = 0, lo = 0, plain = 0;
        bool isFinite = true;
        for (std::int64_t step = 0; step < m_plan.depth; ++step) {
            const std::int64_t xAt = p * m_plan.depth + step;
            const std::int64_t wAt = blockOffset(b) + step * m_blocks.width + j;
            const double x = s.xHi[xAt], w = m_wHi.data()[wAt];
            isFinite = isFinite && std::isfinite(x) && std::isfinite(w);
            plain = std::fma(x, w, plain);
            if (!isFinite && plain != plain)
                break;
            const DoubleDouble product = twoProduct(x, w), sum = twoSum(hi, product.hi);
            hi = sum.hi;
            lo += sum.lo + (product.lo + (m_x.lo ? s.xLo[xAt] * w : 0) + (m_w.lo ? x * m_wLo.data()[wAt] : 0));
        }
        return isFinite ? fastTwoSum(hi, lo) : DoubleDouble{plain};
    }

    bool hasFiniteOperands(const Strip& s, std::int64_t p, std::int64_t j, std::int64_t b) const
    {
        for (std::int64_t step = 0; step < m_plan.depth; ++step)
            if (!std::isfinite(s.xHi[p * m_plan.depth + step]) ||
                !std::isfinite(m_wHi.data()[blockOffset(b) + step * m_blocks.width + j]))
                return false;
        return true;
    }

    // Output j of a row whose values or bias are out of the ordinary.
    void finishSlowly(const Strip& s, std::int64_t p, std::int64_t j, std::int64_t b)
    {
        const std::int64_t at = p * m_blocks.width + j, channel = m_blocks.first(b) + j;
        DoubleDouble v = s.magnitude[at] <= kLargeSum ? DoubleDouble{s.sumHi[at], s.sumLo[at]} : sumSlowly(s, p, j, b);
        if (m_bias.hi)
            v = v + DoubleDouble{m_bias.hi[channel], m_bias.lo ? m_bias.lo[channel] : 0};
        const bool isFinite = std::isfinite(v.hi);
        if (!isFinite && (!m_bias.hi || std::isfinite(m_bias.hi[channel])) && hasFiniteOperands(s, p, j, b))
            m_isLimited = true;
        s.sumHi[at] = v.hi;
        s.sumLo[at] = isFinite ? v.lo : 0;
    }

    void storePixel(const Strip& s, std::int64_t p, std::int64_t b)
    {
        const std::int64_t valid = m_blocks.valid(b), row = p * m_blocks.width;
        const double* bias = m_packedBias.data() + b * m_blocks.width;
        bool isPlain = m_hasPlainBias;
        for (std::int64_t j = 0; j < valid; ++j)
            isPlain = isPlain && s.magnitude[row + j] <= kLargeSum;
        if (isPlain)
            RowSum{s.sumHi + row, s.sumLo + row}.add(bias, valid);
        else
            for (std::int64_t j = 0; j < valid; ++j)
                finishSlowly(s, p, j, b);
        const std::int64_t channelStride = m_g.channelsFirst ? m_g.outH * m_g.outW : 1;
        std::int64_t to = outputIndex(m_g, s.first + p, m_blocks.first(b));
        for (std::int64_t j = 0; j < valid; ++j, to += channelStride) {
            m_y.hi[to] = s.sumHi[row + j];
            m_y.lo[to] = s.sumLo[row + j];
            if (m_y.magnitudes)
                m_y.magnitudes[to] = s.magnitude[row + j] + std::fabs(bias[j]);
        }
    }

    const Window2d& m_g;
    const DDSpan m_x, m_w, m_bias;
    const DDOut m_y;
    const Exec& m_exec;
    const TileKernels& m_tiles;
    const DDKernel& m_kernel;
    const ChannelBlocks m_blocks;
    const StripPlan m_plan;
    const std::int64_t m_packedSize;
    AlignedBuffer<double> m_wHi, m_wLo, m_wAbs, m_packedBias;
    ScratchPool<double> m_scratch;
    const bool m_hasPlainBias;
    double m_leastW = 0;
    bool m_mayBeTiny = true;
    std::atomic<bool> m_isLimited{false};
};

} // namespace

DDStatus conv2dDD(const Window2d& g, DDSpan x, DDSpan w, DDSpan bias, DDOut y, const Exec& exec)
{
    if (g.batch * g.outH * g.outW * g.outC == 0)
        return {true, Limited::No};
    return DDConv(g, x, w, bias, y, exec).run();
}

DDStatus matmulDD(const MatmulShape& g, DDSpan x, DDSpan w, DDSpan bias, DDOut y, const Exec& exec)
{
    const Window2d window = matmulWindow(g);
    const auto entry = [](DDSpan s, std::int64_t offset) {
        return DDSpan{s.hi + offset, s.lo ? s.lo + offset : nullptr};
    };
    DDStatus all{true, Limited::No};
    for (std::int64_t b = 0; b < g.batch && all.finished; ++b) {
        const std::int64_t to = b * g.strideY;
        const DDOut out{y.hi + to, y.lo + to, y.magnitudes ? y.magnitudes + to : nullptr};
        const DDStatus one = conv2dDD(window, entry(x, b * g.strideX), entry(w, b * g.strideW), bias, out, exec);
        all.finished = one.finished;
        all.limited = one.limited == Limited::Yes ? Limited::Yes : all.limited;
    }
    return all;
}

} // namespace engine
