#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "cpu_problems.hpp"
#include "kernels/papara/cpu/plan.hpp"
#include "kernels/papara/family.hpp"
#include "kernels/papara/hybrid/queue.hpp"
#include "kernels/papara/hybrid/session.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"

namespace gpuseq::papara {
namespace {

using testing::oracle_scores;
using testing::problem_of;

/// How often each pair was scored.
class Coverage {
 public:
  explicit Coverage(const PaparaProblem& problem)
      : references_(problem.references().count), times_(problem.queries().count() * references_) {}
  void add(Range queries, Range references) {
    for (u32 q = queries.begin; q < queries.end; ++q)
      for (u32 r = references.begin; r < references.end; ++r) ++times_[q * references_ + r];
  }
  bool everywhere(int times) const {
    return std::all_of(times_.begin(), times_.end(), [times](const auto& one) { return one == times; });
  }

 private:
  u64 references_;
  std::vector<std::atomic<int>> times_;
};

/// Begins when a GPU has: else the CPU could be done before.
class CountingCpu final : public CpuScorer {
 public:
  CountingCpu(std::unique_ptr<CpuScorer> scorer, Coverage& coverage, const std::atomic<bool>& may_begin)
      : scorer_(std::move(scorer)), coverage_(coverage), may_begin_(may_begin) {}
  u32 groups() const override { return scorer_->groups(); }
  Range references(u32 group) const override { return scorer_->references(group); }
  std::string target() const override { return scorer_->target(); }
  nlohmann::json facts() const override { return scorer_->facts(); }
  std::optional<Instructions> instructions() const override { return scorer_->instructions(); }
  void score(u32 group, Range queries, i32* scores) const override {
    may_begin_.wait(false);
    scorer_->score(group, queries, scores);
    coverage_.add(queries, references(group));
  }

 private:
  std::unique_ptr<CpuScorer> scorer_;
  Coverage& coverage_;
  const std::atomic<bool>& may_begin_;
};

/// A GPU that knows the oracle's scores, or fails.
class FakeGpu final : public CudaScorer {
 public:
  FakeGpu(const PaparaProblem& problem, const std::vector<i32>& answers, Coverage& coverage, bool fails,
          std::atomic<bool>* begun)
      : references_(problem.references().count),
        answers_(answers),
        coverage_(coverage),
        fails_(fails),
        begun_(begun) {}
  void enqueue(Range queries) override {
    EXPECT_LT(queries.begin, queries.end);
    if (begun_ == nullptr) return;
    *begun_ = true;
    begun_->notify_all();
  }
  void download(Range queries, i32* scores) override {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (fails_) throw std::runtime_error("an illegal address");
    std::copy(answers_.begin() + std::ptrdiff_t{queries.begin} * references_,
              answers_.begin() + std::ptrdiff_t{queries.end} * references_,
              scores + std::ptrdiff_t{queries.begin} * references_);
    coverage_.add(queries, {0, references_});
  }
  u64 resident_pairs() const override { return 3 * references_; }

 private:
  u32 references_;
  const std::vector<i32>& answers_;
  Coverage& coverage_;
  bool fails_;
  std::atomic<bool>* begun_;
};

constexpr bool kWorks = false, kFails = true;

/// A small problem, shared by whoever a test lets take part.
struct HybridCase {
  std::unique_ptr<PaparaProblem> problem;
  std::vector<i32> answers = oracle_scores(*problem);
  Coverage coverage{*problem};
  std::atomic<bool> first_gpu_begun{false};

  explicit HybridCase(u32 queries = 60) : problem(make(queries)) {}
  static std::unique_ptr<PaparaProblem> make(u32 queries) {
    std::vector<u32> bases(queries);
    for (u32 q = 0; q < queries; ++q) bases[q] = 1 + q * 7 % 40;
    return problem_of({.references = 150, .sites = 45, .bases = bases}, 21);
  }

  /// @param gpus  kWorks or kFails each
  std::unique_ptr<ScoringSession> session(int cpu_threads, const std::vector<bool>& gpus) {
    first_gpu_begun = gpus.empty();
    HybridParts parts;
    parts.cpu = std::make_unique<CountingCpu>(
        make_cpu_scorer(*problem, plan_blocked(*problem, SearchSpace(blocked_axes()).complete({}))), coverage,
        first_gpu_begun);
    parts.cpu_threads = cpu_threads;
    parts.queries_per_item = 4;
    for (const bool fails : gpus)
      parts.gpus.push_back(
          {.id = "cuda:" + std::to_string(parts.gpus.size()),
           .device = nullptr,
           .scorer = std::make_unique<FakeGpu>(*problem, answers, coverage, fails,
                                               parts.gpus.empty() ? &first_gpu_begun : nullptr)});
    return make_hybrid(*problem, std::move(parts));
  }
};

TEST(Hybrid, EveryPairIsScoredOnceWhoeverTakesPart) {
  for (const int threads : {0, 1, 3})
    for (const std::size_t gpus : {0u, 1u, 3u}) {
      if (threads == 0 && gpus == 0) continue;
      HybridCase at;
      const auto session = at.session(threads, std::vector<bool>(gpus, kWorks));
      for (int launch = 1; launch <= 4; ++launch) {
        session->launch();
        EXPECT_TRUE(at.coverage.everywhere(launch)) << threads << " threads, " << gpus << " GPUs";
      }
      EXPECT_EQ(session->scores(), at.answers);
      EXPECT_TRUE(session->verify().passed);
      EXPECT_EQ(session->side_samples_s().at("imbalance").size(), 4u);
    }
}

TEST(Hybrid, WhatAFailedGpuHeldIsDoneByTheCpu) {
  HybridCase at;
  const auto session = at.session(2, {kFails, kWorks});
  for (int launch = 0; launch < 3; ++launch) session->launch();
  EXPECT_EQ(session->scores(), at.answers);
  EXPECT_TRUE(at.coverage.everywhere(3));
  EXPECT_THAT(session->notes(), ::testing::Contains(::testing::HasSubstr("cuda:0 failed")));
  EXPECT_THAT(session->notes(), ::testing::Contains(::testing::HasSubstr("an illegal address")));
}

TEST(Hybrid, WithoutCpuThreadsAnotherGpuDoesWhatAFailedOneHeld) {
  HybridCase at;
  const auto session = at.session(0, {kFails, kWorks});
  session->launch();
  EXPECT_EQ(session->scores(), at.answers);
}

TEST(Hybrid, WorkThatNobodyCanDoIsAnErrorWithTheReason) {
  HybridCase at;
  const auto session = at.session(0, {kFails, kFails});
  try {
    session->launch();
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("an illegal address"));
  }
  EXPECT_THROW(at.session(0, {}), ResourceError);
}

TEST(Hybrid, NoQueriesAreNoWork) {
  HybridCase at(0);
  EXPECT_TRUE(at.session(2, {kWorks})->scores().empty());
}

TEST(Hybrid, FactsShowTheShares) {
  HybridCase at;
  const auto session = at.session(2, {kWorks});
  session->launch();
  const nlohmann::json facts = session->facts();
  EXPECT_NEAR(facts.at("cpu_share").get<double>() + facts.at("gpu0_share").get<double>(), 1.0, 1e-9);
  for (const char* name :
       {"cpu_gcups", "gpu0_gcups", "cpu_pieces", "gpu0_pieces", "cpu_idle_s", "gpu0_idle_s"})
    EXPECT_GE(facts.at(name).get<double>(), 0.0) << name;
  EXPECT_EQ(facts.at("threads"), 2);
  EXPECT_EQ(facts.at("gpus"), 1);
}

TEST(Hybrid, TheVariantRunsWithoutAGpu) {
  HybridCase at(10);
  CpuDevice device;
  const auto family = make_family();
  const Variant& hybrid = family->variant("hybrid");
  const auto session = prepare_as<ScoringSession>(
      *at.problem, hybrid, Point({{"cpu_threads", 2}, {"gpus", 0}, {"bits", 16}}), device);
  EXPECT_EQ(session->scores(), at.answers);
  EXPECT_EQ(prepare_as<ScoringSession>(*at.problem, hybrid, {}, device)->scores(), at.answers);
  EXPECT_THROW(
      prepare_as<ScoringSession>(*at.problem, hybrid, Point({{"cpu_threads", -1}, {"gpus", 0}}), device),
      ResourceError);
}

QueueShape queue_of(u32 queries, int threads, std::vector<u32> least) {
  return {.cells = std::vector<u64>(queries, 1000),
          .groups = 5,
          .cpu_threads = threads,
          .queries_per_item = 8,
          .least_queries = std::move(least)};
}

/// How many queries the first piece of a GPU has.
u32 first_piece(QueueShape shape, Speeds speeds) {
  HybridQueue queue(std::move(shape), std::move(speeds));
  const auto piece = queue.take_for_gpu(0);
  return piece ? piece->size() : 0;
}

TEST(HybridQueue, AGpuOfKnownSpeedTakesWhatTheCpuCannotDoUntilTheEndOfItsLastLoad) {
  const Speeds speeds{.cpu_thread = 1e6, .gpus = {12e6}};
  // 8 loads take 1 / 15 s, in which the CPU is expected to do 0.85 * 4 / 15 of a million cells.
  EXPECT_EQ(first_piece(queue_of(1000, 4, {100}), speeds), 773u);
}

TEST(HybridQueue, AGpuLeavesSomeOfALargeShare) {
  const Speeds speeds{.cpu_thread = 1e6, .gpus = {12e6}};
  EXPECT_EQ(first_piece(queue_of(1000, 4, {10}), speeds), 637u);
}

TEST(HybridQueue, AGpuThatWasNotMeasuredTakesLess) {
  EXPECT_LT(first_piece(queue_of(1000, 1, {10}), {}), 500u);
}

TEST(HybridQueue, AGpuTakesAtLeastALoadAndAloneAll) {
  EXPECT_EQ(first_piece(queue_of(1000, 1, {400}), {.cpu_thread = 1e6, .gpus = {1e5}}), 0u);
  EXPECT_EQ(first_piece(queue_of(1000, 1, {400}), {.cpu_thread = 1e6, .gpus = {6e5}}), 400u);
  EXPECT_EQ(first_piece(queue_of(1000, 0, {10}), {}), 1000u);
}

TEST(HybridQueue, AGpuLeavesToTheCpuWhatTheCpuFinishesSooner) {
  HybridQueue slow(queue_of(20, 4, {20}), {.cpu_thread = 1e6, .gpus = {1e6}});
  EXPECT_FALSE(slow.take_for_gpu(0).has_value());
  HybridQueue alone(queue_of(20, 0, {20}), {.cpu_thread = 1e6, .gpus = {1e6}});
  EXPECT_TRUE(alone.take_for_gpu(0).has_value());
}

TEST(HybridQueue, SeveralGpusTakeTheirSharesAtOnce) {
  HybridQueue queue(queue_of(1000, 2, {100, 100}), {.cpu_thread = 1, .gpus = {4, 4}});
  EXPECT_EQ(queue.take_for_gpu(0)->size(), 400u);
  EXPECT_EQ(queue.take_for_gpu(1)->size(), 400u);
}

TEST(HybridQueue, CpuItemsComeFromTheBackGroupByGroupAndGetSmaller) {
  HybridQueue queue(queue_of(40, 2, {}), {});
  u32 last = 40, widest = 0, narrowest = 40;
  while (const auto item = queue.take_for_cpu()) {
    EXPECT_LE(item->queries.end, last);
    if (item->group == 4) last = item->queries.begin;
    widest = std::max(widest, item->queries.size());
    narrowest = std::min(narrowest, item->queries.size());
    queue.finished_by_cpu(item->queries.size() * 200, 1e-6);
  }
  EXPECT_EQ(last, 0u);
  EXPECT_EQ(widest, 8u);
  EXPECT_LE(narrowest, 2u);
}

TEST(HybridQueue, TheCpuOpensNoMoreQueriesThanItFinishesWithTheGpu) {
  // Of many groups, a query is much work: 10 threads do 5 of 100 while the GPU does 95.
  QueueShape shape = queue_of(100, 10, {1});
  shape.groups = 300;
  HybridQueue queue(shape, {.cpu_thread = 0.5e6, .gpus = {95e6}});
  const auto item = queue.take_for_cpu();
  ASSERT_TRUE(item.has_value());
  EXPECT_EQ(item->queries.size(), 5u);
}

TEST(HybridQueue, SpeedsAreThoseThatWereMeasured) {
  HybridQueue queue(queue_of(100, 1, {1}), {});
  const auto piece = queue.take_for_gpu(0);
  ASSERT_TRUE(piece.has_value());
  queue.finished_by_gpu(0, *piece, 2.0);
  queue.finished_by_cpu(500, 0.5);
  EXPECT_EQ(queue.speeds().cpu_thread, 1000.0);
  EXPECT_EQ(queue.speeds().gpus.at(0), piece->size() * 1000 / 2.0);
}

TEST(HybridQueue, ALoadThatIsNotFullTakesTheTimeOfAFullOne) {
  HybridQueue queue(queue_of(50, 0, {40}), {});
  const auto piece = queue.take_for_gpu(0);
  ASSERT_EQ(piece->size(), 50u);
  queue.finished_by_gpu(0, *piece, 1.0);
  EXPECT_EQ(queue.speeds().gpus.at(0), 80000.0);
}

}  // namespace
}  // namespace gpuseq::papara
