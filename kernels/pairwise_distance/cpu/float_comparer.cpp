// `floats`: a 32-bit floating point number for each attribute, a vector of attributes of two instances
// compared at a time. Real values need it; codes are whole numbers, whose sums are exact.
//
// A vector of attributes and a pair take a difference and a fused multiplication and sum, and for 4 rows by 4
// columns half of a load.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernels/pairwise_distance/cpu/floats.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Whole numbers up to this are exact.
constexpr u64 kMostExact = 1 << 24;

FloatOperation operation_of(Metric metric) {
  switch (metric) {
    case Metric::hamming:
      return FloatOperation::differ;
    case Metric::squared_euclidean:
      return FloatOperation::square;
    case Metric::euclidean:
      return FloatOperation::root;
    default:
      return FloatOperation::absolute;
  }
}

/// Without operations that have no probe: minima, and masks of missing values.
std::map<std::string, double> operations_of_vector(FloatOperation operation, TileShape tile) {
  const bool squares = operation == FloatOperation::square || operation == FloatOperation::root;
  std::map<std::string, double> operations{
      {"load", static_cast<double>(tile.rows + tile.columns) / (tile.rows * tile.columns)},
      {"add_f32", squares ? 1 : 2}};
  if (squares) operations["fma_f32"] = 1;
  return operations;
}

/// Floats of a row that are compared, and from one row to the next.
u64 row_floats_of(u64 attributes) {
  return (attributes + kFloatRow - 1) / kFloatRow * kFloatRow;
}
u64 pitch_of(u64 attributes) {
  return (row_floats_of(attributes) / kFloatRow | 1) * kFloatRow;
}
u64 values_bytes(u64 instances, u64 attributes) {
  return pitch_of(attributes) * padded_instances(instances) * sizeof(float);
}

Cost cost_of(const Dispatched<FloatKernels>& dispatched, const KnownData& data, TileShape tile,
             double pairs) {
  Cost cost;
  cost.held.add("instances", values_bytes(data.instances, data.attributes));
  if (dispatched.instruction_set.empty()) {
    cost.why_no_bound = kNoProbeOfTarget;
    return cost;
  }
  cost.instructions = {.operations = operations_of_vector(operation_of(data.metric), tile),
                       .target = dispatched.instruction_set};
  const double vectors =
      pairs * static_cast<double>(row_floats_of(data.attributes)) / dispatched.kernels.lanes;
  for (auto& [name, count] : cost.instructions->operations) count *= vectors;
  return cost;
}

class FloatComparer final : public BlockComparer {
 public:
  FloatComparer(const DistanceProblem& problem, const ComparerOptions& options)
      : dispatched_(float_kernels(options.target)),
        data_(known_data(problem.instances(), problem.metric())),
        packed_(pack_floats(problem.instances(), problem.metric())),
        tile_(options.tile == TileShape{} ? kernels().usual_tile(packed_.missing) : options.tile),
        kernel_(kernels().compare(packed_.operation, packed_.missing, tile_)),
        attributes_a_step_(
            std::min(options.attributes == 0 ? usual_attributes() : options.attributes, most_attributes())) {
    require_compiled(kernel_ != nullptr, tile_);
  }

  void compare(const BlockPlace& place, const BlockBuffer& buffer) const override {
    kernel_({.values = reinterpret_cast<const float*>(packed_.values.data()),
             .row_floats = packed_.row_floats,
             .pitch = packed_.pitch,
             .attributes_a_step = attributes_a_step_,
             .place = place,
             .buffer = buffer});
  }

  BlockWriter writer() const override { return kernels().write; }

  nlohmann::json facts() const override {
    return {{"highway_target", dispatched_.target},
            {"lanes", kernels().lanes},
            {"tile_used", tile_name(tile_)},
            {"attributes_a_step", attributes_a_step_},
            {"packed_bytes", packed_.values.size()}};
  }

  Cost cost(double pairs) const override { return cost_of(dispatched_, data_, tile_, pairs); }

 private:
  const FloatKernels& kernels() const { return dispatched_.kernels; }
  /// So that a tile's columns stay in the first cache while the rows of a block pass.
  u64 usual_attributes() const {
    constexpr u64 kCacheBytes = 16 << 10;
    return kCacheBytes / sizeof(float) / tile_.columns / kFloatRow * kFloatRow;
  }
  /// So that the sum of codes in a lane is exact.
  u64 most_attributes() const {
    if (packed_.operation == FloatOperation::root) return std::numeric_limits<u64>::max();
    return kMostExact / packed_.largest * kernels().lanes / kFloatRow * kFloatRow;
  }

  Dispatched<FloatKernels> dispatched_;
  KnownData data_;
  PackedFloats packed_;
  TileShape tile_;
  FloatKernel kernel_;
  u64 attributes_a_step_;
};

}  // namespace

PackedFloats pack_floats(const Instances& instances, Metric metric) {
  const u64 row_floats = row_floats_of(instances.attributes), pitch = pitch_of(instances.attributes);
  const u64 bytes = values_bytes(instances.count, instances.attributes);
  require_host_memory(bytes, "the values of all instances");
  PackedFloats packed{.operation = operation_of(metric),
                      .largest = std::max(largest_value_distance(metric, instances.alphabet), 1u),
                      .missing = instances.has_missing(),
                      .row_floats = row_floats,
                      .pitch = pitch,
                      .values = HugeBuffer(bytes)};
  float* const values = reinterpret_cast<float*>(packed.values.data());
  for (u64 i = 0; i < instances.count; ++i) {
    float* const row = values + i * pitch;
    if (instances.is_real())
      std::ranges::copy(instances.real_row(i), row);
    else
      std::ranges::copy(instances.row(i), row);
    for (u64 k = 0; k < row_floats && packed.missing; ++k)
      if (k >= instances.attributes || instances.is_missing(i, k))
        row[k] = std::numeric_limits<float>::quiet_NaN();
  }
  return packed;
}

Cost float_cost(const KnownData& data, const ComparerOptions& options, double pairs) {
  const Dispatched<FloatKernels> dispatched = float_kernels(options.target);
  const KnownData most = with_possible_missing(data);
  const TileShape tile =
      options.tile == TileShape{} ? dispatched.kernels.usual_tile(most.missing) : options.tile;
  require_compiled_for(data, tile, [&](bool missing) {
    return dispatched.kernels.compare(operation_of(data.metric), missing, tile) != nullptr;
  });
  return cost_of(dispatched, most, tile, pairs);
}

std::unique_ptr<BlockComparer> make_float_comparer(const DistanceProblem& problem,
                                                   const ComparerOptions& options) {
  return std::make_unique<FloatComparer>(problem, options);
}

}  // namespace gpuseq::pairwise_distance
