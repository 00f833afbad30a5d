#pragma once

#include "kernels/pairwise_distance/cuda/encoding.hpp"

// Data that exceed a device's memory are processed in parts: some rows by some columns of the matrix, with
// some attributes at a time.

namespace gpuseq::pairwise_distance {

/// The largest parts. Rows and columns are whole tiles.
struct PartSizes {
  u64 rows = 0, columns = 0, attributes = 0;
  bool operator==(const PartSizes&) const = default;
};

/// Number of concurrent parts: one is copied while another is computed.
inline constexpr u64 kPartsUnderWay = 2;

/// Offsets of a launch's instances in device memory: for each pass the rows, the columns, and their norms.
struct InputPlace {
  u64 left = 0, right = 0, row_norms = 0, column_norms = 0;  // in bytes
};
/// @param row_pieces  of each pass
struct InputLayout {
  InputLayout(const PartSizes& sizes, const std::vector<u32>& row_pieces);
  std::vector<InputPlace> passes;
  u64 bytes = 0;
};

/// The device memory of parts of these sizes.
HeldMemory part_memory(const TilePolicy& policy, const KnownData& data, const PartSizes& sizes);
/// An upper estimate of the memory of parts within a limit.
HeldMemory most_part_memory(const TilePolicy& policy, const KnownData& data, u64 limit_bytes);

/// Sizes with as few parts as fit the memory, square unless `most_rows` is less; with fewer attributes if the
/// parts would be so small that copying instances takes longer than computing. The same number of parts could
/// not be smaller, except for rounding to whole tiles.
/// @param policy  not half
/// @param most_rows  of a part
/// @throws DoesNotFit if the memory is too small for the smallest parts
PartSizes choose_parts(const TilePolicy& policy, const KnownData& data, u64 bytes, u64 most_rows);

/// Some attributes of all instances. If any value is missing, the result has `missing`, also if its
/// attributes lack none.
Instances attributes_of(const Instances& instances, u64 first, u64 count);

/// encode() for slices of `attributes` attributes.
std::vector<std::vector<EncodedPass>> encode_slices(const TilePolicy& policy, const Instances& instances,
                                                    Metric metric, u64 attributes, ThreadPool& pool);

}  // namespace gpuseq::pairwise_distance
