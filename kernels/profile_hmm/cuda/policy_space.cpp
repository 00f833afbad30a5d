#include <algorithm>
#include <array>

#include "kernels/profile_hmm/cuda/policy.hpp"
#include "kernels/profile_hmm/scores.hpp"
#include "runtime/contract/axes.hpp"

// The tunables of the CUDA variants, stated once: axes, constraints, names of kernels and what nvcc compiles.

namespace gpuseq::profile_hmm {
namespace {

constexpr auto kArithmetics = enum_words<Arithmetic>({{Arithmetic::video, "video"},
                                                      {Arithmetic::s16x2, "s16x2"},
                                                      {Arithmetic::f16x2, "f16x2"},
                                                      {Arithmetic::s32, "s32"}});
constexpr auto kMemories = enum_words<Memory>({{Memory::registers, "registers"},
                                               {Memory::shared, "shared"},
                                               {Memory::local, "local"},
                                               {Memory::read_only, "read_only"}});
constexpr auto kReductions =
    enum_words<Reduction>({{Reduction::skipped, "skipped"}, {Reduction::each_row, "each_row"}});
constexpr auto kDeletions =
    enum_words<Deletions>({{Deletions::in_row, "in_row"}, {Deletions::lazy_f, "lazy_f"}});
constexpr auto kLoads = enum_words<Loads>({{Loads::wide, "wide"}, {Loads::words, "words"}});
constexpr std::array<std::string_view, 2> kFollowed{"no_j", ""}, kAssignments{"queue", "static"};
constexpr std::string_view kMemory = "gpuseq::profile_hmm::Memory";

/// In the order of Policy's members.
constexpr std::array kFields{
    tunable<&Policy::filter>(
        {.field = "filter", .words = kFilterNames.words, .enumeration = "gpuseq::profile_hmm::Filter"}),
    tunable<&Policy::arithmetic>(
        {.field = "arithmetic",
         .axis = "arithmetic",
         .words = kArithmetics.words,
         .enumeration = "gpuseq::profile_hmm::Arithmetic",
         .meaning = "cells: two halves (SSV, MSV) or 16-bit integers a word, or one of 32 bits (Viterbi); "
                    "auto: f16x2, and for Viterbi s16x2 where it is exact"}),
    tunable<&Policy::lanes>(
        {.field = "lanes",
         .axis = "lanes",
         .letter = "l",
         .meaning = "threads of a sequence; 0: as few as hold a model's row in registers"}),
    tunable<&Policy::row>({.field = "row",
                           .axis = "row",
                           .words = kMemories.words,
                           .enumeration = kMemory,
                           .meaning = "memory of a sequence's row"}),
    tunable<&Policy::costs>(
        {.field = "costs",
         .axis = "costs",
         .words = kMemories.words,
         .enumeration = kMemory,
         .meaning = "memory of the costs of match states; registers (one thread a sequence): by shuffles"}),
    tunable<&Policy::steps>({.field = "steps",
                             .axis = "steps",
                             .words = kMemories.words,
                             .enumeration = kMemory,
                             .meaning = "Viterbi: memory of the scores of transitions"}),
    tunable<&Policy::words>({.field = "words", .letter = "q"}),
    tunable<&Policy::warps_per_block>({.field = "warps_per_block",
                                       .axis = "warps_per_block",
                                       .letter = "w",
                                       .meaning = "warps of a block; 0: 8, or 16 that share a large table"}),
    tunable<&Policy::unroll>(
        {.field = "unroll",
         .axis = "unroll",
         .letter = "u",
         .meaning = "residues in a turn of the loop; 0: 4, or 1 where a row of Viterbi is long"}),
    tunable<&Policy::follow_j>({.field = "follow_j", .words = kFollowed}),
    tunable<&Policy::static_assignment>(
        {.field = "static_assignment",
         .axis = "assignment",
         .words = kAssignments,
         .meaning = "a warp's next sequence: from a queue, or as far on as there are warps",
         .names_first = false}),
    tunable<&Policy::residues>(
        {.field = "residues",
         .axis = "residues",
         .letter = "residues_",
         .words = kMemories.words,
         .enumeration = kMemory,
         .meaning = "of a sequence: 16 in each thread's registers, or 128 in a buffer of the warp",
         .names_first = false}),
    tunable<&Policy::reduction>(
        {.field = "reduction",
         .axis = "reduction",
         .words = kReductions.words,
         .enumeration = "gpuseq::profile_hmm::Reduction",
         .meaning = "of a row's maximum over the threads: skipped where it changes nothing, or each row, by "
                    "shuffles",
         .names_first = false}),
    tunable<&Policy::deletions>(
        {.field = "deletions",
         .axis = "deletions",
         .words = kDeletions.words,
         .enumeration = "gpuseq::profile_hmm::Deletions",
         .meaning =
             "Viterbi: D - D is followed within a thread's words together with the row, or, where it can "
             "matter, all of it after the row",
         .names_first = false}),
    tunable<&Policy::loads>(
        {.field = "loads",
         .axis = "loads",
         .letter = "load_",
         .words = kLoads.words,
         .enumeration = "gpuseq::profile_hmm::Loads",
         .meaning =
             "of costs and scores: four words at a time where the row is in registers, or word by word",
         .names_first = false}),
    tunable<&Policy::resident_warps>(
        {.field = "resident_warps",
         .axis = "resident_warps",
         .letter = "r",
         .meaning = "warps of a multiprocessor, which share its registers: 32 leave a thread 64; 0: as the "
                    "compiler chooses",
         .names_first = false})};

/// The parts of video_warp that are as published or better: each axis with its default and what the paper
/// has (README.md, "The published kernel").
struct Part {
  std::string_view axis;
  AxisValue ours, published;
};
const std::vector<Part>& parts() {
  using namespace std::string_literals;
  static const std::vector<Part> parts{
      {"assignment", "queue"s, "static"s},    {"residues", "registers"s, "shared"s},
      {"reduction", "skipped"s, "each_row"s}, {"deletions", "in_row"s, "lazy_f"s},
      {"loads", "wide"s, "words"s},           {"resident_warps", 0, 32}};
  return parts;
}

bool all_parts_are(AxisValue Part::*value, const Point& point) {
  return std::ranges::all_of(parts(), [&](const Part& part) { return point.at(part.axis) == part.*value; });
}

const Tunable<Policy>& field_of(std::string_view axis) {
  return *std::ranges::find(kFields, axis, &TunableNames::axis);
}

/// Values with the default first.
Axis listed(std::string_view name, std::vector<AxisValue> values, std::string_view meaning) {
  const AxisValue first = values.front();
  std::sort(values.begin(), values.end());
  return listed_axis(std::string(name), std::move(values), first, std::string(meaning));
}

/// The axis of a tunable. @param values  the default first
Axis axis_of(std::string_view name, std::vector<AxisValue> values) {
  return listed(name, std::move(values), field_of(name).meaning);
}

/// The paper's kernel as it was compiled statically.
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
  const auto add = [&](Filter filter, Arithmetic arithmetic, u32 lanes, bool follow_j = true) {
    for (const Memory row : {Memory::local, Memory::shared})
      for (const Memory costs : {Memory::shared, Memory::read_only}) {
        // Steps beside the costs: as `auto` has them.
        const Memory steps = filter == Filter::viterbi ? costs : Memory::read_only;
        for (const u32 warps : {8u, 16u}) {
          if (warps == 16 && (row == Memory::shared || costs != Memory::shared)) continue;  // see warps_for()
          policies.push_back({.filter = filter,
                              .arithmetic = arithmetic,
                              .lanes = lanes,
                              .row = row,
                              .costs = costs,
                              .steps = steps,
                              .words = 0,
                              .warps_per_block = warps,
                              .follow_j = follow_j});
        }
      }
  };
  for (const Filter filter : {Filter::ssv, Filter::msv}) {
    for (const Arithmetic arithmetic : {Arithmetic::video, Arithmetic::f16x2}) add(filter, arithmetic, kWarp);
    add(filter, Arithmetic::f16x2, 8);
    add(filter, Arithmetic::f16x2, 16);
  }
  for (const u32 lanes : {8u, 16u, kWarp}) add(Filter::msv, Arithmetic::f16x2, lanes, false);
  for (const Arithmetic arithmetic : {Arithmetic::video, Arithmetic::s16x2, Arithmetic::s32})
    add(Filter::viterbi, arithmetic, kWarp);
  for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi})
    policies.push_back(published_policy(filter));
  return policies;
}

/// The axes of what is as published or better, and what they do not go along with.
void add_parts(std::vector<Axis>& axes, std::vector<Constraint>& constraints) {
  for (const Part& part : parts())
    axes.push_back(part.axis == "resident_warps"
                       ? integer_axis(std::string(part.axis), {part.ours, part.published}, 0,
                                      std::string(field_of(part.axis).meaning), 0, 64, 8)
                       : axis_of(part.axis, {part.ours, part.published}));
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
         return !is_ahead_of_time(point) || all_parts_are(&Part::ours, point) ||
                all_parts_are(&Part::published, point);
       }});
}

}  // namespace

Point published_parts() {
  Point point;
  for (const Part& part : parts()) point.set(part.axis, part.published);
  return point;
}

void take_parts(Policy& policy, const Point& point) {
  for (const Part& part : parts()) field_of(part.axis).assign(policy, point);
  if (policy.filter != Filter::viterbi) policy.deletions = Deletions::in_row;
}

SearchSpace filter_space(Mapping mapping) {
  const bool groups = mapping == Mapping::lane_groups;
  std::vector<Axis> axes;
  if (groups)
    axes = {axis_of("arithmetic", {"auto", "f16x2", "s16x2", "s32"}),
            axis_of("lanes", axis_integers({0, 1, 2, 4, 8, 16, 32})),
            listed("follow_j", {"where_used", "always"},
                   "MSV: rows are joined in J only for sequences whose best cell says that J can be used, or "
                   "for all")};
  std::vector<AxisValue> costs{"auto", "shared", "read_only"};
  if (groups) costs.push_back("registers");
  for (Axis& axis : std::vector{
           axis_of("row", {"auto", "registers", "shared", "local"}), axis_of("costs", std::move(costs)),
           axis_of("steps", {"auto", "registers", "shared", "read_only"}),
           axis_of("warps_per_block", axis_integers({0, 1, 2, 4, 8, 16, 32})),
           axis_of("unroll", axis_integers({0, 1, 2, 4})),
           listed("stripes", {"constant", "variable"},
                  "a thread's words: a constant of the kernel, whose loops are written out, or read "
                  "when it runs"),
           listed("order", {"sorted", "file"}, "sequences: the longest first, or as they come"),
           listed("compiled_by", {"nvrtc", "nvcc"}, "at run time, or ahead of time")})
    axes.push_back(std::move(axis));
  std::vector<Constraint> constraints{
      {"ahead_of_time",
       "compiled_by = nvcc needs stripes = variable: what is compiled ahead of time knows no model",
       [](const Point& point) { return !is_ahead_of_time(point) || point.word("stripes") == "variable"; }}};
  if (!groups) add_parts(axes, constraints);
  return {std::move(axes), std::move(constraints)};
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
