// Shapes, operands and executors for the tests of the contraction kernels. Nothing here uses the code under test.
#pragma once

#include "engine/kernels/kernels.h"

#include <atomic>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace contraction_cases {

using engine::Window2d;

// Two threads (or one), and a stop after so many questions.
class TestExec final : public engine::Exec {
public:
    explicit TestExec(engine::Isa isa, int threads = 1, std::int64_t stopAfter = -1)
        : m_isa(isa), m_threads(threads), m_stopAfter(stopAfter)
    {
    }
    engine::Isa isa() const override { return m_isa; }
    int threads() const override { return m_threads; }
    bool stopRequested() const override { return m_stopAfter >= 0 && m_polls++ >= m_stopAfter; }
    bool parallelFor(std::int64_t tasks, const std::function<void(std::int64_t)>& body) const override
    {
        std::atomic<std::int64_t> next{0};
        std::atomic<bool> stopped{false};
        const auto work = [&] {
            // From the last task to the first: no order may matter.
            for (std::int64_t i = next++; i < tasks && !stopped; i = next++) {
                body(tasks - 1 - i);
                stopped = stopped || stopRequested();
            }
        };
        std::vector<std::thread> others;
        for (int t = 1; t < m_threads; ++t)
            others.emplace_back(work);
        work();
        for (std::thread& t : others)
            t.join();
        return !stopped;
    }
    std::int64_t polls() const { return m_polls; }

private:
    engine::Isa m_isa;
    int m_threads;
    std::int64_t m_stopAfter;
    mutable std::atomic<std::int64_t> m_polls{0};
};

struct Case {
    const char* name;
    Window2d g;
};

struct Extent {
    std::int64_t h, w;
};

// Output sizes by floor((in + before + after - extent) / stride) + 1.
inline Case conv(const char* name, std::int64_t batch, Extent in, std::int64_t inC, std::int64_t outC, Extent kernel,
                 Extent stride = {1, 1}, Extent dilation = {1, 1}, Extent before = {0, 0}, Extent after = {0, 0},
                 std::int64_t groups = 1)
{
    Window2d g;
    g.batch = batch, g.inH = in.h, g.inW = in.w, g.inC = inC, g.outC = outC, g.groups = groups;
    g.kernelH = kernel.h, g.kernelW = kernel.w, g.strideH = stride.h, g.strideW = stride.w;
    g.dilationH = dilation.h, g.dilationW = dilation.w, g.padTop = before.h, g.padLeft = before.w;
    g.outH = (in.h + before.h + after.h - (kernel.h - 1) * dilation.h - 1) / stride.h + 1;
    g.outW = (in.w + before.w + after.w - (kernel.w - 1) * dilation.w - 1) / stride.w + 1;
    return {name, g};
}

inline std::vector<Case> smallCases()
{
    return {
        conv("prime", 2, {7, 5}, 3, 5, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}),
        conv("order of channels", 1, {5, 6}, 37, 33, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}),
        conv("groups", 2, {11, 13}, 6, 9, {3, 2}, {2, 1}, {2, 3}, {2, 0}, {1, 4}, 3),
        conv("depthwise", 1, {9, 8}, 19, 19, {3, 3}, {1, 2}, {1, 2}, {0, 3}, {2, 1}, 19),
        conv("depthwise, two each", 1, {5, 5}, 7, 14, {2, 3}, {1, 1}, {1, 1}, {1, 1}, {0, 1}, 7),
        conv("wide groups", 1, {4, 4}, 34, 70, {2, 2}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, 2),
        conv("whole image", 3, {5, 7}, 17, 67, {5, 7}),
        conv("one column", 2, {23, 1}, 5, 3, {3, 1}, {2, 1}, {1, 1}, {1, 0}, {1, 0}),
        conv("far padding", 1, {3, 3}, 2, 2, {2, 2}, {3, 3}, {1, 1}, {5, 4}, {4, 5}),
        conv("row of a matrix", 1, {1, 31}, 113, 37, {1, 1}),
    };
}

// Larger than 64 in every dimension but the batch.
inline Case largeCase()
{
    return conv("large", 1, {67, 71}, 67, 73, {3, 3}, {2, 3}, {1, 2}, {1, 2}, {2, 1});
}

inline std::int64_t inputs(const Window2d& g)
{
    return g.batch * g.inH * g.inW * g.inC;
}
inline std::int64_t kernels(const Window2d& g)
{
    return g.kernelH * g.kernelW * (g.inC / g.groups) * g.outC;
}
inline std::int64_t outputs(const Window2d& g)
{
    return g.batch * g.outH * g.outW * g.outC;
}

// [N, H, W, C] to [N, C, H, W].
template <class T>
std::vector<T> channelsFirst(const std::vector<T>& x, std::int64_t batch, std::int64_t plane, std::int64_t channels)
{
    std::vector<T> y(x.size());
    for (std::int64_t n = 0; n < batch; ++n)
        for (std::int64_t p = 0; p < plane; ++p)
            for (std::int64_t c = 0; c < channels; ++c)
                y[static_cast<std::size_t>((n * channels + c) * plane + p)] =
                    x[static_cast<std::size_t>((n * plane + p) * channels + c)];
    return y;
}

struct Output {
    std::int64_t n, oh, ow, k;
};
// Of a channels_last tensor.
inline Output outputAt(const Window2d& g, std::int64_t i)
{
    return {i / g.outC / g.outW / g.outH, i / g.outC / g.outW % g.outH, i / g.outC % g.outW, i % g.outC};
}

// visit(x index or -1 for padding, w index), in the order of the design: (kh, c / 16, kw, c % 16) within the group.
template <class Visit> void forEachProduct(const Window2d& g, Output o, const Visit& visit)
{
    const std::int64_t channels = g.inC / g.groups, group = o.k / (g.outC / g.groups);
    for (std::int64_t kh = 0; kh < g.kernelH; ++kh)
        for (std::int64_t sixteen = 0; sixteen * 16 < channels; ++sixteen)
            for (std::int64_t kw = 0; kw < g.kernelW; ++kw)
                for (std::int64_t c = sixteen * 16; c < channels && c < sixteen * 16 + 16; ++c) {
                    const std::int64_t ih = o.oh * g.strideH - g.padTop + kh * g.dilationH;
                    const std::int64_t iw = o.ow * g.strideW - g.padLeft + kw * g.dilationW;
                    const bool isInside = ih >= 0 && ih < g.inH && iw >= 0 && iw < g.inW;
                    const std::int64_t x = ((o.n * g.inH + ih) * g.inW + iw) * g.inC + group * channels + c;
                    visit(isInside ? x : -1, ((kh * g.kernelW + kw) * channels + c) * g.outC + o.k);
                }
}

} // namespace contraction_cases
