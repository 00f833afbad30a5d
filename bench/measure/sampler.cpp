#include "bench/measure/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "results/statistics/statistics.hpp"
#include "runtime/system/seconds_since.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

/// Below this share of its maximum a GPU's clock is held down (by power, heat or idleness), and the sample
/// tells about that and not about the kernel. Boost clocks vary by a few percent; holds are far lower.
constexpr double kThrottledShare = 0.7;

/// Clock over its maximum, read straight after a launch; 1 where either cannot be had, and on the CPU, whose
/// maximum is granted to single cores only.
double clock_share(Device& device) {
  if (device.kind() == DeviceKind::cpu) return 1;
  const Maybe<double> now = device.clock_mhz(), most = device.max_clock_mhz();
  return now.value && most.value && *most.value > 0 ? *now.value / *most.value : 1;
}

class Sampler {
 public:
  Sampler(Device& device, Session& session, const SamplingOptions& options,
          const std::function<void()>& alive)
      : device_(device), session_(session), options_(options), alive_(alive) {
    criterion_.min_samples = static_cast<std::size_t>(options.min_samples);
    criterion_.max_samples = static_cast<std::size_t>(options.max_samples);
    criterion_.max_seconds = options.max_seconds;
    criterion_.six_samples_seconds = options.six_samples_seconds;
    criterion_.fewest_samples = static_cast<std::size_t>(options.fewest_samples);
    criterion_.relative_interval = options.relative_interval;
  }

  Samples take() {
    warm_up();
    take_batches();
    if (samples_.launches_per_sample > 1) take_single_launches();
    return std::move(samples_);
  }

 private:
  /// Also finds how many launches make a sample.
  void warm_up() {
    const double short_s = options_.cold_cache ? 0 : options_.short_launch_seconds;
    // The first launches may be slow: a few more tell what a launch takes, where it may be a short one.
    constexpr int kMoreLaunches = 3;
    constexpr double kMayBeShort = 10;
    double launch_s = std::numeric_limits<double>::infinity();
    for (int i = 0; i < options_.warmup; ++i) launch_s = std::min(launch_s, launch());
    for (int i = 0; i < kMoreLaunches && launch_s < kMayBeShort * short_s; ++i)
      launch_s = std::min(launch_s, launch());
    if (launch_s >= short_s) return;
    constexpr double kShortLaunches = 10, kMostLaunches = 10000;  // in a batch
    samples_.launches_per_sample =
        static_cast<int>(std::clamp(std::ceil(kShortLaunches * short_s / launch_s), 2.0, kMostLaunches));
  }

  void take_batches() {
    const auto start = std::chrono::steady_clock::now();
    while (true) {
      const double seconds = launch(samples_.launches_per_sample);
      if (clock_share(device_) >= kThrottledShare)
        samples_.seconds.push_back(seconds);
      else
        throttled_.push_back(seconds);
      if (const auto reason = stop(seconds_since(start))) return finish(*reason);
    }
  }

  /// Seconds of one of so many launches in a row.
  double launch(int times = 1) {
    if (alive_) alive_();
    if (options_.cold_cache) {
      device_.flush_caches();
      device_.synchronize();
    }
    const KeepPinned once_a_batch;
    return device_.time_s([&] {
      for (int i = 0; i < times; ++i) session_.launch();
    }) / times;
  }

  void take_single_launches() {
    constexpr std::size_t kLaunches = 21;
    while (samples_.single_launch_s.size() < kLaunches) {
      if (alive_) alive_();
      const auto start = std::chrono::steady_clock::now();
      session_.launch();
      device_.synchronize();
      samples_.single_launch_s.push_back(seconds_since(start));
    }
  }

  std::optional<std::string> stop(double elapsed_s) const {
    const std::vector<double>& seconds = samples_.seconds;
    if (throttled_.size() >= criterion_.max_samples) return "sample limit";
    if (seconds.empty())
      return elapsed_s >= criterion_.max_seconds ? std::optional<std::string>("time limit") : std::nullopt;
    const double sampled_s = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    if (sampled_s < options_.min_seconds && elapsed_s < options_.min_seconds + options_.max_seconds)
      return std::nullopt;
    return criterion_.decide(seconds, elapsed_s);
  }

  void finish(const std::string& reason) {
    samples_.stopped_by = reason;
    samples_.discarded_throttled = static_cast<int>(throttled_.size());
    if (samples_.seconds.empty()) {
      samples_.seconds = throttled_;
      samples_.discarded_throttled = 0;
      samples_.notes.push_back(fmt::format(
          "every sample was taken with the clock below {:.0f} % of its maximum", 100 * kThrottledShare));
    }
  }

  Device& device_;
  Session& session_;
  const SamplingOptions& options_;
  const std::function<void()>& alive_;
  results::StoppingCriterion criterion_;
  Samples samples_;
  std::vector<double> throttled_;
};

}  // namespace

Samples take_samples(Device& device, Session& session, const SamplingOptions& options,
                     const std::function<void()>& alive) {
  return Sampler(device, session, options, alive).take();
}

}  // namespace gpuseq::bench
