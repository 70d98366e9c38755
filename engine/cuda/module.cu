// The module's one exported function and what stands in its table beside the kernels: the device query, error texts,
// memory. Host code; the static runtime opens the driver when first asked, so loading the module needs none.
#include "engine/cuda/cast_table.h"
#include "engine/cuda/module.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <exception>

namespace {

int statusOf(cudaError_t error, int driverVersion)
{
    switch (error) {
    case cudaSuccess:
        return MANTISSA_CUDA_READY;
    case cudaErrorNoDevice:
        return MANTISSA_CUDA_NO_DEVICE;
    case cudaErrorInsufficientDriver:
        return driverVersion == 0 ? MANTISSA_CUDA_NO_DRIVER : MANTISSA_CUDA_DRIVER_TOO_OLD;
    default:
        return MANTISSA_CUDA_FAILED;
    }
}

void queryDevices(MantissaCudaDevices* out)
{
    *out = {};
    // Zero where there is no driver.
    if (cudaDriverGetVersion(&out->driverVersion) != cudaSuccess)
        out->driverVersion = 0;
    cudaRuntimeGetVersion(&out->runtimeVersion);
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    for (int i = 0; error == cudaSuccess && i < count && i < MANTISSA_CUDA_MAX_DEVICES; ++i) {
        cudaDeviceProp properties{};
        error = cudaGetDeviceProperties(&properties, i);
        if (error != cudaSuccess)
            break;
        MantissaCudaDevice& d = out->devices[out->count++];
        std::snprintf(d.name, sizeof d.name, "%s", properties.name);
        d.computeMajor = properties.major;
        d.computeMinor = properties.minor;
        d.memoryBytes = static_cast<int64_t>(properties.totalGlobalMem);
    }
    out->status = statusOf(error, out->driverVersion);
    if (error == cudaSuccess && out->count == 0)
        out->status = MANTISSA_CUDA_NO_DEVICE;
    if (error != cudaSuccess)
        std::snprintf(out->errorText, sizeof out->errorText, "%s", cudaGetErrorString(error));
    cudaGetLastError(); // a failed query must not be reported by the next call
}

const char* errorText(int error)
{
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

int allocate(int64_t bytes, void** out)
{
    return cudaMalloc(out, static_cast<size_t>(bytes));
}

int release(void* memory)
{
    return cudaFree(memory);
}

int copyToDevice(void* device, const void* host, int64_t bytes)
{
    return cudaMemcpy(device, host, static_cast<size_t>(bytes), cudaMemcpyHostToDevice);
}

int copyToHost(void* host, const void* device, int64_t bytes)
{
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess)
        return error;
    return cudaMemcpy(host, device, static_cast<size_t>(bytes), cudaMemcpyDeviceToHost);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const MantissaCudaModuleV1* mantissa_cuda_module(int)
try {
    static const std::vector<MantissaCudaKernel> kernels = engine::castTable();
    static const MantissaCudaModuleV1 module{
        MANTISSA_CUDA_MODULE_VERSION,
        MANTISSA_CUDA_MIN_MAJOR,
        MANTISSA_CUDA_MIN_MINOR,
        queryDevices,
        errorText,
        allocate,
        release,
        copyToDevice,
        copyToHost,
        static_cast<int>(kernels.size()),
        kernels.data(),
    };
    return &module;
} catch (const std::exception&) {
    return nullptr;
}
