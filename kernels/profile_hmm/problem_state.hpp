#pragma once

#include <mutex>
#include <optional>

#include "kernels/profile_hmm/checked_sequences.hpp"
#include "kernels/profile_hmm/problem.hpp"

namespace gpuseq::profile_hmm {

/// The data of a problem.
struct FilterProblem::State {
  Model model;
  Profile profile;
  std::shared_ptr<const Sequences> sequences;
  Filter filter = Filter::ssv;
  std::filesystem::path cache_dir;
  int threads = 0;  // for the oracle; 0: all
  std::vector<std::string> notes;
  nlohmann::json origin = nlohmann::json::object();  // names of the data, seed, seconds
  /// Files with exactly this model and these sequences, in a form that hmmsearch reads.
  std::optional<std::filesystem::path> models_file, sequences_file;
  std::once_flag hash_once;
  std::string hash;  // of model, filter and sequences
  std::once_flag checked_once;
  CheckedSequences checked;

  /// Makes the profile. @throws UsageError if a sequence has an invalid code or too many residues, or for a
  /// model that the Viterbi variants would not score like HMMER
  void finish();
};

}  // namespace gpuseq::profile_hmm
