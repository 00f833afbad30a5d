#include "probes/cpu/chase.hpp"

#include <algorithm>

#include "probes/cuda/access.cuh"

namespace gpuseq::probes {

Chase::Chase(std::shared_ptr<CpuMemory> memory, std::size_t footprint_bytes, std::size_t stride_bytes,
             std::uint64_t seed)
    : memory_(std::move(memory)),
      stride_bytes_(stride_bytes),
      nodes_(footprint_bytes / stride_bytes),
      seed_(seed) {
  memory_->hold_chase(footprint_bytes, stride_bytes, seed);
  at_ = node(0);
}

std::uint64_t Chase::warming_accesses() const {
  constexpr std::uint64_t kMost = 2'000'000;
  return std::min(nodes_, kMost);
}

void Chase::follow(std::uint64_t accesses) {
  const std::byte* at = at_;
  for (std::uint64_t i = 0; i < accesses; ++i) at = *reinterpret_cast<const std::byte* const*>(at);
  at_ = at;
}

Verification Chase::verify(const std::function<void(std::uint64_t)>& follow) {
  const std::uint64_t steps = std::min(nodes_, kAccesses);
  at_ = node(0);
  follow(steps);
  Verification result{at_ == node(steps % nodes_), steps, {}};
  if (!result.passed) result.reason = "the chase ended at another node than its order says";
  return result;
}

const std::byte* Chase::node(std::uint64_t position) const {
  return memory_->data() + node_at(position, nodes_, bits_below(nodes_), seed_) * stride_bytes_;
}

}  // namespace gpuseq::probes
