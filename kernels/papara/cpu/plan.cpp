#include "kernels/papara/cpu/plan.hpp"

#include <algorithm>

#include "kernels/papara/cpu/arithmetic.hpp"
#include "kernels/papara/outline.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/topology.hpp"

namespace gpuseq::papara {
namespace {

constexpr const char* kNoVectors = "this processor's vectors have no probe";

/// As many columns as leave a quarter of the first-level cache to what passes through it.
u32 columns_for_cache(const DispatchedKernel& kernel, int bits, Alphabet alphabet) {
  const std::size_t vector_bytes = kernel.lanes * static_cast<std::size_t>(bits) / 8;
  // Of a column: costs of each letter and of opening, and a score.
  const std::size_t column_bytes = (letters_of(alphabet) + 2) * vector_bytes;
  return static_cast<u32>(read_topology().level1_bytes() * 3 / 4 / column_bytes);
}

/// Rows whose S and D fit the vector registers, 32 with AVX-512 and 16 without, and whose insertions leave
/// lanes of 8 bits half of their range.
u32 rows_for_registers(const DispatchedKernel& kernel, int bits, const Penalties& penalties) {
  u32 rows = kernel.lanes * static_cast<u32>(bits) == 512 ? 8 : 4;
  if (bits == 8)
    while (rows > 1 && rows * static_cast<i64>(penalties.insertion) > 64) rows /= 2;
  return rows;
}

/// The least width of lanes that is exact for all scores.
template <typename MakePlan>
KernelPlan exact_plan(const MakePlan& make_plan) {
  try {
    return make_plan(16);
  } catch (const ResourceError&) {
    return make_plan(32);
  }
}

ArithmeticNeeds needs_of(const PaparaProblem& problem) {
  return {.penalties = problem.penalties(), .longest = problem.queries().longest};
}

int bits_of(const Point& point) {
  return static_cast<int>(point.integer("bits"));
}

/// Takes the kernels of a point.
/// @param kernel_of  (bits, target) -> kernel
void plan_lanes(CpuPlan& plan, DispatchedKernel (*kernel_of)(int, SimdTarget), const Point& point,
                const ArithmeticNeeds& needs) {
  const SimdTarget target = parse_simd_target(point.word("target"));
  const auto make_plan = [&](int bits) -> KernelPlan {
    return {kernel_of(bits, target), plan_arithmetic(bits, needs)};
  };
  plan.first = make_plan(bits_of(point));
  if (bits_of(point) == 8) plan.wider = exact_plan(make_plan);
}

/// Of a vector of cells. @param rows  of a block's strip; 0: the kernel has no blocks
std::map<std::string, double> operations_of_cell(int bits, u32 rows) {
  const std::string lanes = bits == 8 ? "u8" : bits == 16 ? "s16" : "s32";
  // Sums of lanes with and without a sign saturate in the same units.
  const std::string sum = (bits == 16 ? "add_sat_" : "add_") + lanes;
  const bool blocked = rows > 0;
  const double per_strip = blocked ? 1.0 / rows : 0.0;
  return {{sum, blocked ? 2 + per_strip : 4},
          {"min_" + lanes, 3},
          {"load", blocked ? 1 + 2 * per_strip : 2},
          {"store", blocked ? per_strip : 1}};
}

/// One lane: a cell's store is all that stands against a probe's vectors; the next cell waits for this one.
Instructions sequential_instructions(double cells) {
  return {.operations = {{"store", cells}}, .target = "sse4"};
}

/// @param rows  as operations_of_cell(), which names do not depend on but for 0
Needs needs_of(DispatchedKernel (*kernel_of)(int, SimdTarget), u32 rows, const StateOutline& state) {
  const int bits = bits_of(state.point);
  const DispatchedKernel kernel = kernel_of(bits, parse_simd_target(state.point.word("target")));
  if (kernel.instruction_set.empty()) return {.reason_for_none = kNoVectors};
  return {.operations = names_of(operations_of_cell(bits, rows)), .target = kernel.instruction_set};
}

}  // namespace

CpuPlan plan_sequential(const PaparaProblem& problem, const Point&) {
  return {.first = {{&score_sequentially, 1, "scalar"}, plan_arithmetic(32, needs_of(problem))}, .wider = {}};
}

CpuPlan plan_row_wise(const PaparaProblem& problem, const Point& point) {
  CpuPlan plan;
  plan_lanes(plan, row_wise_kernel, point, needs_of(problem));
  return plan;
}

CpuPlan plan_blocked(const PaparaProblem& problem, const Point& point) {
  ArithmeticNeeds needs = needs_of(problem);
  const int bits = bits_of(point);
  const DispatchedKernel kernel = blocked_kernel(bits, parse_simd_target(point.word("target")));
  CpuPlan plan;
  plan.rows = static_cast<u32>(point.integer("rows"));
  if (plan.rows == 0) plan.rows = rows_for_registers(kernel, bits, needs.penalties);
  plan.columns = static_cast<u32>(point.integer("block_columns"));
  if (plan.columns == 0) plan.columns = columns_for_cache(kernel, bits, problem.references().alphabet);
  plan.columns = std::clamp(plan.columns, 1u, std::max(problem.references().sites, 1u));
  plan.queries_per_tile = static_cast<u32>(point.integer("queries_per_tile"));
  needs.rows = plan.rows;
  needs.columns = plan.columns;
  needs.potentials = true;
  plan_lanes(plan, blocked_kernel, point, needs);
  return plan;
}

Needs sequential_needs(const StateOutline&) {
  return {.operations = names_of(sequential_instructions(1).operations),
          .target = sequential_instructions(1).target};
}

Needs row_wise_needs(const StateOutline& state) {
  return needs_of(row_wise_kernel, 0, state);
}

Needs blocked_needs(const StateOutline& state) {
  return needs_of(blocked_kernel, 1, state);
}

std::optional<Instructions> vector_instructions(const CpuPlan& plan, double cells) {
  const DispatchedKernel& kernel = plan.first.kernel;
  if (kernel.lanes == 1) return sequential_instructions(cells);
  if (kernel.instruction_set.empty()) return std::nullopt;
  Instructions instructions{
      .operations = operations_of_cell(plan.first.arithmetic.bits, plan.columns > 0 ? plan.rows : 0),
      .target = kernel.instruction_set};
  for (auto& [operation, count] : instructions.operations) count *= cells;
  return instructions;
}

}  // namespace gpuseq::papara
