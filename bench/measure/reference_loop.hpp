#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/system/threads.hpp"

namespace gpuseq::bench {

/// Seconds of a loop of about 40 us that adds integers in registers, in several independent chains, so that
/// it is bound by the core's issue rate. A noisy neighbour on the other hyperthread of the core takes about
/// half of that rate. All threads of the pool run the loop at the same time, as in a launch, and the slowest
/// counts.
/// @param pool  of the launches, see PoolWatch; null: only the calling thread runs the loop, as other threads
/// of a launch are unknown
double reference_loop_s(ThreadPool* pool);

/// One run of the reference loop.
struct ReferenceLoopRun {
  int threads = 1;
  double seconds = 0;  // of the slowest
  friend bool operator==(const ReferenceLoopRun&, const ReferenceLoopRun&) = default;
};

/// Runs the reference loop of a process and keeps its best times, one per number of threads: all busy cores
/// have a lower clock than one, and threads share cores if the process has both hyperthreads of a core.
class ReferenceLoop {
 public:
  using Loop = std::function<double(ThreadPool*)>;
  explicit ReferenceLoop(Loop loop = reference_loop_s) : loop_(std::move(loop)) {}

  /// A slow run is repeated at once and the faster one counts: by then an interrupt is over, but not a burst
  /// of a noisy neighbour.
  /// @returns nullopt for a pool with more threads than CPUs, whose threads wait for each other, and for a
  /// run that took no time on the clock, or less
  std::optional<ReferenceLoopRun> take(ThreadPool* pool);

  /// The longest of the five shortest runs so far with this number of threads: a single run may have had a
  /// high clock for a moment. @throws std::out_of_range if there was no run
  double best_s(int threads) const { return seen_.at(threads).shortest_s.back(); }

  /// Seconds since the last run with this number of threads that was not slow.
  double disturbed_for_s(int threads) const;

 private:
  struct Seen {
    std::vector<double> shortest_s;  // ascending
    std::chrono::steady_clock::time_point last_quiet;
  };
  Loop loop_;
  std::map<int, Seen> seen_;  // by threads
};

}  // namespace gpuseq::bench
