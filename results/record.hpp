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

/// What identifies a state: the same key is never measured twice in one journal and phase.
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
/// As it is written: "ok".
std::string_view status_word(Status status);

/// Why a state has no number. Kinds: wrong_result, crash, timeout, does_not_fit, unsupported, error.
struct Failure {
  std::string kind;
  std::string reason;
};

/// Derived from samples and work only, in results/statistics.
struct Statistics {
  std::size_t samples = 0;
  double autocorrelation_time = 1;  // samples that say as much as one independent sample
  double median_s = 0;
  std::optional<double> low_s = {}, high_s = {};  // the median's confidence interval, if there is one
  std::optional<double> confidence = {};          // of it; less than 0.95 where few samples carry no more
  std::string interval_reason = {};               // why there is none
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

/// What the reference loop, a loop of additions, took on a state's processors straight before and after its
/// samples: how much of their cores the process had meanwhile.
struct ReferenceLoopTimes {
  /// So many times its best and more: a noisy neighbour uses the other hyperthread of a core, or the clock is
  /// low.
  static constexpr double kDisturbed = 1.25;
  int threads = 1;      // that ran it at a time; the slowest counts
  double best_s = 0;    // of them, that the process had seen by the end of the state
  double slowdown = 1;  // median beside the samples that were kept, over best_s
};

/// The profile of this machine that a bound stands on.
struct BoundSource {
  std::string key;   // 16 hexadecimal digits, as run.json has it
  std::string made;  // UTC
};

/// The rate that probes say this state cannot exceed, and why.
struct Bound {
  double rate = 0;          // work per second
  std::string bound_by;     // "random access"
  std::string explanation;  // "88.3 blocks of 64 B per 100 bases over 2.65e12 B/s at 1.5 GB, 64 B"
  double fraction = 0;      // measured rate / bound rate
  std::optional<BoundSource> profile = {};  // without it the probes of the run alone say as much
};

/// The size that a run found for a problem whose config says "auto".
struct ProblemSize {
  std::string axis;  // of the problem
  std::string noun;  // what it counts: "reads"
  std::int64_t value = 0;
};

/// Whether a problem is large enough to keep its device busy; null where nobody knows.
struct Filling {
  std::optional<bool> fills;
  std::string reason;
};

/// One JSON line of records.jsonl.
struct Record {
  StateKey state;
  std::string kind;   // "probe", "kernel" or "tool" (a whole process of another program)
  std::string phase;  // "probe", "refine", "size", "winner", "sweep", "tune"
  int repetition = 0;
  Status status = Status::ok;
  std::optional<Failure> failure;
  std::vector<double> samples_s;  // kept in the order in which they were taken
  /// Of launches in a row, with nothing between them; a sample is their time over their number. 1: each was
  /// timed alone.
  int launches_per_sample = 1;
  int discarded_throttled = 0;
  int discarded_interference = 0;  // taken while a noisy neighbour used the processor's cores
  std::optional<ReferenceLoopTimes> reference_loop;  // of states on a CPU
  Work work;
  std::optional<Statistics> statistics;
  std::optional<SingleLaunch> single_launch;  // of launches that were timed in batches
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
  std::optional<ProblemSize> size;  // of problems whose size the run finds
  std::optional<Filling> fills_device;
  double took_s =
      0;  // from the end of the record before it: loading, preparing and checking, too; 0: not known
  bool synthetic = false;
  std::string problem_hash;
  std::string problem_label;
  std::string date;       // UTC, "2026-11-20T21:26:08Z"
  SharedJson provenance;  // of the process and device; a journal has it once, see Provenances
};

/// Later phases have higher ranks; what a later phase measured of a state stands for it.
int phase_rank(std::string_view phase);

/// A line of a journal; in place of the provenance it has provenance_id().
nlohmann::ordered_json to_json(const Record& record);

/// The record that the line of `json` is, with the id of its provenance as its provenance.
/// @throws UsageError as read_record()
Record record_from_json(const nlohmann::ordered_json& json);

}  // namespace gpuseq::results
