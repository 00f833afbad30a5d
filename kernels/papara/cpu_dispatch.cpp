#include "kernels/papara/cpu_dispatch.hpp"

#include <vector>

namespace gpuseq::papara {

DispatchedKernel dispatch(std::initializer_list<CompiledTarget> compiled, int bits, SimdTarget wanted) {
  std::vector<DispatchedKernel> kernels;
  std::vector<std::int64_t> targets;
  for (const CompiledTarget& one : compiled) {
    if (one.select == nullptr || !has_simd_target(one.target)) continue;
    DispatchedKernel kernel = one.select(bits);
    if (kernel.score == nullptr) continue;
    kernel.target = simd_target_name(one.target);
    kernel.instruction_set = instruction_set(one.target);
    kernels.push_back(std::move(kernel));
    targets.push_back(one.target);
  }
  return kernels[choose_simd_target(targets, wanted)];
}

}  // namespace gpuseq::papara
