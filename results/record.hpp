#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/shared_json.hpp"
#include "runtime/contract/device.hpp"
#include "runtime/contract/family.hpp"
#include "runtime/contract/point.hpp"

namespace gpuseq::results {

inline constexpr int kSchemaVersion = 3;

/// Identity of a state: each key is measured once per journal and phase.
struct StateKey {
  std::string family;   // "fm_index", "random_access"
  std::string variant;  // "full_cooperative"
  Point problem;        // problem point, completed
  Point point;          // tuning point, completed
  std::string device;   // "cpu", "cuda:0"
  /// "fm_index/full_cooperative/reference=ecoli,.../k=2,d=64,.../cuda:0"; also the Google Benchmark name.
  std::string to_string() const;
};

enum class Status { ok, failed, skipped };
std::string_view status_word(Status status);

/// Why a state has no rate. Kinds: wrong_result, crash, timeout, does_not_fit, unsupported, error.
struct Failure {
  std::string kind;
  std::string reason;
};

/// Derived from samples and work only, in results/statistics.
struct Statistics {
  std::size_t samples = 0;
  double autocorrelation_time = 1;  // samples per independent sample
  double median_s = 0;
  std::optional<double> low_s = {}, high_s = {};  // of the median, if there is an interval
  std::optional<double> confidence = {};          // less than 0.95 for few samples
  std::string interval_reason = {};               // why there is no interval
  double min_s = 0, max_s = 0, mean_s = 0, stddev_s = 0;
  double rate = 0;                                      // work per second
  std::optional<double> rate_low = {}, rate_high = {};  // from high_s and low_s
  std::string rate_unit;                                // "query bases/s"
  std::string stopped_by;                               // "narrow interval", "sample limit", "time limit"
};

/// Launches timed one by one on the host's clock, from the call until the device is idle.
struct SingleLaunch {
  std::vector<double> samples_s;
  double median_s = 0, rate = 0;  // work per second
};

/// Times of the reference loop, a loop of additions, on a state's cores right before and after its samples.
/// They show the share of the cores that the process had.
struct ReferenceLoopTimes {
  /// Slowdown that indicates a noisy neighbour on the other hyperthread of a core, or a low clock.
  static constexpr double kDisturbed = 1.25;
  int threads = 1;      // threads that ran the loop at the same time; the slowest counts
  double best_s = 0;    // the process's best time up to the end of the state
  double slowdown = 1;  // median next to the kept samples, over best_s
};

/// The machine profile that a bound is based on.
struct BoundSource {
  std::string key;   // 16 hexadecimal digits, as run.json has it
  std::string made;  // UTC
};

/// The upper limit of this state's rate according to probes, with the reason.
struct Bound {
  double rate = 0;          // work per second
  std::string bound_by;     // "random access"
  std::string explanation;  // "88.3 blocks of 64 B per 100 bases over 2.65e12 B/s at 1.5 GB, 64 B"
  double fraction = 0;      // measured rate / bound rate
  std::optional<BoundSource> profile = {};  // absent if the bound is based on the run's probes alone
};

/// The size that a run chose for a problem whose config has "auto".
struct ProblemSize {
  std::string axis;  // of the problem
  std::string noun;  // counted things: "reads"
  std::int64_t value = 0;
};

/// Whether a problem is large enough to keep its device busy; null if unknown.
struct Filling {
  std::optional<bool> fills;
  std::string reason;
};

/// One JSON line of records.jsonl.
struct Record {
  StateKey state;
  std::string kind;   // "probe", "kernel" or "tool" (a process of an external tool)
  std::string phase;  // "probe", "refine", "size", "winner", "sweep", "tune"
  int repetition = 0;
  Status status = Status::ok;
  std::optional<Failure> failure;
  std::vector<double> samples_s;  // in the order in which they were taken
  /// Launches in a row without a pause; a sample is their time over their number. 1: each was timed alone.
  int launches_per_sample = 1;
  int discarded_throttled = 0;
  int discarded_interference = 0;                    // taken while a noisy neighbour used the cores
  std::optional<ReferenceLoopTimes> reference_loop;  // only of states on a CPU
  Work work;
  std::optional<Statistics> statistics;
  std::optional<SingleLaunch> single_launch;  // only of launches that were timed in batches
  std::optional<Verification> verification;
  std::optional<Traffic> traffic;
  std::optional<Instructions> instructions;
  std::optional<Resources> resources;
  Maybe<HeldMemory> memory;
  Maybe<std::map<std::string, double>> counters;
  Maybe<nlohmann::json> energy;  // {"joules", "seconds", "watts", "idle_watts", "work_per_joule"}
  Maybe<Bound> bound;
  std::map<std::string, std::vector<double>> side_samples_s;
  SharedJson facts;
  std::vector<std::string> notes;
  std::optional<ProblemSize> size;  // only of problems whose size the run chose
  std::optional<Filling> fills_device;
  double took_s = 0;  // since the end of the last record, with loading, preparing and checking; 0: unknown
  bool synthetic = false;
  std::string problem_hash;
  std::string problem_label;
  std::string date;       // UTC, "2026-11-20T21:26:08Z"
  SharedJson provenance;  // of the process and device; written once per journal, see Provenances
};

/// Later phases have higher ranks; the record of the last phase represents its state.
int phase_rank(std::string_view phase);

/// A line of a journal, with provenance_id() instead of the provenance.
nlohmann::ordered_json to_json(const Record& record);

/// The record of a line, with the id of its provenance as its provenance.
/// @throws UsageError as read_record()
Record record_from_json(const nlohmann::ordered_json& json);

}  // namespace gpuseq::results
