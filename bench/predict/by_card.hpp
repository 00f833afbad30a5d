#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"
#include "bench/predict/predictions.hpp"
#include "runtime/contract/expectation_counter.hpp"

namespace gpuseq::bench {

/// What a state would do on a device by the probes of its machine alone, of what it is expected to touch and
/// execute; nothing of it has run anywhere. The time of a launch is
///   an empty launch + the work at its ceiling + accesses x latency / accesses under way.
/// The work takes no less than its longest part does, which a warp of a GPU does alone at the rate that one
/// warp is issued at. What waits is of dependent accesses on a GPU: one that waits for memory that others
/// keep busy waits for both (a closed queue whose service and delay add up; Lazowska et al. 1984, chapter 3,
/// of asymptotic bounds).
/// Before a kernel is compiled its registers are not known: a multiprocessor is taken to hold
/// kResidentThreads. Where the work of warps was counted, the work takes no less than they need to issue
/// their instructions, and what waits are the resident warps, each for its own accesses.
/// @param key  of a device there
/// @returns the reason where the probes say nothing of it
Maybe<Prediction> predicted_by_card(const results::StateKey& key, const CountedExpectation& counted,
                                    const ProbedMachine& there);

/// The kernels of a family among records that the program still has, each once. They point into `family`.
std::vector<State> kernels_of(std::span<const results::Record> records, const Family& family);

/// The contests of kernels on devices that are there, each by the probes alone.
/// @param kernels  of a plan, or of records; a label for each problem is its axes
/// @param config  with the data of the kernels' problems, and how they are made
/// @param alive  is told of each state, before problems are loaded for it; may be empty
std::vector<PredictedContest> predictions_by_card(std::span<const State> kernels, const SuiteConfig& config,
                                                  const ProbedMachine& there,
                                                  const std::function<void(const State&)>& alive = {});

/// Threads of a multiprocessor where 48 registers each leave no room for more.
inline constexpr double kResidentThreads = 1280;

}  // namespace gpuseq::bench
