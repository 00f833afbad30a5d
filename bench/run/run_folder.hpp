#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/config/problem_files.hpp"
#include "bench/run/invocation.hpp"
#include "bench/run/run_lock.hpp"
#include "results/journal.hpp"
#include "results/names/axis_defaults.hpp"

namespace gpuseq::bench {

/// The schema of run.json.
inline constexpr int kRunSchema = 2;

/// The folder of one run.
struct RunFolder {
  std::filesystem::path dir;
  std::filesystem::path records() const { return dir / results::kRecordsFile; }
  std::filesystem::path summary() const { return dir / "run.json"; }
  std::filesystem::path tuned() const { return dir / "tuned.json"; }
  std::filesystem::path benchmark() const { return dir / "benchmark.json"; }
};

/// A run's folder and the right to write to it.
struct LockedFolder {
  RunFolder folder;
  RunLock lock;
};

/// Makes the folder of a new run, locks it, and checks that it can be written and has room.
/// @throws UsageError if it is in use, holds a run already or cannot be written; ResourceError if the disk is
/// (nearly) full
LockedFolder make_run_folder(const std::filesystem::path& dir);

/// Locks the folder of a run that goes on. @throws UsageError if it is in use or holds no run
LockedFolder lock_run_folder(const std::filesystem::path& dir);

/// Writes the run.json of a run that has begun: complete is false, nothing is counted yet.
/// @param defaults  of the axes of measured states
/// @param data  that it reads
void write_start(const RunFolder& folder, const SuiteConfig& config, const Invocation& invocation,
                 const results::AxisDefaults& defaults, const DataContents& data);

/// A run that was begun: its run.json and the values in it. @throws UsageError if there is none, or it is
/// damaged
struct BegunRun {
  nlohmann::json summary;
  SuiteConfig config;
  Invocation invocation;
  std::optional<DataContents> data = {};  // that it began with; older runs do not say
};
BegunRun read_start(const RunFolder& folder);

/// Writes the records in Google Benchmark's formats: benchmark.json, and the file that the flags name.
void write_benchmark_files(const std::vector<results::Record>& records, const RunFolder& folder,
                           const BenchmarkFlags& flags);

/// Converts the files of a run folder that an older version wrote to today's schema, each as a whole.
/// @returns how many were converted
/// @throws UsageError for a folder that is no run, is in use, or has a line that is no record
int migrate_run(const std::filesystem::path& dir);

}  // namespace gpuseq::bench
