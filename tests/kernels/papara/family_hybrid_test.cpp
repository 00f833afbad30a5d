#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "cpu_problems.hpp"
#include "hybrid_fakes.hpp"
#include "kernels/papara/cpu/plan.hpp"
#include "kernels/papara/family.hpp"
#include "kernels/papara/hybrid/session.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::papara {
namespace {

using namespace testing;

/// A small problem, shared by the workers that a test lets take part.
struct HybridCase {
  std::unique_ptr<PaparaProblem> problem;
  std::vector<i32> answers = oracle_scores(*problem);
  Coverage coverage{*problem};
  std::atomic<bool> first_gpu_begun{false};
  CpuDevice cpu_device;
  double cpu_pair_s = 0;  // that a CPU thread takes longer
  bool cpu_waits = true;  // until the first GPU has begun
  std::vector<FakeGpu*> fakes;

  explicit HybridCase(u32 queries = 60, u32 references = 150) : problem(make(queries, references)) {}
  static std::unique_ptr<PaparaProblem> make(u32 queries, u32 references) {
    std::vector<u32> bases(queries);
    for (u32 q = 0; q < queries; ++q) bases[q] = 1 + q * 7 % 40;
    return problem_of({.references = references, .sites = 45, .bases = bases}, 21);
  }

  std::unique_ptr<ScoringSession> session(int cpu_threads, const std::vector<FakeGpuOptions>& gpus) {
    first_gpu_begun = gpus.empty() || !cpu_waits;
    HybridParts parts;
    parts.cpu = std::make_unique<CountingCpu>(
        make_cpu_scorer(*problem, plan_blocked(*problem, SearchSpace(blocked_axes()).complete({}))), coverage,
        first_gpu_begun, cpu_pair_s);
    parts.cpu_device = &cpu_device;
    parts.cpu_threads = cpu_threads;
    parts.queries_per_item = 4;
    for (const FakeGpuOptions& gpu : gpus) {
      const int number = static_cast<int>(parts.gpus.size());
      auto fake = std::make_unique<FakeGpu>(number, *problem, answers, coverage, gpu, first_gpu_begun);
      fakes.push_back(fake.get());
      parts.gpus.push_back({.id = "cuda:" + std::to_string(number),
                            .device = std::make_unique<CpuDevice>(),
                            .scorer = std::move(fake)});
    }
    return make_hybrid(*problem, std::move(parts));
  }
};

std::vector<Device*> devices_of(const ScoringSession& session) {
  return session.devices_at_work();
}

TEST(Hybrid, EveryPairIsScoredOnceWhoeverTakesPart) {
  for (const int threads : {0, 1, 3})
    for (const std::size_t gpus : {0u, 1u, 3u}) {
      if (threads == 0 && gpus == 0) continue;
      HybridCase at;
      const auto session = at.session(threads, std::vector<FakeGpuOptions>(gpus, kWorks));
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
  expect_text(session->notes().back());
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
  expect_error_text<ResourceError>([&] { session->launch(); });
  EXPECT_THROW(at.session(0, {}), ResourceError);
}

TEST(Hybrid, AnyShapeIsScoredOnceByAnyNumberOfGpus) {
  for (const u32 queries : {0u, 1u, 3u})
    for (const u32 references : {1u, 150u})
      for (const std::size_t gpus : {1u, 5u})
        for (const int threads : {0, 2}) {
          HybridCase at(queries, references);
          at.cpu_waits = false;  // it may have taken all there is
          const auto session = at.session(threads, std::vector<FakeGpuOptions>(gpus, kWorks));
          ASSERT_TRUE(session->verify().passed) << queries << " x " << references;
          const int before = queries == 0 ? 0 : at.coverage.times();
          session->launch();
          EXPECT_EQ(session->scores(), at.answers);
          EXPECT_TRUE(at.coverage.everywhere(before + 1)) << queries << " x " << references << ", " << gpus;
          EXPECT_FALSE(session->facts().empty());
        }
}

TEST(Hybrid, ScoresAreOfTheWorkerThatComputedThemLast) {
  HybridCase at;
  const auto session = at.session(2, {{.mark = kMark}, {.mark = 2 * kMark}});
  for (int launch = 0; launch < 3; ++launch) {
    session->launch();
    for (std::size_t pair = 0; pair < at.answers.size(); ++pair)
      ASSERT_EQ(session->scores()[pair], at.answers[pair] + kMark * (at.coverage.last_by(pair) + 1)) << pair;
  }
}

TEST(Hybrid, ScoresAreCopiedOnceAndAfterTheLaunch) {
  HybridCase at;
  const auto session = at.session(0, {kWorks});
  session->launch();
  session->launch();
  EXPECT_EQ(at.fakes[0]->downloads, 0);
  for (int time = 0; time < 3; ++time) EXPECT_EQ(session->scores(), at.answers);
  EXPECT_EQ(at.fakes[0]->downloads, 1);
  EXPECT_EQ(session->facts().at("timed"), "kernels");
}

TEST(Hybrid, AGpuThatFailsWhenItsScoresAreCopiedIsAnErrorWithTheReason) {
  HybridCase at;
  const auto session = at.session(1, {{.fails_to_copy = true}});
  session->launch();
  expect_error_text<std::runtime_error>([&] { session->scores(); });
}

/// The work of a session after it was verified: the same in every launch.
std::string settled(HybridCase& at, ScoringSession& session) {
  EXPECT_TRUE(session.verify().passed);
  const int before = at.coverage.times();
  const nlohmann::json taken = session.facts().at("taken");
  for (int launch = 0; launch < 3; ++launch) session.launch();
  EXPECT_TRUE(at.coverage.everywhere(before + 3));
  EXPECT_EQ(session.facts().at("taken"), taken);
  return taken.get<std::string>();
}

TEST(Hybrid, AGpuWorksAloneWhereTheProcessorsWouldMakeItSlower) {
  HybridCase at;
  at.cpu_pair_s = 100e-6;
  const auto session = at.session(2, {{.load_s = 4e-3, .load_pairs = 10'000}});
  EXPECT_EQ(settled(at, *session), "gpus");
  EXPECT_EQ(session->facts().at("cpu_pieces"), 0);
  EXPECT_THAT(session->notes(), ::testing::Contains(::testing::HasSubstr("the GPU alone: the processors")));
  EXPECT_THAT(devices_of(*session), ::testing::ElementsAre(::testing::Ne(&at.cpu_device)));
}

TEST(Hybrid, TheProcessorsWorkAloneWhereAGpuWouldMakeThemSlower) {
  HybridCase at;
  const auto session = at.session(2, {{.load_s = 0.1, .load_pairs = 10'000}});
  EXPECT_EQ(settled(at, *session), "cpu");
  EXPECT_EQ(session->facts().at("gpu0_pieces"), 0);
  EXPECT_THAT(session->notes(), ::testing::Contains(::testing::HasSubstr("the processors alone: the GPU")));
  EXPECT_THAT(devices_of(*session), ::testing::ElementsAre(&at.cpu_device));
}

TEST(Hybrid, BothWorkWhereThatIsFaster) {
  HybridCase at;
  at.cpu_pair_s = 10e-6;  // two threads: 45 ms for all, and up to 135 ms where others are at work
  const auto session = at.session(2, {{.load_s = 4e-3, .load_pairs = 450}});  // 80 ms
  EXPECT_EQ(settled(at, *session), "both");
  const nlohmann::json facts = session->facts();
  EXPECT_GT(facts.at("cpu_pieces"), 0);
  EXPECT_EQ(facts.at("gpu0_pieces"), 1);
  EXPECT_THAT(devices_of(*session), ::testing::SizeIs(2));
}

TEST(Hybrid, AGpuThatFailsWhileItIsTriedLeavesTheOthers) {
  HybridCase at;
  const auto session = at.session(2, {kFails, kWorks});
  EXPECT_TRUE(session->verify().passed);
  EXPECT_EQ(session->scores(), at.answers);
  EXPECT_THAT(session->notes(), ::testing::Contains(::testing::HasSubstr("cuda:0 failed")));
}

TEST(Hybrid, FactsShowTheShares) {
  HybridCase at;
  const auto session = at.session(2, {kWorks});
  session->launch();
  const nlohmann::json facts = session->facts();
  EXPECT_NEAR(facts.at("cpu_share").get<double>() + facts.at("gpu0_share").get<double>(), 1.0, 1e-9);
  for (const char* name : {"cpu_gcups", "gpu0_gcups", "cpu_pieces", "gpu0_pieces", "cpu_idle_s",
                           "gpu0_idle_s", "cpu_idle_share", "gpu0_idle_share", "lost_share"})
    EXPECT_GE(facts.at(name).get<double>(), 0.0) << name;
  EXPECT_EQ(facts.at("threads"), 2);
  EXPECT_EQ(facts.at("gpus"), 1);
}

TEST(Hybrid, CountsWhatEachWhoCanTakePartWouldExecute) {
  HybridCase at;
  // The first GPU fails in verify(), which must not end before.
  const auto session = at.session(2, {kFails, {.waits = true}});
  ASSERT_TRUE(session->verify().passed);
  const std::optional<Instructions> both = session->cost().instructions;
  ASSERT_TRUE(both);
  EXPECT_TRUE(both->operations.empty());
  ASSERT_EQ(both->by_device.size(), 2u);
  EXPECT_EQ(both->by_device[0].device, "cpu");
  EXPECT_FALSE(both->by_device[0].operations.empty());
  EXPECT_EQ(both->by_device[1].device, "cuda:1");
  EXPECT_EQ(both->by_device[1].operations, (std::map<std::string, double>{{"prmt", 3}}));
  EXPECT_EQ(HybridCase().session(0, {kWorks})->cost().instructions->by_device.size(), 1u);
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

TEST(Hybrid, EstimateWithoutCudaNamesTheProcessorsOnly) {
  const Variant variant = hybrid_variant({});
  const Cost cost = variant.cost({variant.space.complete({}), problem_space().complete({}), {}});
  ASSERT_TRUE(cost.instructions) << cost.why_no_bound;
  ASSERT_EQ(cost.instructions->by_device.size(), 1u);
  EXPECT_EQ(cost.instructions->by_device.front().device, "cpu");
}

#if GPUSEQ_HAVE_CUDA
TEST(Hybrid, HasThePointsOfTheCudaVariantsAndNoOthers) {
  const auto family = make_family();
  const SearchSpace& space = family->variant("hybrid").space;
  for (const Variant& variant : cuda_variants())
    for (const Axis& axis : variant.space.axes()) {
      if (axis.accepts) continue;
      for (const AxisValue& value : axis.values) {
        if (value == AxisValue(std::string("nvcc"))) continue;  // some points only
        EXPECT_NO_THROW(space.complete({{"gpu_variant", variant.name}, {"gpu_" + axis.name, value}}))
            << variant.name << " " << axis.name << "=" << to_string(value);
      }
    }
  EXPECT_NO_THROW(space.complete({{"gpu_unroll", 4}}));
  EXPECT_THROW(space.complete({{"gpu_variant", std::string("blocked_registers")}, {"gpu_unroll", 4}}),
               UsageError);
  EXPECT_THROW(space.complete({{"gpu_costs", std::string("branched")}, {"gpu_unroll", 4}}), UsageError);
  EXPECT_NO_THROW(space.complete({{"gpu_ends", std::string("square")}}));
  EXPECT_THROW(space.complete(
                   {{"gpu_variant", std::string("blocked_registers")}, {"gpu_ends", std::string("square")}}),
               UsageError);
}
#endif

}  // namespace
}  // namespace gpuseq::papara
