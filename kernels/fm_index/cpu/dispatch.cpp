#include "kernels/fm_index/cpu/dispatch.hpp"

#include <vector>

namespace gpuseq::fm_index {

DispatchedKernel dispatch(std::initializer_list<CompiledTarget> compiled, const Layout& layout,
                          SimdTarget wanted) {
  std::vector<SearchKernel> kernels;
  std::vector<std::int64_t> targets;
  for (const CompiledTarget& one : compiled) {
    if (one.select == nullptr || !has_simd_target(one.target)) continue;
    const SearchKernel search = one.select(layout);
    if (search == nullptr) continue;
    kernels.push_back(search);
    targets.push_back(one.target);
  }
  const std::size_t chosen = choose_simd_target(targets, wanted);
  return {kernels[chosen], simd_target_name(targets[chosen])};
}

}  // namespace gpuseq::fm_index
