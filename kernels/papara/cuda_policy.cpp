#include "kernels/papara/cuda_policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "runtime/axes.hpp"
#include "runtime/errors.hpp"
#include "runtime/tunable.hpp"

namespace gpuseq::papara {
namespace {

using namespace std::string_literals;

constexpr std::array kSchemes{"row_wise_global", "blocked_shared", "blocked_registers"};
constexpr std::array kArithmetics{"s32", "s16x2", "f16x2"};

/// In the order of Policy's members.
const std::vector<Tunable<Policy>>& tunables() {
  static const std::vector<Tunable<Policy>> table{
      {.axis = "unroll",
       .field = "unroll",
       .member = &Policy::unroll,
       .letter = "u",
       .meaning = "columns of a block, all unrolled; row-wise: cells in a turn of the loop"},
      {.axis = "elements",
       .field = "compressed",
       .member = &Policy::compressed,
       .letter = "",
       .words = {"plain", "compressed"},
       .meaning = "references at 5 bits an element, or with a word (s32) or half a word for each"},
      {.axis = "threads_per_block",
       .field = "threads_per_block",
       .member = &Policy::threads_per_block,
       .letter = "t",
       .meaning = "threads of a block"},
      {.axis = "costs",
       .field = "branched",
       .member = &Policy::branched,
       .letter = "",
       .words = {"selected", "branched"},
       .meaning =
           "costs of a column: a byte for each base, selected; or a register for each and a branch a row"},
      {.axis = "additions",
       .field = "mixed",
       .member = &Policy::mixed,
       .letter = "",
       .words = {"fused", "mixed"},
       .meaning =
           "sums along the diagonal: with the minimum in one, or in every other column by the multiply-add "
           "pipe (branched costs, integers; else as fused)"},
      {.axis = "border",
       .field = "boundary_in_shared",
       .member = &Policy::boundary_in_shared,
       .letter = "",
       .words = {"global", "shared"},
       .meaning = "memory of the column between two blocks; auto: shared where enough warps fit"}};
  return table;
}

/// Values of a tunable for a scheme, the default first.
std::vector<AxisValue> values_of(Scheme scheme, std::string_view axis) {
  if (axis == "unroll") {
    switch (scheme) {
      case Scheme::row_wise_global:
        return axis_integers({4, 1, 2, 8});
      case Scheme::blocked_shared:
        return axis_integers({24, 4, 6, 8, 12, 16});
      case Scheme::blocked_registers:
        return axis_integers({30, 8, 12, 16, 18, 20, 24, 28, 32});
    }
  }
  if (axis == "elements") return {"compressed"s, "plain"s};
  if (axis == "threads_per_block") return axis_integers({64, 32, 96, 128, 256});
  if (axis == "costs") {
    if (scheme == Scheme::blocked_registers) return {"branched"s, "selected"s};
    return {"selected"s};
  }
  if (axis == "additions") {
    if (scheme == Scheme::blocked_registers) return {"mixed"s, "fused"s};
    return {"fused"s};
  }
  if (scheme == Scheme::blocked_registers) return {"auto"s, "shared"s, "global"s};
  if (scheme == Scheme::blocked_shared) return {"global"s, "shared"s};
  return {"global"s};
}

Axis axis_of(Scheme scheme, const Tunable<Policy>& tunable) {
  std::vector<AxisValue> values = values_of(scheme, tunable.axis);
  const AxisValue first = values.front();
  std::sort(values.begin(), values.end());
  return {.name = std::string(tunable.axis),
          .values = std::move(values),
          .default_value = first,
          .meaning = std::string(tunable.meaning),
          .accepts = {},
          .allowed = {}};
}

/// A thread's column between two blocks, and the entry that is read past its end.
std::size_t border_bytes(u32 longest) {
  return (longest + std::size_t{1}) * 2 * sizeof(u32);
}

Policy default_policy(Scheme scheme, Arithmetic arithmetic) {
  Point point;
  for (const Tunable<Policy>& tunable : tunables())
    point.set(tunable.axis, values_of(scheme, tunable.axis).front());
  Policy policy{.scheme = scheme, .arithmetic = arithmetic};
  for (const Tunable<Policy>& tunable : tunables()) tunable.assign(policy, point);
  return policy;
}

}  // namespace

SearchSpace score_space(Scheme scheme) {
  std::vector<Axis> axes{{.name = "arithmetic",
                          .values = {"s32"s, "s16x2"s, "f16x2"s},
                          .default_value = "s16x2"s,
                          .meaning = "scores: 32-bit integers, or two 16-bit integers or halves a word",
                          .accepts = {},
                          .allowed = {}}};
  for (const Tunable<Policy>& tunable : tunables()) axes.push_back(axis_of(scheme, tunable));
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  axes.push_back(open_integer_axis("references_per_launch", 0, kMost, 0,
                                   "references of a launch; 0: as many as memory holds"));
  axes.push_back(open_integer_axis("queries_per_launch", 0, kMost, 0, "queries of a launch; 0: all"));
  axes.push_back({"compiled_by", {"nvrtc"s, "nvcc"s}, "nvrtc"s, "at run time, or ahead of time", {}, {}});
  return {std::move(axes),
          {{"ahead_of_time",
            "nvcc compiles only the points of which this family has the code when the program is built (the "
            "default of each variant in each arithmetic); use compiled_by = nvrtc",
            [scheme](const Point& point) {
              const ScorePoint at = score_point(scheme, point);
              return !at.ahead_of_time || is_ahead_of_time(at.policy);
            }}}};
}

ScorePoint score_point(Scheme scheme, const Point& point) {
  ScorePoint at;
  at.policy.scheme = scheme;
  const auto arithmetic = std::find(kArithmetics.begin(), kArithmetics.end(), point.word("arithmetic"));
  at.policy.arithmetic = static_cast<Arithmetic>(arithmetic - kArithmetics.begin());
  for (const Tunable<Policy>& tunable : tunables()) tunable.assign(at.policy, point);
  at.border_by_fit = point.word("border") == "auto";
  at.references_per_launch = static_cast<u32>(point.integer("references_per_launch"));
  at.queries_per_launch = static_cast<u32>(point.integer("queries_per_launch"));
  at.ahead_of_time = point.word("compiled_by") == "nvcc";
  return at;
}

std::string scheme_name(Scheme scheme) {
  return kSchemes[static_cast<u32>(scheme)];
}

Scheme scheme_of(std::string_view variant) {
  const auto found = std::find(kSchemes.begin(), kSchemes.end(), variant);
  if (found == kSchemes.end())
    throw UsageError(
        fmt::format("papara: no CUDA variant '{}'; there are {}", variant, fmt::join(kSchemes, ", ")));
  return static_cast<Scheme>(found - kSchemes.begin());
}

std::string kernel_name(const Policy& policy) {
  std::string name = fmt::format("papara_{}_{}", kSchemes[static_cast<u32>(policy.scheme)],
                                 kArithmetics[static_cast<u32>(policy.arithmetic)]);
  for (const Tunable<Policy>& tunable : tunables())
    name += fmt::format("_{}{}", tunable.letter, tunable.text(policy, true));
  return name;
}

std::string kernel_text(std::span<const Policy> policies) {
  std::string text = "#include \"kernels/papara/score.cuh\"\n";
  for (const Policy& policy : policies) {
    std::string fields = fmt::format(
        ".scheme = gpuseq::papara::Scheme::{}, .arithmetic = gpuseq::papara::Arithmetic::{}",
        kSchemes[static_cast<u32>(policy.scheme)], kArithmetics[static_cast<u32>(policy.arithmetic)]);
    for (const Tunable<Policy>& tunable : tunables())
      fields += fmt::format(", .{} = {}", tunable.field, tunable.text(policy, false));
    // Asked for one block a multiprocessor, ptxas does not spill a few registers to have more of them
    // resident: where a row is in registers, the instructions of a thread hide latency. Elsewhere other
    // threads do.
    const bool registers = policy.scheme == Scheme::blocked_registers;
    text += fmt::format(
        "\nstruct {0}_tuned {{\n"
        "  static constexpr gpuseq::papara::Policy value{{{1}}};\n"
        "}};\n"
        "extern \"C\" __global__ void __launch_bounds__({2}{3})\n"
        "{0}(const __grid_constant__ gpuseq::papara::ScoreArguments arguments) {{\n"
        "  gpuseq::papara::score_kernel<{0}_tuned>(arguments);\n"
        "}}\n",
        kernel_name(policy), fields, policy.threads_per_block, registers ? ", 1" : "");
  }
  return text;
}

std::vector<Policy> ahead_of_time_policies() {
  std::vector<Policy> policies;
  for (const Scheme scheme : {Scheme::row_wise_global, Scheme::blocked_shared, Scheme::blocked_registers})
    for (const Arithmetic arithmetic : {Arithmetic::s32, Arithmetic::s16x2, Arithmetic::f16x2}) {
      policies.push_back(default_policy(scheme, arithmetic));
      if (scheme != Scheme::blocked_registers) continue;
      policies.push_back(policies.back());
      policies.back().boundary_in_shared = false;
    }
  return policies;
}

bool is_ahead_of_time(const Policy& policy) {
  const std::vector<Policy> built = ahead_of_time_policies();
  return std::any_of(built.begin(), built.end(), [name = kernel_name(policy)](const Policy& other) {
    return kernel_name(other) == name;
  });
}

bool borders_fit(std::size_t shared_bytes_of_multiprocessor, u32 longest) {
  constexpr std::size_t kWarps = 8;  // two for each scheduler: one computes while the other waits
  return kWarps * kWarpThreads * border_bytes(longest) <= shared_bytes_of_multiprocessor;
}

std::size_t shared_bytes(const Policy& policy, u32 longest) {
  if (!policy.blocked()) return 0;
  const std::size_t row = policy.scheme == Scheme::blocked_shared ? policy.unroll * sizeof(u32) : 0;
  const std::size_t border = policy.boundary_in_shared ? border_bytes(longest) : 0;
  return policy.threads_per_block * (row + border);
}

std::size_t scratch_bytes_per_thread(const Policy& policy, u32 sites, u32 shortest, u32 longest) {
  if (!policy.blocked()) return (std::size_t{sites} - shortest + 1) * sizeof(u32);
  return policy.boundary_in_shared ? 0 : border_bytes(longest);
}

}  // namespace gpuseq::papara
