#include <algorithm>
#include <bit>

#include "kernels/pairwise_distance/cpu/planes.hpp"
#include "kernels/pairwise_distance/data/bit_planes.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Codes 0, 1, 2 as 00, 01, 11.
BitPlanes unary_planes(const Instances& instances) {
  const BitPlanes digits = binary_planes(instances, 1);
  BitPlanes unary = digits;
  for (u64 i = 0; i < digits.count; ++i)
    for (u64 w = 0; w < digits.row_words; ++w) {
      u64* const row = unary.words.data() + i * digits.planes * digits.row_words;
      row[w] = digits.row(i, 0)[w] | digits.row(i, 1)[w];
    }
  return unary;
}

u32 stored_planes(u32 planes) {
  return *std::ranges::lower_bound(kComparedPlanes, planes);
}

/// Puts one plane of all instances to its place among the stored.
void place(const BitPlanes& from, u32 plane, u32 as, PackedPlanes& packed) {
  u64* const words = reinterpret_cast<u64*>(packed.words.data());
  for (u64 i = 0; i < from.count; ++i)
    for (u64 w = 0; w < packed.row_words; ++w)
      words[((i / kGroup * packed.row_words + w) * packed.stored() + as) * kGroup + i % kGroup] =
          from.row(i, plane)[w];
}

}  // namespace

bool has_planes(Metric metric, u32 alphabet) {
  return metric == Metric::hamming || alphabet <= 3;
}

PackedPlanes pack_planes(const Instances& instances, Metric metric) {
  // Two symbols have the same distance in every metric.
  const bool digits = metric == Metric::hamming || instances.alphabet < 3;
  const BitPlanes planes = digits ? binary_planes(instances, 1) : unary_planes(instances);
  PackedPlanes packed{.scheme = digits                                ? PlaneScheme::any
                                : metric == Metric::squared_euclidean ? PlaneScheme::square
                                                                      : PlaneScheme::sum,
                      .planes = stored_planes(planes.planes),
                      .missing = instances.has_missing(),
                      .row_words = planes.row_words,
                      .words = {}};
  const u64 padded = (instances.count + kInstancePadding - 1) / kInstancePadding * kInstancePadding;
  const u64 bytes = padded * packed.row_words * packed.stored() * sizeof(u64);
  require_host_memory(bytes, "the planes of all instances");
  packed.words = HugeBuffer(std::max<u64>(bytes, 1));
  for (u32 plane = 0; plane < planes.planes; ++plane) place(planes, plane, plane, packed);
  if (packed.missing) place(present_plane(instances, 1), 0, packed.planes, packed);
  return packed;
}

}  // namespace gpuseq::pairwise_distance
