#include "engine/run/backend.h"

#include "engine/model/exec.h"
#include "engine/run/cuda_loader.h"

namespace engine {

std::vector<BackendInfo> listBackends(int threads)
{
    BackendInfo cpu;
    cpu.name = "cpu";
    cpu.title = "CPU (" + std::string(isaName(bestIsa())) + ", " + std::to_string(threads) +
                (threads == 1 ? " thread)" : " threads)");
    cpu.available = true;
    return {cpu, cudaBackend()};
}

} // namespace engine
