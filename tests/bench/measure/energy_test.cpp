#include "bench/measure/energy.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <optional>

#include "tests/bench/scripted_device.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using testing::quick_session;
using testing::ScriptedDevice;
using testing::SeveralDevices;

/// A device that draws one power until its first launch and another from then on, whose counter moves only
/// every 80 ms. Its values fit the time at which they are read, however late that is.
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
  const auto energy = EnergyMeter().measure(device, session, session.cost().work, 1e-3, 0.3, [] {});
  ASSERT_TRUE(energy.value) << energy.reason;
  const nlohmann::json& found = *energy.value;
  EXPECT_NEAR(found["idle_watts"].get<double>(), MeteredDevice::kIdleWatts, 20);
  EXPECT_NEAR(found["watts"].get<double>(), MeteredDevice::kBusyWatts, 40);
  EXPECT_NEAR(found["joules"].get<double>() / found["seconds"].get<double>(), 200, 40);
  EXPECT_GT(found["work_per_joule"].get<double>(), 0);
}

TEST(Energy, OfASessionOfSeveralDevicesIsTheSumOfThose) {
  MeteredDevice timing, first, second;
  SeveralDevices session({&timing, &first, &second});
  const auto energy = EnergyMeter().measure(timing, session, session.cost().work, 1e-3, 0.3, [] {});
  ASSERT_TRUE(energy.value) << energy.reason;
  EXPECT_NEAR((*energy.value)["idle_watts"].get<double>(), 300, 60);
  EXPECT_NEAR((*energy.value)["watts"].get<double>(), 500, 80);  // two of them were launched nothing
  EXPECT_EQ((*energy.value)["devices"], "cuda:0 + cuda:0 + cuda:0");
}

TEST(Energy, IsNotAskedOfADeviceThatDoesNoWork) {
  MeteredDevice timing, working;
  SeveralDevices session({&working});
  EnergyMeter().measure(timing, session, session.cost().work, 1e-3, 0.05, [] {});
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
  const auto energy = EnergyMeter().measure(device, session, session.cost().work, 1e-3, 0.05, [] {});
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
  const auto energy = EnergyMeter().measure(device, session, session.cost().work, 1e-3, 0.05, [] {});
  EXPECT_FALSE(energy.value);
  expect_text(energy.reason);
}

TEST(Energy, RemembersWhatTheIdleDeviceDraws) {
  MeteredDevice device;
  auto session = quick_session();
  EnergyMeter meter;
  const auto first = meter.measure(device, session, session.cost().work, 1e-3, 0.3, [] {});
  const auto second =
      meter.measure(device, session, session.cost().work, 1e-3, 0.3, [] {});  // the device stays busy
  ASSERT_TRUE(first.value && second.value) << first.reason << second.reason;
  EXPECT_EQ((*second.value)["idle_watts"], (*first.value)["idle_watts"]);
}

}  // namespace
}  // namespace gpuseq::bench
