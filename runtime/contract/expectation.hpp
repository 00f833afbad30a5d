#pragma once

#include <functional>
#include <optional>

#include "runtime/contract/device.hpp"
#include "runtime/contract/needs.hpp"
#include "runtime/contract/work.hpp"

namespace gpuseq {

/// What a launch of a state will touch and execute, told from its axes alone: nothing is loaded, built or
/// compiled for it.
struct Expectation {
  Work work;
  /// As Session::traffic() will count it, but for in_flight, which depends on the device.
  std::optional<Traffic> traffic = {};
  std::optional<Instructions> instructions = {};  // as Session::instructions()
  /// Of a GPU's threads, how many there are for each dependent access that is under way at a time.
  double threads_per_access = 1;
  /// Threads that a multiprocessor is given; 0: as many as it takes.
  double threads_per_multiprocessor = 0;
  /// Accesses that can be under way at a time at most, as the problem has no more; 0: any number.
  double most_accesses = 0;
  /// Equal parts of the work, each of which one multiprocessor of a GPU does; 0: it is shared out finely.
  double parts = 0;
  /// Share of the work that its longest part is, which a few threads of a GPU's warp do alone and from the
  /// launch's begin on, however many there are; 0: none is long.
  double longest_share = 0;
  double longest_threads = 0;  // those few
};

/// What a variant executes of a problem that is known, and how that lies on a GPU, as in Expectation.
struct Executed {
  Executed(Instructions counted) : instructions(std::move(counted)) {}
  Executed(std::optional<Instructions> counted) : instructions(std::move(counted)) {}

  std::optional<Instructions> instructions;  // none: nobody can tell
  double parts = 0;
  double longest_threads = 0;
};

/// @returns the reason where what is executed has no probe
inline Maybe<Expectation> expectation_from(Work work, Executed executed, double longest_share = 0) {
  if (!executed.instructions) return {std::nullopt, "what it executes has no probe"};
  return {Expectation{.work = std::move(work),
                      .instructions = std::move(executed.instructions),
                      .parts = executed.parts,
                      .longest_share = longest_share,
                      .longest_threads = executed.longest_threads},
          {}};
}

/// @returns the reason where the axes do not tell, as of data that have to be read first
/// @throws ResourceError for a state that cannot be had
using FindExpectation = std::function<Maybe<Expectation>(const StateOutline&)>;

}  // namespace gpuseq
