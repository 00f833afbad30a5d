#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/record.hpp"

namespace gpuseq::bench {

/// The result of one record of the probe instruction_throughput.
struct Throughput {
  std::string device;
  std::string operation;     // "prmt", or a pair: "prmt+viaddmin_s16x2"
  std::string target;        // of a CPU
  std::int64_t threads = 1;  // of a CPU, from its axis
  double rate = 0;           // operations per second, both of a pair counted
};
/// Rates are those of the fastest samples: disturbance only slows a loop in registers down.
std::vector<Throughput> throughputs_of(std::span<const results::Record> records);

/// The upper bound of a state's rate from the instruction probes of the same run: that of the slowest of
///   - its pipes: all operations of a pipe / the highest rate probed for one or two of them,
///   - on a GPU the issue slots: all operations / the highest rate, if a probed operation fills the slots.
/// For a pipe, the slower operations alone are also considered: if its operations differ in rate, the faster
/// ones have additional units.
/// On the CPU only probes of the same target count, with as many threads as the state has and with fewer, if
/// there are some with as many.
/// For devices that share the work it is the sum of their rates, the CPU's with all threads: no distribution
/// of the work is faster. The binding resource is that of the fastest device.
/// @param all_threads  threads for a `threads` axis of 0
/// @returns the reason if an operation was not probed
Maybe<results::Bound> instruction_bound_of(const results::StateKey& state, const Work& work,
                                           const Instructions& instructions, double rate,
                                           std::span<const Throughput> throughputs, int all_threads);

}  // namespace gpuseq::bench
