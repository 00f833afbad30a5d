#pragma once

#include <span>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// How often a state is measured: probes on a CPU in the config's passes, anything else once. A
/// GPU is held by one program at a time; other programs share the caches and the memory of a CPU.
int passes_of(const State& state, const SamplingOptions& of_config);

/// States in the order in which they are measured: those measured once as planned, then the others
/// pass by pass. In a pass the states of a problem are together, because it is costly to change,
/// in an order that the config's seed shuffles: so a slow moment of the machine falls on points
/// all over the curves, and on others in each pass, and does not look like a level of the memory.
/// @param repetitions  of every state in a pass; the n-th pass has the n-th so many
std::vector<State> in_passes(std::span<const State> states, const SuiteConfig& config, int repetitions);

/// The n-th pass alone, from 0, of the states that have passes. It may lie behind those of the config.
std::vector<State> pass_of(std::span<const State> states, int n, const SuiteConfig& config, int repetitions);

}  // namespace gpuseq::bench
