#include "kernels/pairwise_distance/cuda/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/contract/errors.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Attributes of a part are a multiple of this, so that the parts together have no more
/// pieces than the whole.
constexpr u64 kAttributeStep = 1024;
/// Side of a part, in instances, from which computing takes longer than copying.
constexpr u64 kGoodSide = 4096;
constexpr u64 kAlignment = 256;

/// The largest number up to `most` that fits; 0: none. @pre all numbers below one that fits do too
u64 largest(u64 most, auto fits) {
  u64 found = 0, beyond = most + 1;
  while (found + 1 < beyond) {
    const u64 middle = (found + beyond) / 2;
    (fits(middle) ? found : beyond) = middle;
  }
  return found;
}

/// Rows and columns of parts are multiples of this.
u64 part_unit(const TilePolicy& policy) {
  return std::max(policy.block_rows(), policy.block_columns());
}

u64 part_bytes(const TilePolicy& policy, const KnownData& data, const PartSizes& sizes) {
  return part_memory(policy, data, sizes).bytes();
}

/// The largest side of square parts that fit the memory, a multiple of `unit`; 0: none.
u64 largest_side(const TilePolicy& policy, const KnownData& data, u64 attributes, u64 bytes, u64 unit) {
  return unit * largest(rounded(data.instances, unit) / unit, [&](u64 units) {
           const u64 side = units * unit;
           return part_bytes(policy, data, {.rows = side, .columns = side, .attributes = attributes}) <=
                  bytes;
         });
}

/// The least multiple of `unit` that divides `all` into no more parts than `most` does, itself a multiple.
u64 evenly(u64 all, u64 most, u64 unit) {
  const u64 parts = (all + most - 1) / most;
  return rounded((all + parts - 1) / parts, unit);
}

}  // namespace

InputLayout::InputLayout(const PartSizes& sizes, const std::vector<u32>& row_pieces) {
  const auto take = [&](u64 of) {
    const u64 place = bytes;
    bytes += rounded(of, kAlignment);
    return place;
  };
  for (const u32 pieces : row_pieces) {
    const u64 row_bytes = u64{pieces} * kPieceBytes;
    InputPlace place;
    place.left = take(sizes.rows * row_bytes);
    place.right = take(sizes.columns * row_bytes);
    place.row_norms = take(sizes.rows * sizeof(u32));
    place.column_norms = take(sizes.columns * sizeof(u32));
    passes.push_back(place);
  }
}

HeldMemory part_memory(const TilePolicy& policy, const KnownData& data, const PartSizes& sizes) {
  KnownData of_part = data;
  of_part.attributes = std::min(data.attributes, sizes.attributes);
  const u64 matrices = data.missing ? 2 : 1;
  const u64 output = sizes.rows * sizes.columns * sizeof(u32) * matrices;
  const u64 tiles = sizes.rows / policy.block_rows() * (sizes.columns / policy.block_columns()) * sizeof(u32);
  // Parts at the edges have their own lists of tiles.
  return HeldMemory()
      .add("instances", kPartsUnderWay * InputLayout(sizes, row_pieces_of(policy, of_part)).bytes)
      .add(kOutputPart, kPartsUnderWay * output)
      .add(kWorkspacePart, 4 * tiles);
}

HeldMemory most_part_memory(const TilePolicy& policy, const KnownData& data, u64 limit_bytes) {
  const u64 rows = rounded(data.instances, part_unit(policy));
  HeldMemory held = part_memory(policy, data, {.rows = rows, .columns = rows, .attributes = data.attributes});
  const u64 all = held.bytes();
  if (all <= limit_bytes) return held;
  // The host's free memory determines how the parts share the limit.
  const double share = static_cast<double>(limit_bytes) / static_cast<double>(all);
  for (auto& [part, bytes] : held.parts) bytes = static_cast<u64>(share * static_cast<double>(bytes)) + 1;
  return held;
}

PartSizes choose_parts(const TilePolicy& policy, const KnownData& data, u64 bytes, u64 most_rows) {
  const u64 unit = part_unit(policy);
  const u64 good = std::min(rounded(data.instances, unit), kGoodSide);
  u64 attributes = rounded(data.attributes, kAttributeStep);
  u64 side = largest_side(policy, data, attributes, bytes, unit);
  while (side < good && attributes > kAttributeStep) {
    attributes = rounded(attributes / 2, kAttributeStep);
    side = largest_side(policy, data, attributes, bytes, unit);
  }
  if (side == 0)
    throw DoesNotFit(fmt::format(
        "parts of {0} x {0} instances by {1} attributes take {2} bytes, allowed: {3}", unit, attributes,
        part_bytes(policy, data, {.rows = unit, .columns = unit, .attributes = attributes}), bytes));
  const u64 high = std::clamp(most_rows / unit * unit, unit, side);
  PartSizes sizes{.rows = evenly(data.instances, high, unit),
                  .columns = evenly(data.instances, side, unit),
                  .attributes = attributes};
  // Smaller parts may leave space for more attributes.
  const u64 steps = largest(rounded(data.attributes, kAttributeStep) / kAttributeStep, [&](u64 count) {
    sizes.attributes = count * kAttributeStep;
    return part_bytes(policy, data, sizes) <= bytes;
  });
  sizes.attributes = evenly(data.attributes, steps * kAttributeStep, kAttributeStep);
  return sizes;
}

Instances attributes_of(const Instances& instances, u64 first, u64 count) {
  Instances some{.count = instances.count,
                 .attributes = std::min(count, instances.attributes - first),
                 .alphabet = instances.alphabet};
  const auto take = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    to.resize(some.values());
    for (u64 i = 0; i < some.count; ++i)
      std::copy_n(from.data() + i * instances.attributes + first, some.attributes,
                  to.data() + i * some.attributes);
  };
  take(instances.codes, some.codes);
  take(instances.missing, some.missing);
  take(instances.reals, some.reals);
  return some;
}

std::vector<std::vector<EncodedPass>> encode_slices(const TilePolicy& policy, const Instances& instances,
                                                    Metric metric, u64 attributes, ThreadPool& pool) {
  const KnownData data = known_data(instances, metric);
  u64 row_bytes = 0;
  for (const u32 pieces : row_pieces_of(policy, data)) row_bytes += 2 * u64{pieces} * kPieceBytes;
  require_host_memory(instances.count * row_bytes, "instances as a device reads them");
  std::vector<std::vector<EncodedPass>> slices;
  if (attributes >= instances.attributes) {
    slices.push_back(encode(policy, instances, metric, pool));
    return slices;
  }
  for (u64 first = 0; first < instances.attributes; first += attributes)
    slices.push_back(encode(policy, attributes_of(instances, first, attributes), metric, pool));
  return slices;
}

}  // namespace gpuseq::pairwise_distance
