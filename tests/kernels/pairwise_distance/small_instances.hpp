#pragma once

#include <cmath>

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

/// The same of real values, from -100 to 100 and with an instance that is another's copy.
inline Instances some_reals(u64 count, u64 attributes, u32 missing = 0, u64 seed = 1) {
  ThreadPool pool(2, false);
  Instances instances = random_instances(
      {.count = count, .attributes = attributes, .missing_per_mille = missing, .real = true}, seed, pool);
  for (float& value : instances.reals) value = 200 * value - 100;
  for (u64 k = 0; k < attributes; ++k) {
    instances.reals[(count - 1) * attributes + k] = instances.reals[k];
    if (missing > 0) instances.missing[(count - 1) * attributes + k] = instances.missing[k];
  }
  return instances;
}

/// Euclidean distances by the definition, in long double. @returns [count x count]
inline std::vector<long double> euclidean_distances(const Instances& instances) {
  std::vector<long double> all;
  for (u64 a = 0; a < instances.count; ++a)
    for (u64 b = 0; b < instances.count; ++b) {
      long double sum = 0;
      for (u64 k = 0; k < instances.attributes; ++k) {
        const long double x = instances.real_row(a)[k], y = instances.real_row(b)[k];
        if (!instances.is_missing(a, k) && !instances.is_missing(b, k)) sum += (x - y) * (x - y);
      }
      all.push_back(std::sqrt(sum));
    }
  return all;
}

/// A session whose answer is given, as a variant's would be.
class GivenSession final : public DistanceSession {
 public:
  /// @param band_rows  of each_band(); 0: all
  GivenSession(DistanceProblem& problem, Distances given, u64 band_rows = 0)
      : DistanceSession(problem), given_(std::move(given)), band_rows_(band_rows) {}
  HeldMemory held() const override { return {}; }
  Cost cost() const override { return {.work = work(), .held = held()}; }
  void launch() override {}
  const Distances& distances() override { return given_; }
  void each_band(const TakeBand& take) override {
    if (band_rows_ == 0) return DistanceSession::each_band(take);
    const u64 count = given_.count;
    for (u64 first = 0; first < count; first += band_rows_) {
      const u64 rows = std::min(band_rows_, count - first);
      const auto part = [&](const std::vector<u32>& of) {
        return of.empty() ? std::span<const u32>() : std::span(of).subspan(first * count, rows * count);
      };
      take({.first = first,
            .rows = rows,
            .count = count,
            .sum = part(given_.sum),
            .compared = part(given_.compared)});
    }
  }

 private:
  Distances given_;
  u64 band_rows_;
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
