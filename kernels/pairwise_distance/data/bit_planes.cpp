#include "kernels/pairwise_distance/data/bit_planes.hpp"

#include <bit>

namespace gpuseq::pairwise_distance {
namespace {

constexpr u64 kWordBits = 64;

BitPlanes empty_planes(const Instances& instances, u32 planes, u64 align_words) {
  const u64 words = words_of(instances.attributes);
  const u64 row_words = (words + align_words - 1) / align_words * align_words;
  return {.planes = planes,
          .row_words = row_words,
          .count = instances.count,
          .words = std::vector<u64>(instances.count * planes * row_words)};
}

/// Sets the bits of every value that there is; planes_of(code) has a bit for each plane.
template <class PlanesOf>
void fill(BitPlanes& planes, const Instances& instances, PlanesOf planes_of) {
  for (u64 i = 0; i < instances.count; ++i) {
    u64* row = planes.words.data() + i * planes.planes * planes.row_words;
    for (u64 k = 0; k < instances.attributes; ++k) {
      if (instances.is_missing(i, k)) continue;
      planes_of(instances.codes[i * instances.attributes + k], [&](u32 plane) {
        row[plane * planes.row_words + k / kWordBits] |= u64{1} << (k % kWordBits);
      });
    }
  }
}

}  // namespace

u32 binary_digits(u32 alphabet) {
  return alphabet < 2 ? 1 : static_cast<u32>(std::bit_width(alphabet - 1));
}

u64 words_of(u64 attributes) {
  return (attributes + kWordBits - 1) / kWordBits;
}

BitPlanes binary_planes(const Instances& instances, u64 align_words) {
  const u32 digits = binary_digits(instances.alphabet);
  BitPlanes planes = empty_planes(instances, digits, align_words);
  fill(planes, instances, [&](u8 code, auto set) {
    for (u32 digit = 0; digit < digits; ++digit)
      if ((code >> digit & 1) != 0) set(digit);
  });
  return planes;
}

BitPlanes one_hot_planes(const Instances& instances, u64 align_words) {
  BitPlanes planes = empty_planes(instances, instances.alphabet, align_words);
  fill(planes, instances, [](u8 code, auto set) { set(u32{code}); });
  return planes;
}

BitPlanes present_plane(const Instances& instances, u64 align_words) {
  BitPlanes planes = empty_planes(instances, 1, align_words);
  fill(planes, instances, [](u8, auto set) { set(0u); });
  return planes;
}

}  // namespace gpuseq::pairwise_distance
