// `bit_planes`: binary digits or unary codes of the attributes, 64 to a word, compared by exclusive or and
// counted. A vector holds the same word of 8 instances (AVX-512), which meet the broadcast word of one: a
// lane counts for a pair, so that nothing is summed over lanes at the end.
//
// 512 comparisons, which are a vector and a word, with P planes on AVX-512: P exclusive ors, all but the
// first with the or in one instruction, 1 population count, 1 sum; and P loads / kRows + P broadcasts /
// kVectors. For three symbols and 8 x 2: 4 instructions for the vector units and 1 1/4 loads.
//
// Bound by: vector instructions. A Zen 5 core executes 4 per clock, 2 of them counts, and loads 2:
// a clock for 512 comparisons of three symbols, which its inner loop takes (measured with the code
// around it: 1.05). Above some thousand instances the output matrix takes a fifth of the time.
//
// Without an instruction that counts (AVX2, SSE4) bytes are counted by table: 7 instructions
// instead of 2. Missing values take 4 more: their mask, its application, its count and sum.

#include <fmt/format.h>

#include <algorithm>

#include "kernels/pairwise_distance/cpu/planes.hpp"
#include "kernels/pairwise_distance/require_codes.hpp"
#include "runtime/contract/unsupported.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr u64 kWordBits = 64;

/// The population count of a vector of words: an instruction, or a table for nibbles of bytes.
std::map<std::string, double> counting_operations(bool counts_words, double counted) {
  if (counts_words) return {{"popcount_u64", counted}, {"add_u64", counted}};
  return {{"shuffle_u8", 2 * counted}, {"add_s16", 2 * counted}, {"and", 2 * counted}};
}

/// Instructions that move nibbles of bytes to their place are not counted.
Cost cost_of(const Dispatched<PlaneKernels>& dispatched, const PlaneShape& shape, u64 instances,
             TileShape tile, double pairs) {
  Cost cost;
  cost.held.add("instances", words_bytes(shape, instances));
  if (dispatched.instruction_set.empty()) {
    cost.why_no_bound = kNoProbeOfTarget;
    return cost;
  }
  const u32 lanes = dispatched.kernels.lanes;
  const double vectors = pairs * static_cast<double>(shape.row_words) / lanes;
  const bool square = shape.scheme == PlaneScheme::square, any = shape.scheme == PlaneScheme::any;
  const double missing = shape.missing ? 1 : 0, p = shape.planes;
  const double counted = (any ? 1 : 2) + missing;
  const bool three_operands = lanes == 8;
  const double xors = any ? (three_operands ? p : 2 * p - 1) : 2 + (square ? 1 : 0);
  const double ands = missing * (any ? 2 : 3) + (square ? 1 : 0);
  const double loads =
      static_cast<double>(shape.stored()) * (tile.rows + tile.columns) / (tile.rows * tile.columns);
  std::map<std::string, double> operations{{"xor", xors * vectors}, {"load", loads * vectors}};
  for (const auto& [operation, count] : counting_operations(dispatched.kernels.counts_words, counted))
    operations[operation] += count * vectors;
  if (ands > 0) operations["and"] += ands * vectors;
  cost.instructions = {.operations = std::move(operations), .target = dispatched.instruction_set};
  return cost;
}

class PlaneComparer final : public BlockComparer {
 public:
  PlaneComparer(const DistanceProblem& problem, const ComparerOptions& options)
      : dispatched_(plane_kernels(options.target)),
        instances_(problem.instances().count),
        planes_(pack_planes(problem.instances(), problem.metric())),
        tile_(options.tile == TileShape{} ? kernels().usual_tile : options.tile),
        kernel_(kernels().planes(planes_.shape.scheme, planes_.shape.planes, planes_.shape.missing, tile_)),
        words_a_step_(options.attributes == 0 ? usual_words() : options.attributes / kWordBits) {
    require_compiled(kernel_ != nullptr, tile_);
  }

  void compare(const BlockPlace& place, const BlockBuffer& buffer) const override {
    kernel_({.words = reinterpret_cast<const u64*>(planes_.words.data()),
             .row_words = planes_.shape.row_words,
             .words_a_step = words_a_step_,
             .place = place,
             .buffer = buffer});
  }

  BlockWriter writer() const override { return kernels().write; }

  nlohmann::json facts() const override {
    return {{"highway_target", dispatched_.target},
            {"lanes", kernels().lanes},
            {"planes", planes_.shape.planes},
            {"tile_used", tile_name(tile_)},
            {"attributes_a_step", words_a_step_ * kWordBits},
            {"packed_bytes", planes_.words.size()}};
  }

  Cost cost(double pairs) const override {
    return cost_of(dispatched_, planes_.shape, instances_, tile_, pairs);
  }

 private:
  const PlaneKernels& kernels() const { return dispatched_.kernels; }

  /// So that a tile's columns stay in the first cache while the rows of a block pass.
  u64 usual_words() const {
    constexpr u64 kBytes = 16 << 10;
    return std::max<u64>(
        kBytes / (u64{tile_.columns} * kernels().lanes * planes_.shape.stored() * sizeof(u64)), 16);
  }

  Dispatched<PlaneKernels> dispatched_;
  u64 instances_;
  PackedPlanes planes_;
  TileShape tile_;
  PlaneKernel kernel_;
  u64 words_a_step_;
};

}  // namespace

Cost plane_cost(const KnownData& data, const ComparerOptions& options, double pairs) {
  const Dispatched<PlaneKernels> dispatched = plane_kernels(options.target);
  const TileShape tile = options.tile == TileShape{} ? dispatched.kernels.usual_tile : options.tile;
  const KnownData most = with_possible_missing(data);
  const PlaneShape shape = plane_shape(most);
  require_compiled_for(data, tile, [&](bool missing) {
    return dispatched.kernels.planes(shape.scheme, shape.planes, missing, tile) != nullptr;
  });
  Cost cost = cost_of(dispatched, shape, data.instances, tile, pairs);
  // The alphabet decides whether other metrics mask planes.
  if (cost.instructions && data.metric != Metric::hamming)
    cost.instructions->operations.try_emplace("and", 0);
  return cost;
}

std::unique_ptr<BlockComparer> make_plane_comparer(const DistanceProblem& problem,
                                                   const ComparerOptions& options) {
  return std::make_unique<PlaneComparer>(problem, options);
}

}  // namespace gpuseq::pairwise_distance
