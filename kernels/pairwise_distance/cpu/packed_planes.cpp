#include <fmt/format.h>

#include <algorithm>

#include "kernels/pairwise_distance/cpu/planes.hpp"
#include "kernels/pairwise_distance/data/bit_planes.hpp"
#include "kernels/pairwise_distance/require_codes.hpp"
#include "runtime/contract/unsupported.hpp"
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
  for (const u32 compared : kComparedPlanes)
    if (compared >= planes) return compared;
  return std::end(kComparedPlanes)[-1];  // no alphabet has more
}

/// Puts one plane of all instances to its place among the stored.
void place(const BitPlanes& from, u32 plane, u32 as, PackedPlanes& packed) {
  u64* const words = reinterpret_cast<u64*>(packed.words.data());
  const PlaneShape& shape = packed.shape;
  for (u64 i = 0; i < from.count; ++i)
    for (u64 w = 0; w < shape.row_words; ++w)
      words[((i / kGroup * shape.row_words + w) * shape.stored() + as) * kGroup + i % kGroup] =
          from.row(i, plane)[w];
}

/// Two symbols have the same distance in every metric.
bool has_digits(Metric metric, u32 alphabet) {
  return metric == Metric::hamming || alphabet < 3;
}

}  // namespace

PlaneShape plane_shape(const KnownData& data) {
  require_codes(data.metric);
  if (data.metric != Metric::hamming && data.alphabet > 3)
    throw Unsupported(
        fmt::format("bit_planes: {} of {} symbols has no planes; allowed: hamming, or at most 3 symbols",
                    kMetricNames[static_cast<u32>(data.metric)], data.alphabet));
  return {.scheme = has_digits(data.metric, data.alphabet)     ? PlaneScheme::any
                    : data.metric == Metric::squared_euclidean ? PlaneScheme::square
                                                               : PlaneScheme::sum,
          .planes = stored_planes(binary_digits(data.alphabet)),
          .missing = data.missing,
          .row_words = words_of(data.attributes)};
}

u64 words_bytes(const PlaneShape& shape, u64 instances) {
  return padded_instances(instances) * shape.row_words * shape.stored() * sizeof(u64);
}

PackedPlanes pack_planes(const Instances& instances, Metric metric) {
  PackedPlanes packed{.shape = plane_shape(known_data(instances, metric)), .words = {}};
  const BitPlanes planes =
      has_digits(metric, instances.alphabet) ? binary_planes(instances, 1) : unary_planes(instances);
  const u64 bytes = words_bytes(packed.shape, instances.count);
  require_host_memory(bytes, "the planes of all instances");
  packed.words = HugeBuffer(std::max<u64>(bytes, 1));
  for (u32 plane = 0; plane < planes.planes; ++plane) place(planes, plane, plane, packed);
  if (packed.shape.missing) place(present_plane(instances, 1), 0, packed.shape.planes, packed);
  return packed;
}

}  // namespace gpuseq::pairwise_distance
