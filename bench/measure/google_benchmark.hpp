#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/plan/plan.hpp"
#include "results/record.hpp"

// What users know of Google Benchmark: its flags, names and formats. States are measured without it.

namespace gpuseq::bench {

/// The --benchmark_* arguments. The library carries out those that concern its reports.
struct BenchmarkFlags {
  std::vector<std::string> given;      // all, as given
  std::vector<std::string> forwarded;  // to the library
  std::string filter;                  // empty: none; see NameFilter
  bool list_tests = false;
  int repetitions = 1;
  bool interleaved = false;           // repetitions of a phase's states in random order
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

/// Writes records in one of the library's formats: "json" (what its compare.py reads), "csv" or "console".
/// Only ok records with samples and failed ones are written; no NaN or infinity is.
/// @throws UsageError for another format
void write_benchmark_report(std::span<const results::Record> records, const std::string& format,
                            std::ostream& out);

}  // namespace gpuseq::bench
