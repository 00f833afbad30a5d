#include "bench/commands/tune_elsewhere.hpp"

#include <fmt/format.h>

#include <utility>

#include "bench/base/json_file.hpp"
#include "bench/commands/chart_files.hpp"
#include "bench/predict/expected_rates.hpp"
#include "bench/predict/prediction_chart.hpp"
#include "bench/run/run_folder.hpp"
#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using results::Record;

constexpr const char* kPredictedFile = "predicted.json";
constexpr const char* kFigure = "predicted";

}  // namespace

void require_run(const fs::path& folder) {
  if (!fs::exists(RunFolder{folder}.records()))
    throw UsageError(fmt::format("{}: has no records.jsonl; allowed: the folder of a run", folder.string()));
}

ExitCode tune_elsewhere(TuneElsewhere command) {
  for (const std::vector<fs::path>* runs : {&command.from, &command.against})
    for (const fs::path& run : *runs) require_run(run);
  const ProbedMachine there = read_probed_machine(command.machine);
  std::vector<PredictedContest> contests = predictions_from(command.from, {command.family}, there);
  if (contests.empty())
    throw UsageError(fmt::format(
        "tune {} --machine: none of the runs has a kernel of that family for a kind of device that {} has",
        command.family, command.machine.string()));
  std::vector<Record> measured;
  for (const fs::path& run : command.against) {
    std::vector<Record> records = results::Journal::load(RunFolder{run}.records());
    std::move(records.begin(), records.end(), std::back_inserter(measured));
  }
  judge(contests, measured);
  say(stdout, "{}", predictions_text(contests));
  if (command.output.empty()) command.output = default_output("tune-" + command.family + "-predicted");
  fs::create_directories(command.output);
  write_json(command.output / kPredictedFile, predictions_json(contests));
  say(stdout, "predictions: {}\n", (command.output / kPredictedFile).string());
  const reports::chart::LineChart chart = prediction_chart(contests);
  if (!chart.panels.empty()) write_chart(chart, command.output, kFigure);
  return ExitCode::fine;
}

}  // namespace gpuseq::bench
