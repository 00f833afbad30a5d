#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/comparison/comparison.hpp"

namespace gpuseq::bench {

/// What a gate compares, and how long it may take.
struct GateOptions {
  std::string base_command, new_command;  // shell words, such as "./old/gpuseq-bench" or "env A=1 ./new"
  std::vector<std::string> arguments;     // of every process: --config ..., --set ..., --benchmark_filter=...
  std::filesystem::path output;           // holds base/01, base/02 ... and new/01 ...: run folders
  int rounds = 5;                         // of four processes each, before the first verdict
  double budget_s = 600;                  // no further round is begun that would end later, none hangs longer
  bool probes = false;                    // judge the probes as well
  comparison::CompareOptions compare;
};

/// Ctrl-C or a termination signal; the records of finished processes are kept.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

/// How a gate ended.
struct GateResult {
  comparison::Comparison comparison;
  comparison::Side base, next;
  int rounds = 0;
  double elapsed_s = 0;
  bool cut = false;  // a process was killed at the end of the budget: rounds are missing
};

/// States that another round is worth: those that are inconclusive, and those that regressed and were not
/// measured again since, because a verdict that stops a change is confirmed first.
/// @param confirmed  keys of states that were measured again after a verdict
std::vector<std::string> worth_another_round(const comparison::Comparison& comparison,
                                             std::span<const std::string> confirmed);

/// A regular expression (of --benchmark_filter) that lets exactly these states through.
std::string filter_of(std::span<const std::string> states);

/// Runs both commands in turn, base, new, new, base, each a process of its own, so that neither a slow drift
/// of the machine nor the luck of one process falls on one side; judges the medians of the processes; and
/// repeats what is worth another round until the budget is spent. Every process's records stay in its folder.
/// @param say  told what happens, a line each
/// A process that hangs is killed at the end of the budget, with all that it started; the verdict is then
/// that of the processes that came to their end.
/// @throws UsageError if a command cannot be run, refuses its arguments, prints without an end, leaves no
/// record, or has no process that came to its end within the budget; what compare() throws; Interrupted,
/// where an InterruptGuard lives
GateResult run_gate(const GateOptions& options, const std::function<void(const std::string&)>& say);

}  // namespace gpuseq::bench
