#include "probes/cuda/chase.hpp"

#include <algorithm>

#include "probes/cuda/access.cuh"

namespace gpuseq::probes {

ChaseState read_chase(const CudaMemory& memory) {
  ChaseState state;
  memory.scratch().download(std::as_writable_bytes(std::span(&state, 1)));
  return state;
}

void add_latency(nlohmann::json& facts, const ChaseState& state, std::uint64_t loads) {
  facts["latency_clocks"] = static_cast<double>(state.clocks) / static_cast<double>(loads);
  facts["latency_ns"] = static_cast<double>(state.ns) / static_cast<double>(loads);
}

DeviceChase::DeviceChase(std::shared_ptr<CudaMemory> memory, const Point& point, std::uint64_t seed)
    : memory_(std::move(memory)),
      footprint_bytes_(static_cast<std::size_t>(point.integer("footprint_bytes"))),
      stride_bytes_(static_cast<std::size_t>(point.integer("stride_bytes"))),
      nodes_(footprint_bytes_ / stride_bytes_),
      seed_(seed) {
  memory_->hold_chase(footprint_bytes_, stride_bytes_, seed_);
  restart();
}

std::uint64_t DeviceChase::accesses(std::uint64_t most) const {
  constexpr std::uint64_t kFewest = 16'384;  // 4 ms at 250 ns
  // A launch begins with an empty L1 and misses every node once. These misses must be a small part of
  // a launch on each footprint that may fit the L1, or they look like a level: with 128 rounds they
  // are 6 % of the time.
  constexpr std::uint64_t kRounds = 128, kMostOfL1 = 256 << 10;
  if (footprint_bytes_ <= kMostOfL1) return std::max(kRounds * nodes_, kFewest);
  return std::clamp<std::uint64_t>(2 * nodes_, kFewest, most);
}

std::uint64_t DeviceChase::warming_accesses() const {
  constexpr std::uint64_t kMost = 1 << 20;
  return footprint_bytes_ <= 2 * memory_->device().l2_bytes() ? std::min(nodes_, kMost) : 0;
}

void DeviceChase::restart() {
  const ChaseState state{node(0), 0, 0};
  memory_->scratch().upload(std::as_bytes(std::span(&state, 1)));
}

nlohmann::json DeviceChase::facts(std::uint64_t accesses) const {
  nlohmann::json facts;
  add_latency(facts, read_chase(*memory_), accesses);
  return facts;
}

Verification DeviceChase::verify(std::uint64_t steps, const std::function<void(std::uint64_t)>& follow) {
  restart();
  follow(steps);
  Verification result{read_chase(*memory_).at == node(steps % nodes_), steps, {}};
  if (!result.passed) result.reason = "the chase ended at another node than its order says";
  return result;
}

u64 DeviceChase::node(std::uint64_t position) const {
  return memory_->address() + node_at(position, nodes_, bits_below(nodes_), seed_) * stride_bytes_;
}

}  // namespace gpuseq::probes
