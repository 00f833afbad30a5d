#pragma once

#include <memory>

#include "kernels/fm_index/cpu/search.hpp"
#include "kernels/fm_index/problem.hpp"

namespace gpuseq::fm_index {

/// Searches all queries of a problem with a kernel.
/// @param job  its layout, queries and interleaving; the session sets the rest
std::unique_ptr<SearchSession> make_cpu_session(FmProblem& problem, const DispatchedKernel& kernel,
                                                const SearchJob& job, u32 prefix_symbols, int threads);

}  // namespace gpuseq::fm_index
