#include "bench/measure/sampler.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <mutex>
#include <optional>

#include "bench/measure/measure.hpp"
#include "bench/measure/slowdown.hpp"
#include "runtime/contract/devices_at_work.hpp"
#include "tests/bench/environment.hpp"
#include "tests/bench/toy_registry.hpp"

namespace gpuseq::bench {
namespace {

/// A device whose clocks are scripted: seconds of each launch, and the clock seen after it.
class ScriptedDevice : public Device {
 public:
  DeviceKind kind_ = DeviceKind::cuda;
  std::vector<double> seconds{1e-3};
  std::vector<double> clocks{2000};
  std::size_t launches = 0, flushes = 0;
  double energy = 0, watts = 100, waited_s = 0;

  DeviceKind kind() const override { return kind_; }
  std::string id() const override { return "cuda:0"; }
  nlohmann::json describe() const override { return {{"name", "Scripted"}}; }
  std::size_t free_bytes() const override { return 1 << 20; }
  double time_s(const std::function<void()>& work) override {
    work();
    return seconds[std::min(launches++, seconds.size() - 1)];
  }
  void keep_busy(double seconds) override { waited_s += seconds; }
  void flush_caches() override { ++flushes; }
  void synchronize() override {}
  Maybe<double> clock_mhz() override { return {clocks[std::min(launches - 1, clocks.size() - 1)], {}}; }
  Maybe<double> max_clock_mhz() override { return {2000, {}}; }
  Maybe<double> energy_j() override { return {energy += 50, {}}; }
  Maybe<double> power_w() override { return {watts, {}}; }
  Maybe<std::map<std::string, double>> count(const std::vector<std::string>&,
                                             const std::function<void()>&) override {
    return {std::nullopt, "scripted"};
  }
  std::vector<std::string> default_metrics() const override { return {}; }
};

testing::ToySession quick_session() {
  return {"steady", {10, "toys"}, 0, std::nullopt};
}

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

std::unique_ptr<Session> toy_session() {
  return std::make_unique<testing::ToySession>("steady", Work{10, "toys"}, 0, std::nullopt);
}

TEST(Slowdown, KeepsAGpuBusyForItsShareOfWhatALaunchTook) {
  const testing::Environment slow(kSlowdownVariable, "toy/steady=1.25");
  ScriptedDevice device;
  device.seconds = {8e-3};
  const results::StateKey state{
      .family = "toy", .variant = "steady", .problem = {}, .point = {}, .device = "cuda:0"};
  const auto session = slowed_for_tests(toy_session(), state, device);
  session->launch();
  EXPECT_DOUBLE_EQ(device.waited_s, 2e-3);
  session->launch();
  EXPECT_DOUBLE_EQ(device.waited_s, 4e-3);
}

TEST(Slowdown, LeavesOtherVariantsAlone) {
  const testing::Environment slow(kSlowdownVariable, "toy/steady=1.25");
  ScriptedDevice device;
  const results::StateKey state{
      .family = "toy", .variant = "other", .problem = {}, .point = {}, .device = "cuda:0"};
  slowed_for_tests(toy_session(), state, device)->launch();
  EXPECT_EQ(device.waited_s, 0);
  EXPECT_EQ(device.launches, 0u);
}

/// A device that draws one power until its first launch and another from then on, whose counter moves only
/// every 80 ms. What it shows fits the time at which it is read, however late that is.
class MeteredDevice : public ScriptedDevice {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr double kIdleWatts = 100, kBusyWatts = 300, kStepSeconds = 0.08;

  double time_s(const std::function<void()>& work) override {
    work();
    const std::scoped_lock lock(mutex_);
    if (!busy_since_) busy_since_ = Clock::now();
    return 1e-3;
  }
  Maybe<double> energy_j() override {
    const std::scoped_lock lock(mutex_);
    const auto now = Clock::now();
    if (seconds(shown_at_, now) >= kStepSeconds) {
      shown_j_ = kIdleWatts * seconds(begun_, now) +
                 (busy_since_ ? (kBusyWatts - kIdleWatts) * seconds(*busy_since_, now) : 0);
      shown_at_ = now;
    }
    ++readings;
    return {shown_j_, {}};
  }
  int readings = 0;

 private:
  static double seconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }

  std::mutex mutex_;
  Clock::time_point begun_ = Clock::now(), shown_at_ = begun_;
  std::optional<Clock::time_point> busy_since_;
  double shown_j_ = 0;
};

TEST(Energy, IsThatOfWholeStepsOfTheCounterLessWhatTheIdleDeviceDraws) {
  // Three steps of the counter in the loop: read at its ends and not where it moves, a third could be
  // missing.
  MeteredDevice device;
  auto session = quick_session();
  const auto energy = measure_energy(device, session, 1e-3, 0.3, [] {});
  ASSERT_TRUE(energy.value) << energy.reason;
  const nlohmann::json& found = *energy.value;
  EXPECT_NEAR(found["idle_watts"].get<double>(), MeteredDevice::kIdleWatts, 20);
  EXPECT_NEAR(found["watts"].get<double>(), MeteredDevice::kBusyWatts, 40);
  EXPECT_NEAR(found["joules"].get<double>() / found["seconds"].get<double>(), 200, 40);
  EXPECT_GT(found["work_per_joule"].get<double>(), 0);
}

/// A session of several devices.
class SeveralDevices : public testing::ToySession, public DevicesAtWork {
 public:
  explicit SeveralDevices(std::vector<Device*> devices)
      : ToySession("steady", {10, "toys"}, 0, std::nullopt), devices_(std::move(devices)) {}
  std::vector<Device*> devices_at_work() const override { return devices_; }

 private:
  std::vector<Device*> devices_;
};

TEST(Energy, OfASessionOfSeveralDevicesIsTheSumOfThose) {
  MeteredDevice timing, first, second;
  SeveralDevices session({&timing, &first, &second});
  const auto energy = measure_energy(timing, session, 1e-3, 0.3, [] {});
  ASSERT_TRUE(energy.value) << energy.reason;
  EXPECT_NEAR((*energy.value)["idle_watts"].get<double>(), 300, 60);
  EXPECT_NEAR((*energy.value)["watts"].get<double>(), 500, 80);  // two of them were launched nothing
  EXPECT_EQ((*energy.value)["devices"], "cuda:0 + cuda:0 + cuda:0");
}

TEST(Energy, IsNotAskedOfADeviceThatDoesNoWork) {
  MeteredDevice timing, working;
  SeveralDevices session({&working});
  measure_energy(timing, session, 1e-3, 0.05, [] {});
  EXPECT_EQ(timing.readings, 0);
  EXPECT_GT(working.readings, 0);
}

TEST(Energy, IsNoneWhereOneOfTheDevicesCannotTell) {
  class Silent : public ScriptedDevice {
   public:
    std::string id() const override { return "cpu"; }
    Maybe<double> energy_j() override { return {std::nullopt, "no counter"}; }
  };
  MeteredDevice device;
  Silent silent;
  SeveralDevices session({&device, &silent});
  const auto energy = measure_energy(device, session, 1e-3, 0.05, [] {});
  EXPECT_FALSE(energy.value);
  EXPECT_EQ(energy.reason, "cpu: no counter");
}

TEST(Energy, IsNoneWhereTheCounterStandsStill) {
  class Still : public ScriptedDevice {
   public:
    Maybe<double> energy_j() override { return {1e9, {}}; }
  };
  Still device;
  auto session = quick_session();
  const auto energy = measure_energy(device, session, 1e-3, 0.05, [] {});
  EXPECT_FALSE(energy.value);
  EXPECT_THAT(energy.reason, ::testing::HasSubstr("moved fewer than two times"));
}

TEST(Slowdown, KeepsTheDevicesOfTheSession) {
  const testing::Environment slow(kSlowdownVariable, "toy/steady=1.25");
  ScriptedDevice device, other;
  const results::StateKey state{
      .family = "toy", .variant = "steady", .problem = {}, .point = {}, .device = "cuda:0"};
  const auto session =
      slowed_for_tests(std::make_unique<SeveralDevices>(std::vector<Device*>{&other}), state, device);
  EXPECT_THAT(dynamic_cast<const DevicesAtWork&>(*session).devices_at_work(), ::testing::ElementsAre(&other));
}

}  // namespace
}  // namespace gpuseq::bench
