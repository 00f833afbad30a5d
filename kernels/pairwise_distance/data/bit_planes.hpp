#pragma once

#include <vector>

#include "kernels/pairwise_distance/data/instances.hpp"

namespace gpuseq::pairwise_distance {

/// One bit of every value in each plane, for population counts. Bits after the last attribute
/// are 0 in every plane.
struct BitPlanes {
  u32 planes = 0;
  u64 row_words = 0;  // 64-bit words of an instance's row in one plane; a multiple of `align_words`
  u64 count = 0;
  std::vector<u64> words;  // [count][planes][row_words]; bit k of a row: attribute k

  const u64* row(u64 instance, u32 plane) const {
    return words.data() + (instance * planes + plane) * row_words;
  }
};

/// Binary digits of an alphabet's codes, at least one.
u32 binary_digits(u32 alphabet);
/// Words of a row of attributes without alignment.
u64 words_of(u64 attributes);

/// Planes p = 0 ... of the codes' binary digits: as few as the alphabet needs (2 for three symbols). Missing
/// values are 0 in all planes.
BitPlanes binary_planes(const Instances& instances, u64 align_words);
/// One plane: 1 for existing values.
BitPlanes present_plane(const Instances& instances, u64 align_words);

}  // namespace gpuseq::pairwise_distance
