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
constexpr std::array<std::string_view, 2> kFollowed{"no_j", ""};
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
    tunable<&Policy::follow_j>({.field = "follow_j", .words = kFollowed})};

/// Values with the default first.
Axis listed(std::string_view name, std::vector<AxisValue> values, std::string_view meaning) {
  const AxisValue first = values.front();
  std::sort(values.begin(), values.end());
  return listed_axis(std::string(name), std::move(values), first, std::string(meaning));
}

/// The axis of a tunable. @param values  the default first
Axis axis_of(std::string_view name, std::vector<AxisValue> values) {
  const auto* field = std::ranges::find(kFields, name, &TunableNames::axis);
  return listed(name, std::move(values), field->meaning);
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
  return policies;
}

}  // namespace

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
  return {
      std::move(axes),
      {{"ahead_of_time",
        "compiled_by = nvcc needs stripes = variable: what is compiled ahead of time knows no model",
        [](const Point& point) { return !is_ahead_of_time(point) || point.word("stripes") == "variable"; }}}};
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
      .resident_blocks = [](const Policy&) { return 1u; },
      // 16 warps leave a thread 128 registers, 32 leave it 64.
      .may_spill =
          [](const Policy& policy) {
            return policy.row != Memory::registers || policy.words > 64 || policy.warps_per_block > 8;
          },
      .ahead_of_time = ahead_of_time_policies};
  return kernels;
}

std::string ahead_of_time_text() {
  return filter_kernels().ahead_of_time_text();
}

}  // namespace gpuseq::profile_hmm
