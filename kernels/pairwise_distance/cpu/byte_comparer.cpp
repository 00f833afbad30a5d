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
  // Sums and differences do not saturate, as add_s16; those of the probe add_u8 do, in fewer units of some
  // CPUs.
  std::map<std::string, double> operations{
      {"min_u8", 1}, {"add_s16", 1 + masks + (differ ? 0 : 1)}, {"load", loads}};
  operations[differ ? "xor" : "max_u8"] = 1;
  if (missing) operations["and"] = 2;
  if (operation == ByteOperation::table) operations["shuffle_u8"] = 1;
  return operations;
}

/// Bytes of a row that are compared, and from one row to the next.
u64 row_bytes_of(u64 attributes) {
  return (attributes + kByteRow - 1) / kByteRow * kByteRow;
}
u64 pitch_of(u64 attributes) {
  return (row_bytes_of(attributes) / kByteRow | 1) * kByteRow;
}
/// Codes of all instances.
u64 codes_bytes(u64 instances, u64 attributes) {
  return std::max<u64>(pitch_of(attributes) * padded_instances(instances), 1);
}

Cost cost_of(const Dispatched<ByteKernels>& dispatched, ByteOperation operation, const KnownData& data,
             TileShape tile, double pairs) {
  Cost cost;
  if (data.instances > 0)
    cost.held.add("instances", codes_bytes(data.instances, data.attributes) * (data.missing ? 2 : 1));
  if (dispatched.instruction_set.empty()) {
    cost.why_no_bound = kNoProbeOfTarget;
  } else if (operation == ByteOperation::square) {
    cost.why_no_bound = "squares are multiplied, of which there is no probe";
  } else {
    cost.instructions = {.operations = operations_of_vector(operation, data.missing, tile),
                         .target = dispatched.instruction_set};
    const double vectors =
        pairs * static_cast<double>(row_bytes_of(data.attributes)) / dispatched.kernels.bytes;
    for (auto& [name, count] : cost.instructions->operations) count *= vectors;
  }
  return cost;
}

class ByteComparer final : public BlockComparer {
 public:
  ByteComparer(const DistanceProblem& problem, const ComparerOptions& options)
      : dispatched_(byte_kernels(options.target)),
        data_(known_data(problem.instances(), problem.metric())),
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
            {"packed_bytes", packed_.codes.size() + packed_.values.size()}};
  }

  Cost cost(double pairs) const override {
    return cost_of(dispatched_, packed_.operation, data_, tile_, pairs);
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
  KnownData data_;
  PackedBytes packed_;
  TileShape tile_;
  ByteKernel kernel_;
  u64 attributes_a_step_;
};

}  // namespace

PackedBytes pack_bytes(const Instances& instances, Metric metric) {
  const u64 pitch = pitch_of(instances.attributes);
  const u64 bytes = codes_bytes(instances.count, instances.attributes);
  require_host_memory(bytes * (instances.has_missing() ? 2 : 1), "the codes of all instances");
  PackedBytes packed{.operation = operation_of(metric, instances.alphabet),
                     .largest = std::max(largest_value_distance(metric, instances.alphabet), 1u),
                     .row_bytes = row_bytes_of(instances.attributes),
                     .pitch = pitch,
                     .codes = HugeBuffer(bytes),
                     .values = {}};
  u8* const codes = reinterpret_cast<u8*>(packed.codes.data());
  for (u64 i = 0; i < instances.count; ++i) std::ranges::copy(instances.row(i), codes + i * pitch);
  if (!instances.has_missing()) return packed;
  packed.values = HugeBuffer(bytes);
  u8* const values = reinterpret_cast<u8*>(packed.values.data());
  for (u64 i = 0; i < instances.count; ++i)
    for (u64 k = 0; k < instances.attributes; ++k)
      values[i * pitch + k] = instances.is_missing(i, k) ? 0 : 255;
  return packed;
}

Cost byte_cost(const KnownData& data, const ComparerOptions& options, double pairs) {
  const Dispatched<ByteKernels> dispatched = byte_kernels(options.target);
  const KnownData most = with_possible_missing(data);
  const ByteOperation operation = operation_of(data.metric, std::max(data.alphabet, 1u));
  const TileShape tile =
      options.tile == TileShape{} ? dispatched.kernels.usual_tile(most.missing) : options.tile;
  require_compiled_for(data, tile, [&](bool missing) {
    return dispatched.kernels.compare(operation, missing, tile) != nullptr;
  });
  return cost_of(dispatched, operation, most, tile, pairs);
}

std::unique_ptr<BlockComparer> make_byte_comparer(const DistanceProblem& problem,
                                                  const ComparerOptions& options) {
  return std::make_unique<ByteComparer>(problem, options);
}

}  // namespace gpuseq::pairwise_distance
