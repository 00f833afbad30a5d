#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "probes/cuda/access.cuh"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"

namespace gpuseq::probes {
namespace {

constexpr u32 kLanesOfWarp = 32;
constexpr u32 kAdditionRounds = 3;
/// 1 ms of a multiprocessor at one counter per clock and 2 GHz.
constexpr u64 kCountersPerMultiprocessor = 2'000'000;
constexpr u32 kAdded = 3;

class Atomics final : public Session {
 public:
  Atomics(std::shared_ptr<CudaMemory> memory, const Point& point, const LaunchShape& shape,
          std::uint64_t seed)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_atomics_sources(point).front())),
        shape_(shape),
        bytes_(static_cast<std::size_t>(point.integer("footprint_bytes"))),
        seed_(seed),
        returns_(point.word("operation") == "fetch_add") {
    // A warp adds to as many distinct counters at a time.
    const u64 at_once = kLanesOfWarp / static_cast<u64>(point.integer("conflict_lanes"));
    const u64 wanted =
        kCountersPerMultiprocessor * at_once * static_cast<u64>(memory_->device().multiprocessors());
    rounds_ = static_cast<u32>(std::max<u64>(1, wanted / (shape_.threads() * kStepsAtOnce)));
    memory_->contents = {};
    memory_->buffer().fill(0);
  }

  Cost cost() const override { return {.work = {static_cast<double>(operations(rounds_)), "operations"}}; }
  void launch() override { enqueue(rounds_, 0); }

  /// The counters must contain the sum of all additions, and the returned values must be those
  /// that each had in turn.
  Verification verify() override {
    memory_->buffer().fill(0);
    clear_checksum(*memory_);
    enqueue(kAdditionRounds, memory_->scratch().address());
    memory_->device().synchronize();
    std::vector<u32> counters(bytes_ / sizeof(u32));
    memory_->buffer().download(std::as_writable_bytes(std::span(counters)));
    u64 added = 0;
    u32 old = 0;
    for (const u32 counter : counters) {
      const u64 times = counter / kAdded;
      if (counter % kAdded != 0)
        return {false, added, fmt::format("a counter is {}, no multiple of {}", counter, kAdded)};
      added += times;
      if (times > 0) old += static_cast<u32>(kAdded * (times * (times - 1) / 2));
    }
    if (added != operations(kAdditionRounds))
      return {false, added, fmt::format("{} additions arrived of {}", added, operations(kAdditionRounds))};
    // Counters of shared memory begin at 0 in every block, like those of global memory here.
    return returns_ ? compare_checksums(read_checksum(*memory_), old, added) : Verification{true, added, {}};
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(shape_.blocks, shape_.threads_per_block, 0);
  }

  nlohmann::json facts() const override {
    nlohmann::json facts{{"multiprocessors", memory_->device().multiprocessors()}};
    if (const auto clock = memory_->device().max_clock_mhz(); clock.value)
      facts["max_clock_mhz"] = *clock.value;
    return facts;
  }

 private:
  u64 operations(u32 rounds) const { return shape_.threads() * kStepsAtOnce * rounds; }

  void enqueue(u32 rounds, CUdeviceptr result) {
    CUdeviceptr counters = memory_->buffer().address();
    u64 seed = launch_seed(seed_, launches_++);
    u64 lines = bytes_ / (kCountersOfLine * sizeof(u32));
    u32 value = kAdded;
    const std::array<void*, 6> arguments{&counters, &lines, &rounds, &seed, &value, &result};
    kernel_->launch(shape_.blocks, shape_.threads_per_block, 0, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  LaunchShape shape_;
  std::size_t bytes_;  // of the counters
  std::uint64_t seed_, launches_ = 0;
  bool returns_;
  u32 rounds_ = 1;
};

}  // namespace

std::vector<KernelSource> cuda_atomics_sources(const Point& point) {
  const bool shared = point.word("memory") == "shared", returns = point.word("operation") == "fetch_add";
  const std::string name = fmt::format("atomics_{}_{}_{}", point.word("memory"), point.word("operation"),
                                       point.integer("conflict_lanes"));
  return {cuda_source(
      name, "cooperation/atomics",
      fmt::format("__launch_bounds__({}, {}) {}(u32* counters, u64 lines, u32 rounds, u64 seed, u32 value, "
                  "u32* result)",
                  point.integer("threads_per_block"), point.integer("blocks_per_sm"), name),
      fmt::format("AtomicsKernel<{}, {}, {}>::run(counters, lines, rounds, seed, value, result);", shared,
                  returns, point.integer("conflict_lanes")))};
}

std::unique_ptr<Session> prepare_cuda_atomics(ProbeProblem& problem, const Point& point, Device& device) {
  auto scratch = CudaMemory::of(problem, {}, device);
  const LaunchShape shape =
      launch_shape(point, scratch->device(), *scratch->kernel(cuda_atomics_sources(point).front()));
  Point memory = point;
  if (point.word("memory") == "shared")
    memory.set("footprint_bytes",
               static_cast<std::int64_t>(u64{shape.blocks} * kSharedCounters * sizeof(u32)));
  return std::make_unique<Atomics>(CudaMemory::of(problem, memory, device), memory, shape, problem.seed());
}

}  // namespace gpuseq::probes
