// Tiles of data that exceed a device's memory: parts of the matrix are processed one after the other; many
// attributes are processed in slices, whose sums are added on the device.
//
// Two launches have their own memory and stream: while one is computed, the instances of the next are
// copied to the device, and the distances of the previous part are copied from it, to their rows of a
// band. There are two bands: one is computed while the caller reads the other. The host only enqueues work
// and waits for bands.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <map>

#include "kernels/pairwise_distance/band_session.hpp"
#include "kernels/pairwise_distance/cuda/host_instances.hpp"
#include "kernels/pairwise_distance/cuda/parts.hpp"
#include "kernels/pairwise_distance/cuda/session.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/pinned_buffer.hpp"
#include "runtime/cuda/side_stream.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using cuda::CudaDevice;
using cuda::DeviceBuffer;

/// Distances of some instances to others.
struct Part {
  u64 row, rows, column, columns;
};

/// Rows of a band, for one slice of attributes.
struct RowsOfBand {
  u64 row, slice;
  bool operator==(const RowsOfBand&) const = default;
};

/// Instances of a launch on the device, and the stream of their copies and the launch.
struct Input {
  Input(CudaDevice& device, u64 bytes) : stream(device), memory(device, bytes) {}
  cuda::SideStream stream;
  DeviceBuffer memory;
  std::optional<RowsOfBand> holds = {};  // valid content, which need not be copied again
};

/// Distances of a part on the device.
struct Output {
  Output(CudaDevice& device, u64 pairs, bool missing)
      : sums(device, pairs * sizeof(u32)),
        compared(missing ? DeviceBuffer(device, pairs * sizeof(u32)) : DeviceBuffer()) {}
  DeviceBuffer sums, compared;
  cuda::SideStream* download = nullptr;  // stream of the last copy to the host
};

/// Number of bands: one is computed while another is read.
constexpr u64 kBands = 2;

/// Distances of a band on the host, and streams that copy them: one for each concurrent part, so that no part
/// waits for another, and separate ones for each band, so that the host waits for this band only.
struct Band {
  Band(CudaDevice& device, u64 pairs, bool missing)
      : sums(device, pairs * sizeof(u32)),
        compared(missing ? cuda::PinnedBuffer(device, pairs * sizeof(u32)) : cuda::PinnedBuffer()) {
    for (u64 i = 0; i < kPartsUnderWay; ++i) downloads.emplace_back(device);
  }
  void wait() {
    for (cuda::SideStream& stream : downloads) stream.synchronize();
  }
  cuda::PinnedBuffer sums, compared;
  std::deque<cuda::SideStream> downloads;
};

struct Tiles {
  DeviceBuffer list;
  unsigned count = 0;
};

TilePolicy of_all_pairs(TilePolicy policy) {
  policy.half = false;
  return policy;
}

class StreamedTiles final : public BandSession {
 public:
  StreamedTiles(DistanceProblem& problem, const TilePolicy& policy, bool ahead_of_time, CudaDevice& device,
                const StreamMemory& memory)
      : BandSession(problem),
        device_(device),
        policy_(of_all_pairs(policy)),
        sizes_(choose_parts(policy_, known_data(problem.instances(), problem.metric()), memory.device_bytes,
                            most_rows(memory))),
        instances_(encode_slices(policy_, problem.instances(), problem.metric(), sizes_.attributes, pool_),
                   left_by_bands(memory), device, pool_),
        layout_(sizes_, row_pieces(instances_.slice(0))) {
    const auto start = std::chrono::steady_clock::now();
    kernel_ = load_tile_kernel(policy_, ahead_of_time, device, problem.cache_dir());
    load_s_ = seconds_since(start);
    kernel_->allow_shared_bytes(policy_.shared_bytes());
    for (u64 i = 0; i < kPartsUnderWay; ++i) {
      inputs_.emplace_back(device, layout_.bytes);
      outputs_.emplace_back(device, sizes_.rows * sizes_.columns, missing());
    }
    // The instances may have used the remaining memory.
    require_host_memory(bands_bytes(), "the distances of bands of rows");
    for (u64 i = 0; i < std::min(kBands, bands()); ++i) bands_.emplace_back(device, band_pairs(), missing());
    for (const u64 row : {u64{0}, (bands() - 1) * sizes_.rows})
      for (const u64 column : {u64{0}, (parts_of_band() - 1) * sizes_.columns})
        make_tiles(part_at(row, column));
  }

  void each_band(const TakeBand& take) override {
    try {
      // A launch includes all steps from the instances in host memory, and starts at the device
      // stream's current position.
      for (Input& input : inputs_) {
        input.holds.reset();
        input.stream.fork();
      }
      enqueue_band(0);
      for (u64 number = 0; number < bands(); ++number) {
        if (number + 1 < bands()) enqueue_band(number + 1);
        Band& band = bands_[number % kBands];
        band.wait();
        const u64 row = number * sizes_.rows, rows = std::min(sizes_.rows, count() - row);
        const u64 pairs = rows * count();
        take({.first = row,
              .rows = rows,
              .count = count(),
              .sum = band.sums.as<const u32>(pairs),
              .compared = band.compared.as<const u32>(missing() ? pairs : 0)});
      }
    } catch (...) {
      settle();
      throw;
    }
  }

  Cost cost() const override {
    std::vector<u32> pieces;
    for (u64 slice = 0; slice < instances_.slices(); ++slice)
      for (const u32 of_pass : row_pieces(instances_.slice(slice))) pieces.push_back(of_pass);
    return {.work = work(),
            .held = held(),
            .instructions = tile_instructions(policy_, tile_count(policy_, count()), pieces)};
  }

  std::optional<Resources> resources() const override {
    const u64 blocks = sizes_.rows / policy_.block_rows() * (sizes_.columns / policy_.block_columns());
    return kernel_->resources(static_cast<unsigned>(blocks), policy_.threads(), policy_.shared_bytes());
  }

  HeldMemory held() const override {
    HeldMemory held;
    for (const Input& input : inputs_) held.add("instances", input.memory.size());
    for (const Output& output : outputs_) held.add(kOutputPart, output.sums.size() + output.compared.size());
    for (const auto& [shape, tiles] : tiles_) held.add(kWorkspacePart, tiles.list.size());
    return held;
  }

  std::map<std::string, std::vector<double>> side_samples_s() override {
    return {{"load_kernel", {load_s_}}};
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = BandSession::facts();
    facts["kernel"] = tile_kernels().name(policy_);
    facts["part_rows"] = sizes_.rows;
    facts["part_columns"] = sizes_.columns;
    facts["part_attributes"] = std::min(sizes_.attributes, problem_.instances().attributes);
    facts["instances_in"] = instances_.are_pinned() ? "pinned" : "pageable";
    return facts;
  }

 private:
  bool missing() const { return problem_.instances().has_missing(); }
  u64 bands() const { return (count() + sizes_.rows - 1) / sizes_.rows; }
  u64 parts_of_band() const { return (count() + sizes_.columns - 1) / sizes_.columns; }
  u64 band_pairs() const { return std::min(sizes_.rows, count()) * count(); }
  u64 bands_bytes() const { return std::min(kBands, bands()) * band_pairs() * pair_bytes(); }
  Part part_at(u64 row, u64 column) const {
    return {row, std::min(sizes_.rows, count() - row), column, std::min(sizes_.columns, count() - column)};
  }

  /// Bands take at most half of the pinned memory, unless one row of tiles needs more.
  u64 most_rows(const StreamMemory& memory) const {
    return memory.pinned_bytes / 2 / (kBands * count() * pair_bytes());
  }
  /// Remaining pinned memory. @throws DoesNotFit if the bands do not fit
  u64 left_by_bands(const StreamMemory& memory) const {
    const u64 taken = bands_bytes();
    if (taken > memory.pinned_bytes)
      throw DoesNotFit(
          fmt::format("bands of {} rows of distances to {} instances take {} bytes of pinned memory of the "
                      "host, allowed: {}",
                      std::min(sizes_.rows, count()), count(), taken, memory.pinned_bytes));
    return memory.pinned_bytes - taken;
  }
  static std::vector<u32> row_pieces(std::span<const HostPass> passes) {
    std::vector<u32> pieces;
    for (const HostPass& pass : passes) pieces.push_back(pass.encoded.row_pieces);
    return pieces;
  }

  /// @pre the band's old content is no longer in use
  void enqueue_band(u64 number) {
    for (u64 i = 0; i < parts_of_band(); ++i)
      enqueue(part_at(number * sizes_.rows, i * sizes_.columns), number * parts_of_band() + i,
              bands_[number % kBands]);
  }

  /// The launches of a part, and the copy of its distances to their place in the band.
  void enqueue(const Part& part, u64 number, Band& band) {
    Output& output = outputs_[number % kPartsUnderWay];
    // The launches must not overwrite distances before they are copied. Copies of instances need
    // not wait for that.
    if (output.download != nullptr) output.download->join();
    for (u64 slice = 0; slice < instances_.slices(); ++slice)
      launch_slice(part, slice, inputs_[(number * instances_.slices() + slice) % kPartsUnderWay], output);
    output.download = &band.downloads[number % kPartsUnderWay];
    output.download->fork();
    const cuda::RowsPlace place{.first_byte = part.column * sizeof(u32),
                                .pitch = count() * sizeof(u32),
                                .row_bytes = part.columns * sizeof(u32),
                                .rows = part.rows};
    band.sums.enqueue_download(output.sums, place, output.download->stream());
    if (missing()) band.compared.enqueue_download(output.compared, place, output.download->stream());
  }

  /// A launch, and the copies of its instances, which must follow the last launch that read the same memory.
  void launch_slice(const Part& part, u64 slice, Input& input, const Output& output) {
    const std::span<const HostPass> passes = instances_.slice(slice);
    const RowsOfBand rows{part.row, slice};
    const bool is_last = slice + 1 == instances_.slices();
    TileArguments arguments{};
    arguments.pass_count = static_cast<u32>(passes.size());
    for (std::size_t i = 0; i < passes.size(); ++i) {
      if (input.holds != rows) upload_rows(input, part, passes[i], layout_.passes[i]);
      upload_columns(input, part, passes[i], layout_.passes[i]);
      arguments.passes[i] = pass_of(input, passes[i], layout_.passes[i], output, is_last);
    }
    input.holds = rows;
    arguments.rows = static_cast<u32>(part.rows);
    arguments.columns = static_cast<u32>(part.columns);
    arguments.adds = slice > 0 ? 1 : 0;
    arguments.is_last = is_last ? 1 : 0;
    arguments.compared = output.compared.as<u32>();
    const Tiles& tiles = tiles_.at({part.rows, part.columns});
    arguments.tiles = tiles.list.as<const u32>();
    std::array<void*, 1> pointers{&arguments};
    input.stream.fork();  // after the last launch, which may add to the same distances
    kernel_->launch(tiles.count, policy_.threads(), policy_.shared_bytes(), pointers, input.stream.stream());
    input.stream.join();
  }

  static void upload(Input& input, u64 place, std::span<const std::byte> from, u64 first, u64 instances,
                     u64 bytes_each) {
    input.memory.enqueue_upload(from.subspan(first * bytes_each, instances * bytes_each), place,
                                input.stream.stream());
  }
  static void upload_rows(Input& input, const Part& part, const HostPass& from, const InputPlace& place) {
    upload(input, place.left, from.left, part.row, part.rows, u64{from.encoded.row_pieces} * kPieceBytes);
    if (!from.norms.empty()) upload(input, place.row_norms, from.norms, part.row, part.rows, sizeof(u32));
  }
  static void upload_columns(Input& input, const Part& part, const HostPass& from, const InputPlace& place) {
    upload(input, place.right, from.right, part.column, part.columns,
           u64{from.encoded.row_pieces} * kPieceBytes);
    if (!from.norms.empty())
      upload(input, place.column_norms, from.norms, part.column, part.columns, sizeof(u32));
  }

  static Pass pass_of(const Input& input, const HostPass& host, const InputPlace& place, const Output& output,
                      bool is_last) {
    const EncodedPass& from = host.encoded;
    const u8* const memory = input.memory.as<const u8>();
    Pass pass{.left = memory + place.left,
              .right = memory + place.right,
              .row_pieces = from.row_pieces,
              .formula = from.formula,
              .result = from.makes_compared ? output.compared.as<u32>() : output.sums.as<u32>()};
    // The numbers of compared attributes are added up first, and used in the last slice.
    if (from.takes_compared && is_last) pass.formula.compared = output.compared.as<const u32>();
    if (!host.norms.empty()) {
      pass.formula.row_norms = reinterpret_cast<const u32*>(memory + place.row_norms);
      pass.formula.column_norms = reinterpret_cast<const u32*>(memory + place.column_norms);
    }
    return pass;
  }

  /// Waits for outstanding work, which would write into bands that are reused or freed.
  void settle() noexcept {
    try {
      for (Input& input : inputs_) input.stream.synchronize();
      for (Band& band : bands_) band.wait();
    } catch (const std::exception&) {
      // The context is lost, and all work with it.
    }
  }

  void make_tiles(const Part& part) {
    Tiles& tiles = tiles_[{part.rows, part.columns}];
    if (tiles.count > 0) return;
    const u64 at_a_time =
        static_cast<u64>(kernel_->resident_blocks(policy_.threads(), policy_.shared_bytes())) *
        static_cast<u64>(device_.multiprocessors());
    const std::vector<u32> list = tiles_of(policy_, part.rows, part.columns, at_a_time);
    tiles.list = DeviceBuffer(device_, list.size() * sizeof(u32));
    tiles.list.upload(list);
    tiles.count = static_cast<unsigned>(list.size());
  }

  CudaDevice& device_;
  const TilePolicy policy_;
  const PartSizes sizes_;
  const HostInstances instances_;
  const InputLayout layout_;
  std::shared_ptr<cuda::Kernel> kernel_;
  double load_s_ = 0;
  std::map<std::pair<u64, u64>, Tiles> tiles_;  // of parts with these numbers of rows and columns
  std::deque<Input> inputs_;
  std::deque<Output> outputs_;
  std::deque<Band> bands_;
};

}  // namespace

std::unique_ptr<DistanceSession> make_streamed_session(DistanceProblem& problem, const TilePolicy& policy,
                                                       bool ahead_of_time, CudaDevice& device,
                                                       const StreamMemory& memory) {
  return std::make_unique<StreamedTiles>(problem, policy, ahead_of_time, device, memory);
}

}  // namespace gpuseq::pairwise_distance
