#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "probes/cuda/access.cuh"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"

namespace gpuseq::probes {
namespace {

constexpr u32 kCheckedBarriers = 5;
constexpr u32 kBarrierRounds = 1000;  // 1 ms at 30 clocks per barrier

/// Consecutive barriers. The work is the barriers of one block: all blocks wait at the same time.
class Barrier final : public Session {
 public:
  Barrier(std::shared_ptr<CudaMemory> memory, const Point& point, const LaunchShape& shape)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_barrier_sources(point).front())),
        shape_(shape) {
    memory_->contents = {};
  }

  Cost cost() const override {
    return {.work = {static_cast<double>(kBarrierRounds) * kBarriersOfRound, "barriers"}};
  }
  void launch() override { enqueue(kBarrierRounds, 0, 0); }

  /// After a barrier every thread must see the value that its neighbour wrote before it.
  Verification verify() override {
    clear_checksum(*memory_);
    memory_->buffer().fill(0xFF);
    enqueue(kCheckedBarriers, memory_->buffer().address(), memory_->scratch().address());
    memory_->device().synchronize();
    std::vector<u32> wrong(shape_.threads());
    memory_->buffer().download(std::as_writable_bytes(std::span(wrong)));
    const u64 checked = shape_.threads() * kCheckedBarriers;
    if (std::ranges::any_of(wrong, [](u32 count) { return count != 0; }))
      return {false, checked, "a thread went on before its neighbour had come"};
    return compare_checksums(read_checksum(*memory_), shape_.blocks * kCheckedBarriers, checked);
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(shape_.blocks, shape_.threads_per_block, 0);
  }

 private:
  void enqueue(u32 rounds, CUdeviceptr order, CUdeviceptr result) {
    const std::array<void*, 3> arguments{&rounds, &order, &result};
    kernel_->launch(shape_.blocks, shape_.threads_per_block, 0, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  LaunchShape shape_;
};

}  // namespace

std::vector<KernelSource> cuda_barrier_sources(const Point& point) {
  return {cuda_source("barrier", "cooperation/barrier",
                      fmt::format("__launch_bounds__({}) barrier(u32 rounds, u32* order, u32* result)",
                                  point.integer("threads_per_block")),
                      "BarrierKernel::run(rounds, order, result);")};
}

std::unique_ptr<Session> prepare_cuda_barrier(ProbeProblem& problem, const Point& point, Device& device) {
  auto scratch = CudaMemory::of(problem, {}, device);
  const LaunchShape shape =
      launch_shape(point, scratch->device(), *scratch->kernel(cuda_barrier_sources(point).front()));
  const Point memory{{"footprint_bytes", static_cast<std::int64_t>(shape.threads() * sizeof(u32))}};
  return std::make_unique<Barrier>(CudaMemory::of(problem, memory, device), point, shape);
}

}  // namespace gpuseq::probes
