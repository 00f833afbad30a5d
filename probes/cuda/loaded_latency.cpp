#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "probes/cuda/access.cuh"
#include "probes/cuda/chase.hpp"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"

namespace gpuseq::probes {
namespace {

constexpr std::uint64_t kMostLoadedAccesses = 16'384;  // each takes at least a microsecond under load
constexpr std::uint64_t kCheckedAccesses = 1024, kCheckedPieces = 64;
constexpr std::uint64_t kGranules = kPieceBytes / kGranuleBytes;

/// Communication of blocks on the device: struct Load of loaded_latency.cuh.
struct LoadState {
  u64 bytes = 0;
  u32 checksum = 0, chaser = 0, decided = 0, phase = 0;
};

LaunchShape loaded_shape(const Point& point, const cuda::CudaDevice& device, const cuda::Kernel& kernel) {
  if (point.integer("blocks_per_sm") > 0) return launch_shape(point, device, kernel);
  return {1, static_cast<unsigned>(point.integer("threads_per_block"))};
}

u32 clocks_of(std::int64_t ns, const cuda::CudaDevice& device) {
  const double khz = device.attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  return static_cast<u32>(1e-6 * static_cast<double>(ns) * khz);
}

/// One lane follows pointers while the warps of the other multiprocessors read or write their own memory,
/// with a pause after each piece.
class LoadedLatency final : public Session {
 public:
  /// @param memory  has the footprint and after it the memory of the load threads
  LoadedLatency(std::shared_ptr<CudaMemory> memory, const Point& point, std::uint64_t seed)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_loaded_latency_sources(point).front())),
        shape_(loaded_shape(point, memory_->device(), *kernel_)),
        chase_(memory_, point, seed),
        accesses_(chase_.accesses(kMostLoadedAccesses)),
        load_offset_(static_cast<std::size_t>(point.integer("footprint_bytes"))),
        pieces_(static_cast<u32>(point.integer("load_bytes") / kPieceBytes)),
        pause_clocks_(clocks_of(point.integer("pause_ns"), memory_->device())),
        writes_(point.word("operation") == "write"),
        load_(memory_->device(), sizeof(LoadState)),
        moved_(memory_->device(), std::max<std::size_t>(1, loaders()) * sizeof(u32)) {
    memory_->fill_behind(load_offset_, std::size_t{pieces_} * kPieceBytes);
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
    Verification result = chase_.verify(std::min(chase_.nodes(), kCheckedAccesses),
                                        [this](std::uint64_t accesses) { enqueue(accesses); });
    if (!result.passed || loaders() == 0) return result;
    std::vector<u32> moved(loaders());
    moved_.download(std::as_writable_bytes(std::span(moved)));
    if (std::ranges::count(moved, 0u) == std::ssize(moved)) return {false, 0, "no loader moved anything"};
    Verification load = writes_ ? verify_written(moved) : verify_read(moved);
    return load.passed ? result : load;
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(shape_.blocks, shape_.threads_per_block, 0);
  }

  nlohmann::json facts() const override {
    nlohmann::json facts{{"nodes", chase_.nodes()}};
    if (!launched_) return facts;
    facts.update(chase_.facts(accesses_));
    const double seconds = 1e-9 * static_cast<double>(read_chase(*memory_).ns);
    facts["load_bytes_per_s"] = seconds > 0 ? static_cast<double>(read_load().bytes) / seconds : 0;
    return facts;
  }

 private:
  /// Warps, of which those on the chaser's multiprocessor move no data.
  std::size_t loaders() const { return std::size_t{shape_.blocks - 1} * (shape_.threads_per_block / 32); }

  LoadState read_load() const {
    LoadState state;
    load_.download(std::as_writable_bytes(std::span(&state, 1)));
    return state;
  }

  /// Calls `take` for the pieces that a load warp moved, in order, until it returns false.
  template <typename Take>
  void for_each_piece(const std::vector<u32>& moved, Take&& take) const {
    for (std::size_t loader = 0; loader < moved.size(); ++loader)
      for (std::uint64_t i = 0; i < moved[loader]; ++i)
        if (!take((loader + i * moved.size()) % pieces_)) return;
  }

  Verification verify_read(const std::vector<u32>& moved) const {
    std::vector<std::optional<std::uint32_t>> of_piece(pieces_);
    std::uint32_t expected = 0;
    std::uint64_t checked = 0;
    for_each_piece(moved, [&](std::uint64_t piece) {
      if (!of_piece[piece]) of_piece[piece] = block_checksum(piece, kPieceBytes);
      expected ^= *of_piece[piece];
      ++checked;
      return true;
    });
    return compare_checksums(read_load().checksum, expected, checked);
  }

  Verification verify_written(const std::vector<u32>& moved) const {
    std::uint64_t all = 0;
    for (const u32 pieces : moved) all += pieces;
    const std::uint64_t step = std::max<std::uint64_t>(1, all / kCheckedPieces);
    std::uint64_t at = 0;
    Verification result{true, 0, {}};
    for_each_piece(moved, [&](std::uint64_t piece) {
      if (at++ % step == 0) check_written(piece, result);
      return result.passed;
    });
    return result;
  }

  void check_written(std::uint64_t piece, Verification& result) const {
    std::array<std::array<u32, 4>, kGranules> found{};
    memory_->read(std::as_writable_bytes(std::span(found)), load_offset_ + piece * kPieceBytes);
    for (std::uint64_t i = 0; i < kGranules && result.passed; ++i) {
      const std::uint64_t position = piece * kGranules + i;
      const std::array<u32, 4> expected{static_cast<u32>(position), static_cast<u32>(position >> 32), value_,
                                        value_};
      ++result.checked;
      result.passed = found[i] == expected;
      if (!result.passed) result.reason = fmt::format("granule {} differs from the value to write", position);
    }
  }

  void enqueue(u64 accesses) {
    load_.fill(0);
    ++value_;
    CUdeviceptr chase = chase_.state(), memory = memory_->address() + load_offset_, load = load_.address(),
                moved = moved_.address();
    const std::array<void*, 8> arguments{&chase,         &accesses, &memory, &pieces_,
                                         &pause_clocks_, &value_,   &load,   &moved};
    kernel_->launch(shape_.blocks, shape_.threads_per_block, 0, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  LaunchShape shape_;
  DeviceChase chase_;
  std::uint64_t accesses_;
  std::size_t load_offset_;
  u32 pieces_, pause_clocks_;
  u32 value_ = 0;
  bool writes_;
  cuda::DeviceBuffer load_, moved_;
  bool launched_ = false;
};

}  // namespace

std::vector<KernelSource> cuda_loaded_latency_sources(const Point& point) {
  const std::string& operation = point.word("operation");
  const std::string name = "loaded_latency_" + operation;
  // Without a number of blocks the compiler spills instead of using more than 32 registers.
  const std::string bounds = fmt::format("{}, {}", point.integer("threads_per_block"),
                                         std::max<std::int64_t>(1, point.integer("blocks_per_sm")));
  return {cuda_source(name, "loaded_latency",
                      fmt::format("__launch_bounds__({}) {}(Chase* chase, u64 accesses, uint4* memory, u32 "
                                  "pieces, u32 pause_clocks, u32 value, Load* load, u32* moved)",
                                  bounds, name),
                      fmt::format("LoadedLatencyKernel<Operation::{}>::run(chase, accesses, memory, pieces, "
                                  "pause_clocks, value, load, moved);",
                                  operation)),
          fill_chase_source(), fill_granules_source()};
}

std::unique_ptr<Session> prepare_cuda_loaded_latency(ProbeProblem& problem, const Point& point,
                                                     Device& device) {
  Point all = point;
  all.set("footprint_bytes", point.integer("footprint_bytes") + point.integer("load_bytes"));
  return std::make_unique<LoadedLatency>(CudaMemory::of(problem, all, device), point, problem.seed());
}

}  // namespace gpuseq::probes
