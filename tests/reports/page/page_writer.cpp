// Writes report.html for the tests of the page that a browser runs, and to measure how fast one opens.
//
// page_writer example DIR         the example run
// page_writer hostile DIR         the example run, its texts full of markup
// page_writer generated DIR N     N records on four devices
// page_writer run DIR             the run that is in DIR
//
// The interpreter with the plot renderer is $GPUSEQ_PYTHON.

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <random>

#include "reports/report.hpp"
#include "tests/reports/example_run.hpp"

namespace gpuseq::reports {
namespace {

namespace fs = std::filesystem;

constexpr int kDevices = 4;

nlohmann::json provenance_of(const results::Record& record, std::size_t number) {
  return {
      {"config", "generated"},
      {"device",
       {{"name", record.state.device}, {"memory_bytes", 150109880320}, {"sm_clock_mhz", 1900 + number % 80}}},
      {"host", {{"name", "node"}, {"cpu", example::kCpu}}},
      {"program", {{"version", "0.1.0"}, {"compiler", "GNU 12.2.0"}}},
      {"seed", 1}};
}

/// As many samples as a run takes, around the record's median.
void take_samples(results::Record& record, std::mt19937_64& random) {
  std::lognormal_distribution<double> noise(0, 0.01);
  const double median = record.statistics->median_s;
  record.samples_s.clear();
  for (int i = 0; i < 30; ++i) record.samples_s.push_back(median * noise(random));
}

/// The example's records over and over: on four devices, then as repetitions.
std::vector<results::Record> generated(std::size_t count) {
  const std::vector<results::Record> base = example::records();
  std::mt19937_64 random(1);
  std::vector<results::Record> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    results::Record record = base[i % base.size()];
    const std::size_t copy = i / base.size();
    if (record.state.device != "cpu") record.state.device = fmt::format("cuda:{}", copy % kDevices);
    record.repetition = static_cast<int>(copy / kDevices);
    if (record.statistics) take_samples(record, random);
    record.date = fmt::format("2026-11-20T10:{:02}:{:02}Z", i / 60 % 60, i % 60);
    record.provenance = provenance_of(record, i);
    all.push_back(std::move(record));
  }
  return all;
}

nlohmann::json generated_summary() {
  nlohmann::json run = example::summary();
  for (int i = 1; i < kDevices; ++i) {
    run["devices"][fmt::format("cuda:{}", i)] = run["devices"]["cuda:0"];
    run["devices"][fmt::format("cuda:{}", i)]["name"] = fmt::format("NVIDIA H20{}", i);
  }
  return run;
}

void write_hostile(const fs::path& dir) {
  const std::string hostile =
      "</script><script>document.title='hacked'</script><img src=x onerror=\"document.title='hacked'\">";
  std::vector<results::Record> records = example::records();
  for (results::Record& record : records) {
    record.state.variant = hostile;
    record.notes = {hostile};
    record.facts[hostile] = hostile;
    record.facts["__proto__"] = hostile;
    record.provenance[hostile] = {{hostile, hostile}};
    record.side_samples_s[hostile] = {1, 2};
    if (record.statistics) record.statistics->rate_unit = hostile + "/s";
    if (record.failure) record.failure->reason = hostile;
  }
  nlohmann::json run = example::summary();
  run["name"] = hostile;
  run["devices"]["cuda:0"]["name"] = hostile;
  example::write(dir, records, run);
}

void write_page(const std::string& kind, const fs::path& dir, std::size_t count) {
  if (kind == "example")
    example::write(dir);
  else if (kind == "hostile")
    write_hostile(dir);
  else if (kind == "generated")
    example::write(dir, generated(count), generated_summary());
  const char* python = std::getenv("GPUSEQ_PYTHON");
  const ExecUses exec{
      {"fm_index", {.roles = {"reference", "queries"}, .variants = {"full_cooperative"}, .options = {}}}};
  const ReportResult result = write_report({.run_dirs = {dir}, .python = python ? python : "", .exec = exec});
  if (!result.no_plots_on_page.empty()) fmt::print("no plots: {}\n", result.no_plots_on_page);
}

}  // namespace
}  // namespace gpuseq::reports

int main(int argc, char** argv) try {
  if (argc < 3) throw std::invalid_argument("page_writer example|hostile|generated|run DIR [N]");
  gpuseq::reports::write_page(argv[1], argv[2], argc > 3 ? std::stoul(argv[3]) : 20000);
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
