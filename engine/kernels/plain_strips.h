// What the drivers of the plain and of the double-double contractions share: a convolution seen as a product of
// rows (output pixels, each with its products' operands in the order of design 3.3) and packed weights. A matrix
// product is a 1x1 convolution over one image row.
#pragma once

#include "engine/kernels/kernels.h"
#include "engine/model/narrow_float.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <vector>

namespace engine {

// Uninitialised, aligned for every vector width.
template <class T> class AlignedBuffer {
public:
    explicit AlignedBuffer(std::int64_t count)
        : m_data(static_cast<T*>(::operator new (static_cast<std::size_t>(std::max<std::int64_t>(count, 1)) * sizeof(T),
                                                 std::align_val_t{64})))
    {
        static_assert(std::is_trivial_v<T>);
    }
    ~AlignedBuffer() { ::operator delete (m_data, std::align_val_t{64}); }
    AlignedBuffer(const AlignedBuffer&) = delete;
    AlignedBuffer& operator=(const AlignedBuffer&) = delete;
    T* data() { return m_data; }
    const T* data() const { return m_data; }

private:
    T* m_data;
};

// Buffers of one size for the tasks of a call: as many as run at once, so that no task maps fresh memory.
template <class T> class ScratchPool {
public:
    class Lease {
    public:
        explicit Lease(ScratchPool& pool) : m_pool(pool), m_buffer(pool.take()) {}
        ~Lease() { m_pool.giveBack(std::move(m_buffer)); }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        T* data() { return m_buffer->data(); }

    private:
        ScratchPool& m_pool;
        std::unique_ptr<AlignedBuffer<T>> m_buffer;
    };

    explicit ScratchPool(std::int64_t count) : m_count(count) {}

private:
    std::unique_ptr<AlignedBuffer<T>> take()
    {
        const std::lock_guard lock(m_mutex);
        if (m_free.empty()) {
            m_free.reserve(++m_made); // so that giving back cannot throw
            return std::make_unique<AlignedBuffer<T>>(m_count);
        }
        auto buffer = std::move(m_free.back());
        m_free.pop_back();
        return buffer;
    }
    void giveBack(std::unique_ptr<AlignedBuffer<T>> buffer)
    {
        const std::lock_guard lock(m_mutex);
        m_free.push_back(std::move(buffer));
    }

    const std::int64_t m_count;
    std::size_t m_made = 0;
    std::mutex m_mutex;
    std::vector<std::unique_ptr<AlignedBuffer<T>>> m_free;
};

// False: stopped. A task that runs out of memory must not end the program: the exception leaves in the caller's
// thread.
template <class Body> bool runTasks(const Exec& exec, std::int64_t tasks, const Body& body)
{
    std::atomic<bool> isOutOfMemory{false};
    const bool finished = exec.parallelFor(tasks, [&](std::int64_t task) {
        try {
            body(task);
        } catch (const std::bad_alloc&) {
            isOutOfMemory = true;
        }
    });
    if (isOutOfMemory)
        throw std::bad_alloc();
    return finished && !exec.stopRequested();
}

template <class To, class From> To widenOperand(From x)
{
    if constexpr (std::is_arithmetic_v<From>)
        return x;
    else
        return widen<To>(x);
}

// Output channels in blocks that do not cross groups; the blocks of all groups are counted together.
struct ChannelBlocks {
    std::int64_t width, channelsPerGroup, perGroup, count;
    ChannelBlocks(const Window2d& g, int block)
        : width(block), channelsPerGroup(g.outC / g.groups), perGroup((channelsPerGroup + block - 1) / block),
          count(perGroup * g.groups)
    {
    }
    std::int64_t group(std::int64_t b) const { return b / perGroup; }
    std::int64_t first(std::int64_t b) const { return group(b) * channelsPerGroup + b % perGroup * width; }
    std::int64_t valid(std::int64_t b) const { return std::min(width, channelsPerGroup - b % perGroup * width); }
};

// The order of summation: visit(step, count, kh, kw, c) for runs of channels c, c + 1, ... within the group.
template <class Visit> void forEachTap(const Window2d& g, const Visit& visit)
{
    constexpr std::int64_t kRun = 16;
    const std::int64_t channels = g.inC / g.groups;
    std::int64_t step = 0;
    for (std::int64_t kh = 0; kh < g.kernelH; ++kh)
        for (std::int64_t c = 0; c < channels; c += kRun)
            for (std::int64_t kw = 0; kw < g.kernelW; ++kw) {
                const std::int64_t count = std::min(kRun, channels - c);
                visit(step, count, kh, kw, c);
                step += count;
            }
}

inline std::int64_t reductionDepth(const Window2d& g)
{
    return g.kernelH * g.kernelW * (g.inC / g.groups);
}

// Weights of one block as [step][block]; channels beyond the last are zero. Incomplete after a stop.
template <class To, class From>
void packBlock(const Window2d& g, const ChannelBlocks& blocks, std::int64_t block, const From* w, To* packed,
               const Exec& exec)
{
    const std::int64_t channels = g.inC / g.groups, valid = blocks.valid(block);
    const From* first = w + blocks.first(block);
    bool isStopped = false;
    forEachTap(g, [&](std::int64_t step, std::int64_t count, std::int64_t kh, std::int64_t kw, std::int64_t c) {
        isStopped = isStopped || exec.stopRequested();
        for (std::int64_t i = 0; i < count && !isStopped; ++i) {
            const From* row = first + ((kh * g.kernelW + kw) * channels + c + i) * g.outC;
            To* to = packed + (step + i) * blocks.width;
            for (std::int64_t j = 0; j < valid; ++j)
                to[j] = widenOperand<To>(row[j]);
            std::fill(to + valid, to + blocks.width, To{});
        }
    });
}

// The operands of output pixel `pixel` (counted over images, rows and columns), one per step; padding is zero.
template <class To, class From>
void packPixel(const Window2d& g, std::int64_t pixel, std::int64_t group, const From* x, To* packed)
{
    const std::int64_t ow = pixel % g.outW, oh = pixel / g.outW % g.outH, n = pixel / g.outW / g.outH;
    const std::int64_t top = oh * g.strideH - g.padTop, left = ow * g.strideW - g.padLeft;
    const std::int64_t firstChannel = group * (g.inC / g.groups);
    const std::int64_t channelStride = g.channelsFirst ? g.inH * g.inW : 1;
    const std::int64_t pixelStride = g.channelsFirst ? 1 : g.inC;
    const From* image = x + n * g.inH * g.inW * g.inC;
    forEachTap(g, [&](std::int64_t step, std::int64_t count, std::int64_t kh, std::int64_t kw, std::int64_t c) {
        const std::int64_t ih = top + kh * g.dilationH, iw = left + kw * g.dilationW;
        To* to = packed + step;
        if (ih < 0 || ih >= g.inH || iw < 0 || iw >= g.inW) {
            std::fill(to, to + count, To{});
            return;
        }
        const From* from = image + (ih * g.inW + iw) * pixelStride + (firstChannel + c) * channelStride;
        if (channelStride == 1)
            for (std::int64_t i = 0; i < count; ++i)
                to[i] = widenOperand<To>(from[i]);
        else
            for (std::int64_t i = 0; i < count; ++i)
                to[i] = widenOperand<To>(from[i * channelStride]);
    });
}

// How the work is cut: strips of pixels, and for few strips also ranges of channel blocks. Never by the number of
// threads; no cut changes a bit.
struct StripPlan {
    std::int64_t pixels, depth, strip, strips, ranges, blocksPerRange;
    StripPlan(const Window2d& g, const ChannelBlocks& blocks, int height)
    {
        constexpr std::int64_t kOperands = 65536, kFewStrips = 16, kMostRanges = 8, kLongStrip = 64;
        pixels = g.batch * g.outH * g.outW;
        depth = reductionDepth(g);
        const std::int64_t fits = kOperands / std::max<std::int64_t>(depth, 1);
        strip = std::clamp<std::int64_t>(fits / height * height, 1,
                                         std::max<std::int64_t>(kLongStrip / height, 1) * height);
        strips = (pixels + strip - 1) / strip;
        const std::int64_t wanted = strips < kFewStrips ? std::min(blocks.count, kMostRanges) : 1;
        blocksPerRange = wanted == 0 ? 1 : (blocks.count + wanted - 1) / wanted;
        ranges = (blocks.count + blocksPerRange - 1) / blocksPerRange;
    }
    std::int64_t tasks() const { return strips * ranges; }
};

// Where output channel c of a pixel lies.
inline std::int64_t outputIndex(const Window2d& g, std::int64_t pixel, std::int64_t c)
{
    if (!g.channelsFirst)
        return pixel * g.outC + c;
    const std::int64_t plane = g.outH * g.outW;
    return (pixel / plane * g.outC + c) * plane + pixel % plane;
}

inline Window2d matmulWindow(const MatmulShape& g)
{
    Window2d w;
    w.inW = w.outW = g.rows;
    w.inC = g.depth;
    w.outC = g.columns;
    return w;
}

} // namespace engine
