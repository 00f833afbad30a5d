// Tiles of what a device's memory does not hold: parts of the matrix go through it one after the other, and
// of many attributes some at a time, whose sums are added up on the device.
//
// Two launches have memory of their own, and a stream: while one is computed, the instances of the next are
// copied from pinned memory, and distances of the part before to it. The host puts the rows of a band
// together and fills what is copied next.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>

#include "kernels/pairwise_distance/band_session.hpp"
#include "kernels/pairwise_distance/cuda/parts.hpp"
#include "kernels/pairwise_distance/cuda/session.hpp"
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

/// Instances of a launch on the device, and where they are copied from.
struct Input {
  Input(CudaDevice& device, u64 bytes) : stream(device), memory(device, bytes), staging(device, bytes) {}
  cuda::SideStream stream;
  DeviceBuffer memory;
  cuda::PinnedBuffer staging;
};

/// Distances of a part on the device, and where they are copied to.
struct Output {
  Output(CudaDevice& device, u64 pairs, bool missing)
      : sums(device, pairs * sizeof(u32)),
        compared(missing ? DeviceBuffer(device, pairs * sizeof(u32)) : DeviceBuffer()),
        staging(device, pairs * sizeof(u32) * (missing ? 2 : 1)) {}
  DeviceBuffer sums, compared;
  cuda::PinnedBuffer staging;
  std::optional<Part> part = {};  // that is on its way to the host, by
  cuda::SideStream* stream = nullptr;
};

struct Tiles {
  DeviceBuffer list;
  unsigned count = 0;
};

TilePolicy of_all_pairs(TilePolicy policy) {
  policy.half = false;
  return policy;
}

KnownData data_of(const DistanceProblem& problem) {
  const Instances& instances = problem.instances();
  return {.metric = problem.metric(),
          .alphabet = instances.alphabet,
          .missing = instances.has_missing(),
          .instances = instances.count,
          .attributes = instances.attributes};
}

class StreamedTiles final : public BandSession {
 public:
  StreamedTiles(DistanceProblem& problem, const TilePolicy& policy, bool ahead_of_time, CudaDevice& device,
                u64 memory_bytes)
      : BandSession(problem),
        device_(device),
        policy_(of_all_pairs(policy)),
        sizes_(choose_parts(policy_, data_of(problem), most_bytes(memory_bytes), most_rows())),
        slices_(encode_slices(policy_, problem.instances(), problem.metric(), sizes_.attributes, pool_)),
        layout_(sizes_, row_pieces(slices_.front())) {
    const auto start = std::chrono::steady_clock::now();
    kernel_ = load_tile_kernel(policy_, ahead_of_time, device, problem.cache_dir());
    load_s_ = seconds_since(start);
    kernel_->allow_shared_bytes(policy_.shared_bytes());
    require_host_memory(sizes_.rows * count() * pair_bytes(), "the distances of a band of rows");
    for (u64 i = 0; i < kPartsUnderWay; ++i) {
      inputs_.push_back(std::make_unique<Input>(device, layout_.bytes));
      outputs_.push_back(std::make_unique<Output>(device, sizes_.rows * sizes_.columns, missing()));
    }
    band_sum_.resize(sizes_.rows * count());
    if (missing()) band_compared_.resize(sizes_.rows * count());
  }

  void each_band(const TakeBand& take) override {
    u64 parts = 0, launches = 0;
    for (u64 row = 0; row < count(); row += sizes_.rows) {
      const u64 rows = std::min(sizes_.rows, count() - row);
      for (u64 column = 0; column < count(); column += sizes_.columns) {
        const Part part{row, rows, column, std::min(sizes_.columns, count() - column)};
        Output& output = *outputs_[parts++ % kPartsUnderWay];
        collect(output);
        for (u64 slice = 0; slice < slices_.size(); ++slice)
          enqueue(part, slice, *inputs_[launches++ % kPartsUnderWay], output);
      }
      for (const auto& output : outputs_) collect(*output);
      const u64 entries = rows * count();
      take({.first = row,
            .rows = rows,
            .count = count(),
            .sum = {band_sum_.data(), entries},
            .compared = {band_compared_.data(), missing() ? entries : 0}});
    }
  }

  std::optional<Instructions> instructions() const override {
    std::vector<u32> pieces;
    for (const auto& passes : slices_)
      for (const EncodedPass& pass : passes) pieces.push_back(pass.row_pieces);
    return tile_instructions(policy_, tile_count(policy_, count()), pieces);
  }

  std::optional<Resources> resources() const override {
    const u64 blocks = sizes_.rows / policy_.block_rows() * (sizes_.columns / policy_.block_columns());
    return kernel_->resources(static_cast<unsigned>(blocks), policy_.threads(), policy_.shared_bytes());
  }

  std::optional<HeldMemory> memory() const override {
    HeldMemory held;
    for (const auto& input : inputs_) held.add("instances", input->memory.size());
    for (const auto& output : outputs_) held.add(kOutputPart, output->sums.size() + output->compared.size());
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
    return facts;
  }

 private:
  bool missing() const { return problem_.instances().has_missing(); }
  /// Of the device; as much is pinned on the host, which is left most of its own.
  static u64 most_bytes(u64 of_device) { return std::min(of_device, free_host_bytes() / 4); }
  u64 most_rows() const { return free_host_bytes() / 4 / (count() * pair_bytes()); }
  static std::vector<u32> row_pieces(const std::vector<EncodedPass>& passes) {
    std::vector<u32> pieces;
    for (const EncodedPass& pass : passes) pieces.push_back(pass.row_pieces);
    return pieces;
  }

  /// Fills what is copied from, and starts the copy.
  void upload(Input& input, u64 place, std::span<const std::byte> from) {
    constexpr std::size_t kBytesAtOnce = 1 << 20;
    const std::span<std::byte> to =
        input.staging.as<std::byte>(input.staging.size()).subspan(place, from.size());
    pool_.parallel_for(from.size(), kBytesAtOnce, [&](std::size_t begin, std::size_t end) {
      std::memcpy(to.data() + begin, from.data() + begin, end - begin);
    });
    input.memory.enqueue_upload(to, place, input.stream.stream());
  }

  Pass upload(Input& input, const Part& part, const EncodedPass& from, const InputPlace& place,
              const Output& output, bool is_last) {
    const u64 row_bytes = u64{from.row_pieces} * kPieceBytes;
    const auto rows = [&](const std::vector<u8>& of, u64 first, u64 instances) {
      return std::as_bytes(std::span(of).subspan(first * row_bytes, instances * row_bytes));
    };
    upload(input, place.left, rows(from.left, part.row, part.rows));
    upload(input, place.right, rows(from.right.empty() ? from.left : from.right, part.column, part.columns));
    const u8* const memory = input.memory.as<const u8>();
    Pass pass{.left = memory + place.left,
              .right = memory + place.right,
              .row_pieces = from.row_pieces,
              .formula = from.formula,
              .result = from.makes_compared ? output.compared.as<u32>() : output.sums.as<u32>()};
    // The attributes compared are added up first, and taken once.
    if (from.takes_compared && is_last) pass.formula.compared = output.compared.as<const u32>();
    if (!from.norms.empty()) {
      const std::span norms(from.norms);
      upload(input, place.row_norms, std::as_bytes(norms.subspan(part.row, part.rows)));
      upload(input, place.column_norms, std::as_bytes(norms.subspan(part.column, part.columns)));
      pass.formula.row_norms = reinterpret_cast<const u32*>(memory + place.row_norms);
      pass.formula.column_norms = reinterpret_cast<const u32*>(memory + place.column_norms);
    }
    return pass;
  }

  /// A launch, and what is copied before it and, of the last attributes, behind it.
  void enqueue(const Part& part, u64 slice, Input& input, Output& output) {
    const std::vector<EncodedPass>& passes = slices_[slice];
    const Tiles& tiles = tiles_for(part);
    const bool is_last = slice + 1 == slices_.size();
    input.stream.synchronize();  // the launch before the last has read what is overwritten now
    TileArguments arguments{};
    arguments.pass_count = static_cast<u32>(passes.size());
    for (std::size_t i = 0; i < passes.size(); ++i)
      arguments.passes[i] = upload(input, part, passes[i], layout_.passes[i], output, is_last);
    arguments.rows = static_cast<u32>(part.rows);
    arguments.columns = static_cast<u32>(part.columns);
    arguments.adds = slice > 0 ? 1 : 0;
    arguments.is_last = is_last ? 1 : 0;
    arguments.compared = output.compared.as<u32>();
    arguments.tiles = tiles.list.as<const u32>();
    std::array<void*, 1> pointers{&arguments};
    input.stream.fork();  // after the last launch, which may add to the same distances
    kernel_->launch(tiles.count, policy_.threads(), policy_.shared_bytes(), pointers, input.stream.stream());
    input.stream.join();
    if (!is_last) return;
    const u64 pairs = part.rows * part.columns;
    const std::span<u32> to = output.staging.as<u32>(pairs * (missing() ? 2 : 1));
    output.sums.enqueue_download(std::as_writable_bytes(to.first(pairs)), 0, input.stream.stream());
    if (missing())
      output.compared.enqueue_download(std::as_writable_bytes(to.subspan(pairs)), 0, input.stream.stream());
    output.part = part;
    output.stream = &input.stream;
  }

  /// Takes a part that is on its way into the band.
  void collect(Output& output) {
    if (!output.part) return;
    const Part part = *output.part;
    output.part.reset();
    output.stream->synchronize();
    const u64 pairs = part.rows * part.columns;
    const std::span<const u32> from = output.staging.as<u32>(pairs * (missing() ? 2 : 1));
    pool_.parallel_for(part.rows, 16, [&](std::size_t begin, std::size_t end) {
      for (u64 i = begin; i < end; ++i) {
        const u64 place = i * count() + part.column;
        std::copy_n(from.data() + i * part.columns, part.columns, band_sum_.data() + place);
        if (missing())
          std::copy_n(from.data() + pairs + i * part.columns, part.columns, band_compared_.data() + place);
      }
    });
  }

  /// Made when a part of its shape is first met.
  const Tiles& tiles_for(const Part& part) {
    Tiles& tiles = tiles_[{part.rows, part.columns}];
    if (tiles.count > 0) return tiles;
    const u64 at_a_time =
        static_cast<u64>(kernel_->resident_blocks(policy_.threads(), policy_.shared_bytes())) *
        static_cast<u64>(device_.multiprocessors());
    const std::vector<u32> list = tiles_of(policy_, part.rows, part.columns, at_a_time);
    tiles.list = DeviceBuffer(device_, list.size() * sizeof(u32));
    tiles.list.upload(list);
    tiles.count = static_cast<unsigned>(list.size());
    return tiles;
  }

  CudaDevice& device_;
  const TilePolicy policy_;
  const PartSizes sizes_;
  const std::vector<std::vector<EncodedPass>> slices_;  // of all instances
  const InputLayout layout_;
  std::shared_ptr<cuda::Kernel> kernel_;
  double load_s_ = 0;
  std::map<std::pair<u64, u64>, Tiles> tiles_;
  std::vector<std::unique_ptr<Input>> inputs_;
  std::vector<std::unique_ptr<Output>> outputs_;
  std::vector<u32> band_sum_, band_compared_;
};

}  // namespace

std::unique_ptr<DistanceSession> make_streamed_session(DistanceProblem& problem, const TilePolicy& policy,
                                                       bool ahead_of_time, CudaDevice& device,
                                                       u64 memory_bytes) {
  return std::make_unique<StreamedTiles>(problem, policy, ahead_of_time, device, memory_bytes);
}

}  // namespace gpuseq::pairwise_distance
