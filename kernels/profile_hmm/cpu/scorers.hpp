#pragma once

#include <memory>

#include "kernels/profile_hmm/cpu/batches.hpp"
#include "kernels/profile_hmm/outline.hpp"
#include "kernels/profile_hmm/problem.hpp"

namespace gpuseq::profile_hmm {

/// State of a scoring thread.
struct ThreadState {
  HugeBuffer scratch;
  u64 redone = 0;             // MSV: sequences in which J could be used, or in which no cell
                              // is above the floor
  u64 saturating = 0;         // Viterbi: sequences for which all sums must saturate
  u64 rows_corrected = 0;     // Viterbi: rows in which deletions continue across lanes,
  u64 vectors_corrected = 0;  // and the vectors through which they are followed
};

/// Scores batches; threads may share it.
class BatchScorer {
 public:
  virtual ~BatchScorer() = default;
  /// The most sequences per batch.
  virtual u32 interleave() const = 0;
  /// Whether it reads Batch::used.
  virtual bool reads_used() const { return true; }
  virtual std::size_t scratch_bytes() const = 0;
  /// Bytes of the model in its layout.
  virtual u64 model_bytes() const = 0;
  /// @param scores  [batch.count]
  virtual void score(const Batch& batch, ThreadState& thread, RawScore* scores) const = 0;
  virtual nlohmann::json facts() const = 0;
  /// The least number of vector instructions for this number of residues.
  virtual std::optional<Instructions> instructions(double residues) const = 0;
};

/// Sizes of a scorer, known before the problem is loaded.
struct OutlinedScorer {
  u32 interleave = 1;  // at most
  std::size_t scratch_bytes = 0;
  u64 model_bytes = 0;
  std::optional<Instructions> instructions = {};
};

/// Values of a point of `striped`; 0: the fastest.
struct StripedOptions {
  SimdTarget target = SimdTarget::best;
  u32 vectors = 0;     // vectors of diagonals in registers
  u32 interleave = 0;  // sequences per batch
  bool always_follow_j = false;
};
/// @throws ResourceError if the CPU lacks the instruction set
std::unique_ptr<BatchScorer> make_scalar_scorer(const FilterProblem& problem);
OutlinedScorer outlined_scalar(Filter filter, u32 model_length, double residues);
std::unique_ptr<BatchScorer> make_striped_ssv(const FilterProblem& problem, const StripedOptions& options);
std::unique_ptr<BatchScorer> make_striped_msv(const FilterProblem& problem, const StripedOptions& options);
std::unique_ptr<BatchScorer> make_striped_viterbi(const FilterProblem& problem,
                                                  const StripedOptions& options);

/// @throws ResourceError if the CPU lacks the instruction set
OutlinedScorer outlined_striped(Filter filter, u32 model_length, double residues,
                                const StripedOptions& options);

/// The estimated cost of a session. @param threads  0: all
Cost estimated_cost(OutlinedScorer scorer, const OutlinedSizes& sizes, int threads);
/// A session with `threads` threads.
std::unique_ptr<FilterSession> make_cpu_session(FilterProblem& problem, std::unique_ptr<BatchScorer> scorer,
                                                int threads);

}  // namespace gpuseq::profile_hmm
