#include <algorithm>

#include "kernels/papara/cpu/plan.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {
namespace {

class CpuSession final : public ScoringSession {
 public:
  CpuSession(PaparaProblem& problem, const CpuPlan& plan, int threads)
      : ScoringSession(problem),
        scorer_(make_cpu_scorer(problem, plan)),
        pool_(threads),
        piece_(queries_a_piece(scorer_->groups(), problem.queries().count(), plan.queries_per_tile,
                               pool_.size())),
        scores_(u64{problem.queries().count()} * problem.references().count) {}

  void launch() override {
    const u32 queries = problem_.queries().count();
    const u64 pieces = (u64{queries} + piece_ - 1) / piece_;
    pool_.parallel_for(pieces * scorer_->groups(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t item = begin; item < end; ++item) {
        const u32 first = static_cast<u32>(item % pieces) * piece_;
        scorer_->score(static_cast<u32>(item / pieces), {first, std::min(queries, first + piece_)},
                       scores_.data());
      }
    });
    launched_ = true;
  }

  const std::vector<i32>& scores() override {
    if (!launched_) launch();
    return scores_;
  }

  HeldMemory held() const override { return scorer_->held().add(kOutputPart, scores_.size() * sizeof(i32)); }

  nlohmann::json facts() const override {
    nlohmann::json facts = ScoringSession::facts();
    facts.update(scorer_->facts());
    facts["threads"] = pool_.size();
    return facts;
  }

 protected:
  std::optional<Instructions> instructions() const override { return scorer_->instructions(); }

 private:
  std::unique_ptr<CpuScorer> scorer_;
  ThreadPool pool_;
  u32 piece_;
  std::vector<i32> scores_;
  bool launched_ = false;
};

}  // namespace

/// Several queries share the costs of a tile. The pieces are small enough for threads to finish together.
u32 queries_a_piece(u32 groups, u32 queries, u32 tile, int threads) {
  constexpr u64 kPiecesPerThread = 8;
  const u64 tiles = (u64{queries} + tile - 1) / tile;
  const u64 pieces = tiles * groups, wanted = kPiecesPerThread * static_cast<u64>(threads);
  if (threads == 1 || pieces >= wanted || pieces == 0) return tile;
  return static_cast<u32>(std::max<u64>(1, tile * pieces / wanted));
}

std::unique_ptr<ScoringSession> make_cpu_session(PaparaProblem& problem, const CpuPlan& plan, int threads) {
  return std::make_unique<CpuSession>(problem, plan, threads);
}

}  // namespace gpuseq::papara
