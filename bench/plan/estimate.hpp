#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "bench/plan/plan.hpp"

namespace gpuseq::bench {

/// Seconds that one state takes at most, about, if it is measured alone; loading its problem is not in it.
/// The same on every machine: shards of a run, which may lie on several, are cut by it.
double estimated_s(const State& state, const SuiteConfig& config);

/// Seconds that states take on this machine at most, about, where what one has filled memory with serves the
/// next.
class TimeEstimate {
 public:
  explicit TimeEstimate(const SuiteConfig& config) : config_(config) {}

  /// What the state adds.
  double of(const State& state) const;
  void add(const State& state);
  double seconds() const { return seconds_; }

 private:
  const SuiteConfig& config_;
  std::map<std::string, std::int64_t> filled_bytes_;  // by device and probe
  double seconds_ = 0;
};

/// Seconds that states take together at most, about.
double estimated_s(std::span<const State> states, const SuiteConfig& config);

}  // namespace gpuseq::bench
