// `floats`: a 32-bit floating point number for each attribute, a vector of attributes of two instances
// compared at a time. What real values need; codes are whole numbers, whose sums are exact.
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

/// Without what has no probe: minima, and masks of what is missing.
std::map<std::string, double> operations_of_vector(FloatOperation operation, TileShape tile) {
  const bool squares = operation == FloatOperation::square || operation == FloatOperation::root;
  std::map<std::string, double> operations{
      {"load", static_cast<double>(tile.rows + tile.columns) / (tile.rows * tile.columns)},
      {"add_f32", squares ? 1 : 2}};
  if (squares) operations["fma_f32"] = 1;
  return operations;
}

class FloatComparer final : public BlockComparer {
 public:
  FloatComparer(const DistanceProblem& problem, const ComparerOptions& options)
      : dispatched_(float_kernels(options.target)),
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
            {"packed_bytes", packed_bytes()}};
  }

  u64 packed_bytes() const override { return packed_.values.size(); }

  std::optional<Instructions> instructions(double pairs) const override {
    if (dispatched_.instruction_set.empty()) return std::nullopt;
    Instructions instructions{.operations = operations_of_vector(packed_.operation, tile_),
                              .target = dispatched_.instruction_set};
    const double vectors = pairs * static_cast<double>(packed_.row_floats) / kernels().lanes;
    for (auto& [name, count] : instructions.operations) count *= vectors;
    return instructions;
  }

 private:
  const FloatKernels& kernels() const { return dispatched_.kernels; }
  /// So that a tile's columns stay in the first cache while the rows of a block pass.
  u64 usual_attributes() const {
    constexpr u64 kCacheBytes = 16 << 10;
    return kCacheBytes / sizeof(float) / tile_.columns / kFloatRow * kFloatRow;
  }
  /// So that what a lane adds up of codes is exact.
  u64 most_attributes() const {
    if (packed_.operation == FloatOperation::root) return std::numeric_limits<u64>::max();
    return kMostExact / packed_.largest * kernels().lanes / kFloatRow * kFloatRow;
  }

  Dispatched<FloatKernels> dispatched_;
  PackedFloats packed_;
  TileShape tile_;
  FloatKernel kernel_;
  u64 attributes_a_step_;
};

}  // namespace

PackedFloats pack_floats(const Instances& instances, Metric metric) {
  const u64 row_floats = (instances.attributes + kFloatRow - 1) / kFloatRow * kFloatRow;
  const u64 pitch = (row_floats / kFloatRow | 1) * kFloatRow;
  const u64 rows = (instances.count + kInstancePadding - 1) / kInstancePadding * kInstancePadding;
  const u64 bytes = pitch * rows * sizeof(float);
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

Needs float_needs(const KnownData& data, const ComparerOptions& options) {
  const std::string target = float_kernels(options.target).instruction_set;
  if (target.empty()) return {.reason_for_none = "this processor's vectors have no probe"};
  return {.operations = names_of(operations_of_vector(operation_of(data.metric), {1, 1})), .target = target};
}

std::unique_ptr<BlockComparer> make_float_comparer(const DistanceProblem& problem,
                                                   const ComparerOptions& options) {
  return std::make_unique<FloatComparer>(problem, options);
}

}  // namespace gpuseq::pairwise_distance
