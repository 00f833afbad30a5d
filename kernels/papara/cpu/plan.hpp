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

/// What a session of plan_sequential() counts.
Needs sequential_needs(const StateOutline& state);
/// What a session of a point of plan_row_wise() or plan_blocked() counts. @throws ResourceError as these
Needs row_wise_needs(const StateOutline& state);
Needs blocked_needs(const StateOutline& state);

/// The instructions that a plan's kernel executes at least; nullopt without vectors.
/// @param cells  vectors of cells
std::optional<Instructions> vector_instructions(const CpuPlan& plan, double cells);

std::unique_ptr<CpuScorer> make_cpu_scorer(const PaparaProblem& problem, CpuPlan plan);

/// Scores by itself, with so many threads.
std::unique_ptr<ScoringSession> make_cpu_session(PaparaProblem& problem, const CpuPlan& plan, int threads);

}  // namespace gpuseq::papara
