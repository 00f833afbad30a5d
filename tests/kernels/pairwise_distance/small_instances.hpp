#pragma once

#include "kernels/pairwise_distance/data/generator.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::pairwise_distance::testing {

/// Seeded instances; missing: of a thousand values.
inline Instances some_instances(u64 count, u64 attributes, u32 alphabet = 3, u32 missing = 0, u64 seed = 1) {
  ThreadPool pool(2, false);
  return random_instances(
      {.count = count, .attributes = attributes, .alphabet = alphabet, .missing_per_mille = missing}, seed,
      pool);
}

/// A session whose answer is given, as a variant's would be.
class GivenSession final : public DistanceSession {
 public:
  GivenSession(DistanceProblem& problem, Distances given)
      : DistanceSession(problem), given_(std::move(given)) {}
  void launch() override {}
  const Distances& distances() override { return given_; }

 private:
  Distances given_;
};

/// All distances by the definition, one attribute after the other.
inline Distances brute_force(const Instances& instances, Metric metric) {
  Distances all{.count = instances.count};
  for (u64 a = 0; a < instances.count; ++a)
    for (u64 b = 0; b < instances.count; ++b) {
      u32 sum = 0, compared = 0;
      for (u64 k = 0; k < instances.attributes; ++k) {
        if (instances.is_missing(a, k) || instances.is_missing(b, k)) continue;
        sum += value_distance(metric, instances.row(a)[k], instances.row(b)[k]);
        ++compared;
      }
      all.sum.push_back(sum);
      if (instances.has_missing()) all.compared.push_back(compared);
    }
  return all;
}

}  // namespace gpuseq::pairwise_distance::testing
