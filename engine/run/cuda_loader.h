// Opens the GPU module at run time and says truthfully why it cannot run. The program neither links nor needs CUDA.
// Searched: only MANTISSA_CUDA_MODULE if that is set, else beside the executable, in ../lib/mantissa, and on the
// library path. Any thread.
#pragma once

#include "engine/cuda/module.h"
#include "engine/run/backend.h"

#include <memory>
#include <string_view>

namespace engine {

enum class CudaReason : std::uint8_t {
    Ready,
    NoModule,     // no such file
    BrokenModule, // a file that does not load or has no entry function
    WrongVersion, // of the interface
    NoDriver,
    DriverTooOld,
    NoDevice,
    DeviceTooOld, // every device is below the oldest compute capability of the kernels
    DriverFailed, // anything else that the driver says
};
// "ready", "no-module", "broken-module", "wrong-version", "no-driver", "driver-too-old", "no-device", "device-too-old",
// "driver-failed"
std::string_view cudaReasonCode(CudaReason reason);

struct CudaAvailability {
    CudaReason reason = CudaReason::NoModule;
    std::string sentence; // what is wrong, with the numbers; available: the device's name
    std::string remedy;   // what the user can do; empty if available
    bool available() const { return reason == CudaReason::Ready; }
};

// A module that stays open as long as a copy lives.
class CudaModule {
public:
    // modulePath: this file and no other; empty: the search above.
    static CudaModule open(const std::string& modulePath = {});

    const CudaAvailability& availability() const { return m_availability; }
    // The kernel of that name, or null: also whenever the module is not available.
    MantissaCudaFunction find(std::string_view op, std::string_view from, std::string_view to) const;
    const MantissaCudaModuleV1* table() const { return m_availability.available() ? m_table : nullptr; }

private:
    std::shared_ptr<void> m_handle;
    const MantissaCudaModuleV1* m_table = nullptr;
    CudaAvailability m_availability;
};

// The entry of the backend list; opens the module and closes it again.
BackendInfo cudaBackend();

} // namespace engine
