#include "engine/run/cuda_loader.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace engine {

namespace {

constexpr const char* kModuleFile = "libmantissa_cuda.so";
constexpr const char* kVariable = "MANTISSA_CUDA_MODULE";

std::vector<std::string> candidates(const std::string& modulePath)
{
    if (!modulePath.empty())
        return {modulePath};
    if (const char* named = std::getenv(kVariable); named && *named)
        return {named};
    std::vector<std::string> all;
    std::error_code error;
    const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        const auto folder = executable.parent_path();
        all.push_back((folder / kModuleFile).string());
        all.push_back((folder.parent_path() / "lib" / "mantissa" / kModuleFile).string());
    }
    all.push_back(kModuleFile); // the library path
    return all;
}

CudaAvailability noModule(const std::vector<std::string>& tried)
{
    std::string places;
    for (const std::string& place : tried)
        places += (places.empty() ? "" : ", ") + place;
    return {CudaReason::NoModule, "the GPU module was not found (looked for " + places + ")",
            std::string("build it where the CUDA toolkit is installed, or set ") + kVariable + " to its path"};
}

std::string versionText(int version) // as CUDA numbers them: 13000 is 13.0
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string capabilityText(int major, int minor)
{
    return std::to_string(major) + "." + std::to_string(minor);
}

CudaAvailability fromDevices(const MantissaCudaModuleV1& module, const MantissaCudaDevices& d)
{
    switch (d.status) {
    case MANTISSA_CUDA_READY:
        break;
    case MANTISSA_CUDA_NO_DRIVER:
        return {CudaReason::NoDriver, "no NVIDIA driver is installed (libcuda.so.1 is missing)",
                "install the NVIDIA driver for CUDA " + versionText(d.runtimeVersion) + " or newer"};
    case MANTISSA_CUDA_DRIVER_TOO_OLD:
        return {CudaReason::DriverTooOld,
                "the NVIDIA driver serves CUDA " + versionText(d.driverVersion) + ", the GPU module needs " +
                    versionText(d.runtimeVersion),
                "update the NVIDIA driver"};
    case MANTISSA_CUDA_NO_DEVICE:
        return {CudaReason::NoDevice, "the NVIDIA driver finds no GPU",
                "check that a GPU is present and visible (nvidia-smi, CUDA_VISIBLE_DEVICES)"};
    default:
        return {CudaReason::DriverFailed, std::string("the NVIDIA driver reports: ") + d.errorText,
                "check the driver with nvidia-smi"};
    }
    for (int i = 0; i < d.count; ++i) {
        const MantissaCudaDevice& device = d.devices[i];
        if (device.computeMajor > module.minComputeMajor ||
            (device.computeMajor == module.minComputeMajor && device.computeMinor >= module.minComputeMinor))
            return {CudaReason::Ready,
                    std::string(device.name) + ", compute capability " +
                        capabilityText(device.computeMajor, device.computeMinor),
                    ""};
    }
    if (d.count == 0)
        return {CudaReason::NoDevice, "the NVIDIA driver finds no GPU", "check that a GPU is present and visible"};
    return {CudaReason::DeviceTooOld,
            std::string(d.devices[0].name) + " has compute capability " +
                capabilityText(d.devices[0].computeMajor, d.devices[0].computeMinor) + ", the GPU module needs " +
                capabilityText(module.minComputeMajor, module.minComputeMinor),
            "use a newer GPU, or run on the cpu backend"};
}

} // namespace

std::string_view cudaReasonCode(CudaReason reason)
{
    constexpr std::string_view kCodes[] = {"ready",         "no-module",      "broken-module",
                                           "wrong-version", "no-driver",      "driver-too-old",
                                           "no-device",     "device-too-old", "driver-failed"};
    return kCodes[static_cast<std::size_t>(reason)];
}

CudaModule CudaModule::open(const std::string& modulePath)
{
    CudaModule m;
    const std::vector<std::string> places = candidates(modulePath);
    std::string path, loadError;
    for (const std::string& place : places) {
        // Never unmapped: the GPU runtime may leave threads and exit handlers behind.
        if (void* handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
            m.m_handle = {handle, [](void* h) { dlclose(h); }};
            path = place;
            break;
        }
        const char* why = dlerror(); // before another library call takes it
        std::error_code error;
        if (std::filesystem::exists(place, error)) {
            m.m_availability = {CudaReason::BrokenModule,
                                std::string("the GPU module does not load: ") + (why ? why : place),
                                "rebuild or reinstall it"};
            return m;
        }
    }
    if (!m.m_handle) {
        m.m_availability = noModule(places);
        return m;
    }
    const auto entry = reinterpret_cast<MantissaCudaModuleEntry>(dlsym(m.m_handle.get(), MANTISSA_CUDA_MODULE_ENTRY));
    m.m_table = entry ? entry(MANTISSA_CUDA_MODULE_VERSION) : nullptr;
    if (!m.m_table) {
        m.m_availability = {
            CudaReason::BrokenModule,
            path + " is no GPU module: " + (entry ? "it returns no table" : "it lacks " MANTISSA_CUDA_MODULE_ENTRY),
            "rebuild or reinstall it"};
        return m;
    }
    if (m.m_table->version != MANTISSA_CUDA_MODULE_VERSION) {
        m.m_availability = {CudaReason::WrongVersion,
                            path + " has interface version " + std::to_string(m.m_table->version) +
                                ", this program needs " + std::to_string(MANTISSA_CUDA_MODULE_VERSION),
                            "install the GPU module of the same release"};
        return m;
    }
    const auto devices = std::make_unique<MantissaCudaDevices>();
    m.m_table->devices(devices.get());
    m.m_availability = fromDevices(*m.m_table, *devices);
    return m;
}

MantissaCudaFunction CudaModule::find(std::string_view op, std::string_view from, std::string_view to) const
{
    const MantissaCudaModuleV1* t = table();
    for (int i = 0; t && i < t->kernelCount; ++i)
        if (const MantissaCudaKernel& k = t->kernels[i]; k.op == op && k.from == from && k.to == to)
            return k.function;
    return nullptr;
}

BackendInfo cudaBackend()
{
    const CudaModule module = CudaModule::open();
    const CudaAvailability& a = module.availability();
    BackendInfo info;
    info.name = "cuda";
    info.available = a.available();
    info.title = a.available() ? "CUDA (" + a.sentence + ")" : "CUDA";
    info.reason = a.available() ? "" : a.sentence;
    info.remedy = a.remedy;
    return info;
}

} // namespace engine
