#include <algorithm>
#include <chrono>
#include <thread>

#include "bench/measure/measure.hpp"

namespace gpuseq::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Draw of the device when nothing runs, from its energy counter over a second.
Maybe<double> idle_watts(Device& device) {
  device.synchronize();
  const Maybe<double> before = device.energy_j();
  if (!before.value) return before;
  const auto start = Clock::now();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const Maybe<double> after = device.energy_j();
  if (!after.value) return after;
  return {(*after.value - *before.value) / seconds_between(start, Clock::now()), {}};
}

}  // namespace

Maybe<nlohmann::json> measure_energy(Device& device, Session& session, double launch_s, double seconds,
                                     const std::function<void()>& alive) {
  const Maybe<double> idle = idle_watts(device);
  if (!idle.value) return {std::nullopt, idle.reason};
  // Waiting for the device every 10 ms keeps it busy and lets the loop end in time.
  const int batch = static_cast<int>(std::clamp(0.01 / launch_s, 1.0, 1e4));
  const double before = device.energy_j().value.value_or(0);
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
  const Maybe<double> after = device.energy_j();
  if (!after.value) return {std::nullopt, after.reason};
  const double net_j = *after.value - before - *idle.value * elapsed_s;
  if (!(net_j > 0)) return {std::nullopt, "the launches drew no more than the idle device"};
  return {nlohmann::json{{"joules", net_j},
                         {"seconds", elapsed_s},
                         {"watts", (*after.value - before) / elapsed_s},
                         {"idle_watts", *idle.value},
                         {"work_per_joule", session.work().amount * launches / net_j}},
          {}};
}

}  // namespace gpuseq::bench
