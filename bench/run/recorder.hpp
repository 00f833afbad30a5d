#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "bench/measure/google_benchmark.hpp"
#include "bench/plan/budget.hpp"
#include "bench/plan/run_time.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/run/run_journal.hpp"
#include "bench/run/terminal/progress.hpp"
#include "bench/run/terminal/state_names.hpp"
#include "bench/run/worker/lanes.hpp"
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
  /// @param end_s  seconds that all records may take
  Recorder(const LockedFolder& folder, const SuiteConfig& config, const BenchmarkFlags& flags,
           std::span<const State> listed, double end_s, Progress& progress);
  void complete_by(Complete complete) { complete_ = std::move(complete); }

  /// Measures states without a record, until the deadline. A state that runs much longer is stopped, so that
  /// the parts behind it have the rest of the budget, and so is all at its end; it has a skipped record.
  /// @returns whether all states have records
  /// @param what  name of the states where the budget cuts them
  /// @param least  this many are measured though the deadline has passed
  /// @param batch  number of states whose kernels are compiled together before they are measured; 0: none
  /// @throws RunEnded
  bool run(const std::vector<State>& states, const std::string& what = "", std::size_t least = 0,
           std::size_t batch = 0);
  /// Fills the cache of kernels of a GPU before any state is measured: all cores together take a second where
  /// one after the other takes ten. Not for states whose time to compile is a result.
  void compile_ahead(std::span<const State> states);
  /// The record of a state, measured now if the journal lacks it. @throws RunEnded
  results::Record measure(const State& state) { return measure(state, most_time(false)); }
  /// Whether run() measures nothing more. @param least  of states that the deadline does not end
  bool is_over(bool least = false) const;
  /// Adds states to the progress and the remaining time.
  /// @param share  of the states, any of them, that will be measured; -1: none of them after all
  void announce(std::span<const State> states, double share = 1);

  /// Repetitions of a state without a record.
  int left_to_do(const State& state) const;
  /// A short name of the problem of a state that was announced.
  std::string problem_name(const results::StateKey& state) { return names_.problem(state); }
  const RunJournal& journal() const { return journal_; }
  RemoteMeasurer& measurer() { return measurer_; }
  /// Workers for GPUs whose cases are measured at the same time.
  std::unique_ptr<Lanes> make_lanes(const std::vector<std::string>& gpus) const;
  /// From here on, run() measures cases of these GPUs at the same time, and those of other devices, or of
  /// several, behind them.
  void use_lanes(std::unique_ptr<Lanes> lanes);
  /// Worker processes that each may have a problem in memory.
  std::size_t workers() const { return lanes_ ? lanes_->devices().size() + 1 : 1; }
  /// The GPUs that take cases at the same time as this state's.
  std::vector<std::string> beside(const State& state) const;
  Progress& progress() { return progress_; }
  const Spending& spending() const { return spending_; }
  /// Seconds that the records may have taken when run() begins its last state.
  void set_deadline(double end_s) { deadline_s_ = end_s; }
  /// Seconds until the deadline.
  double part_left_s() const { return deadline_s_ - spending_.spent_s(); }
  /// The most time of a state that begins now. @param least  it is measured although the deadline has passed
  MostTime most_time(bool least) const;
  const std::vector<Cut>& cuts() const { return cuts_; }

 private:
  /// Spent seconds, including the time since the last record.
  double spent_now_s() const;
  results::Record measure(const State& state, const MostTime& most);
  /// Completes a record that a worker made, and appends it.
  results::Record finish(const State& state, results::Record record);
  /// The same as run() with lanes. @param repetitions  without a record
  bool run_in_lanes(const std::vector<State>& repetitions, std::size_t least);
  /// The states that lanes do not take, one after the other.
  bool run_behind_lanes(const std::vector<State>& repetitions, const std::vector<std::size_t>& places,
                        std::size_t least);
  bool is_for_a_lane(const State& state) const;
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
  std::function<std::unique_ptr<RemoteMeasurer>()> make_measurer_;
  Complete complete_;
  std::set<std::string> listed_;
  StateNames names_;
  Spending spending_;
  double end_s_, deadline_s_ = kNoBudget;
  std::vector<Cut> cuts_;
  std::unordered_set<std::string> cut_keys_;  // of states in cuts_
  std::chrono::steady_clock::time_point last_end_ = std::chrono::steady_clock::now();
  std::unique_ptr<Lanes> lanes_;  // none: one worker measures everything
};

}  // namespace gpuseq::bench
