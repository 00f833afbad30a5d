#include "bench/commands/tune_elsewhere.hpp"

#include <fmt/format.h>

#include <utility>

#include "bench/base/json_file.hpp"
#include "bench/config/renderer_python.hpp"
#include "bench/predict/expected_rates.hpp"
#include "bench/predict/prediction_chart.hpp"
#include "bench/run/run_folder.hpp"
#include "reports/renderer.hpp"
#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using results::Record;

constexpr const char* kPredictedFile = "predicted.json";
constexpr const char* kFigure = "predicted";

void draw(const std::vector<PredictedContest>& contests, const fs::path& output) {
  const reports::chart::LineChart chart = prediction_chart(contests);
  if (chart.panels.empty()) return;
  const fs::path file = output / fmt::format("{}.vl.json", kFigure);
  write_json(file, reports::chart::draw(chart));
  say(stdout, "figure: {}\n", file.string());
  const fs::path python = renderer_python();
  if (python.empty()) return;
  const fs::path picture = output / fmt::format("{}.png", kFigure);
  const auto spec = reports::chart::draw(chart, reports::chart::page_width());
  reports::render_files(python, "png", {{.spec = spec.dump(), .target = picture}});
  say(stdout, "picture: {}\n", picture.string());
}

}  // namespace

void require_run(const fs::path& folder) {
  if (!fs::exists(RunFolder{folder}.records()))
    throw UsageError(fmt::format("{}: has no records.jsonl; allowed: the folder of a run", folder.string()));
}

ExitCode tune_elsewhere(TuneElsewhere command) {
  for (const std::vector<fs::path>* runs : {&command.from, &command.against})
    for (const fs::path& run : *runs) require_run(run);
  const ProbedMachine there = read_probed_machine(command.machine);
  std::vector<PredictedContest> contests = predictions_from(command.from, command.family, there);
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
  draw(contests, command.output);
  return ExitCode::fine;
}

}  // namespace gpuseq::bench
