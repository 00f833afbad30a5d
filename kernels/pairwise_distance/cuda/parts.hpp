#pragma once

#include "kernels/pairwise_distance/cuda/encoding.hpp"

// What a device's memory does not hold goes through it in parts: some rows by some columns of the matrix, by
// some attributes at a time.

namespace gpuseq::pairwise_distance {

/// The largest parts. Rows and columns are whole tiles.
struct PartSizes {
  u64 rows = 0, columns = 0, attributes = 0;
  bool operator==(const PartSizes&) const = default;
};

/// How many parts are under way: one is copied while another is computed.
inline constexpr u64 kPartsUnderWay = 2;

/// Bytes of a launch's instances as they lie one after the other on the device: those of the rows, of the
/// columns, and their norms, of each pass.
struct InputPlace {
  u64 left = 0, right = 0, row_norms = 0, column_norms = 0;  // from the beginning
};
/// @param row_pieces  of each pass
struct InputLayout {
  InputLayout(const PartSizes& sizes, const std::vector<u32>& row_pieces);
  std::vector<InputPlace> passes;
  u64 bytes = 0;
};

/// The device memory of parts of these sizes.
HeldMemory part_memory(const TilePolicy& policy, const KnownData& data, const PartSizes& sizes);
/// An upper estimate of the memory of parts that keep to a limit.
HeldMemory most_part_memory(const TilePolicy& policy, const KnownData& data, u64 limit_bytes);

/// As few parts as memory holds, square unless `most_rows` is less; of fewer attributes where they would be
/// so small that copies of instances take longer than what is computed of them. As many parts could not be
/// smaller, up to whole tiles.
/// @param policy  not half
/// @param most_rows  of a part
/// @throws DoesNotFit if the memory does not hold the smallest
PartSizes choose_parts(const TilePolicy& policy, const KnownData& data, u64 bytes, u64 most_rows);

/// Some attributes of all instances: where any value is missing, also of attributes that lack none.
Instances attributes_of(const Instances& instances, u64 first, u64 count);

/// What encode() makes of each some attributes.
std::vector<std::vector<EncodedPass>> encode_slices(const TilePolicy& policy, const Instances& instances,
                                                    Metric metric, u64 attributes, ThreadPool& pool);

}  // namespace gpuseq::pairwise_distance
