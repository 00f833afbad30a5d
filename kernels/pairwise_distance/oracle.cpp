#include "kernels/pairwise_distance/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace gpuseq::pairwise_distance {
namespace {

/// The contribution of one attribute, by the definition of the metric.
template <Metric metric>
u32 apart(int a, int b) {
  if constexpr (metric == Metric::hamming) return a == b ? 0 : 1;
  if constexpr (metric == Metric::squared_euclidean) return static_cast<u32>((a - b) * (a - b));
  return static_cast<u32>(std::abs(a - b));
}

template <Metric metric>
PairDistance pair_distance(const Instances& instances, u64 a, u64 b) {
  const u64 m = instances.attributes;
  const u8 *of_a = instances.codes.data() + a * m, *of_b = instances.codes.data() + b * m;
  PairDistance distance;
  if (!instances.has_missing()) {  // a separate loop, which compilers vectorise
    for (u64 k = 0; k < m; ++k) distance.sum += apart<metric>(of_a[k], of_b[k]);
    distance.compared = static_cast<u32>(m);
    return distance;
  }
  const u8 *gone_a = instances.missing.data() + a * m, *gone_b = instances.missing.data() + b * m;
  for (u64 k = 0; k < m; ++k) {
    const u32 both = (gone_a[k] | gone_b[k]) == 0 ? 1 : 0;  // no branch: it would often be mispredicted
    distance.sum += both * apart<metric>(of_a[k], of_b[k]);
    distance.compared += both;
  }
  return distance;
}

/// In double precision, in which values and their differences are exact except for the last bit.
PairDistance real_distance(const Instances& instances, u64 a, u64 b) {
  PairDistance distance;
  const std::span<const float> of_a = instances.real_row(a), of_b = instances.real_row(b);
  double sum = 0;
  for (u64 k = 0; k < instances.attributes; ++k) {
    if (instances.is_missing(a, k) || instances.is_missing(b, k)) continue;
    const double difference = double{of_a[k]} - double{of_b[k]};
    sum += difference * difference;
    ++distance.compared;
  }
  distance.real = std::sqrt(sum);
  return distance;
}

}  // namespace

double euclidean_error(u64 attributes, double distance) {
  constexpr double kUnit = 0x1p-24, kSecondOrder = 1.01;
  const auto m = static_cast<double>(attributes);
  return kSecondOrder * ((m + 3) / 2 + 1) * kUnit * distance + std::sqrt(m) * 0x1p-63;
}

PairDistance oracle_pair(const Instances& instances, Metric metric, u64 a, u64 b) {
  switch (metric) {
    case Metric::hamming:
      return pair_distance<Metric::hamming>(instances, a, b);
    case Metric::manhattan:
      return pair_distance<Metric::manhattan>(instances, a, b);
    case Metric::squared_euclidean:
      return pair_distance<Metric::squared_euclidean>(instances, a, b);
    case Metric::ibs:  // genotypes 0, 1, 2: the copies of an allele that only one of the two has
      return pair_distance<Metric::ibs>(instances, a, b);
    case Metric::euclidean:
      return real_distance(instances, a, b);
  }
  return {};
}

std::vector<PairDistance> oracle_rows(const Instances& instances, Metric metric, std::span<const u64> rows,
                                      ThreadPool& pool) {
  std::vector<PairDistance> distances(rows.size() * instances.count);
  pool.parallel_for(distances.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (u64 i = begin; i < end; ++i)
      distances[i] = oracle_pair(instances, metric, rows[i / instances.count], i % instances.count);
  });
  return distances;
}

}  // namespace gpuseq::pairwise_distance
