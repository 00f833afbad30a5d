#include "kernels/pairwise_distance/data/bit_planes.hpp"

#include <bit>
#include <cstring>
#include <span>

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

// Processes eight codes at a time, one byte each, the first lowest.
static_assert(std::endian::native == std::endian::little);
constexpr u64 kCodesAtOnce = sizeof(u64);
constexpr u64 kOnes = 0x0101010101010101;

/// Up to eight bytes of a row, 0 beyond its end.
u64 eight(std::span<const u8> row, u64 at) {
  u64 bytes = 0;
  if (at + kCodesAtOnce <= row.size())
    std::memcpy(&bytes, row.data() + at, kCodesAtOnce);
  else
    std::memcpy(&bytes, row.data() + at, row.size() - at);
  return bytes;
}

/// 1 in the bytes of attributes from `at` on that have a value.
u64 values_there(const Instances& instances, u64 instance, u64 at) {
  const u64 left = instances.attributes - at;
  const u64 within = left >= kCodesAtOnce ? kOnes : kOnes & ((u64{1} << (8 * left)) - 1);
  if (!instances.has_missing()) return within;
  const std::span row(instances.missing.data() + instance * instances.attributes, instances.attributes);
  return within & ~eight(row, at);
}

/// Gathers the lowest bits of eight bytes in one byte: the products that reach its bits do not overlap.
u64 gather(u64 bytes) {
  return (bytes & kOnes) * 0x0102040810204080 >> 56;
}

/// Sets the bits of all existing values. bits_of(codes, plane) returns the bits of eight codes, each in the
/// lowest bit of its byte.
template <class BitsOf>
void fill(BitPlanes& planes, const Instances& instances, BitsOf bits_of) {
  for (u64 i = 0; i < instances.count; ++i) {
    u64* const row = planes.words.data() + i * planes.planes * planes.row_words;
    for (u64 at = 0; at < instances.attributes; at += kCodesAtOnce) {
      const u64 codes = eight(instances.row(i), at), there = values_there(instances, i, at);
      for (u32 plane = 0; plane < planes.planes; ++plane)
        row[plane * planes.row_words + at / kWordBits] |= gather(bits_of(codes, plane) & there)
                                                          << (at % kWordBits);
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
  BitPlanes planes = empty_planes(instances, binary_digits(instances.alphabet), align_words);
  fill(planes, instances, [](u64 codes, u32 digit) { return codes >> digit; });
  return planes;
}

BitPlanes present_plane(const Instances& instances, u64 align_words) {
  BitPlanes planes = empty_planes(instances, 1, align_words);
  fill(planes, instances, [](u64, u32) { return kOnes; });
  return planes;
}

}  // namespace gpuseq::pairwise_distance
