#pragma once

#include <memory>

#include "kernels/profile_hmm/cpu/batches.hpp"
#include "kernels/profile_hmm/outline.hpp"
#include "kernels/profile_hmm/problem.hpp"

namespace gpuseq::profile_hmm {

/// What a thread has to itself while it scores.
struct ThreadState {
  HugeBuffer scratch;
  u64 redone = 0;             // MSV: sequences in which J could be used, or nothing is above the floor
  u64 saturating = 0;         // Viterbi: sequences for which all sums have to saturate
  u64 rows_corrected = 0;     // Viterbi: rows in which deletions go on from lane to lane,
  u64 vectors_corrected = 0;  // and the vectors that they are followed through
};

/// Scores batches; may be used by several threads.
class BatchScorer {
 public:
  virtual ~BatchScorer() = default;
  /// The most sequences of a batch.
  virtual u32 interleave() const = 0;
  /// Whether it reads Batch::used.
  virtual bool reads_used() const { return true; }
  virtual std::size_t scratch_bytes() const = 0;
  /// Of the model as it reads it.
  virtual u64 model_bytes() const = 0;
  /// @param scores  [batch.count]
  virtual void score(const Batch& batch, ThreadState& thread, RawScore* scores) const = 0;
  virtual nlohmann::json facts() const = 0;
  /// The vector instructions that so many residues take at least.
  virtual std::optional<Instructions> instructions(double residues) const = 0;
};

/// The amounts that a scorer will have, known from sizes alone.
struct OutlinedScorer {
  u32 interleave = 1;  // at most
  std::size_t scratch_bytes = 0;
  u64 model_bytes = 0;
  std::optional<Instructions> instructions = {};
};

/// What a point asks of `striped`; 0: what is fastest.
struct StripedOptions {
  SimdTarget target = SimdTarget::best;
  u32 vectors = 0;     // of diagonals in registers
  u32 interleave = 0;  // sequences of a batch
  bool always_follow_j = false;
};
/// @throws ResourceError if the processor lacks the instruction set
std::unique_ptr<BatchScorer> make_scalar_scorer(const FilterProblem& problem);
OutlinedScorer outlined_scalar(Filter filter, u32 model_length, double residues);
std::unique_ptr<BatchScorer> make_striped_ssv(const FilterProblem& problem, const StripedOptions& options);
std::unique_ptr<BatchScorer> make_striped_msv(const FilterProblem& problem, const StripedOptions& options);
std::unique_ptr<BatchScorer> make_striped_viterbi(const FilterProblem& problem,
                                                  const StripedOptions& options);

/// @throws ResourceError if the processor lacks the instruction set
OutlinedScorer outlined_striped(Filter filter, u32 model_length, double residues,
                                const StripedOptions& options);

/// The estimate of what a session of so many threads (0: all) counts.
Cost estimated_cost(OutlinedScorer scorer, const OutlinedSizes& sizes, int threads);
/// Scores with so many threads.
std::unique_ptr<FilterSession> make_cpu_session(FilterProblem& problem, std::unique_ptr<BatchScorer> scorer,
                                                int threads);

}  // namespace gpuseq::profile_hmm
