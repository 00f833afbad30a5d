#pragma once

#include <optional>
#include <string>

#include "bench/phases/predict/probed_machine.hpp"

namespace gpuseq::bench {

/// The expected measurement of a state on a device where it has not run.
struct Prediction {
  results::StateKey state;  // there
  double rate = 0;          // work a second
  /// With the interval of the rate here: all of the time moves as the bound does, or as the execution of
  /// instructions does.
  double rate_low = 0, rate_high = 0;
  std::string rate_unit;
  std::optional<results::Bound> bound;  // there; its fraction is that of `rate`
  double bound_share = 0;  // the bound's share of the time; the rest is as fast as the device executes
  double rate_here = 0;    // that it was measured at
};

/// Carries states that were measured on a device over to one of another machine. The time that a launch takes
/// is split by its bound here. The part of the bound is spent on the binding resource and changes as the
/// bounds do. The rest, which no probe explains, changes as the execution of instructions does (a roofline
/// whose bounds do not overlap; Williams, Waterman and Patterson 2009, of overlapping ones). Where one of the
/// bounds is missing, all of the time moves as the execution of instructions does. Blocks and instructions
/// that are counted of the state are assumed to be the same there; a grid that fills the GPU here is assumed
/// to fill it there.
class CarryOver {
 public:
  /// @param device  of `here`
  /// @param to  of `there`, of the same kind. All must outlive this
  CarryOver(const ProbedMachine& here, const std::string& device, const ProbedMachine& there,
            const ProbedMachine::Device& to)
      : here_(here), there_(there), to_(to), execution_(execution_ratio(here, device, there, to.id)) {}

  /// @param record  of a kernel on the device here, ok
  /// @returns the reason where it holds more than the device there has, or needs instructions that it lacks
  Maybe<Prediction> of(const results::Record& record) const;

 private:
  const ProbedMachine &here_, &there_;
  const ProbedMachine::Device& to_;
  double execution_;  // how many times as fast it executes there
};

}  // namespace gpuseq::bench
