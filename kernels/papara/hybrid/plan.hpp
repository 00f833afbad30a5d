#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::papara {

/// Who takes part in a launch, and with how much.
struct HybridPlan {
  bool cpu = true, gpus = true;
  std::vector<double> gpu_cells = {};  // of each; empty: as speeds say while the launch goes on
  /// "both", "gpus", "cpu"
  std::string_view taken() const { return !gpus ? "cpu" : !cpu ? "gpus" : "both"; }
};

/// What a part did, and when it was ready.
struct PartTime {
  double cells = 0, seconds = 0;
  double speed() const { return seconds > 0 ? cells / seconds : 0; }
};

struct LaunchTimes {
  double seconds = 0;
  PartTime cpu;
  std::vector<PartTime> gpus;
};

/// The fastest of what was tried.
struct SettledPlan {
  HybridPlan plan;
  // Seconds of a launch; 0: cannot be had, or far slower than the others at the speed that it showed with
  // them.
  double both_s = 0, gpus_alone_s = 0, cpu_alone_s = 0;
  double cpu_speed = 0, gpus_speed = 0;  // cells a second, alone where that was tried, else beside each other
  bool by_speeds = false;                // nothing was tried beyond the first launch, which told the speeds
};

/// What is to be settled.
struct PlanProblem {
  double cells = 0;
  bool cpu = false;                // takes part
  std::vector<double> load_cells;  // of each GPU: what it works on at a time; 0: it takes no part
  double most_seconds = 20;        // after which nothing more is tried, of the first launch already
};

/// Launches with both parts, with each alone unless that must be far slower, and with both again, each with
/// what it does in the same time and GPUs with whole loads. Keeps both where that gains, and does so again,
/// else the faster part. Where the first launch takes most_seconds it is the only one: its pieces tell the
/// speeds as well as a launch would.
SettledPlan settle(const PlanProblem& problem, const std::function<LaunchTimes(const HybridPlan&)>& launch);

}  // namespace gpuseq::papara
