#pragma once

#include <optional>
#include <string>

#include "bench/predict/probed_machine.hpp"

namespace gpuseq::bench {

/// What a state would do on a device where it has not run.
struct Prediction {
  results::StateKey state;  // there
  double rate = 0;          // work a second
  std::string rate_unit;
  std::optional<results::Ceiling> ceiling;  // there; its fraction is that of `rate`
  double bound_share = 0;  // of the time, what the ceiling takes; the rest is as fast as the device executes
  double rate_here = 0;    // that it was measured at
};

/// Carries a measured state over to another machine. The time that a launch takes is split by its ceiling
/// here: the part that the ceiling needs is spent on what binds it and changes as the ceilings do, the rest,
/// which no probe explains, as the execution of instructions does (a roofline whose bounds do not overlap;
/// Williams, Waterman and Patterson 2009, of overlapping ones). What is counted of the state, blocks and
/// instructions, is taken to be the same there; a grid that fills the GPU here is taken to fill it there.
/// @param record  of a kernel, ok
/// @param to  of `there`, of the same kind as the record's
/// Where one of the ceilings is missing all of the time moves as the execution of instructions does.
/// @returns the reason where it holds more than the device has
Maybe<Prediction> carried_over(const results::Record& record, const ProbedMachine& here,
                               const ProbedMachine& there, const ProbedMachine::Device& to);

}  // namespace gpuseq::bench
