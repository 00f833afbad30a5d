#include "bench/measure/sampler.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "bench/measure/measure.hpp"
#include "tests/bench/scripted_device.hpp"
#include "tests/bench/slowdown.hpp"
#include "tests/bench/toy_registry.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using testing::quick_session;
using testing::ScriptedDevice;
using testing::SeveralDevices;

TEST(Sampler, StopsAtTheSampleLimitAndKeepsTheOrder) {
  ScriptedDevice device;
  device.seconds = {9, 3e-3, 1e-3, 2e-3};
  auto session = quick_session();
  const Samples samples = take_samples(device, session, {.min_samples = 3, .max_samples = 3, .warmup = 1});
  EXPECT_EQ(samples.seconds, (std::vector{3e-3, 1e-3, 2e-3}));
  EXPECT_EQ(samples.stopped_by, "sample limit");
}

TEST(Sampler, StopsEarlyWhenTheIntervalIsNarrow) {
  ScriptedDevice device;
  auto session = quick_session();
  const Samples samples =
      take_samples(device, session, {.min_samples = 8, .max_samples = 1000, .max_seconds = 60});
  EXPECT_EQ(samples.stopped_by, "narrow interval");
  EXPECT_LT(samples.seconds.size(), 20u);
}

TEST(Sampler, TimesShortLaunchesInBatchesAndThenSomeOneByOne) {
  ScriptedDevice device;
  device.seconds = {20e-6, 20e-6, 20e-6, 20e-6, 1e-3};  // four pilots; then batches of fifty
  auto session = quick_session();
  const Samples samples = take_samples(device, session, {.min_samples = 6, .max_samples = 6, .warmup = 1});
  EXPECT_EQ(samples.launches_per_sample, 50);
  EXPECT_EQ(samples.seconds, std::vector<double>(6, 1e-3 / 50));
  EXPECT_GE(samples.single_launch_s.size(), 6u);
}

TEST(Sampler, BatchesAreNotMadeOfLaunchesThatOnlyTheFirstOfWasSlow) {
  ScriptedDevice device;
  device.seconds = {400e-6, 20e-6, 20e-6, 20e-6, 1e-3};
  auto session = quick_session();
  EXPECT_EQ(take_samples(device, session, {.max_samples = 6, .warmup = 1}).launches_per_sample, 50);
}

TEST(Sampler, TimesEachLaunchAloneWhereItIsLongOrCachesAreToBeColdOrNobodyWantsBatches) {
  for (const SamplingOptions& options :
       {SamplingOptions{.max_samples = 6}, SamplingOptions{.max_samples = 6, .cold_cache = true},
        SamplingOptions{.max_samples = 6, .short_launch_seconds = 0}}) {
    ScriptedDevice device;
    const bool is_long = !options.cold_cache && options.short_launch_seconds > 0;
    device.seconds = {is_long ? 110e-6 : 20e-6};
    auto session = quick_session();
    const Samples samples = take_samples(device, session, options);
    EXPECT_EQ(samples.launches_per_sample, 1);
    EXPECT_TRUE(samples.single_launch_s.empty());
    EXPECT_EQ(samples.seconds.front(), device.seconds.front());
  }
}

TEST(Sampler, TakesAtLeastTheSecondsThatWereAskedFor) {
  ScriptedDevice device;
  auto session = quick_session();
  const Samples samples = take_samples(
      device, session, {.min_samples = 5, .max_samples = 1000, .max_seconds = 60, .min_seconds = 0.1});
  EXPECT_GE(samples.seconds.size(), 100u);
}

TEST(Sampler, DiscardsAndCountsThrottledSamples) {
  ScriptedDevice device;
  device.clocks = {2000, 900, 2000, 1000, 2000, 1990, 2000};
  device.seconds = {1, 2, 3, 4, 5, 6, 7};
  auto session = quick_session();
  const Samples samples =
      take_samples(device, session, {.min_samples = 4, .max_samples = 4, .max_seconds = 60, .warmup = 0});
  EXPECT_EQ(samples.seconds, (std::vector<double>{1, 3, 5, 6}));
  EXPECT_EQ(samples.discarded_throttled, 2);
}

TEST(Sampler, KeepsSamplesWithANoteWhenEveryOneIsThrottled) {
  ScriptedDevice device;
  device.clocks = {500};
  auto session = quick_session();
  const Samples samples =
      take_samples(device, session, {.min_samples = 2, .max_samples = 4, .max_seconds = 60});
  EXPECT_EQ(samples.seconds.size(), 4u);
  EXPECT_EQ(samples.notes.size(), 1u);
}

TEST(Sampler, IgnoresTheClockOfTheCpu) {
  ScriptedDevice device;
  device.kind_ = DeviceKind::cpu;
  device.clocks = {500};
  auto session = quick_session();
  const Samples samples = take_samples(device, session, {.min_samples = 3, .max_samples = 3});
  EXPECT_EQ(samples.discarded_throttled, 0);
  EXPECT_TRUE(samples.notes.empty());
}

TEST(Sampler, FlushesCachesBeforeEveryLaunchWhenTheyAreToBeCold) {
  ScriptedDevice device;
  auto session = quick_session();
  take_samples(device, session, {.min_samples = 3, .max_samples = 3, .warmup = 1, .cold_cache = true});
  EXPECT_EQ(device.flushes, 4u);
}

TEST(Sampler, ReportsProgressBeforeEveryLaunch) {
  ScriptedDevice device;
  auto session = quick_session();
  int alive = 0;
  take_samples(device, session, {.min_samples = 3, .max_samples = 3, .warmup = 2}, [&] { ++alive; });
  EXPECT_EQ(alive, 5);
}

constexpr double kFastReferenceLoopS = 40e-6, kSlowReferenceLoopS = 80e-6;

/// A CPU whose launches take 1.65 times as long before the tenth, and a reference loop that tells.
struct DisturbedCpu {
  DisturbedCpu() {
    device.kind_ = DeviceKind::cpu;
    device.seconds.assign(9, 1.65e-3);
    device.seconds.push_back(1e-3);
    for (int run = 0; run < 5; ++run) reference_loop.take(nullptr);  // before any launch
  }
  ScriptedDevice device;
  std::size_t slow_until = 10;  // launches
  ReferenceLoop reference_loop{[this](ThreadPool*) {
    const bool slow = device.launches > 0 && device.launches < slow_until;
    return slow ? kSlowReferenceLoopS : kFastReferenceLoopS;
  }};
};

TEST(Sampler, LeavesOutAndCountsSamplesBesideASlowReferenceLoop) {
  DisturbedCpu cpu;
  auto session = quick_session();
  const Samples samples =
      take_samples(cpu.device, session, {.min_samples = 6, .max_samples = 6, .max_seconds = 60, .warmup = 1},
                   {}, &cpu.reference_loop);
  EXPECT_EQ(samples.seconds, std::vector<double>(6, 1e-3));
  EXPECT_GE(samples.discarded_interference, 8);
  EXPECT_EQ(samples.stopped_by, "narrow interval");
  EXPECT_TRUE(samples.notes.empty());
  EXPECT_EQ(samples.reference_loop->threads, 1);
  EXPECT_EQ(samples.reference_loop->best_s, kFastReferenceLoopS);
  EXPECT_EQ(samples.reference_loop->slowdown, 1);
}

TEST(Sampler, KeepsSamplesWithANoteIfAllAreDisturbed) {
  DisturbedCpu cpu;
  cpu.slow_until = 1'000'000'000;
  auto session = quick_session();
  const Samples samples =
      take_samples(cpu.device, session, {.min_samples = 6, .max_samples = 6, .max_seconds = 1e-3}, {},
                   &cpu.reference_loop);
  EXPECT_EQ(samples.seconds.size(), 6u);
  EXPECT_EQ(samples.discarded_interference, 0);
  EXPECT_EQ(samples.stopped_by, "narrow interval");
  EXPECT_EQ(samples.notes.size(), 1u);
  EXPECT_EQ(samples.reference_loop->slowdown, 2);
}

TEST(Sampler, NeedsAReferenceLoop) {
  ScriptedDevice device;
  auto session = quick_session();
  const Samples samples = take_samples(device, session, {.min_samples = 3, .max_samples = 3});
  EXPECT_EQ(samples.discarded_interference, 0);
  EXPECT_FALSE(samples.reference_loop);
}

/// Launches run on a pool of some threads, next to one that is never used.
class PooledSession : public testing::ToySession {
 public:
  explicit PooledSession(int threads) : ToySession(quick_session()), pool_(threads) {}
  void launch() override {
    pool_.run([](int) {});
  }
  ThreadPool* pool() { return &pool_; }

 private:
  ThreadPool pool_, idle_{1};
};

TEST(Sampler, TakesTheReferenceLoopOnTheThreadsOfTheLaunches) {
  ScriptedDevice device;
  device.kind_ = DeviceKind::cpu;
  std::set<ThreadPool*> seen;
  ReferenceLoop reference_loop([&](ThreadPool* pool) {
    seen.insert(pool);
    return kFastReferenceLoopS;
  });
  PooledSession pooled(1);
  take_samples(device, pooled, {.max_samples = 3, .warmup = 1}, {}, &reference_loop);
  EXPECT_THAT(seen, ::testing::ElementsAre(pooled.pool()));
  seen.clear();
  auto on_the_caller = quick_session();
  take_samples(device, on_the_caller, {.max_samples = 3, .warmup = 1}, {}, &reference_loop);
  EXPECT_THAT(seen, ::testing::ElementsAre(nullptr));
}

/// A CPU whose clock moves in steps: a launch takes `launch_s`, reading the clock a microsecond.
class SteppedCpu : public ScriptedDevice {
 public:
  SteppedCpu(double step_s, double launch_s) : step_s_(step_s), launch_s_(launch_s) {
    kind_ = DeviceKind::cpu;
  }

  double now_s() {
    constexpr double kReadS = 1e-6;
    true_s_ += kReadS;
    return step_s_ > 0 ? std::floor(true_s_ / step_s_) * step_s_ : true_s_;
  }
  double time_s(const std::function<void()>& work) override {
    const double begin = now_s();
    work();
    return now_s() - begin;
  }
  ClockSeconds clock() {
    return [this] { return now_s(); };
  }
  void pass(double seconds) { true_s_ += seconds; }
  double launch_s() const { return launch_s_; }

 private:
  double step_s_, launch_s_, true_s_ = 1000;
};

class SteppedSession : public testing::ToySession {
 public:
  explicit SteppedSession(SteppedCpu& cpu) : ToySession(quick_session()), cpu_(cpu) {}
  void launch() override {
    constexpr double kPreemptedS = 0.5;
    ++launches_;
    cpu_.pass(launches_ >= first_ && launches_ <= last_ ? kPreemptedS : cpu_.launch_s());
  }
  /// Makes these launches slow ones.
  void preempt(int first, int last) { first_ = first, last_ = last; }

 private:
  SteppedCpu& cpu_;
  int launches_ = 0, first_ = 0, last_ = 0;
};

TEST(Sampler, SamplesAreLongComparedWithTheClocksSteps) {
  for (const double step_s : {1e-4, 1e-3, 15.6e-3})
    for (const double launch_s : {2e-6, 5e-4, 5e-2, 1.0}) {
      SteppedCpu cpu(step_s, launch_s);
      SteppedSession session(cpu);
      ReferenceLoop reference_loop;
      const Samples samples = take_samples(cpu, session, {.max_samples = 9, .max_seconds = 1e9}, {},
                                           &reference_loop, cpu.clock());
      ASSERT_GE(samples.seconds.size(), 6u);
      EXPECT_GE(samples.launches_per_sample * launch_s, 19 * step_s);
      for (const double seconds : samples.seconds) EXPECT_NEAR(seconds, launch_s, 0.06 * launch_s + 1e-9);
      EXPECT_TRUE(samples.single_launch_s.empty());
      EXPECT_FALSE(samples.reference_loop);
      expect_text(samples.notes);
    }
}

TEST(Sampler, APreemptedLaunchDoesNotShortenTheSamples) {
  for (int preempted = 1; preempted < 30; ++preempted) {
    SteppedCpu cpu(1e-4, 2e-6);
    SteppedSession session(cpu);
    session.preempt(preempted, preempted);
    const Samples samples =
        take_samples(cpu, session, {.max_samples = 9, .max_seconds = 1e9}, {}, nullptr, cpu.clock());
    EXPECT_GE(samples.launches_per_sample * cpu.launch_s(), 1.9e-3) << preempted;
  }
}

TEST(Sampler, SamplesThatTakeNoTimeAreLengthenedAgain) {
  for (int slow = 1; slow < 10; ++slow) {  // of which fewer than six are samples
    SteppedCpu cpu(1e-4, 2e-6);
    SteppedSession session(cpu);
    session.preempt(1, slow);
    const Samples samples =
        take_samples(cpu, session, {.max_samples = 9, .max_seconds = 1e9}, {}, nullptr, cpu.clock());
    EXPECT_GE(samples.launches_per_sample * cpu.launch_s(), 1.9e-3) << slow;
    EXPECT_LT(results::median(samples.seconds), 1.1 * cpu.launch_s()) << slow;
  }
}

TEST(Sampler, AFineClockIsNotedNowhere) {
  SteppedCpu cpu(0, 1e-3);
  SteppedSession session(cpu);
  const Samples samples = take_samples(cpu, session, {.max_samples = 9}, {}, nullptr, cpu.clock());
  EXPECT_EQ(samples.launches_per_sample, 1);
  EXPECT_TRUE(samples.notes.empty());
}

TEST(Sampler, AClockThatStandsStillIsAnError) {
  ScriptedDevice device;
  auto session = quick_session();
  EXPECT_THROW(take_samples(device, session, {}, {}, nullptr, [] { return 5.0; }), ClockError);
  double now_s = 0;
  EXPECT_THROW(take_samples(device, session, {}, {}, nullptr, [&] { return now_s -= 1e-6; }), ClockError);
}

TEST(Sampler, TimesOfZeroOrLessAreLeftOutAndNoted) {
  ScriptedDevice device;
  device.seconds = {1e-3, 1e-3, 1e-3, 1e-3, 0, 1e-3, -1, 1e-3, 1e-3};
  auto session = quick_session();
  const Samples samples = take_samples(device, session, {.min_samples = 6, .max_samples = 6, .warmup = 1});
  EXPECT_EQ(samples.seconds, std::vector<double>(6, 1e-3));
  expect_text(samples.notes);
}

TEST(Sampler, AsManyTimesOfZeroAsOthersAreAnError) {
  for (const double seconds : {0.0, -1e-3}) {
    ScriptedDevice device;
    device.seconds = {seconds};
    auto session = quick_session();
    EXPECT_THROW(take_samples(device, session, {.short_launch_seconds = 0}), ClockError);
  }
}

std::unique_ptr<Session> toy_session() {
  return std::make_unique<testing::ToySession>("steady", Work{10, "toys"}, 0, std::nullopt);
}

TEST(Slowdown, KeepsAGpuBusyInProportionToALaunch) {
  ScriptedDevice device;
  device.seconds = {8e-3};
  testing::SlowedSession session(toy_session(), device, 1.25);
  session.launch();
  EXPECT_DOUBLE_EQ(device.waited_s, 2e-3);
  session.launch();
  EXPECT_DOUBLE_EQ(device.waited_s, 4e-3);
}

TEST(Slowdown, KeepsTheDevicesOfTheSession) {
  ScriptedDevice device, other;
  const testing::SlowedSession session(std::make_unique<SeveralDevices>(std::vector<Device*>{&other}), device,
                                       1.25);
  EXPECT_THAT(session.devices_at_work(), ::testing::ElementsAre(&other));
}

}  // namespace
}  // namespace gpuseq::bench
