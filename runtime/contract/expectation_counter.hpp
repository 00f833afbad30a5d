#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/contract/expectation.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq {

/// What a GPU's warps do in a launch, about. Threads that have a step less than others of their warp wait for
/// these, so that it is more than what the threads do.
struct WarpWork {
  double warps = 0;
  double instructions = 0;  // that all of them issue
  /// Blocks that a warp waits for one after the other, of all warps; of those that its threads ask for
  /// together one counts.
  double waits = 0;
  double reads = 0;             // in order, of what is at hand if a cache keeps it that long
  double read_bytes = 0;        // that a multiprocessor's threads read so at a time
  double written_bytes = 0;     // that they write in order
  double thread_reads = 0;      // those of all threads, each of which a cache looks up by itself
  double thread_writes = 0;     // by threads to places apart, past the cache of a multiprocessor
  double longest = 1;           // of the warp that has the most to do, over the mean
  double resident_threads = 0;  // of a multiprocessor
};

/// An expectation that was counted.
struct CountedExpectation {
  Expectation expected;
  std::optional<WarpWork> warps = {};  // of a GPU
  /// Accesses that a thread of a CPU can have under way at a time; 0: any number.
  double under_way = 0;
};

/// Counts what sessions of one problem will count, without preparing any: on the problem itself, which it has
/// loaded, and for queries that are all alike on some of them.
class ExpectationCounter {
 public:
  ExpectationCounter() = default;
  ExpectationCounter(const ExpectationCounter&) = delete;
  ExpectationCounter& operator=(const ExpectationCounter&) = delete;
  virtual ~ExpectationCounter() = default;
  /// @param point  complete
  /// @returns the reason where nobody can count it
  /// @throws UsageError for a variant that there is not, ResourceError for a state that cannot be had
  virtual Maybe<CountedExpectation> expectation(std::string_view variant, const Point& point) = 0;
};

/// A family of whose states the data decide what they touch, so that axes alone tell nothing.
class CountingFamily {
 public:
  CountingFamily() = default;
  CountingFamily(const CountingFamily&) = delete;
  CountingFamily& operator=(const CountingFamily&) = delete;
  virtual ~CountingFamily() = default;
  /// Why a problem is not loaded to be counted on: it would take too long. Empty: it can be.
  /// @param state  its point does not matter
  virtual std::string why_not_counted(const StateOutline& state) const = 0;
  /// @throws as Family::load()
  virtual std::unique_ptr<ExpectationCounter> counter(const ProblemSpec& spec) const = 0;
  /// nullptr: it is none after all, as one with other programs among its variants whose own variants tell
  /// from their axes.
  virtual const CountingFamily* counting() const { return this; }
};

/// nullptr: what its states touch is told from axes, or not at all.
inline const CountingFamily* counting_of(const Family& family) {
  const auto* const counting = dynamic_cast<const CountingFamily*>(&family);
  return counting == nullptr ? nullptr : counting->counting();
}

}  // namespace gpuseq
