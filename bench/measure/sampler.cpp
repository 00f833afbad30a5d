#include "bench/measure/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "bench/measure/interference_filter.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/system/pool_watch.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

/// Below this share of its maximum, a GPU's clock is throttled (by power, heat or idleness), and the sample
/// measures that, not the kernel. Boost clocks vary by a few percent; throttled clocks are far lower.
constexpr double kThrottledShare = 0.7;

/// Time between two reference loops, which take about 40 us, a fiftieth of it. A longer sample has a loop on
/// either side; shorter consecutive samples share them. This is short compared with a burst of a noisy
/// neighbour.
constexpr double kReferenceLoopEveryS = 2e-3;

/// Clock over its maximum, read right after a launch. 1 if one of them is not available, and on the CPU,
/// which reaches its maximum on single cores only.
double clock_share(Device& device) {
  if (device.kind() == DeviceKind::cpu) return 1;
  const Maybe<double> now = device.clock_mhz(), most = device.max_clock_mhz();
  return now.value && most.value && *most.value > 0 ? *now.value / *most.value : 1;
}

class Sampler {
 public:
  Sampler(Device& device, Session& session, const SamplingOptions& options,
          const std::function<void()>& alive, ReferenceLoop* reference_loop, const ClockSeconds& now_s)
      : device_(device),
        session_(session),
        options_(options),
        alive_(alive),
        now_s_(now_s),
        step_s_(clock_step_s(now_s)),
        least_time_s_(least_time_s(step_s_)),
        reference_loop_(least_time_s_ > 0 ? nullptr : reference_loop),
        filter_(fewest_undisturbed(options)) {
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
    if (samples_.launches_per_sample > 1 && least_time_s_ == 0) take_single_launches();
    add_notes_on_the_clock();
    return std::move(samples_);
  }

 private:
  /// The samples needed for an interval, within the limits of the options.
  static std::size_t fewest_undisturbed(const SamplingOptions& options) {
    const int fewest = std::max(1, std::min(options.fewest_samples, options.max_samples));
    return std::min(results::kFewestSamples, static_cast<std::size_t>(fewest));
  }

  /// Warms up and sets the number of launches per sample.
  void warm_up() {
    const double short_s = options_.cold_cache ? 0 : options_.short_launch_seconds;
    // The first launches may be slow, so a few more are timed if they may be short.
    constexpr int kMoreLaunches = 3;
    constexpr double kMayBeShort = 10;
    double launch_s = std::numeric_limits<double>::infinity();
    const auto take_pilot = [&] {
      if (const double seconds = launch(); seconds > 0) launch_s = std::min(launch_s, seconds);
    };
    for (int i = 0; i < options_.warmup; ++i) take_pilot();
    const auto may_be_short = [&] { return !std::isfinite(launch_s) || launch_s < kMayBeShort * short_s; };
    const bool is_timed = short_s > 0 && options_.warmup > 0;
    for (int i = 0; i < kMoreLaunches && is_timed && may_be_short(); ++i) take_pilot();
    constexpr double kShortLaunches = 10, kMostLaunches = 10000;  // in a batch
    if (has_long_samples())
      lengthen(std::max(least_time_s_, launch_s < short_s ? kShortLaunches * short_s : 0));
    else if (!std::isfinite(launch_s) && is_timed)
      lengthen(kShortLaunches * short_s);
    else if (launch_s < short_s)
      samples_.launches_per_sample =
          static_cast<int>(std::clamp(std::ceil(kShortLaunches * short_s / launch_s), 2.0, kMostLaunches));
  }

  /// Doubles the launches per sample until it takes `sample_s`, or the state's time is spent.
  void lengthen(double sample_s) {
    constexpr int kMost = 1 << 30;
    int& launches = samples_.launches_per_sample;
    const double start_s = now_s_();
    while (launches < kMost && !take(launches, sample_s) && now_s_() - start_s < options_.max_seconds)
      launches *= 2;
  }

  /// Whether this number of launches takes `sample_s` each time: a preempted process may be slow once.
  bool take(int launches, double sample_s) {
    constexpr int kTimes = 3;
    for (int i = 0; i < kTimes; ++i)
      if (launch(launches) * launches < sample_s) return false;
    return true;
  }

  void take_batches() {
    const double start_s = now_s_();
    run_reference_loop();
    while (true) {
      const double seconds = launch(samples_.launches_per_sample);
      if (!took_time(seconds)) continue;
      if (clock_share(device_) >= kThrottledShare)
        filter_.add(seconds, seconds * samples_.launches_per_sample);
      else
        throttled_.push_back(seconds);
      ++timed_;
      auto reason = stop(now_s_() - start_s);
      if (reference_loop_ && (reason || now_s_() - last_reference_loop_s_ >= kReferenceLoopEveryS)) {
        run_reference_loop();
        reason = stop(now_s_() - start_s);
      }
      if (reason) return finish(*reason);
    }
  }

  /// Counts samples that took no time. @throws ClockError if they are as many as the others
  bool took_time(double seconds) {
    if (seconds > 0) return true;
    constexpr std::size_t kMayBeChance = 10;
    if (++without_time_ >= std::max(kMayBeChance, timed_) && !begin_again_longer())
      throw ClockError(
          fmt::format("{} of {} samples took no time on the device's clock, or less; the host's clock moves "
                      "in steps of {:.3g} s",
                      without_time_, without_time_ + timed_, step_s_));
    return false;
  }

  /// On a busy machine all trials of a short sample may have been slow, so samples are lengthened once more.
  bool begin_again_longer() {
    if (std::exchange(begun_again_, true) || !has_long_samples()) return false;
    lengthen(least_time_s_);
    filter_ = InterferenceFilter(fewest_undisturbed(options_));
    throttled_.clear();
    timed_ = without_time_ = 0;
    return true;
  }

  /// Whether a sample has many launches because the host's clock is coarse.
  bool has_long_samples() const {
    return device_.kind() == DeviceKind::cpu && least_time_s_ > 0 && !options_.cold_cache;
  }

  /// Uses the threads of the last launch, which are still awake.
  void run_reference_loop() {
    if (!reference_loop_) return;
    const std::optional<ReferenceLoopRun> before = std::exchange(run_, reference_loop_->take(pool_));
    last_reference_loop_s_ = now_s_();
    if (!run_) return;
    // Their threads differ if there was no warm-up: then no launch had set the pool.
    const bool alike = before && before->threads == run_->threads;
    filter_.add_reference(alike ? std::max(before->seconds, run_->seconds) : run_->seconds,
                          reference_loop_->best_s(run_->threads));
  }

  /// Seconds per launch, for this number of launches in a row.
  double launch(int times = 1) {
    if (alive_) alive_();
    if (options_.cold_cache) {
      device_.flush_caches();
      device_.synchronize();
    }
    const KeepPinned once_a_batch;
    const PoolWatch watch;
    const double seconds = device_.time_s([&] {
      for (int i = 0; i < times; ++i) session_.launch();
    });
    pool_ = watch.pool();
    return seconds / times;
  }

  void take_single_launches() {
    constexpr std::size_t kLaunches = 21;
    for (std::size_t i = 0; i < kLaunches; ++i) {
      if (alive_) alive_();
      const double start_s = now_s_();
      session_.launch();
      device_.synchronize();
      if (const double seconds = now_s_() - start_s; seconds > 0) samples_.single_launch_s.push_back(seconds);
    }
  }

  void add_notes_on_the_clock() {
    if (without_time_ > 0)
      samples_.notes.push_back(
          fmt::format("{} samples are left out: they took no time, or less, as the clock stood "
                      "still or went back",
                      without_time_));
    if (least_time_s_ > 0)
      samples_.notes.push_back(
          fmt::format("the host's clock moves in steps of {:.3g} ms: a sample has {} launches, "
                      "none is timed alone, and interference is not watched",
                      1e3 * step_s_, samples_.launches_per_sample));
  }

  std::optional<std::string> stop(double elapsed_s) {
    if (throttled_.size() >= criterion_.max_samples) return "sample limit";
    const auto decide = [&](std::span<const double> seconds, double now_s) {
      return decide_by(seconds, now_s);
    };
    return filter_.stop(decide, elapsed_s, criterion_.max_seconds,
                        run_ ? reference_loop_->disturbed_for_s(run_->threads) : 0);
  }

  std::optional<std::string> decide_by(std::span<const double> seconds, double elapsed_s) const {
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
    KeptSamples kept = filter_.kept(criterion_.max_samples);
    samples_.seconds = std::move(kept.seconds);
    samples_.discarded_interference = static_cast<int>(kept.discarded);
    if (!kept.note.empty()) samples_.notes.push_back(std::move(kept.note));
    if (kept.slowdown && run_)
      samples_.reference_loop = {.threads = run_->threads,
                                 .best_s = reference_loop_->best_s(run_->threads),
                                 .slowdown = *kept.slowdown};
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
  const ClockSeconds& now_s_;
  double step_s_, least_time_s_;  // of the host's clock; see least_time_s()
  ReferenceLoop* reference_loop_;
  results::StoppingCriterion criterion_;
  Samples samples_;
  InterferenceFilter filter_;
  std::vector<double> throttled_;
  ThreadPool* pool_ = nullptr;           // pool of the last launch
  std::optional<ReferenceLoopRun> run_;  // the last run
  double last_reference_loop_s_ = 0;
  std::size_t timed_ = 0, without_time_ = 0;  // samples
  bool begun_again_ = false;
};

}  // namespace

Samples take_samples(Device& device, Session& session, const SamplingOptions& options,
                     const std::function<void()>& alive, ReferenceLoop* reference_loop,
                     const ClockSeconds& now_s) {
  return Sampler(device, session, options, alive, reference_loop, now_s).take();
}

}  // namespace gpuseq::bench
