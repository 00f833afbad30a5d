#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bench/plan/plan.hpp"

namespace gpuseq::bench {

/// One compilation by NVRTC: a source of a point, for an architecture ("sm_90").
struct Compilation {
  std::string where;  // family, variant and point
  KernelSource source;
  std::string architecture;
};

/// The sources of states, each once for each architecture: many points share one.
std::vector<Compilation> compilations(std::span<const State> states,
                                      std::span<const std::string> architectures);

/// Compiles what states of an architecture's device will load into the cache, by all processors, so that
/// they find it there. What does not compile is left to whoever needs it, who says so. Nothing is done
/// without a cache (an empty path).
void compile_ahead(std::span<const State> states, const std::string& architecture,
                   const std::filesystem::path& cache_dir);

}  // namespace gpuseq::bench
