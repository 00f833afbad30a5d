#include "kernels/profile_hmm/cuda/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/profile_hmm/scores.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/contract/errors.hpp"

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

Memory memory_at(const Point& point, std::string_view axis) {
  return kMemories.value(point.word(axis));
}

bool is_auto(const Point& point, std::string_view axis) {
  return point.word(axis) == "auto";
}

// Registers of a lane's words up to which rows are kept there: 3 cells a word for Viterbi, 11 with the steps.
constexpr u32 kMostRowWords = 96, kMostViterbiWords = 48, kMostStepWords = 16;

/// Words of a thread up to which more sequences a warp are faster: the steps of Viterbi are then in
/// registers.
constexpr u32 kMostNarrowWords = 40, kMostNarrowViterbiWords = 13;

u32 lanes_for(const Policy& policy, u32 model_length, bool row_in_registers) {
  const bool viterbi = policy.filter == Filter::viterbi;
  if (!row_in_registers || (viterbi && policy.arithmetic != Arithmetic::s16x2)) return kWarp;
  for (u32 lanes = 8; lanes < kWarp; lanes *= 2) {
    Policy narrow = policy;
    narrow.lanes = lanes;
    if (narrow.words_for(model_length) <= (viterbi ? kMostNarrowViterbiWords : kMostNarrowWords))
      return lanes;
  }
  return kWarp;
}

/// Memory of what `auto` leaves open, in the order in which shared memory is given away.
void place(Policy& policy, const Point& point, const FilterShape& shape, bool constant) {
  const u32 words = policy.words_for(shape.model_length);
  const bool viterbi = policy.filter == Filter::viterbi;
  const u32 most = viterbi ? kMostViterbiWords : kMostRowWords;
  policy.row = !is_auto(point, "row")      ? memory_at(point, "row")
               : constant && words <= most ? Memory::registers
                                           : Memory::local;
  policy.words = constant ? words : 0;
  const auto bytes = [&] { return std::size_t{policy.shared_words(words)} * sizeof(u32); };
  policy.costs = is_auto(point, "costs") ? Memory::shared : memory_at(point, "costs");
  policy.steps = Memory::read_only;
  if (is_auto(point, "costs") && bytes() > shape.shared_bytes) policy.costs = Memory::read_only;
  if (!viterbi) return;
  if (!is_auto(point, "steps")) {
    policy.steps = memory_at(point, "steps");
    return;
  }
  policy.steps =
      policy.row == Memory::registers && words <= kMostStepWords ? Memory::registers : Memory::shared;
  if (bytes() > shape.shared_bytes) policy.steps = Memory::read_only;
}

/// Registers of a thread with a row of Viterbi in them: three cells a word, its steps, a score loaded ahead,
/// and what else the kernel keeps.
u32 viterbi_registers(const Policy& policy, u32 words) {
  return words *
             (3 + (policy.steps == Memory::registers ? u32{kSteps} : 0) + (policy.load_words() > 1 ? 1 : 0)) +
         56;
}

/// Warps of a block: more where a large table is to be shared, as far as registers go: 16 warps leave 128.
u32 warps_for(const Policy& policy, u32 words) {
  const std::size_t table =
      std::size_t{policy.shared_cost_words(words) + policy.shared_step_words(words)} * sizeof(u32);
  if (policy.row == Memory::shared) return 8;
  if (policy.row == Memory::registers &&
      (policy.filter == Filter::viterbi ? viterbi_registers(policy, words) > 128 : words > 64))
    return 8;
  return table > (24 << 10) ? 16 : 8;
}

/// Residues in a turn of the loop: fewer where a row of Viterbi is long.
u32 unroll_for(const Policy& policy) {
  if (policy.filter != Filter::viterbi || policy.words <= 12) return 4;
  return policy.words <= 16 ? 2 : 1;
}

/// Everything but the numbers and threads of a sequence.
/// @param constant  whether the kernel knows the model's length
void complete(Policy& policy, const Point& point, const FilterShape& shape, bool constant) {
  place(policy, point, shape, constant);
  policy.warps_per_block = static_cast<u32>(point.integer("warps_per_block"));
  if (policy.warps_per_block == 0)
    policy.warps_per_block = warps_for(policy, policy.words_for(shape.model_length));
  policy.unroll = static_cast<u32>(point.integer("unroll"));
  if (policy.unroll == 0) policy.unroll = unroll_for(policy);
}

void require(bool condition, std::string reason) {
  if (!condition) throw ResourceError(std::move(reason));
}

void check(const Policy& policy, const FilterShape& shape) {
  const bool viterbi = policy.filter == Filter::viterbi;
  const u32 words = policy.words_for(shape.model_length);
  require(policy.arithmetic != Arithmetic::f16x2 || !viterbi,
          "halves do not hold Viterbi's scores; use arithmetic = s16x2 or s32");
  require(policy.arithmetic != Arithmetic::s32 || viterbi,
          "s32 is for Viterbi; use arithmetic = s16x2 or f16x2");
  require(policy.arithmetic != Arithmetic::s16x2 || !viterbi || shape.words_exact,
          "this model's scores may leave the range in which 16-bit sums are exact; use arithmetic = s32");
  require(!viterbi || policy.lanes == kWarp || policy.arithmetic == Arithmetic::s16x2,
          "Viterbi in 32 bits takes a warp a sequence; use lanes = 32");
  require(policy.row != Memory::registers || policy.words_are_constant(),
          "registers cannot be indexed: row = registers needs stripes = constant");
  require(policy.row != Memory::registers || words * policy.cells_per_state() <= 2 * kMostRowWords,
          fmt::format("{} words a thread do not fit its registers; use more lanes, or row = local", words));
  require(policy.costs != Memory::registers ||
              (policy.lanes == 1 && policy.row == Memory::registers && words <= kMostRowWords),
          "costs = registers needs lanes = 1 and a model that fits a thread's registers");
  require(policy.steps != Memory::registers ||
              (policy.row == Memory::registers && words <= kMostStepWords + kMostStepWords / 2),
          "steps = registers needs row = registers and a model that fits the registers");
  require(
      policy.words_are_constant() || words <= kMostLocalWords || policy.row == Memory::shared,
      fmt::format("stripes = variable holds {} words a thread, this model takes {}", kMostLocalWords, words));
  const std::size_t bytes = std::size_t{policy.shared_words(words)} * sizeof(u32);
  require(bytes <= shape.shared_bytes,
          fmt::format("a block needs {} bytes of shared memory, there are {}", bytes, shape.shared_bytes));
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

Policy choose_policy(const FilterPoint& at, const FilterShape& shape) {
  const Point& point = at.point;
  Policy policy{.filter = shape.filter, .arithmetic = Arithmetic::video};
  if (at.mapping == Mapping::lane_groups) {
    policy.arithmetic = !is_auto(point, "arithmetic")     ? kArithmetics.value(point.word("arithmetic"))
                        : shape.filter != Filter::viterbi ? Arithmetic::f16x2
                        : shape.words_exact               ? Arithmetic::s16x2
                                                          : Arithmetic::s32;
    policy.lanes = static_cast<u32>(point.integer("lanes"));
    if (policy.lanes == 0)
      policy.lanes = lanes_for(
          policy, shape.model_length,
          at.constant_words && (is_auto(point, "row") || memory_at(point, "row") == Memory::registers));
  }
  policy.follow_j =
      policy.filter != Filter::msv || at.mapping == Mapping::video_warp || point.word("follow_j") == "always";
  complete(policy, point, shape, at.constant_words);
  check(policy, shape);
  require(!at.ahead_of_time || filter_kernels().is_ahead_of_time(policy),
          fmt::format("nvcc did not compile {}; use compiled_by = nvrtc", filter_kernels().name(policy)));
  return policy;
}

u32 words_of(const Policy& policy, u32 model_length) {
  return policy.words_are_constant() ? policy.words : policy.words_for(model_length);
}

std::optional<Policy> second_policy(const Policy& first, const FilterShape& shape) {
  if (first.filter == Filter::msv && !first.follow_j) {
    Policy joined = first;
    joined.follow_j = true;
    return joined;
  }
  if (first.filter != Filter::viterbi || first.arithmetic != Arithmetic::s16x2) return std::nullopt;
  Policy saturating{.filter = Filter::viterbi, .arithmetic = Arithmetic::video};
  complete(saturating, filter_space(Mapping::lane_groups).complete({}), shape, first.words_are_constant());
  return saturating;
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
