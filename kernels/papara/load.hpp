#pragma once

#include "kernels/papara/problem.hpp"
#include "kernels/papara/reference_alignment.hpp"
#include "kernels/papara/tree.hpp"

namespace gpuseq::papara {

/// A problem with what it was made from.
struct LoadedProblem {
  std::unique_ptr<PaparaProblem> problem;
  Tree tree;
  ReferenceAlignment alignment;
};

/// load_problem() that keeps alignment and tree.
LoadedProblem load_with_sources(const ProblemSpec& spec);

}  // namespace gpuseq::papara
