#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "probes/cuda/access.cuh"
#include "probes/cuda/probes.hpp"
#include "probes/cuda/sm_groups.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

class Windows final : public Session {
 public:
  Windows(std::shared_ptr<CudaMemory> memory, const Point& point, std::uint64_t seed)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_windows_sources(point).front())),
        shape_(launch_shape(point, memory_->device(), *kernel_)),
        seed_(seed),
        begin_(memory_->device(), cuda::kMostMultiprocessors * sizeof(u64)),
        places_(memory_->device(), shape_.blocks * sizeof(u32)) {
    footprint_bytes_ = static_cast<std::uint64_t>(point.integer("footprint_bytes"));
    in_flight_ = static_cast<std::uint64_t>(point.integer("in_flight"));
    block_bytes_ = static_cast<std::uint64_t>(point.integer("block_bytes"));
    const auto windows = static_cast<std::uint64_t>(point.integer("windows"));
    window_bytes_ = footprint_bytes_ / windows / kTaggedBytes * kTaggedBytes;
    groups_ = shape_.threads() / (block_bytes_ / kGranuleBytes);
    const std::uint64_t bytes_per_round = groups_ * in_flight_ * block_bytes_;
    rounds_ = static_cast<u32>(std::max<std::uint64_t>(1, memory_->bytes_per_launch() / bytes_per_round));
    memory_->hold_granules(footprint_bytes_);
    const cuda::SmWindows window_of =
        point.word("assigned_by") == "sm_group"
            ? by_group(windows)
            : cuda::windows_by_number(windows, static_cast<std::size_t>(memory_->device().multiprocessors()));
    for (std::size_t number = 0; number < window_of.size(); ++number)
      first_granule_[number] = window_of[number] * (window_bytes_ / kGranuleBytes);
    begin_.upload(std::as_bytes(std::span(first_granule_)));
  }

  Cost cost() const override {
    return {
        .work = {blocks_per_launch() * static_cast<double>(block_bytes_), "bytes"},
        .traffic = Traffic{
            .blocks = blocks_per_launch(), .block_bytes = block_bytes_, .footprint_bytes = footprint_bytes_}};
  }

  void launch() override { enqueue(rounds_, launch_seed(seed_, launches_++)); }

  Verification verify() override {
    const std::uint64_t rounds = std::max<std::uint64_t>(2, kCheckedBlocks / (groups_ * in_flight_));
    const std::uint64_t seed = launch_seed(seed_, launches_++);
    clear_checksum(*memory_);
    enqueue(static_cast<u32>(rounds), seed);
    memory_->device().synchronize();
    std::vector<u32> places(shape_.blocks);
    places_.download(std::as_writable_bytes(std::span(places)));
    std::vector<std::uint64_t> first_block;
    for (const u32 number : places)
      first_block.insert(first_block.end(), groups_ / shape_.blocks,
                         first_granule_.at(number) / (block_bytes_ / kGranuleBytes));
    const RandomAccesses few{.blocks = window_bytes_ / block_bytes_,
                             .block_bytes = block_bytes_,
                             .generators = groups_,
                             .accesses_per_generator = rounds * in_flight_,
                             .seed = seed,
                             .first_block = first_block};
    return compare_checksums(read_checksum(*memory_), expected_checksum(few),
                             few.generators * few.accesses_per_generator);
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(shape_.blocks, shape_.threads_per_block, 0);
  }

  nlohmann::json facts() const override {
    nlohmann::json facts{{"window_bytes", window_bytes_}, {"rounds", rounds_}};
    if (!sm_groups_.multiprocessors.empty()) facts["sm_groups"] = sm_groups_.to_json();
    return facts;
  }

 private:
  double blocks_per_launch() const {
    return static_cast<double>(groups_) * static_cast<double>(in_flight_) * rounds_;
  }

  cuda::SmWindows by_group(std::size_t windows) {
    sm_groups_ = find_sm_groups(*memory_, footprint_bytes_, seed_);
    if (sm_groups_.found.groups.empty())
      throw ResourceError(fmt::format("{}: no groups of multiprocessors show over {} bytes: {}",
                                      memory_->device().id(), footprint_bytes_, sm_groups_.found.reason));
    return windows_by_group(sm_groups_, windows);
  }

  void enqueue(u32 rounds, u64 seed) {
    CUdeviceptr memory = memory_->address(), begin = begin_.address(), places = places_.address(),
                result = memory_->scratch().address();
    u64 blocks = window_bytes_ / block_bytes_;
    u32 nothing = 0;
    const std::array<void*, 8> arguments{&memory, &begin,   &blocks, &rounds,
                                         &seed,   &nothing, &places, &result};
    kernel_->launch(shape_.blocks, shape_.threads_per_block, 0, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  LaunchShape shape_;
  std::uint64_t seed_;
  cuda::DeviceBuffer begin_, places_;
  std::array<u64, cuda::kMostMultiprocessors> first_granule_{};  // by multiprocessor number
  std::uint64_t footprint_bytes_ = 0, window_bytes_ = 0, block_bytes_ = 0, in_flight_ = 1;
  std::uint64_t groups_ = 0, launches_ = 0;  // groups of lanes that read a block together
  u32 rounds_ = 1;
  DeviceSmGroups sm_groups_;
};

}  // namespace

std::vector<KernelSource> cuda_windows_sources(const Point& point) {
  const std::int64_t block_bytes = point.integer("block_bytes"), in_flight = point.integer("in_flight");
  const std::string name = fmt::format("read_windows_{}_{}", block_bytes, in_flight);
  return {
      cuda_source(
          name, "windows",
          fmt::format("__launch_bounds__({}, {}) {}(const uint4* memory, const u64* begin, u64 blocks, "
                      "u32 rounds, u64 seed, u32 nothing, u32* places, u32* result)",
                      point.integer("threads_per_block"), point.integer("blocks_per_sm"), name),
          fmt::format("read_windows<{}, {}>(memory, begin, blocks, rounds, seed, nothing, places, result);",
                      block_bytes, in_flight)),
      watch_windows_source(), fill_granules_source()};
}

std::unique_ptr<Session> prepare_cuda_windows(ProbeProblem& problem, const Point& point, Device& device) {
  return std::make_unique<Windows>(CudaMemory::of(problem, point, device), point, problem.seed());
}

}  // namespace gpuseq::probes
