#include "kernels/papara/cuda/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "runtime/contract/axes.hpp"

namespace gpuseq::papara {
namespace {

constexpr auto kSchemes = enum_words<Scheme>({{Scheme::row_wise_global, "row_wise_global"},
                                              {Scheme::blocked_shared, "blocked_shared"},
                                              {Scheme::blocked_registers, "blocked_registers"}});
constexpr auto kArithmetics = enum_words<Arithmetic>(
    {{Arithmetic::s32, "s32"}, {Arithmetic::s16x2, "s16x2"}, {Arithmetic::f16x2, "f16x2"}});
constexpr std::array<std::string_view, 2> kElementsAre{"plain", "compressed"},
    kCostsAre{"selected", "branched"}, kAdditionsAre{"fused", "mixed"}, kBordersAre{"global", "shared"},
    kRecurrencesAre{"potentials", "printed"}, kEndsAre{"blocks", "square"}, kAlphabets{"dna", "protein"};

constexpr auto kArithmetic = tunable<&Policy::arithmetic>(
    {.axis = "arithmetic",
     .words = kArithmetics.words,
     .enumeration = "gpuseq::papara::Arithmetic",
     .meaning =
         "number format of the scores: one 32-bit integer per word, two 16-bit integers, or two halves"});
constexpr auto kUnroll = tunable<&Policy::unroll>(
    {.axis = "unroll",
     .letter = "u",
     .meaning = "columns per block, all unrolled; row-wise: cells per iteration of the loop"});
constexpr auto kElements =
    tunable<&Policy::compressed>({.axis = "elements",
                                  .words = kElementsAre,
                                  .meaning = "storage of the references; compressed: 5 bits per element; "
                                             "plain: a word (s32) or half a word per element"});
constexpr auto kThreads = tunable<&Policy::threads_per_block>(
    {.axis = "threads_per_block", .letter = "t", .meaning = "threads per block"});
constexpr auto kCosts = tunable<&Policy::branched>(
    {.axis = "costs",
     .words = kCostsAre,
     .meaning = "costs of a column; selected: one byte per base; branched: one register per base and a "
                "branch per row (amino acids: registers for a match and a mismatch, chosen by a mask)"});
constexpr auto kAdditions = tunable<&Policy::mixed>(
    {.axis = "additions",
     .words = kAdditionsAre,
     .meaning = "sums along the diagonal; fused: in one instruction with the minimum; mixed: in every other "
                "column on the multiply-add pipe (integers with branched costs; otherwise as fused)"});
constexpr auto kBorder = tunable<&Policy::boundary_in_shared>(
    {.axis = "border",
     .words = kBordersAre,
     .meaning = "memory of the column between two blocks; auto: shared memory if enough warps fit"});
constexpr auto kRecurrence = tunable<&Policy::printed>(
    {.axis = "recurrence",
     .words = kRecurrencesAre,
     .meaning = "content of the cells; potentials: scores minus accumulated insertion and extension costs; "
                "printed: scores by equation 1 as the paper prints it",
     .names_first = false});
constexpr auto kEnds = tunable<&Policy::square_ends>(
    {.axis = "ends",
     .words = kEndsAre,
     .meaning = "columns where rows begin and end; blocks: in blocks like all others; square: in two square "
                "blocks, row by row in global memory and with one word per site",
     .names_first = false});

/// In the order of Policy's members.
constexpr auto kFields = every_member<Policy>(
    {tunable<&Policy::scheme>({.words = kSchemes.words, .enumeration = "gpuseq::papara::Scheme"}),
     kArithmetic, kUnroll, kElements, kThreads, kCosts, kAdditions, kBorder, kRecurrence, kEnds,
     tunable<&Policy::alphabet>(
         {.words = kAlphabets, .enumeration = "gpuseq::papara::Alphabet", .names_first = false})});

TunableAxes<Policy> make_tunables(Scheme scheme) {
  const auto arithmetic = axis_of(kArithmetic, {"s32", "s16x2", "f16x2"}, "s16x2");
  const auto elements = axis_of(kElements, {"compressed", "plain"}, "compressed");
  const auto threads = axis_of(kThreads, {32, 64, 96, 128, 256}, 64);
  const auto selected = axis_of(kCosts, {"selected"}, "selected"),
             fused = axis_of(kAdditions, {"fused"}, "fused");
  switch (scheme) {
    case Scheme::row_wise_global:
      return {arithmetic, axis_of(kUnroll, {1, 2, 4, 8}, 4),     elements, threads, selected,
              fused,      axis_of(kBorder, {"global"}, "global")};
    case Scheme::blocked_shared:
      return {arithmetic, axis_of(kUnroll, {4, 6, 8, 12, 16, 24}, 24), elements,
              // The default is the paper's number of references per block.
              axis_of(kThreads, {32, 64, 96, 128, 256, 320}, 64), selected, fused,
              axis_of(kBorder, {"global", "shared"}, "global"),
              axis_of(kRecurrence, {"potentials", "printed"}, "potentials"),
              axis_of(kEnds, {"blocks", "square"}, "blocks")};
    case Scheme::blocked_registers:
      return {arithmetic,
              axis_of(kUnroll, {8, 12, 16, 18, 20, 24, 28, 30, 32}, 30),
              elements,
              threads,
              axis_of(kCosts, {"branched", "selected"}, "branched"),
              axis_of(kAdditions, {"fused", "mixed"}, "mixed"),
              axis_of(kBorder, {"auto", "global", "shared"}, "auto")};
  }
  throw std::logic_error("no such scheme");
}

const TunableAxes<Policy>& tunables_of(Scheme scheme) {
  static const std::array tables{make_tunables(Scheme::row_wise_global),
                                 make_tunables(Scheme::blocked_shared),
                                 make_tunables(Scheme::blocked_registers)};
  return tables[static_cast<std::size_t>(scheme)];
}

/// A thread's column between two blocks, and the entry read past its end.
std::size_t border_bytes(u32 longest) {
  return (longest + std::size_t{1}) * 2 * sizeof(u32);
}

/// The default of each scheme, and the same with the border in the other memory where the scheme allows both.
/// NVRTC compiles all others.
std::vector<Policy> ahead_of_time_policies() {
  std::vector<Policy> policies;
  for (const Scheme scheme : {Scheme::row_wise_global, Scheme::blocked_shared, Scheme::blocked_registers}) {
    const ScorePoint at = score_point(scheme, score_space(scheme).complete({}));
    policies.push_back(at.policy);
    if (at.border_by_fit) policies.push_back(other_border(at.policy));
  }
  return policies;
}

}  // namespace

std::string_view scheme_word(Scheme scheme) {
  return kSchemes[scheme];
}

SearchSpace score_space(Scheme scheme) {
  std::vector<Axis> axes = axes_of(tunables_of(scheme));
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  axes.push_back(open_integer_axis("references_per_launch", 0, kMost, 0,
                                   "references per launch; 0: as many as fit the memory"));
  axes.push_back(open_integer_axis("queries_per_launch", 0, kMost, 0, "queries per launch; 0: all"));
  axes.push_back(compiled_by_axis());
  return {std::move(axes), {ahead_of_time_constraint(score_kernels(), [scheme](const Point& point) {
            return score_point(scheme, point).policy;
          })}};
}

ScorePoint score_point(Scheme scheme, const Point& point, Alphabet alphabet) {
  ScorePoint at;
  at.policy.scheme = scheme;
  at.policy.alphabet = alphabet;
  assign(at.policy, point, tunables_of(scheme));
  // The costs axis of these schemes has one value, which is for nucleotides.
  if (at.policy.by_letters() && scheme != Scheme::blocked_registers) at.policy.branched = true;
  at.border_by_fit = point.word("border") == kAuto;
  if (at.border_by_fit) at.policy.boundary_in_shared = true;  // unless too few warps fit
  at.references_per_launch = static_cast<u32>(point.integer("references_per_launch"));
  at.queries_per_launch = static_cast<u32>(point.integer("queries_per_launch"));
  at.ahead_of_time = is_ahead_of_time(point);
  return at;
}

std::optional<std::string> why_missing(const ScorePoint& at) {
  const Policy& policy = at.policy;
  if (!policy.by_letters()) return std::nullopt;
  const auto only_bases = [](std::string_view what, std::string_view instead) {
    return fmt::format("{} has nucleotides only; of amino acids use {}", what, instead);
  };
  if (!policy.compressed) return only_bases("elements = plain", "elements = compressed");
  if (!policy.branched) return only_bases("costs = selected", "costs = branched");
  if (policy.printed) return only_bases("recurrence = printed", "recurrence = potentials");
  if (policy.square_ends) return only_bases("ends = square", "ends = blocks");
  if (at.ahead_of_time) return only_bases("compiled_by = nvcc", "compiled_by = nvrtc");
  return std::nullopt;
}

const TunedKernel<Policy>& score_kernels() {
  static const TunedKernel<Policy> kernels{
      .prefix = "papara",
      .scope = "gpuseq::papara",
      .policy = "Policy",
      .arguments = "ScoreArguments",
      .entry = "score_kernel",
      .header = "kernels/papara/cuda/score.cuh",
      .fields = kFields,
      .threads = [](const Policy& policy) { return policy.threads_per_block; },
      // With a row in registers, the instructions of one thread hide latency; otherwise more threads do.
      .resident_blocks = [](const Policy& policy) -> u32 {
        return policy.scheme == Scheme::blocked_registers ? 1 : 0;
      },
      // In registers, beyond six per column; else ptxas trades a few spills for more resident threads.
      .may_spill =
          [](const Policy& policy) {
            return policy.scheme != Scheme::blocked_registers || (policy.branched && policy.unroll > 20);
          },
      .ahead_of_time = ahead_of_time_policies};
  return kernels;
}

std::string ahead_of_time_text() {
  return score_kernels().ahead_of_time_text();
}

Policy other_border(Policy policy) {
  policy.boundary_in_shared = !policy.boundary_in_shared;
  return policy;
}

bool borders_fit(std::size_t bytes_of_multiprocessor, u32 longest) {
  constexpr std::size_t kWarps = 8;  // two per scheduler: one computes while the other waits
  return kWarps * kWarpThreads * border_bytes(longest) <= bytes_of_multiprocessor;
}

std::size_t shared_bytes(const Policy& policy, u32 longest) {
  if (!policy.blocked()) return 0;
  const std::size_t row = policy.scheme == Scheme::blocked_shared ? policy.unroll * sizeof(u32) : 0;
  const std::size_t border = policy.boundary_in_shared ? border_bytes(longest) : 0;
  return policy.threads_per_block * (row + border);
}

std::size_t scratch_bytes_per_thread(const Policy& policy, u32 sites, u32 shortest, u32 longest) {
  if (!policy.blocked()) return (std::size_t{sites} - shortest + 1) * sizeof(u32);
  const std::size_t border = policy.boundary_in_shared ? 0 : border_bytes(longest);
  if (!policy.square_ends) return border;
  const Ends ends = ends_of(policy.unroll, sites, longest);
  return border + std::max(ends.left, ends.right) * sizeof(u32);
}

}  // namespace gpuseq::papara
