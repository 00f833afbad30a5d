#pragma once

#include <optional>

#include "kernels/papara/cpu/kernel.hpp"
#include "kernels/papara/scorers.hpp"

namespace gpuseq::papara {

/// A kernel and the arithmetic it is exact with.
struct KernelPlan {
  DispatchedKernel kernel;
  LaneArithmetic arithmetic;
};

/// What a point means for a problem on this processor.
struct CpuPlan {
  KernelPlan first;
  std::optional<KernelPlan> wider;  // for scores that do not fit lanes of 8 bits
  u32 rows = 1;
  u32 columns = 0;  // of a block; 0: the kernel has none
  u32 queries_per_tile = 1;
};

/// @param point  complete, of the variant
/// @throws ResourceError if the processor lacks the instruction set, or the arithmetic is not exact
CpuPlan plan_sequential(const PaparaProblem& problem, const Point& point);
CpuPlan plan_row_wise(const PaparaProblem& problem, const Point& point);
CpuPlan plan_blocked(const PaparaProblem& problem, const Point& point);

/// What plan_blocked() takes from a point.
std::vector<Axis> blocked_axes();

/// The estimates of what sessions of these plans count. @throws ResourceError if the processor lacks the
/// instruction set
Cost sequential_cost(const StateOutline& state);
Cost row_wise_cost(const StateOutline& state);
Cost blocked_cost(const StateOutline& state);
/// The estimate of a scorer of plan_blocked() from which so many threads take tiles of queries, with the
/// scores.
Cost blocked_scorer_cost(const StateOutline& state, int threads);

/// Queries that a thread takes at a time. @param tile  the most
u32 queries_a_piece(u32 groups, u32 queries, u32 tile, int threads);

/// The instructions that a plan's kernel executes at least; nullopt without vectors.
/// @param cells  vectors of cells
std::optional<Instructions> vector_instructions(const CpuPlan& plan, double cells);

std::unique_ptr<CpuScorer> make_cpu_scorer(const PaparaProblem& problem, CpuPlan plan);

/// Scores by itself, with so many threads.
std::unique_ptr<ScoringSession> make_cpu_session(PaparaProblem& problem, const CpuPlan& plan, int threads);

}  // namespace gpuseq::papara
