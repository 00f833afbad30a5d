#include "kernels/fm_mismatch/cuda/policy.hpp"

#include <array>

#include "kernels/fm_mismatch/axes.hpp"

namespace gpuseq::fm_mismatch {
namespace {

constexpr std::array<std::string_view, 2> kLoadsAre{"streamed", "cached"};

constexpr auto kThreads = tunable<&Policy::threads_per_block>(
    {.axis = "threads_per_block", .letter = "t", .meaning = "threads per block"});
constexpr auto kQueries = tunable<&Policy::queries_of_warp>(
    {.axis = "queries_of_warp",
     .letter = "q",
     .meaning =
         "strands of queries that a warp takes at a time; a lane whose search ends takes another of them"});
constexpr auto kLoads = tunable<&Policy::lines_in_l1>(
    {.axis = "line_loads",
     .words = kLoadsAre,
     .meaning = "loads of the index; cached: they allocate in L1; streamed: they bypass it"});

/// In the order of Policy's members.
constexpr auto kFields =
    every_member<Policy>({tunable<&Policy::mismatches>({.letter = "m"}), kThreads, kQueries, kLoads});

const TunableAxes<Policy>& tunables() {
  static const TunableAxes<Policy> table{axis_of(kThreads, {64, 128, 256}, 128),
                                         axis_of(kQueries, {32, 64, 128, 256}, 128),
                                         axis_of(kLoads, {"cached", "streamed"}, "cached")};
  return table;
}

std::vector<Policy> ahead_of_time_policies() {
  return {Policy{.mismatches = 0}, Policy{.mismatches = 1}, Policy{.mismatches = 2}};
}

}  // namespace

Policy policy_of(const Point& point, u32 mismatches) {
  Policy policy{.mismatches = mismatches};
  assign(policy, point, tunables());
  return policy;
}

SearchSpace space_of_search() {
  std::vector<Axis> axes = axes_of(tunables());
  axes.push_back(prefix_axis());
  axes.push_back(compiled_by_axis());
  // The kernels compiled ahead of time are the same for all numbers of mismatches.
  return SearchSpace(std::move(axes), {ahead_of_time_constraint(search_kernels(), [](const Point& point) {
                       return policy_of(point, kMostMismatches);
                     })});
}

const TunedKernel<Policy>& search_kernels() {
  static const TunedKernel<Policy> kernels{
      .prefix = "fm_mismatch",
      .scope = "gpuseq::fm_mismatch",
      .policy = "Policy",
      .arguments = "SearchArguments",
      .entry = "search_kernel",
      .header = "kernels/fm_mismatch/cuda/search.cuh",
      .fields = kFields,
      .threads = [](const Policy& policy) { return policy.threads_per_block; },
      .resident_blocks = [](const Policy&) { return 0u; },
      .may_spill = [](const Policy&) { return false; },
      .ahead_of_time = ahead_of_time_policies};
  return kernels;
}

std::string ahead_of_time_text() {
  return search_kernels().ahead_of_time_text();
}

}  // namespace gpuseq::fm_mismatch
