#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>

#include "bench/base/registry.hpp"
#include "bench/cards/run_cards.hpp"
#include "bench/measure/harness.hpp"
#include "bench/measure/measure.hpp"
#include "bench/plan/run_time.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/terminal/state_names.hpp"
#include "results/journal.hpp"

namespace gpuseq::bench {

/// Exit codes by which a worker tells its supervisor how it ended.
enum class WorkerExit : int { done = 0, usage = 2, resource = 3, device_lost = 75 };

/// Messages of a worker, one JSON object each:
///   {"planned": [{"pace", "states", "typical_s"}]}    so many more are to be measured; see RemainingTime
///   {"begin": {record}, "name"}    a state was begun; the record has no numbers yet, and no provenance
///   {"stage": "verify"}            progress within it
///   {"end": {"status", "text"}}    it has its record in the journal
///   {"device": id, "description": {...}, "provenance": {...}}    before any state of it
///   {"say": "line"}                for people
using Tell = std::function<void(const nlohmann::json& message)>;

/// The message that a state has this record.
nlohmann::json end_message(const results::Record& record);

/// Measures what the journal lacks: probes, more footprints around their knees, kernels, and the best of them
/// again. Everything is derived from config and journal, so a run that died goes on where it stopped.
class Worker {
 public:
  Worker(const RunFolder& folder, const BegunRun& run, const Registry& registry, Tell tell);
  /// @throws DataError, DeviceLost, ResourceError (the journal cannot be written)
  void run();

 private:
  /// Tells of progress when the stage changes, and else now and then: whoever listens runs on a processor
  /// that is being measured.
  void alive(const std::string& stage);
  void run_phase(const std::vector<State>& states);
  /// Measures all kernels of the plan, or those that a search asks for.
  void run_sweep();
  results::Record measure(const State& state);
  /// Looks again at some points of this machine's cards. @returns those needed states that are to be
  /// measured, because no card stands for them
  std::vector<State> check_cards(const std::vector<State>& needed);
  /// Makes what ceilings are computed from of the probes that there are.
  void settle_probes();
  /// Measures the probes that a refuted ceiling stands on once more, and judges the record by what they say
  /// now: a machine that others share, or that was cold, does better at one time than at another.
  void look_again(results::Record& refuted);
  /// The next passes of states beyond those that are planned for; none of states that had them all.
  std::vector<State> passes_of_another_look(const std::vector<State>& states) const;
  /// The first repetition behind those of the passes that are planned for.
  int first_look() const;
  /// Of the journal as it is.
  std::vector<results::Record> records_where(
      const std::function<bool(const results::Record&)>& is_wanted) const;
  std::vector<results::Record> kernel_records() const;
  int left_to_do(const State& state) const;  // repetitions without a record
  bool any_left(const std::vector<State>& states) const;
  /// @param share  of the states, any of them, that will be measured
  void announce(const std::vector<State>& states, double share = 1);
  /// Measures states in passes, and in a few more what these do not agree on.
  void run_probes(const std::vector<State>& states);
  /// Those that so many passes do not agree on. Nothing else that the journal may hold counts, so that a
  /// resumed run asks for the same states as the run that died.
  std::vector<State> disturbed(const std::vector<State>& states, int passes) const;
  std::vector<State> refinement(std::vector<State>& accepted) const;
  std::map<std::string, const State*> planned_kernels() const;  // by their keys
  std::vector<State> again() const;
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
  RunCards cards_;
  ProbeResults found_, own_;  // with the cards', and without where there are such
  std::vector<State> probes_, kernels_;
  std::vector<State> all_probes_;  // with those that ceilings need
  StateNames names_;
};

/// What a worker process has of its supervisor.
struct InheritedDescriptors {
  int messages = -1;
  int lock = -1;  // kept open and nothing else: so the run's lock lasts as long as the worker; -1: no lock
};

/// The whole of a worker process.
int run_worker(const std::filesystem::path& dir, InheritedDescriptors inherited, const Registry& registry);

}  // namespace gpuseq::bench
