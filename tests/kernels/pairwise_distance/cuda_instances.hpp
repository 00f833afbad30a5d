#pragma once

#include <random>

#include "kernels/pairwise_distance/data/instances.hpp"
#include "kernels/pairwise_distance/problem.hpp"

namespace gpuseq::pairwise_distance::testing {

/// Seeded instances of an alphabet; of a thousand values `missing` are. The second is the first's copy, and
/// the last has the largest code everywhere.
inline Instances instances_of(u64 count, u64 attributes, u32 alphabet, u32 missing, u64 seed = 1) {
  std::mt19937_64 random(seed * 1000003 + count * 31 + attributes);
  Instances instances{.count = count,
                      .attributes = attributes,
                      .alphabet = alphabet,
                      .names = {},
                      .codes = std::vector<u8>(count * attributes),
                      .missing = {}};
  for (u64 i = 0; i < count; ++i) instances.names.push_back(std::to_string(i));
  for (u8& code : instances.codes) code = static_cast<u8>(random() % alphabet);
  for (u64 k = 0; k < attributes; ++k) {
    if (count > 1) instances.codes[attributes + k] = instances.codes[k];
    instances.codes[(count - 1) * attributes + k] = static_cast<u8>(alphabet - 1);
  }
  if (missing == 0) return instances;
  instances.missing.resize(instances.codes.size());
  for (std::size_t i = 0; i < instances.codes.size(); ++i) {
    instances.missing[i] = random() % 1000 < missing;
    if (instances.missing[i]) instances.codes[i] = 0;
  }
  return instances;
}

/// Distances as metric.hpp defines them, and nothing else.
inline Distances expected_distances(const Instances& instances, Metric metric) {
  const u64 count = instances.count;
  Distances result{.count = count, .sum = std::vector<u32>(count * count), .compared = {}};
  if (instances.has_missing()) result.compared.resize(count * count);
  for (u64 i = 0; i < count; ++i)
    for (u64 j = 0; j < count; ++j)
      for (u64 k = 0; k < instances.attributes; ++k) {
        if (instances.is_missing(i, k) || instances.is_missing(j, k)) continue;
        result.sum[i * count + j] += value_distance(metric, instances.row(i)[k], instances.row(j)[k]);
        if (instances.has_missing()) ++result.compared[i * count + j];
      }
  return result;
}

}  // namespace gpuseq::pairwise_distance::testing
