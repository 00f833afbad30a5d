#pragma once

#include <memory>

#include "kernels/fm_locate/cpu/walks.hpp"
#include "kernels/fm_locate/problem.hpp"

namespace gpuseq::fm_locate {

inline constexpr u32 kCacheLineBytes = 64;

/// Locates all rows of a problem with a kernel.
/// @param in_flight  interleaved walks per thread
std::unique_ptr<LocateSession> make_cpu_session(LocateProblem& problem, const Layout& layout,
                                                const DispatchedWalks& kernel, u32 in_flight, int threads);

}  // namespace gpuseq::fm_locate
