#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "kernels/papara/hybrid/plan.hpp"
#include "kernels/papara/hybrid/queue.hpp"
#include "kernels/papara/hybrid/shares.hpp"
#include "tests/golden_text.hpp"

// Parts that are planned and handed out, on machines of given speeds whose launches take no time here.

namespace gpuseq::papara {
namespace {

using ::testing::Ge;

/// Queries of equal length: cells of a pair, and pairs.
WorkGrid grid_of(u32 queries, u32 references, u64 pair_cells, u32 unit = 64) {
  WorkGrid grid{.before = {0}, .references = references, .unit = unit};
  for (u32 q = 0; q < queries; ++q) grid.before.push_back(grid.before.back() + pair_cells);
  return grid;
}

struct SimulatedGpu {
  double speed = 0;    // cells per second, of whole loads
  u64 load_pairs = 1;  // part of a load takes the time of a whole one
  double launch_s = 10e-6;
};

/// A machine whose workers take from a queue; a launch takes `start_s` and the time of the last worker.
struct SimulatedMachine {
  WorkGrid grid;
  int cpu_threads = 0;
  double thread_speed = 0;
  std::vector<SimulatedGpu> gpus;
  double start_s = 30e-6;  // where more than one worker is woken
  u32 queries_per_item = 8;
  int launches = 0;
  u64 scored = 0;  // pairs of the last launch

  double cells() const { return static_cast<double>(grid.cells(grid.all())); }

  LaunchTimes launch(const HybridPlan& plan) {
    ++launches;
    scored = 0;
    const std::size_t threads = plan.cpu ? static_cast<std::size_t>(cpu_threads) : 0;
    QueueShape shape{.group_references = grid.unit,
                     .cpu_threads = static_cast<int>(threads),
                     .queries_per_item = queries_per_item,
                     .load_pairs = {},
                     .planned_cells = plan.gpu_cells};
    for (const SimulatedGpu& gpu : gpus) shape.load_pairs.push_back(plan.gpus ? gpu.load_pairs : 0);
    HybridQueue queue(grid, shape, {});
    std::vector<Worker> workers(threads + (plan.gpus ? gpus.size() : 0));
    while (Worker* next = first_of(workers))
      step(queue, *next, static_cast<std::size_t>(next - workers.data()), threads);
    LaunchTimes times{.seconds = 0, .cpu = {}, .gpus = std::vector<PartTime>(gpus.size())};
    for (std::size_t i = 0; i < workers.size(); ++i) {
      PartTime& part = i < threads ? times.cpu : times.gpus[i - threads];
      part.cells += workers[i].cells;
      part.seconds = std::max(part.seconds, workers[i].busy_until_s);
      times.seconds = std::max(times.seconds, workers[i].busy_until_s);
    }
    if (workers.size() > 1) times.seconds += start_s;
    return times;
  }

  SettledPlan settled() {
    PlanProblem problem{.cells = cells(), .cpu = cpu_threads > 0, .load_cells = {}};
    const double pair = cells() / static_cast<double>(grid.all().pairs());
    for (const SimulatedGpu& gpu : gpus)
      problem.load_cells.push_back(pair * static_cast<double>(gpu.load_pairs));
    return settle(problem, [this](const HybridPlan& plan) { return launch(plan); });
  }

  /// The work that all could do in a launch that takes so long, beyond the work there is.
  double lost_share(double seconds) const {
    double speed = thread_speed * cpu_threads;
    for (const SimulatedGpu& gpu : gpus) speed += gpu.speed;
    return 1 - cells() / speed / seconds;
  }

 private:
  struct Worker {
    double busy_until_s = 0, cells = 0;
    bool done = false;
    Rectangle part = {};
    double seconds = 0;  // of its work; 0: nothing
  };

  static Worker* first_of(std::vector<Worker>& workers) {
    Worker* first = nullptr;
    for (Worker& worker : workers)
      if (!worker.done && (!first || worker.busy_until_s < first->busy_until_s)) first = &worker;
    return first;
  }

  void step(HybridQueue& queue, Worker& worker, std::size_t place, std::size_t threads) {
    const u64 finished = grid.cells(worker.part);
    const bool cpu = place < threads;
    if (worker.seconds > 0) {
      if (cpu)
        queue.finished_by_cpu(finished, worker.seconds);
      else
        queue.finished_by_gpu(place - threads, worker.part, worker.seconds);
      worker.cells += static_cast<double>(finished);
      scored += worker.part.pairs();
    }
    const auto taken = cpu ? cpu_part(queue) : queue.take_for_gpu(place - threads);
    worker.done = !taken;
    if (!taken) return;
    worker.part = *taken;
    worker.seconds = cpu ? static_cast<double>(grid.cells(*taken)) / thread_speed
                         : seconds_of(gpus[place - threads], *taken);
    worker.busy_until_s += worker.seconds;
  }

  std::optional<Rectangle> cpu_part(HybridQueue& queue) const {
    const auto item = queue.take_for_cpu();
    if (!item) return std::nullopt;
    return Rectangle{item->queries,
                     {item->group * grid.unit, std::min(grid.references, (item->group + 1) * grid.unit)}};
  }

  double seconds_of(const SimulatedGpu& gpu, const Rectangle& part) const {
    const double loads = std::ceil(static_cast<double>(part.pairs()) / static_cast<double>(gpu.load_pairs));
    const double pair = static_cast<double>(grid.cells(part)) / static_cast<double>(part.pairs());
    return gpu.launch_s + loads * static_cast<double>(gpu.load_pairs) * pair / gpu.speed;
  }
};

/// An H200 with 15 processors, as results/h200-papara has them.
SimulatedMachine h200(WorkGrid grid, double cpu_speed = 500e9, double gpu_speed = 6.4e12) {
  return {.grid = std::move(grid),
          .cpu_threads = 15,
          .thread_speed = cpu_speed / 15,
          .gpus = {{.speed = gpu_speed, .load_pairs = 67'584}}};
}

TEST(HybridPlan, OfManyQueriesLittleIsLost) {
  SimulatedMachine machine = h200(grid_of(16'040, 802, 296'000));
  const SettledPlan settled = machine.settled();
  EXPECT_EQ(settled.plan.taken(), "both");
  EXPECT_LT(machine.lost_share(settled.both_s), 0.02);
  machine.launch(settled.plan);
  EXPECT_EQ(machine.scored, machine.grid.all().pairs());
}

TEST(HybridPlan, OfFewQueriesAndManyReferencesLittleMoreIsLostThanInPartOfALoad) {
  // 100 queries of 1 400 bases, 7 682 sites: 30 loads of the GPU.
  SimulatedMachine machine = h200(grid_of(100, 20'283, 8'800'000), 237e9, 4.5e12);
  const SettledPlan settled = machine.settled();
  EXPECT_EQ(settled.plan.taken(), "both");
  EXPECT_LT(machine.lost_share(settled.both_s), 0.04);
  EXPECT_LT(settled.both_s, settled.gpus_alone_s);
}

TEST(HybridPlan, OfOneQueryReferencesAreShared) {
  SimulatedMachine machine = h200(grid_of(1, 2'000'000, 100'000));
  const SettledPlan settled = machine.settled();
  EXPECT_EQ(settled.plan.taken(), "both");
  EXPECT_LT(machine.lost_share(settled.both_s), 0.05);
}

TEST(HybridPlan, TheGpuWorksAloneWhereItsLastLoadTakesAsLongAnyway) {
  // 1 250 queries and 320 references are 5.9 loads: the CPU cannot do one of them in the time of five.
  SimulatedMachine machine = h200(grid_of(1'250, 320, 990'000), 500e9, 7.8e12);
  const SettledPlan settled = machine.settled();
  EXPECT_EQ(settled.plan.taken(), "gpus");
  EXPECT_GT(settled.both_s, 0.99 * settled.gpus_alone_s);
  EXPECT_EQ(settled.cpu_alone_s, 0);  // ten times slower: not tried
}

TEST(HybridPlan, TheProcessorsWorkAloneOnWhatTakesAGpuLongerThanItsLaunch) {
  SimulatedMachine machine = h200(grid_of(8, 64, 10'000));
  machine.gpus[0].launch_s = 1e-3;
  const SettledPlan settled = machine.settled();
  EXPECT_EQ(settled.plan.taken(), "cpu");
  EXPECT_GT(settled.gpus_alone_s, settled.cpu_alone_s);
}

TEST(HybridPlan, GpusOfDifferentSpeedsAreReadyTogether) {
  for (const int threads : {0, 16}) {
    SimulatedMachine machine{
        .grid = grid_of(4'000, 2'000, 300'000),
        .cpu_threads = threads,
        .thread_speed = 30e9,
        .gpus = {{.speed = 2e12, .load_pairs = 20'000}, {.speed = 6e12, .load_pairs = 60'000}}};
    const SettledPlan settled = machine.settled();
    EXPECT_EQ(settled.plan.taken(), threads > 0 ? "both" : "gpus");
    EXPECT_LT(machine.lost_share(machine.launch(settled.plan).seconds), 0.03) << threads;
    EXPECT_EQ(machine.scored, machine.grid.all().pairs());
  }
}

TEST(HybridPlan, LongLaunchesAreNotRepeatedBeyondTheTimeThereIs) {
  SimulatedMachine machine = h200(grid_of(100'000, 20'283, 8'800'000), 237e9, 4.5e12);  // an hour
  const SettledPlan settled = machine.settled();
  EXPECT_EQ(machine.launches, 1);
  EXPECT_EQ(settled.plan.taken(), "both");
  EXPECT_LT(machine.lost_share(machine.launch(settled.plan).seconds), 0.01);
}

TEST(HybridPlan, OfLongLaunchesAPartThatHardlyHelpsIsLeftOut) {
  SimulatedMachine machine = h200(grid_of(100'000, 20'283, 8'800'000), 20e9, 4.5e12);
  const SettledPlan settled = machine.settled();
  EXPECT_EQ(machine.launches, 1);
  EXPECT_EQ(settled.plan.taken(), "gpus");
  EXPECT_EQ(settled.gpus_alone_s, 0);
  expect_text(note_of(settled));
  EXPECT_FALSE(facts_of(settled).contains("gpus_alone_s"));
}

/// Launches of a GPU that reaches 1000 cells in 1 ms, and of both parts in as long as `both` says of each.
SettledPlan settle_beside(const std::function<double(int)>& both) {
  int launches = 0;
  return settle({.cells = 1000, .cpu = true, .load_cells = {1}}, [&](const HybridPlan& plan) {
    if (!plan.cpu) return LaunchTimes{.seconds = 1e-3, .cpu = {}, .gpus = {{1000, 1e-3}}};
    if (!plan.gpus) return LaunchTimes{.seconds = 20e-3, .cpu = {1000, 20e-3}, .gpus = {{}}};
    const double seconds = both(launches++);
    return LaunchTimes{.seconds = seconds, .cpu = {50, seconds}, .gpus = {{950, seconds}}};
  });
}

TEST(HybridPlan, AFirstLaunchThatIsSlowSaysNothingOfTheParts) {
  const SettledPlan settled = settle_beside([](int launch) { return launch == 0 ? 0.1 : 1.1e-3; });
  EXPECT_EQ(settled.plan.taken(), "gpus");
  EXPECT_DOUBLE_EQ(settled.gpus_alone_s, 1e-3);
}

TEST(HybridPlan, AGainThatOnlyTheBestOfSeveralTriesHadIsNone) {
  EXPECT_EQ(settle_beside([](int) { return 0.96e-3; }).plan.taken(), "both");
  // Processors that others disturb: 1.1 ms in the middle, and now and then less than the GPU alone.
  int kept = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const auto disturbed = [&](int) { return 0.9e-3 + 0.4e-3 * static_cast<double>(random()) / 0x1p32; };
    kept += settle_beside(disturbed).plan.taken() == "both" ? 1 : 0;
  }
  EXPECT_LE(kept, 8);  // a fresh median of three is below 0.99 ms in one of eight
}

TEST(HybridPlan, WithoutWorkOrWithOnePartNothingIsTried) {
  SimulatedMachine nothing = h200(grid_of(0, 64, 1));
  SimulatedMachine cpu = h200(grid_of(100, 64, 1000)), gpu = cpu;
  cpu.gpus.clear();
  gpu.cpu_threads = 0;
  EXPECT_EQ(settle({.cells = 0, .cpu = true, .load_cells = {1}}, {}).plan.taken(), "both");
  EXPECT_EQ(cpu.settled().plan.taken(), "cpu");
  EXPECT_EQ(gpu.settled().plan.taken(), "gpus");
  EXPECT_EQ(cpu.launches + gpu.launches, 0);
}

QueueShape shape_of(int threads, std::vector<u64> load_pairs, std::vector<double> planned = {}) {
  return {.group_references = 1,
          .cpu_threads = threads,
          .queries_per_item = 8,
          .load_pairs = std::move(load_pairs),
          .planned_cells = std::move(planned)};
}

TEST(HybridQueue, AGpuTakesItsPlannedCellsAtOnceAndTheCpuTheRest) {
  const WorkGrid grid = grid_of(20, 16, 100, 1);
  HybridQueue queue(grid, shape_of(4, {40}, {30'100}), {});
  const auto piece = queue.take_for_gpu(0);
  ASSERT_TRUE(piece.has_value());
  EXPECT_EQ(grid.cells(*piece), 30'000u);  // 300 of 320 pairs: 20 queries x 15 references
  EXPECT_FALSE(queue.take_for_gpu(0).has_value());
  u64 pairs = 0;
  while (const auto item = queue.take_for_cpu()) pairs += item->queries.size();
  EXPECT_EQ(pairs, 20u);
  EXPECT_EQ(queue.pairs_left(), 0u);
}

TEST(HybridQueue, WhatAGpuGivesBackIsLeft) {
  const WorkGrid grid = grid_of(20, 16, 100, 1);
  HybridQueue queue(grid, shape_of(0, {40, 40}, {16'000, 16'000}), {});
  const auto piece = queue.take_for_gpu(0);
  queue.give_back(0, *piece);
  EXPECT_EQ(queue.pairs_left(), 160u);
  EXPECT_FALSE(queue.take_for_gpu(0).has_value());
  EXPECT_TRUE(queue.take_for_gpu(1).has_value());
  EXPECT_EQ(queue.take_for_gpu(1)->pairs(), 160u);
}

TEST(HybridQueue, BeforeItIsMeasuredAGpuLeavesHalf) {
  const WorkGrid grid = grid_of(1'000, 5, 1000, 1);
  HybridQueue small(grid, shape_of(1, {100'000}), {}), large(grid, shape_of(1, {10}), {});
  EXPECT_EQ(small.take_for_gpu(0)->pairs(), 2'500u);
  EXPECT_LT(large.take_for_gpu(0)->pairs(), 2'500u);
  HybridQueue alone(grid, shape_of(0, {10}), {});
  EXPECT_EQ(alone.take_for_gpu(0)->pairs(), 5'000u);
}

TEST(HybridQueue, SpeedsThatWereNotMeasuredAreNone) {
  const WorkGrid grid = grid_of(10, 5, 1000, 1);
  HybridQueue queue(grid, shape_of(1, {10, 10}), {.cpu_thread = 0, .gpus = {0, 3e6}});
  EXPECT_EQ(queue.speeds().cpu_thread, 0);
  EXPECT_EQ(queue.speeds().gpus, (std::vector<double>{0, 3e6}));
}

TEST(HybridQueue, AGpuLeavesToTheCpuWhatTheCpuFinishesSooner) {
  const WorkGrid grid = grid_of(20, 5, 1000, 1);
  HybridQueue slow(grid, shape_of(4, {100}), {.cpu_thread = 1e6, .gpus = {1e6}});
  EXPECT_FALSE(slow.take_for_gpu(0).has_value());
  HybridQueue alone(grid, shape_of(0, {100}), {.cpu_thread = 1e6, .gpus = {1e6}});
  EXPECT_TRUE(alone.take_for_gpu(0).has_value());
}

TEST(HybridQueue, CpuItemsComeFromTheBackAndGetSmaller) {
  const WorkGrid grid = grid_of(40, 5, 1000, 1);
  HybridQueue queue(grid, shape_of(2, {}), {});
  u32 last = 40, widest = 0, narrowest = 40;
  while (const auto item = queue.take_for_cpu()) {
    EXPECT_LE(item->queries.end, last);
    if (item->group == 4) last = item->queries.begin;
    widest = std::max(widest, item->queries.size());
    narrowest = std::min(narrowest, item->queries.size());
    queue.finished_by_cpu(u64{item->queries.size()} * 1000, 1e-6);
  }
  EXPECT_EQ(widest, 8u);
  EXPECT_LE(narrowest, 2u);
}

TEST(HybridQueue, ALoadThatIsNotFullTakesTheTimeOfAFullOne) {
  const WorkGrid grid = grid_of(50, 1, 1000, 1);
  HybridQueue queue(grid, shape_of(0, {40}), {});
  const auto piece = queue.take_for_gpu(0);
  ASSERT_EQ(piece->pairs(), 50u);
  queue.finished_by_gpu(0, *piece, 1.0);
  queue.finished_by_cpu(500, 0.5);
  EXPECT_EQ(queue.speeds().gpus.at(0), 80'000.0);
  EXPECT_EQ(queue.speeds().cpu_thread, 1000.0);
}

TEST(WorkGrid, ACornerHasUpToWhatIsWantedAndOneUnitAtLeast) {
  WorkGrid grid{.before = {0, 5, 6, 16, 17, 40}, .references = 300, .unit = 64};
  for (double wanted = 1; wanted < 13'000; wanted += 37) {
    const Rectangle corner = grid.corner(grid.all(), wanted);
    EXPECT_GT(corner.pairs(), 0u);
    EXPECT_TRUE(corner.references.end % 64 == 0 || corner.references.end == 300u);
    EXPECT_TRUE(static_cast<double>(grid.cells(corner)) <= wanted || corner.pairs() == 64) << wanted;
  }
  EXPECT_EQ(grid.corner(grid.all(), 1e9).pairs(), grid.all().pairs());
}

TEST(WorkGrid, StripsCoverAPartOnceAndMayBeEmpty) {
  const WorkGrid few = grid_of(3, 1'000, 1), many = grid_of(1'000, 65, 1);
  const std::vector<double> shares{1, 0, 2, 1, 5, 0};
  for (const WorkGrid* grid : {&few, &many}) {
    u64 pairs = 0;
    for (const Rectangle& strip : grid->strips(grid->all(), shares)) pairs += strip.pairs();
    EXPECT_EQ(pairs, grid->all().pairs());
    EXPECT_EQ(grid->strips(grid->all(), shares)[1].pairs(), 0u);
    EXPECT_EQ(grid->strips(grid->all(), shares)[5].pairs(), 0u);
  }
}

}  // namespace
}  // namespace gpuseq::papara
