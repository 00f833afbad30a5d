#include "bench/measure/energy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace gpuseq::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPollEvery{2};
constexpr double kIdleSeconds = 0.6;
constexpr double kSettleSeconds = 1;  // NVML's power is the mean of a second
constexpr std::chrono::seconds kIdleHolds{60};

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// The energy counter of a device at its first and its last observed step.
struct Movements {
  double first_j = 0, last_j = 0;
  Clock::time_point first_at, last_at;
  int count = 0;

  void take(double before_j, double now_j) {
    if (now_j == before_j) return;
    last_j = now_j;
    last_at = Clock::now();
    if (count++ == 0) {
      first_j = last_j;
      first_at = last_at;
    }
  }
  Maybe<double> watts() const {
    if (count < 2) return {std::nullopt, "the energy counter moved fewer than two times"};
    const double seconds = seconds_between(first_at, last_at);
    if (!(seconds > 0)) return {std::nullopt, "the host's clock stood still while the energy counter moved"};
    return {(last_j - first_j) / seconds, {}};
  }
};

/// Measures the power of devices in a thread, from its construction. Counters move in steps of up to 100 ms,
/// so power is taken between two steps: this way time and energy match.
class PowerMeter {
 public:
  explicit PowerMeter(const std::vector<Device*>& devices)
      : movements_(devices.size()), reader_([this, devices](const std::stop_token& stop) {
          std::vector<double> last_j(devices.size());
          for (std::size_t i = 0; i < devices.size(); ++i)
            last_j[i] = devices[i]->energy_j().value.value_or(0);
          while (!stop.stop_requested()) {
            std::this_thread::sleep_for(kPollEvery);
            for (std::size_t i = 0; i < devices.size(); ++i) {
              const double now_j = devices[i]->energy_j().value.value_or(last_j[i]);
              movements_[i].take(last_j[i], now_j);
              last_j[i] = now_j;
            }
          }
        }) {}

  /// Ends the measurement. @returns the sum of the devices' watts
  Maybe<double> watts() {
    reader_.request_stop();
    reader_.join();
    double sum = 0;
    for (const Movements& movements : movements_) {
      Maybe<double> watts = movements.watts();
      if (!watts.value) return watts;
      sum += *watts.value;
    }
    return {sum, {}};
  }

 private:
  std::vector<Movements> movements_;
  std::jthread reader_;  // last: uses the others
};

/// Why the first device without an energy counter has none; empty if all have one.
std::string reason_for_none(const std::vector<Device*>& devices) {
  for (Device* device : devices)
    if (const Maybe<double> energy = device->energy_j(); !energy.value)
      return devices.size() == 1 ? energy.reason : fmt::format("{}: {}", device->id(), energy.reason);
  return {};
}

std::string names_of(const std::vector<Device*>& devices) {
  std::vector<std::string> names;
  names.reserve(devices.size());
  for (const Device* device : devices) names.push_back(device->id());
  return fmt::format("{}", fmt::join(names, " + "));
}

}  // namespace

Maybe<double> EnergyMeter::idle_watts(const std::vector<Device*>& devices) {
  Idle& idle = idle_[names_of(devices)];
  if (idle.watts.value && Clock::now() - idle.at < kIdleHolds) return idle.watts;
  for (Device* device : devices) device->synchronize();
  std::this_thread::sleep_for(std::chrono::duration<double>(kSettleSeconds));
  PowerMeter meter(devices);
  std::this_thread::sleep_for(std::chrono::duration<double>(kIdleSeconds));
  idle = {meter.watts(), Clock::now()};
  return idle.watts;
}

Maybe<nlohmann::json> EnergyMeter::measure(Device& device, Session& session, const Work& work,
                                           double launch_s, double seconds,
                                           const std::function<void()>& alive) {
  std::vector<Device*> devices = session.devices_at_work();
  if (devices.empty()) devices.push_back(&device);
  if (std::string reason = reason_for_none(devices); !reason.empty())
    return {std::nullopt, std::move(reason)};
  const Maybe<double> idle = idle_watts(devices);
  if (!idle.value) return {std::nullopt, idle.reason};
  // Synchronising about every 10 ms keeps the device busy and lets the loop end in time.
  const int batch = static_cast<int>(std::clamp(0.01 / launch_s, 1.0, 1e4));
  struct Looped {
    double launches = 0, seconds = 0;
  };
  const auto loop_for = [&](double least_s) {
    const auto start = Clock::now();
    Looped looped;
    while (looped.seconds < least_s) {
      alive();
      device.time_s([&] {
        for (int i = 0; i < batch; ++i) session.launch();
      });
      looped.launches += batch;
      looped.seconds = seconds_between(start, Clock::now());
    }
    return looped;
  };
  loop_for(kSettleSeconds);
  PowerMeter meter(devices);
  const Looped looped = loop_for(seconds);
  const Maybe<double> busy = meter.watts();
  if (!busy.value) return {std::nullopt, busy.reason};
  const double net_j = (*busy.value - *idle.value) * looped.seconds;
  if (!(net_j > 0)) return {std::nullopt, "the launches drew no more than the idle device"};
  return {nlohmann::json{{"joules", net_j},
                         {"seconds", looped.seconds},
                         {"watts", *busy.value},
                         {"idle_watts", *idle.value},
                         {"devices", names_of(devices)},
                         {"work_per_joule", work.amount * looped.launches / net_j}},
          {}};
}

}  // namespace gpuseq::bench
