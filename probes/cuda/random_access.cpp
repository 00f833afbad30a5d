#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "probes/cuda/access.cuh"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"

namespace gpuseq::probes {
namespace {

/// 16-byte loads in flight per lane that leave a thread with 32 registers, so that 2048 threads are resident.
constexpr std::int64_t kLoadsInFewRegisters = 4;

constexpr std::uint64_t kWarpLanes = 32;

std::uint64_t loads_per_block(std::uint64_t block_bytes) {
  return std::max<std::uint64_t>(1, block_bytes / (kWarpLanes * kGranuleBytes));
}

class RandomAccess final : public Session {
 public:
  RandomAccess(std::shared_ptr<CudaMemory> memory, const Point& point, std::uint64_t seed)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_random_access_sources(point).front())),
        shape_(launch_shape(point, memory_->device(), *kernel_)),
        seed_(seed) {
    const auto footprint = static_cast<std::uint64_t>(point.integer("footprint_bytes"));
    in_flight_ = static_cast<std::uint64_t>(point.integer("in_flight"));
    accesses_.block_bytes = static_cast<std::uint64_t>(point.integer("block_bytes"));
    accesses_.blocks = footprint / accesses_.block_bytes;
    accesses_.dependent = point.word("access") == "dependent";
    const std::uint64_t lanes = std::min<std::uint64_t>(kWarpLanes, accesses_.block_bytes / kGranuleBytes);
    groups_ = shape_.threads() / lanes;
    const std::uint64_t bytes_per_round = groups_ * in_flight_ * accesses_.block_bytes;
    rounds_ = static_cast<u32>(std::max<std::uint64_t>(1, memory_->bytes_per_launch() / bytes_per_round));
    memory_->hold_granules(footprint);
  }

  Cost cost() const override {
    return {.work = {blocks_per_launch() * static_cast<double>(accesses_.block_bytes), "bytes"},
            .traffic = Traffic{.blocks = blocks_per_launch(),
                               .block_bytes = accesses_.block_bytes,
                               .footprint_bytes = accesses_.blocks * accesses_.block_bytes,
                               .access = accesses_.dependent ? "dependent" : "independent"}};
  }

  void launch() override { enqueue(rounds_, launch_seed(seed_, launches_++)); }

  Verification verify() override {
    const std::uint64_t rounds = std::max<std::uint64_t>(2, kCheckedBlocks / (groups_ * in_flight_));
    RandomAccesses few = accesses_;
    few.generators = accesses_.dependent ? groups_ * in_flight_ : groups_;
    few.accesses_per_generator = accesses_.dependent ? rounds : rounds * in_flight_;
    few.seed = launch_seed(seed_, launches_++);
    clear_checksum(*memory_);
    enqueue(static_cast<u32>(rounds), few.seed);
    memory_->device().synchronize();
    return compare_checksums(read_checksum(*memory_), expected_checksum(few),
                             few.generators * few.accesses_per_generator);
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(shape_.blocks, shape_.threads_per_block, 0);
  }

  nlohmann::json facts() const override {
    const auto multiprocessors = static_cast<std::uint64_t>(memory_->device().multiprocessors());
    return {{"groups", groups_},
            {"rounds", rounds_},
            {"multiprocessors", multiprocessors},
            {"warps_per_sm", shape_.threads() / kWarpLanes / multiprocessors},
            {"loads_per_lane", in_flight_ * loads_per_block(accesses_.block_bytes)},
            {"accesses_in_flight", groups_ * in_flight_}};
  }

 private:
  double blocks_per_launch() const {
    return static_cast<double>(groups_) * static_cast<double>(in_flight_) * rounds_;
  }

  void enqueue(u32 rounds, u64 seed) {
    CUdeviceptr memory = memory_->address(), result = memory_->scratch().address();
    u64 blocks = accesses_.blocks;
    u32 nothing = 0;
    const std::array<void*, 6> arguments{&memory, &blocks, &rounds, &seed, &nothing, &result};
    kernel_->launch(shape_.blocks, shape_.threads_per_block, 0, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  LaunchShape shape_;
  std::uint64_t seed_;
  RandomAccesses accesses_;
  std::uint64_t in_flight_ = 1, groups_ = 0, launches_ = 0;
  u32 rounds_ = 1;
};

}  // namespace

std::vector<KernelSource> cuda_random_access_sources(const Point& point) {
  const std::int64_t block_bytes = point.integer("block_bytes"), in_flight = point.integer("in_flight");
  const std::int64_t threads = point.integer("threads_per_block");
  const bool dependent = point.word("access") == "dependent";
  std::string bounds = std::to_string(threads);
  // A chain of dependent accesses also keeps its state in registers.
  const auto block_loads =
      static_cast<std::int64_t>(loads_per_block(static_cast<std::uint64_t>(block_bytes)));
  const std::int64_t loads = in_flight * block_loads + (dependent ? in_flight : 0);
  if (loads <= kLoadsInFewRegisters) bounds += ", " + std::to_string(point.integer("blocks_per_sm"));
  const std::string name =
      fmt::format("random_access_{}_{}_{}", block_bytes, in_flight, point.word("access"));
  return {
      cuda_source(
          name, "random_access",
          fmt::format("__launch_bounds__({}) {}(const uint4* memory, u64 blocks, u32 rounds, u64 seed, "
                      "u32 nothing, u32* result)",
                      bounds, name),
          fmt::format("RandomAccessKernel<{}, {}, {}>::run(memory, blocks, rounds, seed, nothing, result);",
                      block_bytes, in_flight, dependent)),
      fill_granules_source()};
}

std::unique_ptr<Session> prepare_cuda_random_access(ProbeProblem& problem, const Point& point,
                                                    Device& device) {
  return std::make_unique<RandomAccess>(CudaMemory::of(problem, point, device), point, problem.seed());
}

std::unique_ptr<Session> prepare_cuda_zero_copy(ProbeProblem& problem, const Point& point, Device& device) {
  return std::make_unique<RandomAccess>(CudaMemory::of(problem, point, device, Side::host), point,
                                        problem.seed());
}

std::unique_ptr<Session> prepare_cuda_peer_access(ProbeProblem& problem, const Point& point, Device& device) {
  return std::make_unique<RandomAccess>(CudaMemory::of(problem, point, device, Side::peer), point,
                                        problem.seed());
}

}  // namespace gpuseq::probes
