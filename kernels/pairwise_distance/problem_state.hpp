#pragma once

#include <mutex>
#include <optional>

#include "kernels/pairwise_distance/checked_distances.hpp"
#include "kernels/pairwise_distance/problem.hpp"

namespace gpuseq::pairwise_distance {

/// What a problem consists of.
struct DistanceProblem::State {
  Instances instances;
  Metric metric = Metric::hamming;
  std::filesystem::path cache_dir;
  int threads = 0;       // for the oracle; 0: all
  u64 memory_limit = 0;  // of sessions that make bands; 0: of whole matrices
  std::vector<std::string> notes;
  nlohmann::json origin = nlohmann::json::object();  // names of the data, seed, seconds
  std::once_flag hash_once;
  std::string hash;  // of instances and metric
  std::once_flag checked_once;
  CheckedDistances checked;

  /// Checks that instances and metric make a problem, and puts them into their one form: 0 where a value is
  /// missing, no `missing` where none is, a name for each. @throws UsageError naming what is wrong
  void finish();
  /// The oracle's distances, made when first asked for.
  const CheckedDistances& make_checked();
};

}  // namespace gpuseq::pairwise_distance
