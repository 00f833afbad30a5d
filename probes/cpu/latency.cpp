#include <algorithm>
#include <chrono>

#include "probes/cpu/memory.hpp"
#include "probes/cpu/probes.hpp"
#include "probes/cuda/access.cuh"
#include "runtime/system/threads.hpp"

namespace gpuseq::probes {
namespace {

// A tenth of a millisecond in the first cache, ten in memory: so each pass over the points has time for some.
constexpr std::uint64_t kAccesses = 100'000;
constexpr std::uint64_t kMostWarmingAccesses = 2'000'000;

/// One thread follows the pointers of a random cycle through every node of the footprint.
class Latency final : public Session {
 public:
  Latency(std::shared_ptr<CpuMemory> memory, const Point& point, std::uint64_t seed)
      : memory_(std::move(memory)), seed_(seed), thread_(1) {
    const auto footprint = static_cast<std::size_t>(point.integer("footprint_bytes"));
    stride_bytes_ = static_cast<std::size_t>(point.integer("stride_bytes"));
    nodes_ = footprint / stride_bytes_;
    memory_->hold_chase(footprint, stride_bytes_, seed_);
    at_ = node(0);
    // A launch sees a part of a large footprint: caches must hold what they can before the first.
    chase(std::min(nodes_, kMostWarmingAccesses));
  }

  Work work() const override { return {static_cast<double>(kAccesses), "accesses"}; }

  void launch() override {
    const auto begin = std::chrono::steady_clock::now();
    chase(kAccesses);
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
    latency_ns_ = elapsed.count() / static_cast<double>(kAccesses);
  }

  Verification verify() override {
    const std::uint64_t steps = std::min(nodes_, kAccesses);
    at_ = node(0);
    chase(steps);
    Verification result{at_ == node(steps % nodes_), steps, {}};
    if (!result.passed) result.reason = "the chase ended at another node than its order says";
    return result;
  }

  nlohmann::json facts() const override { return {{"latency_ns", latency_ns_}, {"nodes", nodes_}}; }

 private:
  const std::byte* node(std::uint64_t position) const {
    return memory_->data() + node_at(position, nodes_, bits_below(nodes_), seed_) * stride_bytes_;
  }

  void chase(std::uint64_t steps) {
    thread_.run([&](int) {
      const std::byte* at = at_;
      for (std::uint64_t i = 0; i < steps; ++i) at = *reinterpret_cast<const std::byte* const*>(at);
      at_ = at;
    });
  }

  std::shared_ptr<CpuMemory> memory_;
  std::uint64_t seed_;
  ThreadPool thread_;
  std::size_t stride_bytes_ = 0;
  std::uint64_t nodes_ = 0;
  const std::byte* at_ = nullptr;
  double latency_ns_ = 0;
};

}  // namespace

std::unique_ptr<Session> prepare_cpu_latency(ProbeProblem& problem, const Point& point, Device& device) {
  return std::make_unique<Latency>(CpuMemory::of(problem, point, device), point, problem.seed());
}

}  // namespace gpuseq::probes
