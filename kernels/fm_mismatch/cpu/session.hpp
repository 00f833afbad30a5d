#pragma once

#include <memory>

#include "kernels/fm_mismatch/cpu/searches.hpp"
#include "kernels/fm_mismatch/problem.hpp"

namespace gpuseq::fm_mismatch {

/// Searches all queries of a problem with a kernel.
/// @param in_flight  interleaved strands of queries per thread
std::unique_ptr<MismatchSession> make_cpu_session(MismatchProblem& problem, SearchKernel kernel,
                                                  u32 prefix_symbols, u32 in_flight, int threads);

}  // namespace gpuseq::fm_mismatch
