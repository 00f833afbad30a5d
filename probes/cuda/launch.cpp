#include <fmt/format.h>

#include <array>

#include "probes/cuda/access.cuh"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"

namespace gpuseq::probes {
namespace {

/// An empty kernel, timed like any state: the cost of a launch, which is a lower bound of
/// every kernel's time.
class Launch final : public Session {
 public:
  Launch(std::shared_ptr<CudaMemory> memory, const Point& point)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_launch_sources(point).front())),
        blocks_(static_cast<unsigned>(point.integer("blocks"))),
        threads_(static_cast<unsigned>(point.integer("threads_per_block"))) {}

  Cost cost() const override { return {.work = {1, "launches"}}; }
  void launch() override { enqueue(0); }

  /// Counts the blocks of a launch.
  Verification verify() override {
    clear_checksum(*memory_);
    enqueue(memory_->scratch().address());
    memory_->device().synchronize();
    u32 found = 0;
    memory_->scratch().download(std::as_writable_bytes(std::span(&found, 1)));
    Verification result{found == blocks_, blocks_, {}};
    if (!result.passed) result.reason = fmt::format("{} of {} blocks ran", found, blocks_);
    return result;
  }

  std::optional<Resources> resources() const override { return kernel_->resources(blocks_, threads_, 0); }

 private:
  void enqueue(CUdeviceptr counter) {
    const std::array<void*, 1> arguments{&counter};
    kernel_->launch(blocks_, threads_, 0, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  unsigned blocks_, threads_;
};

}  // namespace

std::vector<KernelSource> cuda_launch_sources(const Point&) {
  return {cuda_source("count_blocks", "access", "count_blocks(u32* counter)",
                      "if (counter != nullptr && threadIdx.x == 0) atomicAdd(counter, 1u);")};
}

std::unique_ptr<Session> prepare_cuda_launch(ProbeProblem& problem, const Point& point, Device& device) {
  return std::make_unique<Launch>(CudaMemory::of(problem, point, device), point);
}

}  // namespace gpuseq::probes
