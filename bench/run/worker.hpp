#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "bench/config/registry.hpp"
#include "bench/measure/google_benchmark.hpp"
#include "bench/measure/measure.hpp"
#include "bench/phases/search/search.hpp"
#include "bench/plan/budget.hpp"
#include "bench/plan/run_time.hpp"
#include "bench/plan/sizes/sizes.hpp"
#include "bench/profile/store/run_profiles.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/run/terminal/state_names.hpp"
#include "results/journal.hpp"

namespace gpuseq::bench {

/// Exit codes by which a worker tells its supervisor how it ended.
enum class WorkerExit : int { done = 0, usage = 2, resource = 3, device_lost = 75 };

/// Messages of a worker, one JSON object each:
///   {"planned": [{"pace", "states", "typical_s"}]}    so many more are to be measured; see RemainingTime
///                                fewer, where "states" is negative
///   {"cut": {"what", "states"}}    the budget leaves so many states out
///   {"begin": {record}, "name"}    a state was begun; the record has no numbers yet, and no provenance
///   {"stage": "verify"}            progress within it
///   {"end": {"status", "text"}}    it has its record in the journal
///   {"device": id, "description": {...}, "provenance": {...}}    before any state of it
///   {"say": "line"}                for people
using Tell = std::function<void(const nlohmann::json& message)>;

/// What the journal knows a state's record by.
std::string record_key(const State& state, int repetition);

/// The message that a state has this record.
nlohmann::json end_message(const results::Record& record);

/// Measures what the journal lacks: probes, more footprints where levels end, the sizes of problems,
/// kernels, and the best of them again. Everything is derived from config and journal, so a run that died
/// goes on where it stopped.
class Worker {
 public:
  Worker(const RunFolder& folder, const BegunRun& run, const Registry& registry, Tell tell);
  /// @throws DataError, DeviceLost, ResourceError (the journal cannot be written)
  void run();

 private:
  /// Tells of progress when the stage changes, and else now and then: whoever listens runs on a processor
  /// that is being measured.
  void alive(const std::string& stage);
  /// Measures states that have no record, until the deadline. @returns whether it came to their end
  /// @param what  they are, where the budget cuts them
  /// @param least  so many are measured in any case
  bool run_phase(const std::vector<State>& states, const std::string& what = "", std::size_t least = 0);
  results::Record measure(const State& state);
  /// Looks again at some points of this machine's profiles. @returns those needed states that are to be
  /// measured, because no profile stands for them
  std::vector<State> check_profiles(const std::vector<State>& needed);
  /// Makes what bounds are computed from of the probes that there are.
  void settle_probes();
  /// Measures the probes that a violated bound stands on once more, and judges the record by what they say
  /// now: a machine that others share, or that was cold, does better at one time than at another.
  void look_again(results::Record& violated);
  /// The next passes of states beyond those that are planned for; none of states that had them all.
  std::vector<State> passes_of_another_look(const std::vector<State>& states) const;
  /// The first repetition behind those of the passes that are planned for.
  int first_look() const;
  /// Of the journal as it is.
  std::vector<results::Record> records_where(
      const std::function<bool(const results::Record&)>& is_wanted) const;
  std::vector<results::Record> kernel_records() const;
  int left_to_do(const State& state) const;  // repetitions without a record
  /// The repetitions of states that have no record, in their order unless the flags interleave them.
  std::vector<State> repetitions_of(const std::vector<State>& states) const;
  bool any_left(const std::vector<State>& states) const;
  /// @param share  of the states, any of them, that will be measured; -1: none of them after all
  void announce(std::span<const State> states, double share = 1);
  /// Measures states in passes, and in a few more what these do not agree on.
  void run_probes(const std::vector<State>& states, const std::string& what = "");
  /// Has what states on GPUs load in the cache before any is measured: by all processors that takes a second
  /// where one after the other they take ten. Probes only, for of kernels the time to compile is a figure.
  void compile_ahead_for(const std::vector<State>& states);
  /// As run_probes(), each device's states within its share of the budget.
  void run_listed(const std::vector<State>& states);
  /// The budget leaves states out.
  void cut(std::span<const State> states, const std::string& what);
  /// Those that so many passes do not agree on. Nothing else that the journal may hold counts, so that a
  /// resumed run asks for the same states as the run that died.
  std::vector<State> disturbed(const std::vector<State>& states, int passes) const;
  std::vector<State> refinement(std::vector<State>& accepted) const;
  /// The listed probes and the footprints where levels end, each device's within its share of the budget.
  /// @param needed  what is measured among them
  void probe_listed(const std::vector<State>& needed);
  /// Grows the problems whose size the run finds; their states at it come to the kernels.
  void find_sizes(const std::vector<SizedStates>& sized);
  /// Seconds that finding sizes and measuring at them may take together.
  /// @param sized  the states at the sizes as far as these are found: what probes their bounds need
  double seconds_for_sizes(std::span<const State> sized) const;
  /// Measures what the way of one problem asks for. @returns its end
  SizeStep grow(const SizedStates& problem, const SizeLimits& limits);
  /// What the bounds of all kernels need.
  void probe_needed();
  /// All kernels of the plan, of each problem within its share of the budget, or those that a search asks
  /// for.
  void sweep_kernels();
  void search_kernels();
  /// What the runs that the config names say of the kernels before any is measured.
  ExpectedRates expected_of_kernels();
  void measure_winners_again();
  /// What the journal holds was spent on.
  void count_spent();
  /// What a record is a part of, for the shares of the budget.
  std::string part_of(const results::StateKey& key, const std::string& phase) const;
  /// A problem for people.
  std::string words_of(const results::StateKey& key) const;
  /// Whether the problem of a record fills its device.
  void say_filling(results::Record& record);
  std::map<std::string, const State*> planned_kernels() const;  // by their keys
  /// Measures the best again, in rounds, until they are told apart: of each problem within its share of what
  /// the budget has left.
  void race();
  /// @param records  of one problem's kernels
  std::vector<State> next_in_race(std::span<const results::Record> records,
                                  const std::map<std::string, const State*>& planned) const;
  std::vector<State> winners() const;

  const BegunRun& run_;
  const Registry& registry_;
  Tell tell_;
  std::string told_stage_;
  std::chrono::steady_clock::time_point told_at_;
  BenchmarkFlags flags_;
  SuiteConfig config_;
  RunTime times_;
  Measurer measurer_;
  results::Journal journal_;
  std::vector<results::Record> probe_records_;
  std::map<std::string, std::uint64_t> recorded_;  // record_key() -> where in the journal
  RunProfiles profiles_;
  ProbeResults found_, own_;  // with the profiles', and without where there are such
  std::vector<State> probes_, kernels_;
  SelectedSpaces sampled_;         // of variants of which kernels_ has a sample
  std::vector<State> all_probes_;  // with those that bounds need
  StateNames names_;
  std::set<std::string> listed_;  // states of probes_, and those where levels end
  std::vector<results::Record> size_records_;
  std::map<std::string, SizeStep> found_sizes_;  // by problem_key()
  BudgetParts budget_;
  Spending spending_;
  double deadline_s_ = kNoBudget;
  std::chrono::steady_clock::time_point last_end_ = std::chrono::steady_clock::now();
};

/// What a worker process has of its supervisor.
struct InheritedDescriptors {
  int messages = -1;
  int lock = -1;  // kept open and nothing else: so the run's lock lasts as long as the worker; -1: no lock
};

/// The whole of a worker process.
int run_worker(const std::filesystem::path& dir, InheritedDescriptors inherited, const Registry& registry);

}  // namespace gpuseq::bench
