#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "bench/plan/sizes/size_rounds.hpp"
#include "bench/run/phases/probe_phase.hpp"

namespace gpuseq::bench {

/// Finds the sizes of problems whose size a config leaves to the run, one for each device: they grow until
/// the device's rate is flat, or until memory, the data or the budget ends.
class SizePhase {
 public:
  /// @param probes  the probes that the config lists
  SizePhase(const RunInputs& inputs, std::span<const State> probes, Recorder& recorder);

  /// Grows the problems and appends their states at the sizes found to the kernels.
  void find(const std::vector<SizedStates>& sized, std::vector<State>& kernels);
  /// Seconds that the sweep of a problem at a found size takes; nothing where the config has the size.
  std::optional<double> sweep_s(const std::string& problem) const;
  /// Records whether the problem of a record fills its device.
  void set_filling(results::Record& record) const;

 private:
  /// Seconds that finding sizes and measuring at them may take together.
  /// @param sized  the states at the sizes as far as these are found: their bounds need probes
  double seconds_for(std::span<const State> sized, std::span<const State> kernels) const;
  /// Measures the steps of one problem. @returns its end
  SizeStep grow(const SizedStates& problem, const SizeLimits& limits);
  /// The states of a problem at its sizes.
  std::vector<State> at_sizes(const SizedStates& problem, const SizeStep& found) const;

  /// The results for the devices of a problem at one of its sizes.
  struct AtSize {
    double sweep_s = 0;
    std::map<std::string, std::string> ended_by;  // by device
  };

  const RunInputs& inputs_;
  std::span<const State> probes_;
  Recorder& recorder_;
  std::map<std::string, AtSize> found_;  // by problem_key()
};

}  // namespace gpuseq::bench
