// A stand-in for mantissa_cuda: MANTISSA_FAKE_CUDA says what it pretends ("version", "no-driver", "driver-too-old",
// "no-device", "old-device", "failed", "no-table"; else one usable device among two).
#include "engine/cuda/module.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

std::string_view pretence()
{
    const char* value = std::getenv("MANTISSA_FAKE_CUDA");
    return value ? value : "";
}

void devices(MantissaCudaDevices* out)
{
    *out = {};
    out->driverVersion = 12040;
    out->runtimeVersion = 13000;
    const std::string_view what = pretence();
    if (what == "no-driver")
        out->status = MANTISSA_CUDA_NO_DRIVER;
    else if (what == "driver-too-old")
        out->status = MANTISSA_CUDA_DRIVER_TOO_OLD;
    else if (what == "no-device")
        out->status = MANTISSA_CUDA_NO_DEVICE;
    else if (what == "failed")
        out->status = MANTISSA_CUDA_FAILED;
    if (out->status != MANTISSA_CUDA_READY) {
        std::snprintf(out->errorText, sizeof out->errorText, "fan on fire");
        return;
    }
    out->count = what == "old-device" ? 1 : 2;
    std::snprintf(out->devices[0].name, sizeof out->devices[0].name, "Old Card");
    out->devices[0].computeMajor = 7;
    std::snprintf(out->devices[1].name, sizeof out->devices[1].name, "New Card");
    out->devices[1].computeMajor = 9;
}

int fakeCast(const void*, void*, int64_t, int, void*)
{
    return 0;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const MantissaCudaModuleV1* mantissa_cuda_module(int)
{
    static const MantissaCudaKernel kernels[] = {
        {"cast", "float64", "float16", reinterpret_cast<MantissaCudaFunction>(&fakeCast)}};
    static MantissaCudaModuleV1 module{};
    module.version = pretence() == "version" ? 7 : MANTISSA_CUDA_MODULE_VERSION;
    module.minComputeMajor = 7;
    module.minComputeMinor = 5;
    module.devices = devices;
    module.kernelCount = 1;
    module.kernels = kernels;
    return pretence() == "no-table" ? nullptr : &module;
}
