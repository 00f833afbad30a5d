#include "runtime/system/threads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <numeric>
#include <set>
#include <stdexcept>

#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "runtime/system/pool_watch.hpp"
#include "runtime/system/topology.hpp"

namespace gpuseq {
namespace {

int allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

TEST(ThreadPool, RunsTheWorkOnceOnEveryThread) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (int call = 0; call < 200; ++call) {
      std::vector<int> calls(static_cast<std::size_t>(threads), 0);
      pool.run([&](int thread) { ++calls[static_cast<std::size_t>(thread)]; });
      EXPECT_EQ(calls, std::vector<int>(static_cast<std::size_t>(threads), 1));
    }
  }
}

TEST(ThreadPool, WakesWorkersThatHaveGoneToSleep) {
  ThreadPool pool(3);
  for (int call = 0; call < 5; ++call) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::atomic<int> calls{0};
    pool.run([&](int) { ++calls; });
    EXPECT_EQ(calls, 3);
  }
}

TEST(ThreadPool, WaitsForWorkThatTakesLongerThanItSpins) {
  ThreadPool pool(3);
  std::atomic<int> finished{0};
  pool.run([&](int thread) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * thread));
    ++finished;
  });
  EXPECT_EQ(finished, 3);
}

TEST(ThreadPool, TakesEveryProcessorOfTheProcessWhenAskedForNone) {
  EXPECT_EQ(ThreadPool().size(), allowed_cpus());
  EXPECT_EQ(available_cpus(), allowed_cpus());
}

TEST(ThreadPool, PinsEachThreadToItsOwnProcessorWhileItRuns) {
  ThreadPool pool;
  std::vector<int> pinned(static_cast<std::size_t>(pool.size()), -1);
  pool.run([&](int thread) {
    if (allowed_cpus() == 1) pinned[static_cast<std::size_t>(thread)] = sched_getcpu();
  });
  EXPECT_EQ(pinned, pool.cpus());
  EXPECT_EQ(std::set<int>(pinned.begin(), pinned.end()).size(), pinned.size());
}

TEST(ThreadPool, LeavesTheCallersAffinityAsItWas) {
  const int before = allowed_cpus();
  ThreadPool pool(1);
  pool.run([](int) {});
  EXPECT_EQ(allowed_cpus(), before);
  EXPECT_THROW(pool.run([](int) { throw std::runtime_error("x"); }), std::runtime_error);
  EXPECT_EQ(allowed_cpus(), before);
}

TEST(ThreadPool, KeepsTheCallerPinnedFromItsFirstCallWhileThatIsAskedFor) {
  const int before = allowed_cpus();
  ThreadPool pool(1);
  {
    const KeepPinned outer;
    EXPECT_EQ(allowed_cpus(), before);  // nothing has run yet
    pool.run([](int) {});
    EXPECT_EQ(allowed_cpus(), 1);
    { const KeepPinned inner; }
    EXPECT_EQ(allowed_cpus(), 1);
    pool.run([](int) {});
  }
  EXPECT_EQ(allowed_cpus(), before);
  pool.run([](int) {});
  EXPECT_EQ(allowed_cpus(), before);
}

TEST(ThreadPool, LeavesTheCallerPinnedToThePoolWhoseWorkRunsAnother) {
  const int before = allowed_cpus();
  ThreadPool outer(1), inner(1);
  outer.run([&](int) {
    inner.run([](int) {});
    EXPECT_EQ(allowed_cpus(), 1);
  });
  EXPECT_EQ(allowed_cpus(), before);
}

TEST(ThreadPool, LeavesThreadsWhereTheyAreWhenNotPinned) {
  ThreadPool pool(2, /*pin=*/false);
  std::atomic<int> free_threads{0};
  const int all = allowed_cpus();
  pool.run([&](int) { free_threads += allowed_cpus() == all; });
  EXPECT_EQ(free_threads, 2);
  EXPECT_TRUE(pool.cpus().empty());
}

TEST(PieceSize, SmallBatchesKeepEveryThreadBusyAndLargeOnesEndTogether) {
  EXPECT_EQ(piece_size(8000, 2, 512), 512u) << "not one piece, which leaves a thread idle";
  EXPECT_EQ(piece_size(64000, 2, 512), 4000u);
  EXPECT_EQ(piece_size(100, 2, 512), 512u) << "waking a thread takes longer";
  EXPECT_EQ(piece_size(1'000'000, 2, 10, 1000), 1000u);
  EXPECT_EQ(piece_size(64000, 1, 512), 64000u);
  EXPECT_EQ(piece_size(0, 1, 512), 1u);
}

TEST(ThreadPool, PassesAnExceptionOfAnyThreadOnAndStaysUsable) {
  ThreadPool pool(3);
  for (int thrower = 0; thrower < 3; ++thrower)
    EXPECT_THROW(pool.run([&](int thread) {
      if (thread == thrower) throw UsageError("from a thread");
    }),
                 UsageError);
  std::atomic<int> calls{0};
  pool.run([&](int) { ++calls; });
  EXPECT_EQ(calls, 3);
}

TEST(ThreadPool, CoversARangeInPiecesWithoutOverlap) {
  ThreadPool pool(3);
  for (const std::size_t n : {0u, 1u, 7u, 1000u})
    for (const std::size_t grain : {0u, 1u, 3u, 5000u}) {
      std::vector<std::atomic<int>> visits(n);
      pool.parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
        EXPECT_LT(begin, end);
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
      for (const auto& count : visits) EXPECT_EQ(count, 1);
    }
}

TEST(ThreadPool, RefusesANumberOfThreadsThatNoMachineHas) {
  EXPECT_THROW(ThreadPool(-1), UsageError);
  EXPECT_THROW(ThreadPool(1'000'000'000), UsageError);
}

TEST(PoolWatch, KnowsThePoolThatTheThreadRan) {
  ThreadPool before(2), small(1), large(2), idle(3);
  before.run([](int) {});
  PoolWatch watch;
  EXPECT_EQ(watch.pool(), nullptr);
  small.run([](int) {});
  EXPECT_EQ(watch.pool(), &small);
  large.parallel_for(4, 1, [](std::size_t, std::size_t) {});
  small.run([](int) {});
  EXPECT_EQ(watch.pool(), &large);
  std::thread([&] { idle.run([](int) {}); }).join();
  EXPECT_EQ(watch.pool(), &large) << "another thread's";
  {
    const PoolWatch inner;
    idle.run([](int) {});
    EXPECT_EQ(inner.pool(), &idle);
  }
  EXPECT_EQ(watch.pool(), &large);
}

TEST(PoolWatch, ForgetsAPoolThatIsNoMore) {
  PoolWatch watch;
  ThreadPool(2).run([](int) {});
  EXPECT_EQ(watch.pool(), nullptr);
}

TEST(Topology, DescribesCachesThatGrowWithTheirLevel) {
  const Topology topology = read_topology();
  for (std::size_t i = 1; i < topology.caches.size(); ++i) {
    EXPECT_GT(topology.caches[i].level, topology.caches[i - 1].level);
    EXPECT_GT(topology.caches[i].bytes, topology.caches[i - 1].bytes);
  }
  for (const Cache& cache : topology.caches) EXPECT_GE(cache.shared_by, 1);
  EXPECT_EQ(topology.last_level_bytes(), topology.caches.empty() ? 0 : topology.caches.back().bytes);
}

TEST(TopologyDeathTest, UnknownToHwlocIsNullWithAReason) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // hwloc reads a machine once in a process
  const auto describe_without_hwloc = [] {
    setenv("HWLOC_COMPONENTS", "stop", 1);
    const Topology topology = read_topology();
    const nlohmann::json facts = CpuDevice().describe();
    const bool known = topology.unknown_because.empty() || topology.cores.empty() || usable_cpus().empty();
    bool null = true;
    for (const char* name : {"cores", "caches", "packages", "numa_nodes"})
      null = null && facts[name].is_null() && facts[std::string(name) + "_reason"].is_string();
    std::exit(!known && null && facts["threads"] == topology.cores.size() ? 0 : 1);
  };
  EXPECT_EXIT(describe_without_hwloc(), ::testing::ExitedWithCode(0), "");
}

TEST(Topology, ListsOneProcessorOfEveryCoreBeforeTheSecondOfAny) {
  const Topology topology{
      .caches = {},
      .cores = {{.id = 0, .cpus = {0, 4}}, {.id = 1, .cpus = {1}}, {.id = 2, .cpus = {2, 6}}},
      .packages = 1,
      .numa_nodes = 1};
  EXPECT_THAT(topology.cpus_by_core(), testing::ElementsAre(0, 1, 2, 4, 6));
}

}  // namespace
}  // namespace gpuseq
