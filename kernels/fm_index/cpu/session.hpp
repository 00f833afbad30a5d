#pragma once

#include <memory>

#include "kernels/fm_index/cpu/search.hpp"
#include "kernels/fm_index/problem.hpp"

namespace gpuseq::fm_index {

/// Bytes of the workspace of a thread that takes so many queries through each step together.
using WorkspaceBytes = std::size_t (*)(std::size_t queries);

/// Searches all queries of a problem with a kernel.
/// @param job  its layout, queries and interleaving; the session sets the rest
/// @param workspace_bytes  of queries that take steps together, in_flight of them a thread; else null
std::unique_ptr<SearchSession> make_cpu_session(FmProblem& problem, const DispatchedKernel& kernel,
                                                const SearchJob& job, u32 prefix_symbols, int threads,
                                                WorkspaceBytes workspace_bytes = nullptr);

}  // namespace gpuseq::fm_index
