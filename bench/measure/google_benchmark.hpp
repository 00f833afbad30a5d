#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/plan/plan.hpp"
#include "results/record.hpp"

// Google Benchmark's flags, names and formats, for its users. States are measured without the library.

namespace gpuseq::bench {

/// The --benchmark_* arguments. Those that concern reports are passed to the library.
struct BenchmarkFlags {
  std::vector<std::string> given;      // all, in order
  std::vector<std::string> forwarded;  // to the library, for reports
  std::string filter;                  // empty: no filter; see NameFilter
  bool list_tests = false;
  int repetitions = 1;
  bool interleaved = false;           // repetitions of a phase's states in random order
  std::optional<double> min_seconds;  // --benchmark_min_time=0.5 or 0.5s
  std::optional<int> min_samples;     // --benchmark_min_time=10x
  std::filesystem::path out;          // empty: only benchmark.json
  std::string out_format = "json";
  std::string format;  // of standard output: "console", "json" or "csv"; empty: our own summary
};

/// Removes the --benchmark_* arguments from a command line.
/// @throws UsageError for a malformed value, also of a filter
BenchmarkFlags take_benchmark_flags(std::vector<std::string>& arguments);

/// Passes the forwarded flags to the library. @throws UsageError naming a flag unknown to the library
void initialise_benchmark(const BenchmarkFlags& flags, const std::string& program);

/// The states that match --benchmark_filter, in their order. The library does not see the filter.
std::vector<State> filtered(std::vector<State> states, const BenchmarkFlags& flags);

/// Writes records in one of the library's formats: "json" (the input of its compare.py), "csv" or "console".
/// Writes only failed records and ok records with samples, without NaN or infinity.
/// @throws UsageError for another format
void write_benchmark_report(std::span<const results::Record> records, const std::string& format,
                            std::ostream& out);

}  // namespace gpuseq::bench
