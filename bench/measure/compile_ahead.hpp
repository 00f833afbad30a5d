#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/plan/plan.hpp"

namespace gpuseq::bench {

/// One compilation with NVRTC: the source of a point, for an architecture ("sm_90").
struct Compilation {
  std::string where;  // family, variant and point
  KernelSource source;
  std::string architecture;
};

/// The sources of states, each once per architecture: many points share one.
std::vector<Compilation> compilations(std::span<const State> states,
                                      std::span<const std::string> architectures);

/// Compiles the kernels of states for devices of an architecture into the cache, with all cores. Sources that
/// do not compile are skipped: the states that need them report the error. Without a cache (an empty path)
/// nothing is compiled.
void compile_ahead(std::span<const State> states, const std::string& architecture,
                   const std::filesystem::path& cache_dir);

/// Measures states in their order. The kernels of each batch are compiled before its first state is measured,
/// so that the first rate does not wait for the last kernel.
/// @param batch  number of states; 0: nothing is compiled
/// @param measure  of a state by its place; returns whether the next one follows
/// @returns whether the last one was measured
bool measure_in_batches(std::span<const State> states, std::size_t batch,
                        const std::function<void(std::span<const State>)>& compile,
                        const std::function<bool(std::size_t)>& measure);

}  // namespace gpuseq::bench
