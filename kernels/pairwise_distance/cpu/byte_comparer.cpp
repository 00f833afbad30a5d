// `bytes`: a byte for each attribute, a vector of attributes of two instances compared at a time, with sums
// in bytes as long as they cannot overflow.
//
// A vector of attributes and a pair take 3 instructions for Hamming (exclusive or, minimum with 1, sum), 4
// for |a - b| (maximum, minimum, difference, sum), and for 2 rows by 4 columns 3/4 of a load.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/pairwise_distance/cpu/bytes.hpp"
#include "kernels/pairwise_distance/require_codes.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr u32 kTableSize = 16;

ByteOperation operation_of(Metric metric, u32 alphabet) {
  require_codes(metric);
  if (metric == Metric::hamming) return ByteOperation::differ;
  if (metric != Metric::squared_euclidean) return ByteOperation::absolute;
  return alphabet <= kTableSize ? ByteOperation::table : ByteOperation::square;
}

std::map<std::string, double> operations_of_vector(ByteOperation operation, bool missing, TileShape tile) {
  const bool differ = operation == ByteOperation::differ;
  const double masks = missing ? 1 : 0;
  const double loads = (1 + masks) * (tile.rows + tile.columns) / (tile.rows * tile.columns);
  // Sums and differences of lanes with and without a sign saturate in the same units.
  std::map<std::string, double> operations{
      {"min_u8", 1}, {"add_u8", 1 + masks + (differ ? 0 : 1)}, {"load", loads}};
  operations[differ ? "xor" : "max_u8"] = 1;
  if (missing) operations["and"] = 2;
  if (operation == ByteOperation::table) operations["shuffle_u8"] = 1;
  return operations;
}

class ByteComparer final : public BlockComparer {
 public:
  ByteComparer(const DistanceProblem& problem, const ComparerOptions& options)
      : dispatched_(byte_kernels(options.target)),
        packed_(pack_bytes(problem.instances(), problem.metric())),
        tile_(options.tile == TileShape{} ? kernels().usual_tile(missing()) : options.tile),
        kernel_(kernels().compare(packed_.operation, missing(), tile_)),
        attributes_a_step_(options.attributes == 0 ? usual_attributes() : options.attributes) {
    require_compiled(kernel_ != nullptr, tile_);
  }

  void compare(const BlockPlace& place, const BlockBuffer& buffer) const override {
    kernel_({.codes = reinterpret_cast<const u8*>(packed_.codes.data()),
             .values = reinterpret_cast<const u8*>(packed_.values.data()),
             .row_bytes = packed_.row_bytes,
             .pitch = packed_.pitch,
             .attributes_a_step = attributes_a_step_,
             .vectors_a_sum =
                 packed_.operation == ByteOperation::square ? 255 : std::max(255 / packed_.largest, 1u),
             .place = place,
             .buffer = buffer});
  }

  BlockWriter writer() const override { return kernels().write; }

  nlohmann::json facts() const override {
    return {{"highway_target", dispatched_.target},
            {"vector_bytes", kernels().bytes},
            {"tile_used", tile_name(tile_)},
            {"attributes_a_step", attributes_a_step_},
            {"packed_bytes", packed_bytes()}};
  }

  u64 packed_bytes() const override { return packed_.codes.size() + packed_.values.size(); }

  std::optional<Instructions> instructions(double pairs) const override {
    // Squares are multiplied, of which there is no probe.
    if (dispatched_.instruction_set.empty() || packed_.operation == ByteOperation::square)
      return std::nullopt;
    Instructions instructions{.operations = operations_of_vector(packed_.operation, missing(), tile_),
                              .target = dispatched_.instruction_set};
    const double vectors = pairs * static_cast<double>(packed_.row_bytes) / kernels().bytes;
    for (auto& [name, count] : instructions.operations) count *= vectors;
    return instructions;
  }

 private:
  const ByteKernels& kernels() const { return dispatched_.kernels; }
  bool missing() const { return packed_.values.size() > 0; }
  /// So that a tile's columns stay in the first cache while the rows of a block pass.
  u64 usual_attributes() const {
    constexpr u64 kCacheBytes = 16 << 10;
    const u64 arrays = missing() ? 2 : 1;
    return std::max<u64>(kCacheBytes / (arrays * tile_.columns) / kByteRow, 1) * kByteRow;
  }

  Dispatched<ByteKernels> dispatched_;
  PackedBytes packed_;
  TileShape tile_;
  ByteKernel kernel_;
  u64 attributes_a_step_;
};

}  // namespace

PackedBytes pack_bytes(const Instances& instances, Metric metric) {
  const u64 row_bytes = (instances.attributes + kByteRow - 1) / kByteRow * kByteRow;
  const u64 pitch = (row_bytes / kByteRow | 1) * kByteRow;
  const u64 rows = (instances.count + kInstancePadding - 1) / kInstancePadding * kInstancePadding;
  require_host_memory(pitch * rows * (instances.has_missing() ? 2 : 1), "the codes of all instances");
  PackedBytes packed{.operation = operation_of(metric, instances.alphabet),
                     .largest = std::max(largest_value_distance(metric, instances.alphabet), 1u),
                     .row_bytes = row_bytes,
                     .pitch = pitch,
                     .codes = HugeBuffer(std::max<u64>(pitch * rows, 1)),
                     .values = {}};
  u8* const codes = reinterpret_cast<u8*>(packed.codes.data());
  for (u64 i = 0; i < instances.count; ++i) std::ranges::copy(instances.row(i), codes + i * pitch);
  if (!instances.has_missing()) return packed;
  packed.values = HugeBuffer(std::max<u64>(pitch * rows, 1));
  u8* const values = reinterpret_cast<u8*>(packed.values.data());
  for (u64 i = 0; i < instances.count; ++i)
    for (u64 k = 0; k < instances.attributes; ++k)
      values[i * pitch + k] = instances.is_missing(i, k) ? 0 : 255;
  return packed;
}

Needs byte_needs(const KnownData& data, const ComparerOptions& options) {
  const std::string target = byte_kernels(options.target).instruction_set;
  if (target.empty()) return {.reason_for_none = "this processor's vectors have no probe"};
  const ByteOperation operation = operation_of(data.metric, data.alphabet == 0 ? 1 : data.alphabet);
  if (operation == ByteOperation::square)
    return {.reason_for_none = "squares are multiplied, of which there is no probe"};
  const bool missing = data.missing || data.alphabet == 0;
  return {.operations = names_of(operations_of_vector(operation, missing, {1, 1})), .target = target};
}

std::unique_ptr<BlockComparer> make_byte_comparer(const DistanceProblem& problem,
                                                  const ComparerOptions& options) {
  return std::make_unique<ByteComparer>(problem, options);
}

}  // namespace gpuseq::pairwise_distance
