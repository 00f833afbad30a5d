#include "bench/measure/reference_loop.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace gpuseq::bench {
namespace {

constexpr double kFast = 40e-6, kSlow = 80e-6;

/// Returns the scripted values, the last of it for ever, and counts.
struct Script {
  std::vector<double> seconds;
  std::size_t runs = 0;
  double operator()() { return seconds[std::min(runs++, seconds.size() - 1)]; }
};

TEST(ReferenceLoop, RunsOnEveryThreadOfAPoolAndOnTheCallingOneWithout) {
  ThreadPool one(1), two(2);
  for (ThreadPool* pool : {static_cast<ThreadPool*>(nullptr), &one, &two})
    EXPECT_GT(reference_loop_s(pool), 0);
}

TEST(ReferenceLoop, KnowsItsBestForEachNumberOfThreads) {
  double now = kFast;
  ReferenceLoop reference_loop([&](ThreadPool*) { return now; });
  for (int run = 0; run < 5; ++run) reference_loop.take(nullptr);
  EXPECT_EQ(reference_loop.best_s(1), kFast);
  if (available_cpus() < 2) GTEST_SKIP() << "one processor";
  ThreadPool pool(2);
  now = kSlow;
  EXPECT_EQ(reference_loop.take(&pool)->threads, 2);
  EXPECT_EQ(reference_loop.best_s(2), kSlow);
  EXPECT_EQ(reference_loop.best_s(1), kFast);
}

TEST(ReferenceLoop, FindsItsBestLateAndNotInAMomentOfAHighClock) {
  Script script{{kSlow, kSlow, kSlow, kSlow, kSlow, 0.8 * kFast, 0.8 * kFast, kFast}};
  ReferenceLoop reference_loop([&](ThreadPool*) { return script(); });
  for (int run = 0; run < 7; ++run) reference_loop.take(nullptr);
  EXPECT_EQ(reference_loop.best_s(1), kSlow);
  for (int run = 0; run < 20; ++run) reference_loop.take(nullptr);
  EXPECT_EQ(reference_loop.best_s(1), kFast);
}

TEST(ReferenceLoop, RepeatsASlowRunOnceAsAnInterruptIsOverByThen) {
  Script script{{kFast, kFast, kFast, kFast, kFast, kSlow, kFast, kSlow, kSlow, kSlow}};
  ReferenceLoop reference_loop([&](ThreadPool*) { return script(); });
  for (int run = 0; run < 5; ++run) reference_loop.take(nullptr);
  EXPECT_EQ(reference_loop.take(nullptr)->seconds, kFast);
  EXPECT_EQ(script.runs, 7u);
  EXPECT_EQ(reference_loop.take(nullptr)->seconds, kSlow);
  EXPECT_EQ(script.runs, 9u);
}

TEST(ReferenceLoop, IsNotTakenOfMoreThreadsThanProcessors) {
  ThreadPool pool(available_cpus() + 1);
  ReferenceLoop reference_loop([](ThreadPool*) { return kFast; });
  EXPECT_EQ(reference_loop.take(&pool), std::nullopt);
}

}  // namespace
}  // namespace gpuseq::bench
