// What a kernel may know about where it runs: the instruction set, a way to run tasks in parallel,
// and whether to stop. Results must not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace engine {

// baseline: x86-64 (SSE2, no FMA, other bits); v3: AVX2 + FMA; v4: AVX-512. v3 and v4 give the same bits.
enum class Isa : std::uint8_t { Baseline, V3, V4 };
std::string_view isaName(Isa isa); // "x86-64", "x86-64-v3", "x86-64-v4"
inline bool hasFma(Isa isa)
{
    return isa != Isa::Baseline;
}
bool isaAvailable(Isa isa); // on this machine
Isa bestIsa();              // widest available; MANTISSA_ISA=baseline|v3|v4 overrides downwards

class Exec {
public:
    virtual ~Exec() = default;
    virtual Isa isa() const = 0;
    virtual int threads() const = 0;
    virtual bool stopRequested() const = 0;
    // Calls body(0..tasks-1), each once, in any order and thread; checks for a stop between tasks.
    // Returns false if it stopped early (the output is then meaningless).
    virtual bool parallelFor(std::int64_t tasks, const std::function<void(std::int64_t)>& body) const = 0;
};

// One thread, never stops.
class SerialExec final : public Exec {
public:
    explicit SerialExec(Isa isa = bestIsa()) : m_isa(isa) {}
    Isa isa() const override { return m_isa; }
    int threads() const override { return 1; }
    bool stopRequested() const override { return false; }
    bool parallelFor(std::int64_t tasks, const std::function<void(std::int64_t)>& body) const override
    {
        for (std::int64_t i = 0; i < tasks; ++i)
            body(i);
        return true;
    }

private:
    Isa m_isa;
};

} // namespace engine
