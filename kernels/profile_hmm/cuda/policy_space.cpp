#include <algorithm>
#include <array>

#include "kernels/profile_hmm/cuda/policy.hpp"
#include "kernels/profile_hmm/cuda/policy_tunables.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/system/concatenated.hpp"

// The tunables of the CUDA variants: axes, constraints, names of kernels and kernels that nvcc compiles.

namespace gpuseq::profile_hmm {
namespace {

/// A part of video_warp that is either improved, its axis's default, or as published (README.md, "The
/// published kernel").
struct Part {
  TunableAxis<Policy> ours;
  AxisValue published;
};
const std::vector<Part>& parts() {
  static const std::vector<Part> parts{
      {axis_of(kAssignment, {"queue", "static"}, "queue"), "static"},
      {axis_of(kResidues, {"registers", "shared"}, "registers"), "shared"},
      {axis_of(kReduction, {"each_row", "skipped"}, "skipped"), "each_row"},
      {axis_of(kDeletions, {"in_row", "lazy_f"}, "in_row"), "lazy_f"},
      {axis_of(kLoads, {"wide", "words"}, "wide"), "words"},
      {{kResidentWarps,
        integer_axis("resident_warps", {0, 32}, 0, std::string(kResidentWarps.meaning), 0, 64, 8)},
       32}};
  return parts;
}

/// The paper's kernel in its statically compiled form.
Policy published_policy(Filter filter) {
  Policy policy{.filter = filter,
                .arithmetic = Arithmetic::video,
                .row = Memory::local,
                .costs = Memory::read_only,
                .steps = Memory::read_only,
                .words = 0,
                .warps_per_block = 32};
  take_parts(policy, published_parts());
  return policy;
}

std::vector<Policy> ahead_of_time_policies() {
  std::vector<Policy> policies;
  const auto add = [&](Filter filter, Arithmetic arithmetic, bool follow_j = true) {
    for (const Memory costs : {Memory::shared, Memory::read_only})
      for (const u32 warps : {8u, 16u}) {
        if (warps == 16 && costs != Memory::shared) continue;  // see warps_for()
        policies.push_back({.filter = filter,
                            .arithmetic = arithmetic,
                            .row = Memory::local,
                            .costs = costs,
                            // Steps are in the memory of the costs, as with `auto`.
                            .steps = filter == Filter::viterbi ? costs : Memory::read_only,
                            .words = 0,
                            .warps_per_block = warps,
                            .follow_j = follow_j});
      }
  };
  for (const Filter filter : {Filter::ssv, Filter::msv})
    for (const Arithmetic arithmetic : {Arithmetic::video, Arithmetic::f16x2}) add(filter, arithmetic);
  add(Filter::msv, Arithmetic::f16x2, false);
  for (const Arithmetic arithmetic : {Arithmetic::video, Arithmetic::s16x2, Arithmetic::s32})
    add(Filter::viterbi, arithmetic);
  for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi})
    policies.push_back(published_policy(filter));
  return policies;
}

/// Adds the axes of parts that are as published or improved, and the values they exclude.
void add_parts(std::vector<Axis>& axes, std::vector<Constraint>& constraints) {
  for (const Part& part : parts()) axes.push_back(part.ours.axis);
  constraints.push_back({"whole_blocks_resident", "resident_warps must be a multiple of warps_per_block",
                         [](const Point& point) {
                           const std::int64_t block = point.integer("warps_per_block");
                           return block == 0 || point.integer("resident_warps") % block == 0;
                         }});
  constraints.push_back(
      {"published_ahead_of_time",
       "compiled_by = nvcc has the paper's kernel (assignment = static, residues = shared, reduction = "
       "each_row, deletions = lazy_f, loads = words, resident_warps = 32) or nothing of it",
       [](const Point& point) {
         const auto all = [&](auto value_of) {
           return std::ranges::all_of(
               parts(), [&](const Part& part) { return point.at(part.ours.axis.name) == value_of(part); });
         };
         return !is_ahead_of_time(point) ||
                all([](const Part& part) { return part.ours.axis.default_value; }) ||
                all([](const Part& part) { return part.published; });
       }});
}

}  // namespace

Point published_parts() {
  Point point;
  for (const Part& part : parts()) point.set(part.ours.axis.name, part.published);
  return point;
}

void take_parts(Policy& policy, const Point& point) {
  for (const Part& part : parts()) part.ours.tunable.assign(policy, point);
  if (policy.filter != Filter::viterbi) policy.deletions = Deletions::in_row;
}

SearchSpace filter_space(Mapping mapping, std::vector<Axis> more) {
  const bool groups = mapping == Mapping::lane_groups;
  const auto costs = groups ? axis_of(kCosts, {"auto", "read_only", "registers", "shared"}, "auto")
                            : axis_of(kCosts, {"auto", "read_only", "shared"}, "auto");
  std::vector<Axis> axes =
      axes_of<Policy>({axis_of(kRow, {"auto", "local", "registers", "shared"}, "auto"), costs,
                       axis_of(kStepsIn, {"auto", "read_only", "registers", "shared"}, "auto"),
                       axis_of(kWarps, {0, 1, 2, 4, 8, 16, 32}, 0), axis_of(kUnroll, {0, 1, 2, 4}, 0)});
  if (groups)
    axes.insert(axes.begin(), {axis_of(kArithmetic, {"auto", "f16x2", "s16x2", "s32"}, "auto").axis,
                               axis_of(kLanes, {0, 1, 2, 4, 8, 16, 32}, 0).axis,
                               listed_axis("follow_j", {"always", "where_used"}, "where_used",
                                           "MSV rows joined in the J state; where_used: only for sequences "
                                           "whose best cell shows that J can be used; always: for all")});
  axes.insert(axes.end(),
              {listed_axis("stripes", {"constant", "variable"}, "constant",
                           "number of words per thread; constant: fixed in the kernel, with unrolled loops; "
                           "variable: read at run time"),
               listed_axis("order", {"file", "sorted"}, "sorted",
                           "order of the sequences; sorted: the longest first; file: as in the file"),
               listed_axis("compiled_by", {"nvcc", "nvrtc"}, "nvrtc",
                           "compiler of the kernel: NVRTC at run time, or nvcc ahead of time")});
  std::vector<Constraint> constraints{
      {"ahead_of_time",
       "compiled_by = nvcc needs stripes = variable: a kernel compiled ahead of time is for no model in "
       "particular",
       [](const Point& point) { return !is_ahead_of_time(point) || point.word("stripes") == "variable"; }}};
  if (!groups) add_parts(axes, constraints);
  return {concatenated(std::move(axes), std::move(more)), std::move(constraints)};
}

FilterPoint filter_point(Mapping mapping, const Point& point) {
  return {.mapping = mapping,
          .point = point,
          .constant_words = point.word("stripes") == "constant",
          .sorted = point.word("order") == "sorted",
          .ahead_of_time = is_ahead_of_time(point)};
}

const TunedKernel<Policy>& filter_kernels() {
  static const TunedKernel<Policy> kernels{
      .prefix = "profile_hmm",
      .scope = "gpuseq::profile_hmm",
      .policy = "Policy",
      .arguments = "FilterArguments",
      .entry = "filter_kernel",
      .header = "kernels/profile_hmm/cuda/filter_kernel.cuh",
      .fields = kFields,
      .threads = [](const Policy& policy) { return policy.threads_per_block(); },
      .resident_blocks = [](const Policy& policy) { return policy.resident_blocks(); },
      // 16 warps leave a thread 128 registers, 32 leave it 64.
      .may_spill =
          [](const Policy& policy) {
            return policy.row != Memory::registers || policy.words > 64 ||
                   std::max(policy.warps_per_block, policy.resident_warps) > 8;
          },
      .ahead_of_time = ahead_of_time_policies};
  return kernels;
}

std::string ahead_of_time_text() {
  return filter_kernels().ahead_of_time_text();
}

}  // namespace gpuseq::profile_hmm
