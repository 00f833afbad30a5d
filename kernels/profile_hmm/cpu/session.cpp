#include <algorithm>
#include <atomic>

#include "kernels/profile_hmm/cpu/scorers.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// Rows that a thread takes at a time: enough to hide the overhead, and few enough for threads
/// to finish together.
u64 rows_a_piece(u64 residues, int threads) {
  constexpr u64 kPiecesPerThread = 32, kMostRows = 1 << 16;
  return threads == 1 ? residues
                      : std::min(kMostRows, residues / (kPiecesPerThread * static_cast<u64>(threads)));
}

/// Buffers must not be empty.
std::size_t buffer_bytes(std::size_t scratch_bytes) {
  return scratch_bytes + 1;
}

HeldMemory held_by(u64 model_bytes, u64 batches_bytes, u64 scores, u64 pieces, u64 threads,
                   std::size_t scratch_bytes) {
  return HeldMemory()
      .add("model", model_bytes)
      .add("sequences", batches_bytes)
      .add(kOutputPart, scores * sizeof(RawScore))
      .add(kWorkspacePart, pieces * sizeof(u64) + threads * buffer_bytes(scratch_bytes));
}

class CpuSession final : public FilterSession {
 public:
  CpuSession(FilterProblem& problem, std::unique_ptr<BatchScorer> scorer, int threads)
      : FilterSession(problem),
        scorer_(std::move(scorer)),
        pool_(threads),
        batches_(problem.sequences(), scorer_->interleave(), scorer_->reads_used()),
        pieces_(batches_.pieces(rows_a_piece(problem.sequences().residues(), pool_.size()))),
        threads_(static_cast<std::size_t>(pool_.size())),
        scores_(problem.sequences().count(), kNoScore) {
    for (ThreadState& thread : threads_)
      thread.scratch = HugeBuffer(buffer_bytes(scorer_->scratch_bytes()), Pages::small);
  }

  /// Longest sequences first: the last pieces, when other threads are idle, are short.
  void launch() override {
    std::atomic<u64> next{0};
    pool_.run([&](int index) {
      ThreadState& thread = threads_[static_cast<std::size_t>(index)];
      thread.redone = thread.saturating = thread.rows_corrected = thread.vectors_corrected = 0;
      for (u64 piece; (piece = next.fetch_add(1, std::memory_order_relaxed)) + 1 < pieces_.size();)
        for (u64 i = pieces_[piece]; i < pieces_[piece + 1]; ++i) score(i, thread);
    });
    launched_ = true;
  }

  std::vector<RawScore> scores() override {
    if (!launched_) launch();
    return scores_;
  }

  HeldMemory held() const override {
    return held_by(scorer_->model_bytes(), batches_.bytes(), scores_.size(), pieces_.size(), threads_.size(),
                   scorer_->scratch_bytes());
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = FilterSession::facts();
    facts.update(scorer_->facts());
    facts["threads"] = pool_.size();
    facts["padding_residues"] = batches_.padding();
    if (!launched_) return facts;
    const auto total = [this](u64 ThreadState::*count) {
      u64 sum = 0;
      for (const ThreadState& thread : threads_) sum += thread.*count;
      return sum;
    };
    if (problem_.filter() == Filter::msv) facts["sequences_redone"] = total(&ThreadState::redone);
    if (problem_.filter() == Filter::viterbi) {
      facts["sequences_saturating"] = total(&ThreadState::saturating);
      facts["rows_corrected"] = total(&ThreadState::rows_corrected);
      facts["vectors_corrected"] = total(&ThreadState::vectors_corrected);
    }
    return facts;
  }

 protected:
  std::optional<Instructions> instructions() const override {
    return scorer_->instructions(static_cast<double>(problem_.sequences().residues()));
  }

 private:
  void score(u64 i, ThreadState& thread) {
    const Batch& batch = batches_.batch(i);
    std::array<RawScore, kMostInterleaved> found{};
    scorer_->score(batch, thread, found.data());
    for (u32 s = 0; s < batch.count; ++s) scores_[batches_.sequence(i, s)] = found[s];
  }

  std::unique_ptr<BatchScorer> scorer_;
  ThreadPool pool_;
  Batches batches_;
  std::vector<u64> pieces_;
  std::vector<ThreadState> threads_;
  std::vector<RawScore> scores_;
  bool launched_ = false;
};

}  // namespace

/// Assumes one sequence per batch and per piece.
Cost estimated_cost(OutlinedScorer scorer, const OutlinedSizes& sizes, int threads) {
  Cost cost{.work = {.amount = sizes.cells(), .unit = "cells"},
            .held = {},
            .traffic = std::nullopt,
            .instructions = std::move(scorer.instructions),
            .why_no_bound = {}};
  if (!cost.instructions) cost.why_no_bound = kNoVectors;
  if (sizes.known())
    cost.held = held_by(scorer.model_bytes,
                        Batches::bytes_of(Batches::most_codes(sizes.residues, scorer.interleave),
                                          sizes.sequences, sizes.sequences),
                        sizes.sequences, sizes.sequences + 1,
                        static_cast<u64>(threads == 0 ? available_cpus() : threads), scorer.scratch_bytes);
  return cost;
}

std::unique_ptr<FilterSession> make_cpu_session(FilterProblem& problem, std::unique_ptr<BatchScorer> scorer,
                                                int threads) {
  return std::make_unique<CpuSession>(problem, std::move(scorer), threads);
}

}  // namespace gpuseq::profile_hmm
