#pragma once

#include <optional>

#include "kernels/papara/cpu_kernel.hpp"
#include "kernels/papara/problem.hpp"

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

/// @param point  complete, of a CPU variant
/// @throws ResourceError if the processor lacks the instruction set, or the arithmetic is not exact
CpuPlan plan_cpu(const PaparaProblem& problem, const Point& point);

/// The instructions that a plan's kernel executes at least; nullopt without vectors.
/// @param cells  vectors of cells
std::optional<Instructions> vector_instructions(const CpuPlan& plan, double cells);

}  // namespace gpuseq::papara
