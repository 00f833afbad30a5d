#pragma once

#include "kernels/papara/data/reference_alignment.hpp"
#include "kernels/papara/data/tree.hpp"
#include "kernels/papara/problem.hpp"

namespace gpuseq::papara {

/// A problem with its alignment and tree.
struct LoadedProblem {
  std::unique_ptr<PaparaProblem> problem;
  Tree tree;
  ReferenceAlignment alignment;
};

/// load_problem() that keeps alignment and tree.
LoadedProblem load_with_sources(const ProblemSpec& spec);

}  // namespace gpuseq::papara
