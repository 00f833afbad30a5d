#include "kernels/papara/hybrid/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gpuseq::papara {
namespace {

/// Least gain of both parts over the faster part alone; smaller gains may be noise.
constexpr double kLeastGain = 0.01;
/// A part alone is not tried if it is predicted to take this multiple of the best time, unless that is short.
constexpr double kFarSlower = 1.5;
/// Shorter launches are repeated after a warm-up launch. The first launch may be slower by any factor and
/// does not show the speeds.
constexpr double kShort_s = 0.3;
/// Number of times that shares are derived from the times of the previous shares.
constexpr int kRefinements = 4;
/// With more loads, rounding to whole loads has no effect.
constexpr double kMostLoads = 64;

double sum_of(const std::vector<PartTime>& parts, double (*value)(const PartTime&)) {
  double sum = 0;
  for (const PartTime& part : parts) sum += value(part);
  return sum;
}

double speed_of(const std::vector<PartTime>& gpus) {
  return sum_of(gpus, [](const PartTime& part) { return part.speed(); });
}

class Settling {
 public:
  Settling(const PlanProblem& problem, const std::function<LaunchTimes(const HybridPlan&)>& launch)
      : problem_(problem), launch_(launch) {}

  SettledPlan run() {
    try_first({});
    if (spent_s_ >= problem_.most_seconds) return by_speeds();
    try_gpus_alone();
    try_cpu_alone();
    try_both();
    confirm_both();
    choose();
    return settled_;
  }

  /// Shares of several GPUs without the CPU.
  SettledPlan run_without_cpu() {
    try_first({.cpu = false});
    try_gpus_alone();
    settled_.plan = alone_;
    settled_.both_s = 0;
    return settled_;
  }

 private:
  void try_first(const HybridPlan& plan) {
    first_ = launch_(plan);
    spent_s_ = first_.seconds;
    settled_.both_s = first_.seconds;
    settled_.cpu_speed = first_.cpu.speed();
    settled_.gpus_speed = speed_of(first_.gpus);
  }

  /// Chooses as if every plan took the time predicted from the speeds of the first launch.
  SettledPlan by_speeds() {
    const double cpu = settled_.cpu_speed, gpus = settled_.gpus_speed;
    settled_.by_speeds = true;
    if (std::max(cpu, gpus) < (1 - kLeastGain) * (cpu + gpus))
      settled_.plan.gpu_cells = shared_out(problem_.cells * gpus / (cpu + gpus), first_.gpus);
    else if (gpus >= cpu)
      settled_.plan = {.cpu = false, .gpu_cells = shared_out(problem_.cells, first_.gpus)};
    else
      settled_.plan = {.gpus = false};
    return settled_;
  }

  /// The median of three launches, or a single launch if it is long.
  LaunchTimes timed(const HybridPlan& plan) {
    std::array<LaunchTimes, 3> times{launch_(plan)};
    spent_s_ += times[0].seconds;
    if (times[0].seconds > kShort_s) return times[0];
    for (LaunchTimes& again : times) {
      again = launch_(plan);
      spent_s_ += again.seconds;
    }
    std::sort(times.begin(), times.end(),
              [](const LaunchTimes& a, const LaunchTimes& b) { return a.seconds < b.seconds; });
    return times[1];
  }

  bool may_be_faster(double speed) const {
    const double alone_s = settled_.gpus_alone_s;
    const double best_s = alone_s > 0 ? std::min(alone_s, settled_.both_s) : settled_.both_s;
    return speed <= 0 || problem_.cells / speed < std::max(kFarSlower * best_s, kShort_s);
  }

  /// Cells of each GPU if the GPUs share `cells` cells.
  std::vector<double> shared_out(double cells, const std::vector<PartTime>& gpus) const {
    const double speed = speed_of(gpus);
    std::vector<double> shares;
    shares.reserve(gpus.size());
    for (const PartTime& gpu : gpus) shares.push_back(speed > 0 ? cells * gpu.speed() / speed : cells);
    return shares;
  }

  void try_gpus_alone() {
    if (problem_.cpu && !may_be_faster(settled_.gpus_speed)) return;
    gpus_ = first_.gpus;
    const bool several = gpus_.size() > 1;
    for (int turn = 0; turn < (several ? 2 : 1); ++turn) {
      const HybridPlan plan{.cpu = false, .gpu_cells = shared_out(problem_.cells, gpus_)};
      const LaunchTimes times = timed(plan);
      if (turn == 0 || times.seconds < settled_.gpus_alone_s) {
        settled_.gpus_alone_s = times.seconds;
        alone_ = plan;
      }
      gpus_ = times.gpus;
    }
    settled_.gpus_speed = problem_.cells / settled_.gpus_alone_s;
  }

  void try_cpu_alone() {
    if (!may_be_faster(settled_.cpu_speed)) return;
    settled_.cpu_alone_s = timed({.gpus = false}).seconds;
    settled_.cpu_speed = problem_.cells / settled_.cpu_alone_s;
  }

  /// Keeps the plan if it is the fastest with both parts.
  LaunchTimes try_shares(const std::vector<double>& gpu_cells) {
    const HybridPlan plan{.gpu_cells = gpu_cells};
    LaunchTimes times = timed(plan);
    if (settled_.plan.gpu_cells.empty() || times.seconds < settled_.both_s) {
      settled_.both_s = times.seconds;
      settled_.plan = plan;
      if (settled_.cpu_alone_s <= 0) settled_.cpu_speed = times.cpu.speed();
      if (settled_.gpus_alone_s <= 0) settled_.gpus_speed = speed_of(times.gpus);
    }
    return times;
  }

  void try_both() {
    if (gpus_.empty()) gpus_ = first_.gpus;
    double gpu_speed = settled_.gpus_speed, cpu_speed = first_.cpu.speed();
    if (cpu_speed <= 0) cpu_speed = settled_.cpu_speed;
    for (int turn = 0; turn < kRefinements && gpu_speed > 0; ++turn) {
      if (turn > 0 && spent_s_ > problem_.most_seconds) return;
      const LaunchTimes times =
          try_shares(shared_out(problem_.cells * gpu_speed / (gpu_speed + cpu_speed), gpus_));
      if (times.cpu.cells <= 0) return;
      cpu_speed = times.cpu.speed();
      gpu_speed = speed_of(times.gpus);
      gpus_ = times.gpus;
    }
    try_whole_loads();
  }

  /// A partial load takes a GPU as long as a whole load.
  void try_whole_loads() {
    const std::vector<double> best = settled_.plan.gpu_cells;
    for (double (*const rounded)(double) : {&whole_below, &whole_above}) {
      std::vector<double> shares = best;
      double all = 0;
      for (std::size_t i = 0; i < shares.size(); ++i) {
        const double load = problem_.load_cells[i];
        if (load > 0 && shares[i] < kMostLoads * load) shares[i] = rounded(shares[i] / load) * load;
        all += shares[i];
      }
      if (shares != best && all > 0 && all < problem_.cells && spent_s_ < problem_.most_seconds)
        try_shares(shares);
    }
  }
  static double whole_below(double loads) { return std::floor(loads); }
  static double whole_above(double loads) { return std::ceil(loads); }

  /// The fastest of several tries is biased; it is measured again to confirm the gain.
  void confirm_both() {
    if (settled_.plan.gpu_cells.empty() || spent_s_ > problem_.most_seconds) return;
    settled_.both_s = timed(settled_.plan).seconds;
  }

  void choose() {
    const double gpus_s = settled_.gpus_alone_s, cpu_s = settled_.cpu_alone_s;
    const bool gpus = gpus_s > 0 && (cpu_s <= 0 || gpus_s <= cpu_s);
    const double alone_s = gpus ? gpus_s : cpu_s;
    if (alone_s <= 0 || settled_.both_s < (1 - kLeastGain) * alone_s) return;
    settled_.plan = gpus ? alone_ : HybridPlan{.gpus = false};
  }

  const PlanProblem& problem_;
  const std::function<LaunchTimes(const HybridPlan&)>& launch_;
  SettledPlan settled_;
  LaunchTimes first_;
  std::vector<PartTime> gpus_;  // times of the last launch that measured the GPUs' speeds
  HybridPlan alone_;
  double spent_s_ = 0;
};

}  // namespace

SettledPlan settle(const PlanProblem& problem, const std::function<LaunchTimes(const HybridPlan&)>& launch) {
  const auto gpus = std::ranges::count_if(problem.load_cells, [](double cells) { return cells > 0; });
  if (problem.cells > 0 && problem.cpu && gpus > 0) return Settling(problem, launch).run();
  if (problem.cells > 0 && gpus > 1) return Settling(problem, launch).run_without_cpu();
  return {.plan = {.cpu = problem.cpu, .gpus = gpus > 0 || !problem.cpu}};
}

}  // namespace gpuseq::papara
