#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "bench/measure/measure.hpp"
#include "runtime/contract/devices_at_work.hpp"

namespace gpuseq::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Joules of all of them since an arbitrary start; or why the first that cannot say cannot.
Maybe<double> energy_of(const std::vector<Device*>& devices) {
  double sum_j = 0;
  for (Device* device : devices) {
    Maybe<double> energy = device->energy_j();
    if (!energy.value)
      return devices.size() == 1 ? energy
                                 : Maybe<double>{{}, fmt::format("{}: {}", device->id(), energy.reason)};
    sum_j += *energy.value;
  }
  return {sum_j, {}};
}

/// Draw of the devices when nothing runs, from their energy counters over a second.
Maybe<double> idle_watts(const std::vector<Device*>& devices) {
  for (Device* device : devices) device->synchronize();
  Maybe<double> before = energy_of(devices);
  if (!before.value) return before;
  const auto start = Clock::now();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  Maybe<double> after = energy_of(devices);
  if (!after.value) return after;
  return {(*after.value - *before.value) / seconds_between(start, Clock::now()), {}};
}

std::string names_of(const std::vector<Device*>& devices) {
  std::vector<std::string> names;
  names.reserve(devices.size());
  for (const Device* device : devices) names.push_back(device->id());
  return fmt::format("{}", fmt::join(names, " + "));
}

}  // namespace

Maybe<nlohmann::json> measure_energy(Device& device, Session& session, double launch_s, double seconds,
                                     const std::function<void()>& alive) {
  const std::vector<Device*> devices = devices_at_work(session, device);
  const Maybe<double> idle = idle_watts(devices);
  if (!idle.value) return {std::nullopt, idle.reason};
  // Waiting for the device every 10 ms keeps it busy and lets the loop end in time.
  const int batch = static_cast<int>(std::clamp(0.01 / launch_s, 1.0, 1e4));
  const double before = energy_of(devices).value.value_or(0);
  const auto start = Clock::now();
  double launches = 0, elapsed_s = 0;
  while (elapsed_s < seconds) {
    alive();
    device.time_s([&] {
      for (int i = 0; i < batch; ++i) session.launch();
    });
    launches += batch;
    elapsed_s = seconds_between(start, Clock::now());
  }
  const Maybe<double> after = energy_of(devices);
  if (!after.value) return {std::nullopt, after.reason};
  const double net_j = *after.value - before - *idle.value * elapsed_s;
  if (!(net_j > 0)) return {std::nullopt, "the launches drew no more than the idle device"};
  return {nlohmann::json{{"joules", net_j},
                         {"seconds", elapsed_s},
                         {"watts", (*after.value - before) / elapsed_s},
                         {"idle_watts", *idle.value},
                         {"devices", names_of(devices)},
                         {"work_per_joule", session.work().amount * launches / net_j}},
          {}};
}

}  // namespace gpuseq::bench
