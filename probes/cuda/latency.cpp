#include <algorithm>
#include <array>

#include "probes/cuda/access.cuh"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"

namespace gpuseq::probes {
namespace {

// 4 ms at 250 ns, so that a launch's 5 microseconds do not show; some tens of milliseconds in memory.
constexpr std::uint64_t kFewestAccesses = 16'384;
constexpr std::uint64_t kMostAccesses = 65'536;
constexpr std::uint64_t kWarmingAccesses = 1 << 20;

/// What the kernel keeps on the device: struct Chase of latency.cuh.
struct ChaseState {
  u64 at = 0, clocks = 0, ns = 0;
};

/// One lane follows the pointers of a random cycle through every node of the footprint, from where the last
/// launch stopped.
class Latency final : public Session {
 public:
  Latency(std::shared_ptr<CudaMemory> memory, const Point& point, std::uint64_t seed)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_latency_sources(point).front())),
        seed_(seed) {
    const auto footprint = static_cast<std::size_t>(point.integer("footprint_bytes"));
    stride_bytes_ = static_cast<std::size_t>(point.integer("stride_bytes"));
    nodes_ = footprint / stride_bytes_;
    accesses_ = std::clamp<std::uint64_t>(2 * nodes_, kFewestAccesses, kMostAccesses);
    memory_->hold_chase(footprint, stride_bytes_, seed_);
    start_at(0);
    // A launch sees a part of a large footprint: a footprint that the caches can hold must be there, on this
    // multiprocessor's side, before the first.
    if (footprint <= 2 * memory_->device().l2_bytes()) enqueue(std::min(nodes_, kWarmingAccesses));
    memory_->device().synchronize();
  }

  Work work() const override { return {static_cast<double>(accesses_), "accesses"}; }
  void launch() override {
    enqueue(accesses_);
    launched_ = true;
  }

  Verification verify() override {
    const std::uint64_t steps = std::min(nodes_, accesses_);
    start_at(0);
    enqueue(steps);
    memory_->device().synchronize();
    Verification result{read().at == node(steps % nodes_), steps, {}};
    if (!result.passed) result.reason = "the chase ended at another node than its order says";
    return result;
  }

  std::optional<Resources> resources() const override { return kernel_->resources(1, 1, 0); }

  nlohmann::json facts() const override {
    nlohmann::json facts{{"nodes", nodes_}};
    if (!launched_) return facts;
    memory_->device().synchronize();
    const ChaseState state = read();
    facts["latency_clocks"] = static_cast<double>(state.clocks) / static_cast<double>(accesses_);
    facts["latency_ns"] = static_cast<double>(state.ns) / static_cast<double>(accesses_);
    return facts;
  }

 private:
  u64 node(std::uint64_t position) const {
    return memory_->address() + node_at(position, nodes_, bits_below(nodes_), seed_) * stride_bytes_;
  }

  void start_at(std::uint64_t position) {
    const ChaseState state{node(position), 0, 0};
    memory_->scratch().upload(std::as_bytes(std::span(&state, 1)));
    launched_ = false;
  }

  ChaseState read() const {
    ChaseState state;
    memory_->scratch().download(std::as_writable_bytes(std::span(&state, 1)));
    return state;
  }

  void enqueue(u64 accesses) {
    CUdeviceptr state = memory_->scratch().address();
    const std::array<void*, 2> arguments{&state, &accesses};
    kernel_->launch(1, 1, 0, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  std::uint64_t seed_;
  std::size_t stride_bytes_ = 0;
  std::uint64_t nodes_ = 0, accesses_ = 0;
  bool launched_ = false;
};

}  // namespace

std::vector<KernelSource> cuda_latency_sources(const Point&) {
  return {cuda_source("follow_pointers", "latency", "follow_pointers(Chase* chase, u64 accesses)",
                      "follow(chase, accesses);"),
          fill_chase_source()};
}

std::unique_ptr<Session> prepare_cuda_latency(ProbeProblem& problem, const Point& point, Device& device) {
  return std::make_unique<Latency>(CudaMemory::of(problem, point, device), point, problem.seed());
}

}  // namespace gpuseq::probes
