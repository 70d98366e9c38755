// The backend list: what can run graphs here, and if not, why not and what to do about it.
#pragma once

#include "engine/model/result.h"

#include <string>
#include <vector>

namespace engine {

struct BackendInfo {
    std::string name;  // "cpu", "cuda"
    std::string title; // "CPU (x86-64-v3, 2 threads)"
    bool available = false;
    std::string reason; // why not; empty if available
    std::string remedy;
};

// Two entries, cpu first.
std::vector<BackendInfo> listBackends(int threads);

} // namespace engine
