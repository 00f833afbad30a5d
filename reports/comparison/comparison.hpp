#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/names/axis_defaults.hpp"
#include "results/record.hpp"
#include "runtime/system/host_load.hpp"

namespace gpuseq::comparison {

/// What comparisons and histories use of a record. The rest would take most of the memory.
struct ComparedRecord {
  results::StateKey state = {};
  std::string phase = {};
  results::Status status = results::Status::ok;
  std::optional<results::Failure> failure = {};
  std::vector<double> samples_s = {};
  std::optional<results::WitnessTimes> witness = {};
  Work work = {};
  std::string problem_hash = {}, problem_label = {};
  results::SharedJson provenance = {};
  std::string date = {};
};

/// One side of a comparison: the records of one or several processes that measured the same config.
struct Side {
  std::string name = {};                                    // "runs/base" or the command, for messages
  std::vector<std::vector<ComparedRecord>> processes = {};  // one element per run folder
  results::AxisDefaults defaults = {};                      // of the run folders that say
};

/// What may differ between the sides without refusing to compare.
struct Allowed {
  bool device = false;   // name, UUID, memory, caches, clocks, ECC, MIG
  bool driver = false;   // driver and toolkit
  bool problem = false;  // problem hash
};

struct CompareOptions {
  double min_effect = 0.03;            // a slowdown within it is no regression
  double confidence = 0.95;            // of the intervals
  double false_discovery_rate = 0.05;  // Benjamini-Hochberg, over all states with numbers on both sides
  std::uint64_t seed = 1;              // of the bootstrap
  Allowed allowed = {};
  bool allow_missing = false;  // missing states are listed, but are no failure
  /// What the new side lacks on purpose: whole states or the parts that their names begin with,
  /// "fm_index/simd".
  std::vector<std::string> deleted = {};
};

/// same: the interval lies within the smallest effect. inconclusive: none of the others can be said.
/// missing: only the base has it (or the new side skipped it); deleted: missing on purpose; added ("new" in
/// outputs): only the new side has it. failed: the new side could not measure it.
enum class Verdict { improved, regressed, same, inconclusive, missing, deleted, added, failed };
std::string_view to_string(Verdict verdict);

/// One state on both sides. Ratios are of times: new over base, above 1 is slower.
struct StateComparison {
  results::StateKey state = {};
  std::string problem_label = {};
  Verdict verdict = Verdict::inconclusive;
  double ratio = 0, low = 0, high = 0;  // of the medians, with its bootstrap interval; 0: no numbers
  double p = 1, q = 1;                  // Mann-Whitney, two-sided; q after Benjamini-Hochberg
  double noise_floor = 0;  // relative difference that the base shows against itself (A/A); infinite: unknown
  double threshold = 0;    // the larger of min_effect and noise_floor
  double base_median_s = 0, new_median_s = 0;
  double base_rate = 0, new_rate = 0;
  std::string rate_unit = {};
  std::size_t base_units = 0, new_units = 0;        // values that were compared
  std::string unit = {};                            // what they are: "process", "repetition", "sample"
  std::size_t base_left_out = 0, new_left_out = 0;  // processes that neighbours disturbed
  std::string reason = {};  // why missing, failed or inconclusive, in words; else a remark or empty
};

struct ProvenanceDifference {
  std::string field;        // "device/driver", "problem_hash of fm_index/..."
  std::string base, other;  // as text
  bool refuses = false;     // it makes the sides incomparable unless allowed
};

/// How often comparisons on a machine are wrong, and what they find; see certificate.hpp.
struct Certificate {
  static constexpr double kCaughtShare = 0.95;
  std::size_t draws = 0, false_alarms = 0;
  double false_alarm_bound = 1;  // share of comparisons, at the comparison's confidence
  /// Slowdown of one variant, as a share, that is found in kCaughtShare of the draws; none: not one that was
  /// tried.
  std::optional<double> smallest_caught = {};
  std::size_t base_processes = 0, new_processes = 0;
};

struct Comparison {
  std::string base_name, new_name;
  CompareOptions options;
  results::AxisDefaults defaults = {};  // of both sides
  std::vector<StateComparison> states;  // worst first
  std::vector<ProvenanceDifference> differences;
  std::size_t skipped_on_both = 0;
  /// Footprints that only one side measured, around the knees that it found: each run chooses its own.
  std::size_t refined_on_one_side = 0;
  Maybe<Certificate> certificate = {};  // neither value nor reason: not asked for
  /// What of the processors' time went elsewhere while both sides were measured; none: nobody looked.
  std::optional<LoadShares> elsewhere = {};

  std::size_t count(Verdict verdict) const;
};

/// Matches records by state and judges each. A side's values are, for each state, the medians of its
/// processes where either side has several; else the medians of the repetitions, where both sides have at
/// least results::kFewestValues of them; else the samples. Probes are judged like kernels. Of a state's
/// phases the last one counts that every process with numbers measured it in, so that like is compared with
/// like. Processes that neighbours disturbed are left out on both sides, where both have at least
/// results::kFewestValues others and every process says how its witness ran. With fewer than
/// results::kFewestValues values on a side a state is inconclusive at best.
/// @throws UsageError if a side has no record, or the sides differ in what `options.allowed` does not allow:
/// the message names every such field with both values
Comparison compare(const Side& base, const Side& next, const CompareOptions& options);

/// 0 fine; 1 a state regressed, failed or is missing; 3 none did, but some are inconclusive. Never a count.
int exit_code(const Comparison& comparison);

}  // namespace gpuseq::comparison
