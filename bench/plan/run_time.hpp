#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "bench/config/config.hpp"
#include "bench/plan/plan.hpp"
#include "runtime/contract/cost.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {

/// Seconds of wall time that something takes.
struct Expected {
  double typical_s = 0;  // about, on a machine that does nothing else
  double most_s = 0;     // at most, also where other programs keep every processor busy
  Expected& operator+=(const Expected& other) {
    typical_s += other.typical_s;
    most_s += other.most_s;
    return *this;
  }
  friend Expected operator+(Expected a, const Expected& b) { return a += b; }
  friend Expected operator*(double times, const Expected& each) {
    return {times * each.typical_s, times * each.most_s};
  }
};

/// Seconds of the sampler with launches of some length; see SamplingOptions.
double sampling_s(double launch_s, const SamplingOptions& sampling);

/// How long a run takes, told from its plan.
class RunTime {
 public:
  /// Time on a machine that others keep busy: a program that shares a CPU with two others has a third of it.
  static constexpr double kBusy = 3;

  /// @param busy  how many times as long as on a quiet machine work takes at most
  /// @param cpus  of the machine
  explicit RunTime(const SuiteConfig& config, double busy = kBusy, int cpus = available_cpus());

  /// Time of one repetition of a state in one pass: preparing,
  /// checking and sampling it, without loading its problem.
  Expected of_state(const State& state) const;

  /// Probes with all their passes, as if no others were measured.
  Expected of_probes(std::span<const State> probes, int repetitions) const;
  /// Kernels: loading their problems, the sweep, the race and the passes of winners.
  Expected of_kernels(std::span<const State> kernels, int repetitions) const;

  /// Time of a whole run, from its start to its page: problems are loaded and
  /// indexes built, kernels compiled, probes repeated where their passes do
  /// not agree and where levels end, the best measured again, winners counted.
  Expected of_run(const Sweep& sweep, int repetitions) const;

 private:
  struct Entered;
  std::optional<ProblemCost> cost_of(const State& state) const;
  Expected core_seconds(double seconds) const;
  Expected parallel_seconds(double seconds) const;
  Expected by_limits(const State& state) const;
  Expected sampling(const State& state, const std::optional<ProblemCost>& cost) const;
  Expected loading(const State& state) const;
  Expected filling(std::span<const State> probes) const;
  Entered tried_of(const Entered& contest) const;
  Expected again(const Entered& contest, int repetitions) const;

  const SuiteConfig& config_;
  double busy_;
  int cpus_;
  std::map<std::string, std::uint64_t> data_bytes_;
};

/// RunTime::kBusy, or more where so much runs on this machine now.
double busy_now();

}  // namespace gpuseq::bench
