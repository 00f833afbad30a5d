#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/system/threads.hpp"

namespace gpuseq::bench {

/// Seconds of a loop of about 40 us that only adds integers in registers, in several independent chains: what
/// bounds it is how many instructions a core issues. A busy neighbour on the other hyperthread of the core
/// takes about half of those. Every thread of the pool runs it at the same time, as a launch has them all at
/// work, and the slowest counts.
/// @param pool  of the launches, see PoolWatch; null: the calling thread alone runs it, where it is, as what
/// other threads a launch may have is not known
double reference_loop_s(ThreadPool* pool);

/// One run of the reference loop.
struct ReferenceLoopRun {
  int threads = 1;
  double seconds = 0;  // of the slowest
  friend bool operator==(const ReferenceLoopRun&, const ReferenceLoopRun&) = default;
};

/// Takes the reference loop of a process, and knows how fast it has ever been. Numbers of threads have bests
/// of their own: all cores at work have a lower clock than one, and share cores where a process has both
/// hyperthreads of one.
class ReferenceLoop {
 public:
  using Loop = std::function<double(ThreadPool*)>;
  explicit ReferenceLoop(Loop loop = reference_loop_s) : loop_(std::move(loop)) {}

  /// A slow run is repeated at once and the faster one counts: an interrupt is over by then, a neighbour's
  /// turn is not.
  /// @returns none for a pool of more threads than processors, of which each waits for others, and for a run
  /// that took no time on the clock, or less
  std::optional<ReferenceLoopRun> take(ThreadPool* pool);

  /// The longest of the five shortest runs so far on so many threads: a clock may be high for a moment, which
  /// is not how fast the machine is. @throws std::out_of_range if there was none
  double best_s(int threads) const { return seen_.at(threads).shortest_s.back(); }

  /// Seconds since a run on so many threads was not slow.
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
