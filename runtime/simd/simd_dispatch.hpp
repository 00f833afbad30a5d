#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/simd/simd_target.hpp"

namespace gpuseq {

/// Kernels with their Highway target.
template <typename Kernels>
struct Dispatched {
  Kernels kernels;
  std::string target = {};           // "AVX3"
  std::string instruction_set = {};  // "avx512"; empty if users cannot name it
};

/// The kernels of one source for one Highway target. `select` is null if they are not compiled, and returns a
/// false Kernels if the target has no lanes.
template <typename Kernels, typename... Arguments>
struct CompiledTarget {
  std::int64_t target;
  Kernels (*select)(Arguments...);
};

/// Returns the first of `compiled` (widest first) that the CPU supports and `wanted` includes.
/// @throws ResourceError with the targets of the CPU and the build
template <typename Kernels, typename... Arguments>
Dispatched<Kernels> dispatch(std::initializer_list<CompiledTarget<Kernels, Arguments...>> compiled,
                             SimdTarget wanted, const std::type_identity_t<Arguments>&... arguments) {
  std::vector<Dispatched<Kernels>> usable;
  std::vector<std::int64_t> targets;
  for (const auto& one : compiled) {
    if (one.select == nullptr || !has_simd_target(one.target)) continue;
    Kernels kernels = one.select(arguments...);
    if (!kernels) continue;
    usable.push_back(
        {std::move(kernels), simd_target_name(one.target), std::string(instruction_set(one.target))});
    targets.push_back(one.target);
  }
  return usable[choose_simd_target(targets, wanted)];
}

}  // namespace gpuseq
