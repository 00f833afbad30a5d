#pragma once

#include <vector>

#include "bench/bound/bound.hpp"
#include "bench/config/registry.hpp"
#include "bench/profile/store/run_profiles.hpp"
#include "bench/run/recorder.hpp"

namespace gpuseq::bench {

/// Names the probes that bounds need where the budget cuts them.
inline constexpr const char* kNeededProbes = "probes that bounds need";

/// The inputs of a run's phases.
struct RunInputs {
  const SuiteConfig& config;  // with the flags of Google Benchmark applied
  const BenchmarkFlags& flags;
  const Invocation& invocation;
  const Registry& registry;
  BudgetParts budget;
};

/// The probes of a run: those that the config lists, those that bounds need, and this machine's profiles.
/// Bounds of kernels follow from them.
class ProbePhase {
 public:
  ProbePhase(const RunInputs& inputs, std::vector<State> listed, Recorder& recorder,
             const std::filesystem::path& dir);

  /// Measures the listed probes and the footprints where levels end, each device's within its share of the
  /// budget.
  /// @param needed  measured with them
  void measure_listed(const NeededProbes& needed);
  /// Measures the probes that the bounds of kernels need, listed or not.
  void measure_needed(std::span<const State> kernels);
  /// Derives the inputs of bounds from the records of probes.
  void settle();
  /// Gives a kernel's record its bound. A violated bound has its probes measured once more: on a shared or
  /// cold machine probes reach more at one time than at another.
  void set_bound(results::Record& record);

  const std::vector<State>& listed() const { return listed_; }
  /// The records of this run's probes and of the profiles in use.
  std::vector<results::Record> records() const { return profiles_.with(recorder_.journal().probe_records()); }

 private:
  /// Compares some points of this machine's profiles. @returns the needed states that no profile stands for
  std::vector<State> check_profiles(const NeededProbes& needed);
  void look_again(results::Record& violated);
  /// The next passes of states beyond the planned ones; none of states that had them all.
  std::vector<State> passes_of_another_look(const std::vector<State>& states) const;
  /// The first repetition after those of the planned passes.
  int first_look() const;
  /// Measures states in passes, and in a few more the points on which the passes disagree.
  void run_probes(const std::vector<State>& states, const std::string& what = "");
  /// As run_probes(), each device's states within its share of the budget.
  void run_by_device(const std::vector<State>& states);
  /// States on which that many passes disagree. Later passes in the journal do not count, so that a resumed
  /// run asks for the same states as the run that died.
  std::vector<State> disturbed(const std::vector<State>& states, int passes) const;
  std::vector<State> refinement(std::vector<State>& accepted) const;

  const RunInputs& inputs_;
  Recorder& recorder_;
  std::vector<State> listed_, all_;  // all_: with those that bounds need
  RunProfiles profiles_;
  ProbeResults found_, own_;  // with the profiles' records, and without them where there are profiles
};

}  // namespace gpuseq::bench
