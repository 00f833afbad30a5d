#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/plan/plan.hpp"
#include "results/record.hpp"

// Google Benchmark's part: it repeats the states. Taking samples is the sampler's.

namespace gpuseq::bench {

/// The --benchmark_* arguments. Those that concern output and sampling are ours to carry out, because the
/// benchmarks run in several phases and a resumed run's files hold all of them; the others are the library's.
struct BenchmarkFlags {
  std::vector<std::string> given;      // all, as given
  std::vector<std::string> forwarded;  // to the library
  std::string filter;                  // empty: none; see NameFilter
  bool list_tests = false;
  int repetitions = 1;
  std::optional<double> min_seconds;  // --benchmark_min_time=0.5 or 0.5s
  std::optional<int> min_samples;     // --benchmark_min_time=10x
  std::filesystem::path out;          // empty: none besides benchmark.json
  std::string out_format = "json";
  std::string format;  // on standard output: "console", "json" or "csv"; empty: our own summary
};

/// Takes the --benchmark_* arguments out of a command line.
/// @throws UsageError for one with a malformed value, a filter included
BenchmarkFlags take_benchmark_flags(std::vector<std::string>& arguments);

/// Hands the forwarded flags to the library. @throws UsageError naming a flag that it does not know
void initialise_benchmark(const BenchmarkFlags& flags, const std::string& program);

/// The states that --benchmark_filter lets through, in their order. The library does not see the filter.
std::vector<State> filtered(std::vector<State> states, const BenchmarkFlags& flags);

/// Registers every state as a benchmark of one iteration and manual time, and runs them, some at a time: what
/// the library does for one benchmark takes longer the more are registered. `measure` makes the record of a
/// state, whose `repetition` is set. @throws what `measure` throws, after which no state runs
void run_states(std::span<const State> states,
                const std::function<results::Record(const State& state)>& measure);

/// Writes records in one of the library's formats: "json" (what its compare.py reads), "csv" or "console".
/// Only ok records with samples and failed ones are written; no NaN or infinity is.
/// @throws UsageError for another format
void write_benchmark_report(std::span<const results::Record> records, const std::string& format,
                            std::ostream& out);

}  // namespace gpuseq::bench
