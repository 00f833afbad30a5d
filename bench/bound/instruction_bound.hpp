#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/record.hpp"

namespace gpuseq::bench {

/// What one record of the probe instruction_throughput found.
struct Throughput {
  std::string device;
  std::string operation;     // "prmt", or a pair: "prmt+viaddmin_s16x2"
  std::string target;        // of a CPU
  std::int64_t threads = 1;  // of a CPU, as its axis says
  double rate = 0;           // operations per second, both of a pair counted
};
/// The rates are those of the fastest samples: what disturbs a loop in registers only ever slows it down.
std::vector<Throughput> throughputs_of(std::span<const results::Record> records);

/// The rate that the instruction probes of the same run say a state cannot exceed: that of the slowest of
///   - its pipes: operations of one pipe take their counts / the highest rate that the probes found for any
///   of them
///     or for two of them in turn. This is also asked of the slower ones alone: where operations of one pipe
///     differ in rate, the faster have units besides.
///   - on a GPU the issue slots: all operations / the highest rate of all, if one was probed that fills the
///   slots.
/// On the CPU only probes of the same target count, of as many threads as the state has and of fewer, where
/// there are some of as many.
/// Of devices that share the work it is the sum of their rates, the CPU's with all threads: no way to share
/// it out is faster. What binds is what binds the fastest of them.
/// @param all_threads  what a `threads` axis of 0 stands for
/// @returns the reason where an operation was not probed
Maybe<results::Bound> instruction_bound_of(const results::StateKey& state, const Work& work,
                                           const Instructions& instructions, double rate,
                                           std::span<const Throughput> throughputs, int all_threads);

}  // namespace gpuseq::bench
