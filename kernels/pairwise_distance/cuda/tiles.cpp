#include <algorithm>

#include "kernels/pairwise_distance/cuda/encoding.hpp"
#include "kernels/pairwise_distance/cuda/session.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using cuda::CudaDevice;
using cuda::DeviceBuffer;

/// Instructions per pair of instances for a 32-bit word of each of its planes, or of its bytes. On tensor
/// cores a warp's instruction processes 16 x 8 pairs and eight words.
std::map<std::string, double> instructions_per_word(const TilePolicy& policy) {
  if (policy.product == Product::bytes) return {{"dp4a", 1}};
  if (policy.product == Product::float_square || policy.product == Product::float_root)
    return {{"add_f32", 1}, {"fma_f32", 1}};
  if (policy.on_floats()) return {{"add_f32", 2}};
  if (!policy.on_planes()) {
    constexpr double kOfAWord = static_cast<double>(kWarp) / (16 * 8 * 8);
    if (policy.product == Product::matrix_b1) return {{"mma_b1", kOfAWord * (policy.derived ? 1.5 : 1)}};
    return {{"mma_s8", kOfAWord}};
  }
  // One instruction combines a plane with the differing bits so far, another combines them with the mask.
  const double counted = policy.product == Product::differ ? 1 : policy.planes;
  const double masked = policy.present ? counted + 1 : 0;
  const double carried = policy.carry_save ? counted : 0;  // two full-adder outputs for two words
  return {{"lop3", policy.planes + masked + carried},
          {"popc", counted * (policy.carry_save ? 0.5 : 1) + (policy.present ? 1 : 0)}};
}

/// Lane operations of mma equivalent to one of wgmma (docs/reference/probes.md).
constexpr double kMmaOfOneWgmma = 32;

/// Instances rounded up to whole tiles of rows and of columns.
u64 in_whole_tiles(const TilePolicy& policy, u64 instances) {
  return std::max(rounded(instances, policy.block_rows()), rounded(instances, policy.block_columns()));
}

u64 buffer_bytes(u64 bytes) {
  return std::max<u64>(bytes, kPieceBytes);
}

class TileSession final : public CudaDistances {
 public:
  TileSession(DistanceProblem& problem, const TilePolicy& policy, bool ahead_of_time, CudaDevice& device,
              const TilesPart& part)
      : CudaDistances(problem, device), policy_(policy) {
    ThreadPool pool;
    const std::vector<EncodedPass> passes = encode(policy, problem.instances(), problem.metric(), pool);
    allocate(packed_bytes(passes));
    arguments_.pass_count = static_cast<u32>(passes.size());
    arguments_.rows = arguments_.columns = static_cast<u32>(count());
    arguments_.is_last = 1;
    arguments_.compared = compared_.as<u32>();
    upload_s_ = device.time_s([&] {
      for (std::size_t i = 0; i < passes.size(); ++i) arguments_.passes[i] = upload(passes[i]);
    });
    threads_ = policy.threads();
    shared_bytes_ = policy.shared_bytes();
    load(tile_kernels(), policy, ahead_of_time);
    const u64 at_a_time = static_cast<u64>(kernel_->resident_blocks(threads_, shared_bytes_)) *
                          static_cast<u64>(device.multiprocessors());
    const std::vector<u32> all = tiles_of(policy, count(), at_a_time);
    all_tiles_ = all.size();
    const u64 first = all_tiles_ * part.number / part.of, end = all_tiles_ * (part.number + 1) / part.of;
    const std::span<const u32> tiles = std::span(all).subspan(first, end - first);
    blocks_ = static_cast<unsigned>(tiles.size());
    arguments_.tiles = kept(std::as_bytes(tiles), tiles.size_bytes()).as<const u32>();
    if (part.of == 1) return;
    sums_.fill(0);
    if (compared_.size() > 0) compared_.fill(0);
  }

  void launch() override { run(&arguments_); }

  /// Counts all tiles, also those of other parts.
  Instructions instructions() const override {
    std::vector<u32> row_pieces;
    for (u32 i = 0; i < arguments_.pass_count; ++i) row_pieces.push_back(arguments_.passes[i].row_pieces);
    return tile_instructions(policy_, all_tiles_, row_pieces);
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = CudaDistances::facts();
    facts["tiles"] = blocks_;
    facts["row_bytes"] = arguments_.passes[arguments_.pass_count - 1].row_pieces * kPieceBytes;
    facts["padded_share"] = 1 - static_cast<double>(count()) / static_cast<double>(padded_count());
    // The same products in operations of four warps: divided by the probe's rate of wgmma_b1 or wgmma_s8 they
    // give the time that sm_90 could reach.
    if (policy_.on_tensor_cores())
      facts["wgmma_lane_operations"] = instructions().operations.begin()->second / kMmaOfOneWgmma;
    return facts;
  }

 private:
  /// The list of tiles was allocated last.
  u64 workspace_bytes() const override { return buffers_.back().size(); }
  u64 instance_bytes() const override {
    u64 bytes = 0;
    for (const DeviceBuffer& buffer : buffers_) bytes += buffer.size();
    return bytes - workspace_bytes();
  }
  u64 padded_count() const { return in_whole_tiles(policy_, count()); }

  u64 packed_bytes(const std::vector<EncodedPass>& passes) const {
    u64 bytes = 0;
    for (const EncodedPass& pass : passes)
      bytes += padded_count() * pass.row_pieces * kPieceBytes * (pass.right.empty() ? 1 : 2);
    return bytes;
  }

  /// A copy on the device of at least `bytes` bytes, padded with 0.
  const DeviceBuffer& kept(std::span<const std::byte> from, std::size_t bytes) {
    DeviceBuffer& buffer = buffers_.emplace_back(device_, buffer_bytes(bytes));
    if (buffer.size() > from.size()) buffer.fill(0);
    buffer.upload(from);
    return buffer;
  }

  Pass upload(const EncodedPass& from) {
    const u64 bytes = padded_count() * from.row_pieces * kPieceBytes;
    Pass pass{.left = kept(std::as_bytes(std::span(from.left)), bytes).as<const u8>(),
              .right = nullptr,
              .row_pieces = from.row_pieces,
              .formula = from.formula,
              .result = from.makes_compared ? compared_.as<u32>() : sums_.as<u32>()};
    pass.right =
        from.right.empty() ? pass.left : kept(std::as_bytes(std::span(from.right)), bytes).as<const u8>();
    if (from.takes_compared) pass.formula.compared = compared_.as<const u32>();
    if (!from.norms.empty())
      pass.formula.row_norms = pass.formula.column_norms =
          kept(std::as_bytes(std::span(from.norms)), from.norms.size() * sizeof(u32)).as<const u32>();
    return pass;
  }

  TilePolicy policy_;
  std::vector<DeviceBuffer> buffers_;
  TileArguments arguments_{};
  u64 all_tiles_ = 0;  // also those of other parts
};

}  // namespace

std::unique_ptr<DistanceSession> make_session(DistanceProblem& problem, const TilePolicy& policy,
                                              bool ahead_of_time, cuda::CudaDevice& device,
                                              const TilesPart& part) {
  return std::make_unique<TileSession>(problem, policy, ahead_of_time, device, part);
}

HeldMemory tile_memory(const TilePolicy& policy, const KnownData& data) {
  HeldMemory held;
  for (const PassSizes& pass : pass_sizes(policy, data)) {
    const u64 rows = buffer_bytes(in_whole_tiles(policy, data.instances) * pass.row_pieces * kPieceBytes);
    held.add("instances", rows * (pass.has_right ? 2 : 1));
    if (pass.has_norms) held.add("instances", buffer_bytes(data.instances * sizeof(u32)));
  }
  return held.add(kOutputPart, matrix_bytes(data))
      .add(kWorkspacePart, buffer_bytes(tile_count(policy, data.instances) * sizeof(u32)));
}

Instructions tile_instructions(const TilePolicy& policy, u64 tiles, std::span<const u32> row_pieces) {
  // Whole tiles and whole stages, as the kernel computes them.
  const double pairs = static_cast<double>(tiles) * policy.block_rows() * policy.block_columns();
  double words = 0;
  for (const u32 pieces : row_pieces) {
    const u32 units = pieces / (policy.on_planes() ? policy.unit() : 1);
    words += units * 4.0;
  }
  Instructions instructions;
  for (const auto& [operation, of_word] : instructions_per_word(policy))
    instructions.operations[operation] = of_word * words * pairs;
  return instructions;
}

}  // namespace gpuseq::pairwise_distance
