#include "kernels/fm_locate/cuda/policy.hpp"

#include <array>

namespace gpuseq::fm_locate {
namespace {

constexpr std::array<std::string_view, 2> kSamplings{"rows", "text"}, kLoads{"streamed", "cached"};

/// In the order of Policy's members.
constexpr std::array kFields{
    tunable<&Policy::marked>({.field = "marked", .words = kSamplings}),
    tunable<&Policy::threads_per_block>({.field = "threads_per_block",
                                         .axis = "threads_per_block",
                                         .letter = "t",
                                         .meaning = "threads of a block"}),
    tunable<&Policy::walks_of_warp>(
        {.field = "walks_of_warp",
         .axis = "walks_of_warp",
         .letter = "w",
         .meaning = "rows that a warp takes at a time; a lane whose walk ends goes on with another of them"}),
    tunable<&Policy::lines_in_l1>(
        {.field = "lines_in_l1",
         .axis = "line_loads",
         .words = kLoads,
         .meaning = "loads of the index allocate in L1 (cached) or pass it by (streamed)"})};

std::vector<Policy> ahead_of_time_policies() {
  return {Policy{.marked = false}, Policy{.marked = true}};
}

}  // namespace

WalkPoint walk_point(const Point& point) {
  WalkPoint result;
  for (const Tunable<Policy>& field : kFields)
    if (!field.axis.empty()) field.assign(result.policy, point);
  // At a rate of 1 both orders are one, and nothing is marked.
  result.policy.marked = point.word("sa_sampling") == "text" && point.integer("sa_rate") > 1;
  result.ahead_of_time = is_ahead_of_time(point);
  return result;
}

std::vector<Axis> walk_axes() {
  const Policy usual;
  std::vector<Axis> axes;
  const auto add = [&](const Tunable<Policy>& field, std::vector<AxisValue> values, AxisValue chosen) {
    axes.push_back(listed_axis(std::string(field.axis), std::move(values), std::move(chosen),
                               std::string(field.meaning)));
  };
  add(kFields[1], axis_integers({64, 128, 256, 512}), i64{usual.threads_per_block});
  add(kFields[2], axis_integers({32, 64, 128, 256, 512}), i64{usual.walks_of_warp});
  add(kFields[3], {"streamed", "cached"}, std::string(kLoads[usual.lines_in_l1 ? 1 : 0]));
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
