#include <algorithm>
#include <array>

#include "probes/cuda/chase.hpp"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"

namespace gpuseq::probes {
namespace {

constexpr std::uint64_t kMostAccesses = 32'768;  // about ten milliseconds in memory

/// One lane follows the pointers of a random cycle through every node of the footprint, continuing
/// from the last launch.
class Latency final : public Session {
 public:
  Latency(std::shared_ptr<CudaMemory> memory, const Point& point, std::uint64_t seed)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_latency_sources(point).front())),
        chase_(memory_, point, seed),
        accesses_(chase_.accesses(kMostAccesses)) {
    if (const std::uint64_t warming = chase_.warming_accesses(); warming > 0) enqueue(warming);
    memory_->device().synchronize();
  }

  Cost cost() const override { return {.work = {static_cast<double>(accesses_), "accesses"}}; }
  void launch() override {
    enqueue(accesses_);
    launched_ = true;
  }

  Verification verify() override {
    launched_ = false;
    return chase_.verify(std::min(chase_.nodes(), accesses_),
                         [this](std::uint64_t accesses) { enqueue(accesses); });
  }

  std::optional<Resources> resources() const override { return kernel_->resources(1, 1, 0); }

  nlohmann::json facts() const override {
    nlohmann::json facts{{"nodes", chase_.nodes()}};
    if (launched_) facts.update(chase_.facts(accesses_));
    return facts;
  }

 private:
  void enqueue(u64 accesses) {
    CUdeviceptr state = chase_.state();
    const std::array<void*, 2> arguments{&state, &accesses};
    kernel_->launch(1, 1, 0, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  DeviceChase chase_;
  std::uint64_t accesses_;
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
