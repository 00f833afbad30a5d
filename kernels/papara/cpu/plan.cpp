#include "kernels/papara/cpu/plan.hpp"

#include <algorithm>
#include <utility>

#include "kernels/papara/cpu/arithmetic.hpp"
#include "kernels/papara/outline.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/threads.hpp"
#include "runtime/system/topology.hpp"

namespace gpuseq::papara {
namespace {

/// The block's columns fill three quarters of the L1 cache; the rest is for streamed data.
u32 columns_for_cache(const DispatchedKernel& kernel, int bits, Alphabet alphabet) {
  const std::size_t vector_bytes = kernel.lanes * static_cast<std::size_t>(bits) / 8;
  // Per column: the costs of each letter, the cost of opening a gap, and a score.
  const std::size_t column_bytes = (letters_of(alphabet) + 2) * vector_bytes;
  static const std::size_t cache_bytes = read_topology().level1_bytes();
  return static_cast<u32>(cache_bytes * 3 / 4 / column_bytes);
}

/// Rows whose S and D fit the vector registers (32 with AVX-512, else 16) and whose insertion costs use at
/// most half of the range of 8-bit lanes.
u32 rows_for_registers(const DispatchedKernel& kernel, int bits, const Penalties& penalties) {
  u32 rows = kernel.lanes * static_cast<u32>(bits) == 512 ? 8 : 4;
  if (bits == 8)
    while (rows > 1 && rows * static_cast<i64>(penalties.insertion) > 64) rows /= 2;
  return rows;
}

/// The narrowest lanes that are exact for all scores.
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

/// Sets the kernels of a point.
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

/// Operations per vector of cells. @param rows  of a block's strip; 0: the kernel has no blocks
std::map<std::string, double> operations_of_cell(int bits, u32 rows) {
  const std::string lanes = bits == 8 ? "u8" : bits == 16 ? "s16" : "s32";
  // Signed and unsigned saturating sums use the same execution units.
  const std::string sum = (bits == 16 ? "add_sat_" : "add_") + lanes;
  const bool blocked = rows > 0;
  const double per_strip = blocked ? 1.0 / rows : 0.0;
  return {{sum, blocked ? 2 + per_strip : 4},
          {"min_" + lanes, 3},
          {"load", blocked ? 1 + 2 * per_strip : 2},
          {"store", blocked ? per_strip : 1}};
}

/// One lane: only a cell's store compares with the probes' vector instructions, and cells form a chain.
Instructions sequential_instructions(double cells) {
  return {.operations = {{"store", cells}}, .target = "sse4"};
}

/// The rows and columns of a point, with the kernel of its narrowest lanes and no arithmetic yet.
/// @param sites  0: not known
CpuPlan blocked_shape(const Point& point, const Penalties& penalties, Alphabet alphabet, u32 sites) {
  const int bits = bits_of(point);
  CpuPlan plan{.first = {blocked_kernel(bits, parse_simd_target(point.word("target"))), {.bits = bits}},
               .wider = {},
               .rows = static_cast<u32>(point.integer("rows")),
               .columns = static_cast<u32>(point.integer("block_columns")),
               .queries_per_tile = static_cast<u32>(point.integer("queries_per_tile"))};
  if (plan.rows == 0) plan.rows = rows_for_registers(plan.first.kernel, bits, penalties);
  if (plan.columns == 0) plan.columns = columns_for_cache(plan.first.kernel, bits, alphabet);
  plan.columns = std::clamp(plan.columns, 1u, std::max(sites, 1u));
  return plan;
}

u32 groups_of(const CpuPlan& plan, const OutlinedSizes& sizes) {
  return (sizes.references + plan.first.kernel.lanes - 1) / plan.first.kernel.lanes;
}

/// Scratch bytes per thread. Wider lanes use vectors of the same size. @param tile  queries
u64 scratch_bytes(const CpuPlan& plan, const OutlinedSizes& sizes, u32 tile) {
  const u64 vector_bytes = plan.first.kernel.lanes * static_cast<u64>(plan.first.arithmetic.bits) / 8;
  if (plan.columns == 0) return line_vectors(sizes.sites - sizes.shortest) * vector_bytes;
  // Evolved queries have no ambiguous letters. At most every column is a run of its own.
  return block_vectors(letters_of(sizes.alphabet), plan.columns, plan.columns + std::size_t{1},
                       u64{tile} * sizes.longest, tile) *
         vector_bytes;
}

/// @param scratch  of all threads
HeldMemory estimated_held(const CpuPlan& plan, const OutlinedSizes& sizes, u64 scratch) {
  if (!sizes.known()) return {};
  return HeldMemory()
      .add("references",
           u64{groups_of(plan, sizes)} * plan.first.kernel.lanes * sizes.sites * planes_of(sizes.alphabet))
      .add(kQueriesPart, Queries::bytes_of(sizes.queries, sizes.bases()))
      .add(kWorkspacePart, scratch + sizes.queries)  // a flag for each query
      .add(kOutputPart, u64{sizes.queries} * sizes.references * sizeof(i32));
}

Cost estimated_cost(const CpuPlan& plan, const OutlinedSizes& sizes, HeldMemory held) {
  const double cells_of_reference = sizes.known() ? sizes.cells / sizes.references : 0;
  Cost cost{.work = {.amount = sizes.cells, .unit = "cells"},
            .held = std::move(held),
            .traffic = std::nullopt,
            .instructions = vector_instructions(plan, cells_of_reference * groups_of(plan, sizes)),
            .why_no_bound = {}};
  if (!cost.instructions) cost.why_no_bound = kNoVectors;
  return cost;
}

/// The cost of a session. Threads that get no piece need no scratch memory.
Cost session_cost(const CpuPlan& plan, const StateOutline& state) {
  const OutlinedSizes sizes = outlined_sizes(state);
  const std::int64_t asked = state.point.integer("threads");
  const int threads = asked == 0 ? available_cpus() : static_cast<int>(asked);
  const u32 groups = groups_of(plan, sizes);
  const u32 piece = queries_a_piece(groups, sizes.queries, plan.queries_per_tile, threads);
  const u64 pieces = (u64{sizes.queries} + piece - 1) / piece * groups;
  const u64 scratch = std::min<u64>(static_cast<u64>(threads), pieces) *
                      scratch_bytes(plan, sizes, std::min(piece, sizes.queries));
  return estimated_cost(plan, sizes, estimated_held(plan, sizes, scratch));
}

CpuPlan outlined_blocked(const StateOutline& state) {
  const OutlinedSizes sizes = outlined_sizes(state);
  return blocked_shape(state.point, penalties_of(state.problem), sizes.alphabet, sizes.sites);
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
  const References& references = problem.references();
  CpuPlan plan = blocked_shape(point, problem.penalties(), references.alphabet, references.sites);
  ArithmeticNeeds needs = needs_of(problem);
  needs.rows = plan.rows;
  needs.columns = plan.columns;
  needs.potentials = true;
  plan_lanes(plan, blocked_kernel, point, needs);
  return plan;
}

Cost sequential_cost(const StateOutline& state) {
  return session_cost({.first = {{&score_sequentially, 1, "scalar"}, {}}, .wider = {}}, state);
}

Cost row_wise_cost(const StateOutline& state) {
  const int bits = bits_of(state.point);
  return session_cost(
      {.first = {row_wise_kernel(bits, parse_simd_target(state.point.word("target"))), {.bits = bits}},
       .wider = {}},
      state);
}

Cost blocked_cost(const StateOutline& state) {
  return session_cost(outlined_blocked(state), state);
}

Cost blocked_scorer_cost(const StateOutline& state, int threads) {
  const CpuPlan plan = outlined_blocked(state);
  const OutlinedSizes sizes = outlined_sizes(state);
  const u64 scratch =
      static_cast<u64>(threads) * scratch_bytes(plan, sizes, std::min(plan.queries_per_tile, sizes.queries));
  return estimated_cost(plan, sizes, estimated_held(plan, sizes, scratch));
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
