#pragma once

#include <limits>
#include <map>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// States that take about as long as each other: "probes on cpu", "fm_index on cuda:0".
std::string pace_of(const results::StateKey& state, const std::string& kind);

/// The remaining time of the plan: probes are short and kernels long, so each pace has its own mean.
class RemainingTime {
 public:
  /// @param typical_s  seconds of a state before any was seen
  void plan(const std::string& pace, long states, double typical_s);
  void finished(const std::string& pace, double seconds);
  /// @param in_flight  the pace of the state that was begun `elapsed_s` ago; empty: none
  /// @param budget_s  the rest of a budget: no more than that remains
  double left_s(const std::string& in_flight, double elapsed_s,
                double budget_s = std::numeric_limits<double>::infinity()) const;

 private:
  struct Pace {
    long planned = 0, done = 0;
    double typical_s = 0, seconds = 0;
    /// The expected value counts as one state that was seen.
    double mean_s() const { return (typical_s + seconds) / static_cast<double>(1 + done); }
  };
  std::map<std::string, Pace> paces_;
};

}  // namespace gpuseq::bench
