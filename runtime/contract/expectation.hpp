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
};

/// @returns the reason where the axes do not tell, as of data that have to be read first
/// @throws ResourceError for a state that cannot be had
using FindExpectation = std::function<Maybe<Expectation>(const StateOutline&)>;

}  // namespace gpuseq
