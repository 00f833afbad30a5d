#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/comparison/comparison.hpp"
#include "results/statistics/statistics.hpp"
#include "results/statistics/steps.hpp"

/// The times of states over commits: a file of JSON lines that runs are appended to, and its steps.
namespace gpuseq::comparison {

inline constexpr int kHistorySchemaVersion = 2;  // 1 had no confidence and an interval of one value

/// What one run says of one state: a line of the history. Documented in docs/comparing.md.
struct HistoryEntry {
  std::string date = {};    // UTC, "2026-11-20T21:41:58Z"
  std::string commit = {};  // of the program
  std::string config = {};  // name
  std::string device_name = {};
  std::string device_hash =
      {};                  // see device_hash(): a change of the driver may be a step, another device not
  std::string state = {};  // StateKey::to_string()
  double median_s = 0;
  std::optional<results::Interval> interval = {};  // of the median
  std::size_t values = 0;                          // that the median is of
  double rate = 0;                                 // work per second; 0: not known
  std::string rate_unit = {};
  std::string verdict = {};  // against the base of its comparison; empty: compared with none

  friend bool operator==(const HistoryEntry&, const HistoryEntry&) = default;
};

/// One entry for each state of a side that has numbers.
/// @param comparison  the one that the side was judged in, for the verdicts; null: none
std::vector<HistoryEntry> entries_of(const Side& side, const Comparison* comparison);

/// Appends a side to a history, which is made where it is missing. What it holds already (same state, device,
/// commit and date) is not appended again.
/// @returns how many lines were written
/// @throws UsageError if the file is no history or cannot be written; ResourceError if the disk is full
std::size_t append_history(const std::filesystem::path& path, const Side& side, const Comparison* comparison);

/// A torn last line is left out.
/// @throws UsageError with file, line and JSON pointer
std::vector<HistoryEntry> load_history(const std::filesystem::path& path);

/// One state on one device, by date, with the steps of its times.
struct HistorySeries {
  std::vector<HistoryEntry> entries = {};
  std::vector<results::Step> steps = {};
};

/// Series of the states that `state` (a regular expression, searched for) matches; those with the largest
/// steps first. @throws UsageError if the expression cannot be read
std::vector<HistorySeries> history_series(const std::vector<HistoryEntry>& entries, const std::string& state,
                                          double confidence);

/// The steps in words, and totals.
std::string to_text(const std::vector<HistorySeries>& series);

}  // namespace gpuseq::comparison
