#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "bench/plan/plan.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {

/// About the most seconds that states take on this machine,
/// where the memory that one has filled serves the next.
class TimeEstimate {
 public:
  explicit TimeEstimate(const SuiteConfig& config, int cpus = available_cpus())
      : config_(config), cpus_(cpus) {}

  /// The seconds that the state adds.
  double of(const State& state) const;
  void add(const State& state);
  double seconds() const { return seconds_; }

 private:
  const SuiteConfig& config_;
  int cpus_;
  std::map<std::string, std::int64_t> filled_bytes_;  // by device and probe
  double seconds_ = 0;
};

/// Seconds that states take together at most, about.
double estimated_s(std::span<const State> states, const SuiteConfig& config, int cpus = available_cpus());

}  // namespace gpuseq::bench
