#include <benchmark/benchmark.h>

#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <ostream>

#include "bench/measure/google_benchmark.hpp"
#include "results/statistics/rounds.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;
using results::Record;

/// Version 1.8 of the library renamed the members for errors; this template works with both.
template <typename AnyRun>
void set_error(AnyRun& run, const std::string& message) {
  if constexpr (requires { run.error_occurred; }) {
    run.error_occurred = true;
    run.error_message = message;
  } else {
    run.skipped = std::decay_t<decltype(run.skipped)>(2);  // SkippedWithError
    run.skip_message = message;
  }
}

void set_counter(Run& run, const std::string& name, double value) {
  if (std::isfinite(value)) run.counters[name] = benchmark::Counter(value);
}

bool reported(const Record& record) {
  if (record.status == results::Status::failed) return true;
  return record.status == results::Status::ok && record.statistics &&
         std::isfinite(record.statistics->median_s);
}

Run run_of(const Record& record) {
  Run run;
  run.run_name.function_name = record.state.to_string();
  run.family_index = 0;
  run.per_family_instance_index = 0;
  run.time_unit = benchmark::kMicrosecond;
  run.statistics = nullptr;
  run.report_label = record.phase;
  if (record.status == results::Status::failed) {
    set_error(run, record.failure ? record.failure->kind + ": " + record.failure->reason : "failed");
    return run;
  }
  const results::Statistics& statistics = *record.statistics;
  run.iterations = static_cast<benchmark::IterationCount>(statistics.samples);
  // The time on the device's clock is used for both: no other time is measured.
  run.real_accumulated_time = run.cpu_accumulated_time =
      statistics.median_s * static_cast<double>(statistics.samples);
  set_counter(run, record.work.unit == "bytes" ? "bytes_per_second" : "items_per_second", statistics.rate);
  if (record.bound.value) set_counter(run, "fraction_of_bound", record.bound.value->fraction);
  return run;
}

/// The rates of states over all their rounds: of the race, else of the sweep, as in the winners of run.json.
std::map<std::string, double> case_rates(std::span<const Record> records) {
  std::map<std::string, std::vector<const Record*>> rounds;
  for (const Record& record : records) {
    const bool has_rate =
        record.status == results::Status::ok && reported(record) && record.statistics->rate > 0;
    if (record.kind != "kernel" || !has_rate) continue;
    std::vector<const Record*>& own = rounds[record.state.to_string()];
    const int rank = results::phase_rank(record.phase);
    const int others = own.empty() ? rank : results::phase_rank(own.front()->phase);
    if (rank > others) own.clear();
    if (rank >= others) own.push_back(&record);
  }
  std::map<std::string, double> rates;
  for (const auto& [state, own] : rounds) rates[state] = results::case_rate(own).rate;
  return rates;
}

/// Records of one state are repetitions of one benchmark, in whichever phase they were measured. Each has its
/// own rate and that of all its rounds.
std::vector<Run> runs_of(std::span<const Record> records) {
  std::vector<Run> runs;
  std::map<std::string, std::int64_t> repetitions, instance;
  const std::map<std::string, double> rates = case_rates(records);
  for (const Record& record : records) {
    if (!reported(record)) continue;
    Run run = run_of(record);
    const std::string name = run.run_name.function_name;
    if (const auto rate = rates.find(name); rate != rates.end())
      set_counter(run, "rate_of_all_rounds", rate->second);
    run.repetition_index = repetitions[name]++;
    run.family_index = instance.try_emplace(name, static_cast<std::int64_t>(instance.size())).first->second;
    runs.push_back(std::move(run));
  }
  for (Run& run : runs) run.repetitions = repetitions[run.run_name.function_name];
  return runs;
}

std::unique_ptr<benchmark::BenchmarkReporter> make_reporter(const std::string& format) {
  if (format == "json") return std::make_unique<benchmark::JSONReporter>();
  if (format == "console")
    return std::make_unique<benchmark::ConsoleReporter>(benchmark::ConsoleReporter::OO_Tabular);
  throw UsageError("benchmark format \"" + format + "\"; allowed: json, csv, console");
}

/// The library's own CSV reporter is deprecated; this one has the same columns.
void write_csv(const std::vector<Run>& runs, std::ostream& out) {
  const auto quoted = [](const std::string& text) {
    std::string escaped;
    for (const char c : text) escaped += c == '"' ? "\"\"" : std::string(1, c);
    return '"' + escaped + '"';
  };
  out << "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label\n";
  for (const Run& run : runs) {
    const auto counter = [&](const char* name) -> std::string {
      const auto found = run.counters.find(name);
      return found == run.counters.end() ? "" : std::to_string(found->second.value);
    };
    out << quoted(run.benchmark_name()) << ',' << run.iterations << ',' << run.GetAdjustedRealTime() << ','
        << run.GetAdjustedCPUTime() << ",us," << counter("bytes_per_second") << ','
        << counter("items_per_second") << ',' << quoted(run.report_label) << '\n';
  }
}

}  // namespace

void write_benchmark_report(std::span<const Record> records, const std::string& format, std::ostream& out) {
  const std::vector<Run> runs = runs_of(records);
  if (format == "csv") return write_csv(runs, out);
  const auto reporter = make_reporter(format);
  reporter->SetOutputStream(&out);
  benchmark::BenchmarkReporter::Context context;
  for (const Run& run : runs)
    context.name_field_width = std::max(context.name_field_width, run.benchmark_name().size());
  reporter->ReportContext(context);
  if (!runs.empty()) reporter->ReportRuns(runs);
  reporter->Finalize();
}

}  // namespace gpuseq::bench
