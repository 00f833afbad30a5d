#pragma once

#include "kernels/exact_match/problem.hpp"
#include "runtime/contract/expectation_counter.hpp"

namespace gpuseq::exact_match {

/// Why a problem is not loaded for what is expected of it; empty: it is.
std::string why_not_counted(const StateOutline& state);
/// Seconds of one core that loading a problem and building its tree may take for an expectation.
inline constexpr double kMostCountingSeconds = 30;

/// Loads the reference, and of simulated reads some, as all are alike; trees are made when they are first
/// asked for. What variants have alike is counted once.
/// @param variants  must outlive the counter
std::unique_ptr<ExpectationCounter> make_counter(const ProblemSpec& spec,
                                                 std::span<const MatchVariant> variants);

}  // namespace gpuseq::exact_match
