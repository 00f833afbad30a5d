#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::papara {

/// Parts that take part in a launch, and their shares.
struct HybridPlan {
  bool cpu = true, gpus = true;
  std::vector<double> gpu_cells = {};  // cells of each GPU; empty: chosen by speed during the launch
  /// "both", "gpus", "cpu"
  std::string_view taken() const { return !gpus ? "cpu" : !cpu ? "gpus" : "both"; }
};

/// Work and finish time of a part.
struct PartTime {
  double cells = 0, seconds = 0;
  double speed() const { return seconds > 0 ? cells / seconds : 0; }
};

struct LaunchTimes {
  double seconds = 0;
  PartTime cpu;
  std::vector<PartTime> gpus;
};

/// The fastest of the tried plans.
struct SettledPlan {
  HybridPlan plan;
  // Seconds of a launch; 0: not available, or predicted to be far slower than the others.
  double both_s = 0, gpus_alone_s = 0, cpu_alone_s = 0;
  double cpu_speed = 0, gpus_speed = 0;  // cells per second, measured alone if that was tried, else together
  bool by_speeds = false;                // only the first launch was tried; it measured the speeds
};

/// Input of settle().
struct PlanProblem {
  double cells = 0;
  bool cpu = false;                // whether the CPU takes part
  std::vector<double> load_cells;  // for each GPU: cells of a load; 0: the GPU takes no part
  double most_seconds = 20;        // time limit for trying plans, including the first launch
};

/// Tries launches with both parts, with each part alone unless it is predicted to be far slower, and with
/// both parts again with shares that take equal time and with whole loads per GPU. Keeps both parts if they
/// are faster twice, else the faster part. A first launch that takes most_seconds is the only one: its pieces
/// measure the speeds.
SettledPlan settle(const PlanProblem& problem, const std::function<LaunchTimes(const HybridPlan&)>& launch);

}  // namespace gpuseq::papara
