#pragma once

#include <mutex>
#include <optional>

#include "kernels/pairwise_distance/checked_distances.hpp"
#include "kernels/pairwise_distance/problem.hpp"

namespace gpuseq::pairwise_distance {

/// The data of a problem.
struct DistanceProblem::State {
  Instances instances;
  Metric metric = Metric::hamming;
  std::filesystem::path cache_dir;
  int threads = 0;       // for the oracle; 0: all
  u64 memory_limit = 0;  // for sessions that compute bands; 0: whole matrices
  std::vector<std::string> notes;
  nlohmann::json origin = nlohmann::json::object();  // names of the data, seed, seconds
  std::once_flag hash_once;
  std::string hash;  // of instances and metric
  std::once_flag checked_once;
  CheckedDistances checked;

  /// Checks that instances and metric are a valid problem, and normalises them: 0 for missing values, no
  /// `missing` if no value is, a name for each instance. @throws UsageError with the error
  void finish();
  /// The oracle's distances, computed on first use.
  const CheckedDistances& make_checked();
};

}  // namespace gpuseq::pairwise_distance
