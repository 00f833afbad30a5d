#pragma once

#include <optional>

#include "kernels/papara/cpu/kernel.hpp"
#include "kernels/papara/scorers.hpp"

namespace gpuseq::papara {

/// A kernel and an arithmetic that is exact with it.
struct KernelPlan {
  DispatchedKernel kernel;
  LaneArithmetic arithmetic;
};

/// The kernels and block sizes of a point, for a problem on this CPU.
struct CpuPlan {
  KernelPlan first;
  std::optional<KernelPlan> wider;  // for scores that do not fit lanes of 8 bits
  u32 rows = 1;
  u32 columns = 0;  // columns of a block; 0: the kernel has no blocks
  u32 queries_per_tile = 1;
};

/// @param point  complete, of the variant
/// @throws ResourceError if the CPU lacks the instruction set, or the arithmetic is not exact
CpuPlan plan_sequential(const PaparaProblem& problem, const Point& point);
CpuPlan plan_row_wise(const PaparaProblem& problem, const Point& point);
CpuPlan plan_blocked(const PaparaProblem& problem, const Point& point);

/// Axes that plan_blocked() reads.
std::vector<Axis> blocked_axes();

/// Estimates of the counts of a session. @throws ResourceError if the CPU lacks the instruction set
Cost sequential_cost(const StateOutline& state);
Cost row_wise_cost(const StateOutline& state);
Cost blocked_cost(const StateOutline& state);
/// The estimate for a scorer of plan_blocked() and its scores, used by `threads` threads.
Cost blocked_scorer_cost(const StateOutline& state, int threads);

/// Queries that a thread takes at a time. @param tile  the most
u32 queries_a_piece(u32 groups, u32 queries, u32 tile, int threads);

/// The least number of instructions of a plan's kernel; nullopt without vectors.
/// @param cells  vectors of cells
std::optional<Instructions> vector_instructions(const CpuPlan& plan, double cells);

std::unique_ptr<CpuScorer> make_cpu_scorer(const PaparaProblem& problem, CpuPlan plan);

/// A session that uses the CPU only.
std::unique_ptr<ScoringSession> make_cpu_session(PaparaProblem& problem, const CpuPlan& plan, int threads);

}  // namespace gpuseq::papara
