#include <algorithm>
#include <atomic>

#include "kernels/profile_hmm/cpu/scorers.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// Rows that a thread takes at a time: enough that taking them costs nothing, and few enough that the threads
/// finish together.
u64 rows_a_piece(u64 residues, int threads) {
  constexpr u64 kPiecesPerThread = 32, kMostRows = 1 << 16;
  return threads == 1 ? residues
                      : std::min(kMostRows, residues / (kPiecesPerThread * static_cast<u64>(threads)));
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
      thread.scratch = HugeBuffer(scorer_->scratch_bytes() + 1, Pages::small);
  }

  /// Longest sequences first: what is taken last, while other threads have nothing left, is short.
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

  std::optional<Instructions> instructions() const override {
    return scorer_->instructions(static_cast<double>(problem_.sequences().residues()));
  }

  std::optional<HeldMemory> memory() const override {
    HeldMemory held;
    held.add("model", scorer_->model_bytes())
        .add("sequences", batches_.bytes())
        .add(kOutputPart, scores_.size() * sizeof(RawScore))
        .add(kWorkspacePart, pieces_.size() * sizeof(u64));
    for (const ThreadState& thread : threads_) held.add(kWorkspacePart, thread.scratch.size());
    return held;
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

std::unique_ptr<FilterSession> make_cpu_session(FilterProblem& problem, std::unique_ptr<BatchScorer> scorer,
                                                int threads) {
  return std::make_unique<CpuSession>(problem, std::move(scorer), threads);
}

}  // namespace gpuseq::profile_hmm
