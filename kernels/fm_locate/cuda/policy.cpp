#include "kernels/fm_locate/cuda/policy.hpp"

#include <array>

namespace gpuseq::fm_locate {
namespace {

constexpr std::array<std::string_view, 2> kSamplings{"rows", "text"}, kLoadsAre{"streamed", "cached"};

constexpr auto kThreads = tunable<&Policy::threads_per_block>(
    {.axis = "threads_per_block", .letter = "t", .meaning = "threads per block"});
constexpr auto kWalks = tunable<&Policy::walks_of_warp>(
    {.axis = "walks_of_warp",
     .letter = "w",
     .meaning = "rows that a warp takes at a time; a lane whose walk ends takes another of them"});
constexpr auto kLoads = tunable<&Policy::lines_in_l1>(
    {.axis = "line_loads",
     .words = kLoadsAre,
     .meaning = "loads of the index; cached: they allocate in L1; streamed: they bypass it"});

/// In the order of Policy's members.
constexpr auto kFields =
    every_member<Policy>({tunable<&Policy::marked>({.words = kSamplings}), kThreads, kWalks, kLoads});

const TunableAxes<Policy>& tunables() {
  static const TunableAxes<Policy> table{axis_of(kThreads, {64, 128, 256, 512}, 128),
                                         axis_of(kWalks, {32, 64, 128, 256, 512}, 256),
                                         axis_of(kLoads, {"streamed", "cached"}, "streamed")};
  return table;
}

std::vector<Policy> ahead_of_time_policies() {
  return {Policy{.marked = false}, Policy{.marked = true}};
}

}  // namespace

WalkPoint walk_point(const Point& point) {
  WalkPoint result;
  assign(result.policy, point, tunables());
  // At a rate of 1 both orders are the same, and no row is marked.
  result.policy.marked = point.word("sa_sampling") == "text" && point.integer("sa_rate") > 1;
  result.ahead_of_time = is_ahead_of_time(point);
  return result;
}

std::vector<Axis> walk_axes() {
  std::vector<Axis> axes = axes_of(tunables());
  axes.push_back(compiled_by_axis());
  return axes;
}

std::vector<Constraint> walk_constraints() {
  return {ahead_of_time_constraint(locate_kernels(),
                                   [](const Point& point) { return walk_point(point).policy; })};
}

const TunedKernel<Policy>& locate_kernels() {
  static const TunedKernel<Policy> kernels{
      .prefix = "fm_locate",
      .scope = "gpuseq::fm_locate",
      .policy = "Policy",
      .arguments = "LocateArguments",
      .entry = "locate_kernel",
      .header = "kernels/fm_locate/cuda/walk.cuh",
      .fields = kFields,
      .threads = [](const Policy& policy) { return policy.threads_per_block; },
      .resident_blocks = [](const Policy&) { return 0u; },
      .may_spill = [](const Policy&) { return false; },
      .ahead_of_time = ahead_of_time_policies};
  return kernels;
}

std::string ahead_of_time_text() {
  return locate_kernels().ahead_of_time_text();
}

}  // namespace gpuseq::fm_locate
