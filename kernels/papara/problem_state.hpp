#pragma once

#include <map>
#include <mutex>

#include "kernels/papara/checked_pairs.hpp"
#include "kernels/papara/problem.hpp"

namespace gpuseq::papara {

/// The data of a problem.
struct PaparaProblem::State {
  References references;
  Queries queries;
  Penalties penalties;
  std::map<std::string, std::filesystem::path> files;  // of data that are not evolved, by axis
  std::filesystem::path cache_dir;
  int threads = 0;  // for the oracle; 0: all
  std::vector<std::string> notes;
  nlohmann::json origin = nlohmann::json::object();  // names of the data, seed, seconds
  std::string hash;                                  // of references, queries and penalties
  std::once_flag checked_once;
  CheckedPairs checked;

  /// Computes the hash of the data. @throws UsageError if a size or a code is wrong
  void finish();
};

}  // namespace gpuseq::papara
