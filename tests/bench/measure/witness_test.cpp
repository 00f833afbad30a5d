#include "bench/measure/witness.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace gpuseq::bench {
namespace {

constexpr double kFast = 40e-6, kSlow = 80e-6;

/// Returns what is scripted, the last of it for ever, and counts.
struct Script {
  std::vector<double> seconds;
  std::size_t runs = 0;
  double operator()() { return seconds[std::min(runs++, seconds.size() - 1)]; }
};

TEST(Witness, RunsOnEveryThreadOfAPoolAndOnTheCallingOneWithout) {
  ThreadPool one(1), two(2);
  for (ThreadPool* pool : {static_cast<ThreadPool*>(nullptr), &one, &two}) EXPECT_GT(witness_loop_s(pool), 0);
}

TEST(Witness, KnowsItsBestForEachNumberOfThreads) {
  double now = kFast;
  Witness witness([&](ThreadPool*) { return now; });
  for (int run = 0; run < 5; ++run) witness.take(nullptr);
  EXPECT_EQ(witness.best_s(1), kFast);
  if (available_cpus() < 2) GTEST_SKIP() << "one processor";
  ThreadPool pool(2);
  now = kSlow;
  EXPECT_EQ(witness.take(&pool)->threads, 2);
  EXPECT_EQ(witness.best_s(2), kSlow);
  EXPECT_EQ(witness.best_s(1), kFast);
}

TEST(Witness, FindsItsBestLateAndNotInAMomentOfAHighClock) {
  Script script{{kSlow, kSlow, kSlow, kSlow, kSlow, 0.8 * kFast, 0.8 * kFast, kFast}};
  Witness witness([&](ThreadPool*) { return script(); });
  for (int run = 0; run < 7; ++run) witness.take(nullptr);
  EXPECT_EQ(witness.best_s(1), kSlow);
  for (int run = 0; run < 20; ++run) witness.take(nullptr);
  EXPECT_EQ(witness.best_s(1), kFast);
}

TEST(Witness, RepeatsASlowRunOnceAsAnInterruptIsOverByThen) {
  Script script{{kFast, kFast, kFast, kFast, kFast, kSlow, kFast, kSlow, kSlow, kSlow}};
  Witness witness([&](ThreadPool*) { return script(); });
  for (int run = 0; run < 5; ++run) witness.take(nullptr);
  EXPECT_EQ(witness.take(nullptr)->seconds, kFast);
  EXPECT_EQ(script.runs, 7u);
  EXPECT_EQ(witness.take(nullptr)->seconds, kSlow);
  EXPECT_EQ(script.runs, 9u);
}

TEST(Witness, IsNotTakenOfMoreThreadsThanProcessors) {
  ThreadPool pool(available_cpus() + 1);
  Witness witness([](ThreadPool*) { return kFast; });
  EXPECT_EQ(witness.take(&pool), std::nullopt);
}

}  // namespace
}  // namespace gpuseq::bench
