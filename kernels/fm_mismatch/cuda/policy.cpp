#include "kernels/fm_mismatch/cuda/policy.hpp"

#include <array>

#include "kernels/fm_mismatch/axes.hpp"

namespace gpuseq::fm_mismatch {
namespace {

constexpr std::array<std::string_view, 2> kLoads{"streamed", "cached"};

/// In the order of Policy's members.
constexpr std::array kFields{
    tunable<&Policy::mismatches>({.field = "mismatches", .letter = "m"}),
    tunable<&Policy::threads_per_block>({.field = "threads_per_block",
                                         .axis = "threads_per_block",
                                         .letter = "t",
                                         .meaning = "threads of a block"}),
    tunable<&Policy::queries_of_warp>(
        {.field = "queries_of_warp",
         .axis = "queries_of_warp",
         .letter = "q",
         .meaning = "strands of queries that a warp takes at a time; a lane that has ended goes on with "
                    "another of them"}),
    tunable<&Policy::lines_in_l1>(
        {.field = "lines_in_l1",
         .axis = "line_loads",
         .words = kLoads,
         .meaning = "loads of the index allocate in L1 (cached) or pass it by (streamed)"})};

std::vector<Policy> ahead_of_time_policies() {
  return {Policy{.mismatches = 0}, Policy{.mismatches = 1}, Policy{.mismatches = 2}};
}

}  // namespace

Policy policy_of(const Point& point, u32 mismatches) {
  Policy policy{.mismatches = mismatches};
  for (const Tunable<Policy>& field : kFields)
    if (!field.axis.empty()) field.assign(policy, point);
  return policy;
}

SearchSpace space_of_search() {
  const Policy usual;
  std::vector<Axis> axes;
  const auto add = [&](const Tunable<Policy>& field, std::vector<AxisValue> values, AxisValue chosen) {
    axes.push_back(listed_axis(std::string(field.axis), std::move(values), std::move(chosen),
                               std::string(field.meaning)));
  };
  add(kFields[1], axis_integers({64, 128, 256}), i64{usual.threads_per_block});
  add(kFields[2], axis_integers({32, 64, 128, 256}), i64{usual.queries_of_warp});
  add(kFields[3], {"cached", "streamed"}, std::string(kLoads[usual.lines_in_l1 ? 1 : 0]));
  axes.push_back(prefix_axis());
  axes.push_back(compiled_by_axis());
  // Which kernels are there does not depend on how many mismatches are asked for.
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
