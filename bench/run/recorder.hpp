#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bench/measure/google_benchmark.hpp"
#include "bench/plan/budget.hpp"
#include "bench/plan/run_time.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/run/run_journal.hpp"
#include "bench/run/terminal/progress.hpp"
#include "bench/run/terminal/state_names.hpp"
#include "bench/run/worker/remote_measurer.hpp"

namespace gpuseq::bench {

/// Measures states that the journal lacks and appends their records. The phases of a run derive the states
/// from the config and the journal alone, so a run that died continues where it stopped.
class Recorder {
 public:
  /// Completes a record before it is appended: its bound, for example.
  using Complete = std::function<void(results::Record& record)>;

  /// @param config  with the flags of Google Benchmark applied
  /// @param listed  the probes that the config lists
  Recorder(const LockedFolder& folder, const SuiteConfig& config, const BenchmarkFlags& flags,
           std::span<const State> listed, Progress& progress);
  void complete_by(Complete complete) { complete_ = std::move(complete); }

  /// Measures states without a record, until the deadline. @returns whether all states have records
  /// @param what  names the states where the budget cuts them
  /// @param least  this many are measured in any case
  bool run(const std::vector<State>& states, const std::string& what = "", std::size_t least = 0);
  /// The record of a state, measured now if the journal lacks it. @throws RunEnded
  results::Record measure(const State& state);
  /// Adds states to the progress and the remaining time.
  /// @param share  of the states, any of them, that will be measured; -1: none of them after all
  void announce(std::span<const State> states, double share = 1);

  /// Repetitions of a state without a record.
  int left_to_do(const State& state) const;
  const RunJournal& journal() const { return journal_; }
  RemoteMeasurer& measurer() { return measurer_; }
  Progress& progress() { return progress_; }
  const Spending& spending() const { return spending_; }
  /// Seconds since the run began at which run() stops.
  void set_deadline(double end_s) { deadline_s_ = end_s; }
  const std::vector<Cut>& cuts() const { return cuts_; }

 private:
  void cut(const std::vector<State>& states, const std::string& what);
  /// The repetitions of states without a record, in their order unless the flags interleave them.
  std::vector<State> repetitions_of(const std::vector<State>& states) const;
  /// The part of the budget that a record belongs to.
  std::string part_of(const results::StateKey& key, const std::string& phase) const;
  void begin(const State& state);

  const SuiteConfig& config_;
  const BenchmarkFlags& flags_;
  Progress& progress_;
  RunTime times_;
  RunJournal journal_;
  RemoteMeasurer measurer_;
  Complete complete_;
  std::set<std::string> listed_;
  StateNames names_;
  Spending spending_;
  double deadline_s_ = kNoBudget;
  std::vector<Cut> cuts_;
  std::chrono::steady_clock::time_point last_end_ = std::chrono::steady_clock::now();
};

}  // namespace gpuseq::bench
