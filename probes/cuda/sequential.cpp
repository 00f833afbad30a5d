#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "probes/cuda/access.cuh"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"

namespace gpuseq::probes {
namespace {

constexpr std::uint64_t kInFlight = 4;                              // SequentialKernel::kInFlight
constexpr std::uint64_t kCheckedGranules = 1 << 20;                 // read by verify()
constexpr std::uint64_t kCheckedPlaces = 64, kPlaceGranules = 256;  // checked samples of the written memory

class Sequential final : public Session {
 public:
  Sequential(std::shared_ptr<CudaMemory> memory, const Point& point)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_sequential_sources(point).front())),
        shape_(launch_shape(point, memory_->device(), *kernel_)),
        operation_(point.word("operation")) {
    const auto footprint = static_cast<std::uint64_t>(point.integer("footprint_bytes"));
    granules_ = (copies() ? footprint / 2 : footprint) / kGranuleBytes;
    const std::uint64_t bytes = std::max(memory_->bytes_per_launch(), footprint) / (copies() ? 2 : 1);
    rounds_ = rounds_for(bytes / kGranuleBytes);
    memory_->hold_granules(footprint);
    if (operation_ != "read") memory_->contents = {};  // the contents are overwritten
  }

  Cost cost() const override {
    const double moved = copies() ? 2.0 : 1.0;  // copying reads and writes
    return {.work = {moved * static_cast<double>(moved_granules(rounds_)) * kGranuleBytes, "bytes"}};
  }

  void launch() override { enqueue(granules_, rounds_); }

  Verification verify() override {
    if (operation_ == "read") return verify_read();
    ++value_;
    enqueue(granules_, rounds_for(granules_));
    memory_->device().synchronize();
    return verify_written();
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(shape_.blocks, shape_.threads_per_block, 0);
  }

  nlohmann::json facts() const override {
    return {{"passes", static_cast<double>(moved_granules(rounds_)) / static_cast<double>(granules_)}};
  }

 private:
  bool copies() const { return operation_ == "copy"; }
  std::uint64_t moved_granules(u32 rounds) const { return shape_.threads() * kInFlight * rounds; }
  u32 rounds_for(std::uint64_t granules) const {
    const std::uint64_t per_round = shape_.threads() * kInFlight;
    return static_cast<u32>((granules + per_round - 1) / per_round);
  }

  Verification verify_read() {
    const std::uint64_t granules = std::min(granules_, kCheckedGranules);
    const u32 rounds = rounds_for(granules);
    clear_checksum(*memory_);
    enqueue(granules, rounds);
    memory_->device().synchronize();
    // Whole passes cancel in pairs.
    const std::uint64_t moved = moved_granules(rounds);
    const std::uint32_t passes = moved / granules % 2 ? expected_checksum(granules) : 0;
    return compare_checksums(read_checksum(*memory_), passes ^ expected_checksum(moved % granules), moved);
  }

  Verification verify_written() {
    const std::uint64_t count = std::min(kPlaceGranules, granules_);
    std::vector<Granule> found(count);
    for (std::uint64_t place = 0; place < kCheckedPlaces; ++place) {
      const std::uint64_t first = (granules_ - count) * place / (kCheckedPlaces - 1);
      const std::uint64_t offset = copies() ? granules_ : 0;
      memory_->read(std::as_writable_bytes(std::span(found)), (offset + first) * kGranuleBytes);
      for (std::uint64_t i = 0; i < count; ++i) {
        const Granule expected = written(first + i);
        if (std::memcmp(&found[i], &expected, sizeof expected) != 0)
          return {false, place * count + i,
                  fmt::format("granule {} differs from the value to write", first + i)};
      }
    }
    return {true, kCheckedPlaces * count, {}};
  }

  Granule written(std::uint64_t position) const {
    if (copies()) return granule_at(position);
    return {static_cast<u32>(position), static_cast<u32>(position >> 32), value_, value_};
  }

  void enqueue(u64 granules, u32 rounds) {
    CUdeviceptr from = memory_->address(), to = copies() ? from + granules_ * kGranuleBytes : from;
    CUdeviceptr result = memory_->scratch().address();
    const std::array<void*, 6> arguments{&from, &to, &granules, &rounds, &value_, &result};
    kernel_->launch(shape_.blocks, shape_.threads_per_block, 0, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  LaunchShape shape_;
  std::string operation_;
  std::uint64_t granules_ = 0;  // granules that are read or written
  u32 rounds_ = 1;
  u32 value_ = 0;
};

}  // namespace

std::vector<KernelSource> cuda_sequential_sources(const Point& point) {
  const std::string& operation = point.word("operation");
  const std::string name = "sequential_" + operation;
  std::string bounds = std::to_string(point.integer("threads_per_block"));
  // Stores also keep their addresses, for which the registers of this number of resident
  // blocks do not suffice.
  if (operation == "read") bounds += ", " + std::to_string(point.integer("blocks_per_sm"));
  return {cuda_source(
              name, "sequential",
              fmt::format("__launch_bounds__({}) {}(const uint4* from, uint4* to, u64 granules, u32 rounds, "
                          "u32 value, u32* result)",
                          bounds, name),
              fmt::format("SequentialKernel<Operation::{}>::run(from, to, granules, rounds, value, result);",
                          operation)),
          fill_granules_source()};
}

std::unique_ptr<Session> prepare_cuda_sequential(ProbeProblem& problem, const Point& point, Device& device) {
  return std::make_unique<Sequential>(CudaMemory::of(problem, point, device), point);
}

std::unique_ptr<Session> prepare_cuda_zero_copy_sequential(ProbeProblem& problem, const Point& point,
                                                           Device& device) {
  return std::make_unique<Sequential>(CudaMemory::of(problem, point, device, Side::host), point);
}

std::unique_ptr<Session> prepare_cuda_peer_access_sequential(ProbeProblem& problem, const Point& point,
                                                             Device& device) {
  return std::make_unique<Sequential>(CudaMemory::of(problem, point, device, Side::peer), point);
}

}  // namespace gpuseq::probes
