#include "bench/commands/profile/tune_elsewhere.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bench/commands/profile/prediction_chart.hpp"
#include "bench/config/json_file.hpp"
#include "bench/phases/predict/expected_rates.hpp"
#include "bench/phases/predict/records_of_run.hpp"
#include "bench/phases/predict/within_levels.hpp"
#include "bench/plan/plan.hpp"
#include "bench/profile/profile_file.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/tools/chart_files.hpp"
#include "bench/tools/family.hpp"
#include "results/names/problem_hashes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using results::Record;

constexpr const char* kPredictedFile = "predicted.json";
constexpr const char* kFigure = "predicted";

void write_predictions(TuneElsewhere& command, const ordered_json& predictions) {
  if (command.output.empty()) command.output = default_output("tune-" + command.family + "-predicted");
  fs::create_directories(command.output);
  write_json(command.output / kPredictedFile, predictions);
  say(stdout, "predictions: {}\n", (command.output / kPredictedFile).string());
}

/// A profile without the records of its probes, as those of published machines: the file alone.
bool has_no_probes(const fs::path& machine) {
  return fs::is_regular_file(machine) && !fs::exists(RunFolder{machine.parent_path()}.records());
}

/// Prints the levels of such a profile that hold the configurations, where it has any.
/// @returns whether it has
bool told_levels(TuneElsewhere& command, const ConfigChoice& choice, const Registry& registry) {
  if (!command.from.empty() || !command.against.empty() || !has_no_probes(command.machine)) return false;
  const ordered_json profile = read_profile(command.machine);
  const auto& devices = profile.at("devices");
  if (std::ranges::all_of(devices, [](const auto& device) { return device.at("levels").empty(); }))
    return false;
  ConfigChoice own = choice;  // the points of the config, not the whole space
  own.edit = {};
  const SuiteConfig config = load_chosen(own, registry);
  std::vector<State> kernels =
      plan(config, with_tools_of(config, registry), devices_of_profile(profile)).kernels;
  std::erase_if(kernels, [&](const State& one) { return one.key.family != command.family; });
  const std::vector<WithinLevel> states = within_levels(kernels, config, profile);
  if (states.empty())
    throw UsageError(
        fmt::format("tune {} --machine: no configuration has a known footprint of random reads; allowed: "
                    "problems that have their sizes, of a --config or by --set",
                    command.family));
  say(stdout, "{}", Lines{within_levels_text(states, profile)});
  ordered_json predictions = predictions_json({});
  predictions["within_levels"] = within_levels_json(states);
  write_predictions(command, predictions);
  return true;
}

/// @throws UsageError for a problem that the runs measured with different data
void check_same_data(const TuneElsewhere& command, const Registry& registry) {
  results::ProblemHashes hashes;
  for (const std::vector<fs::path>* runs : {&command.from, &command.against})
    for (const fs::path& run : *runs)
      for (const Record& record : records_of_run(run, registry))
        hashes.check(record, fmt::format("the run {}", run.string()));
}

/// The limits of memory of the command line or its config; none where neither is given.
MemoryLimits limits_of(const ConfigChoice& choice) {
  const bool given = !choice.path.empty() || !choice.overrides.empty() || !choice.max_bytes.empty() ||
                     !choice.index_bytes.empty();
  return given ? load_chosen(choice).tune.limits : MemoryLimits();
}

}  // namespace

void require_run(const fs::path& folder) {
  if (!fs::exists(RunFolder{folder}.records()))
    throw UsageError(fmt::format("{}: has no records.jsonl; allowed: the folder of a run", folder.string()));
}

ExitCode tune_elsewhere(TuneElsewhere command, const ConfigChoice& config, const Registry& registry) {
  for (const std::vector<fs::path>* runs : {&command.from, &command.against})
    for (const fs::path& run : *runs) require_run(run);
  if (command.from.size() + command.against.size() > 1) check_same_data(command, registry);
  if (told_levels(command, config, registry)) return ExitCode::fine;
  if (command.from.empty())
    throw UsageError(fmt::format(
        "tune {} --machine: found neither --from nor a profile with levels; allowed: --from RUNS of the "
        "family on another machine, or the file of a profile that has levels and no records of probes",
        command.family));
  const ProbedMachine there = read_probed_machine(command.machine);
  std::vector<Record> measured;
  for (const fs::path& run : command.against) {
    std::vector<Record> records = records_of_run(run, registry);
    std::move(records.begin(), records.end(), std::back_inserter(measured));
  }
  std::vector<PredictedContest> contests =
      predictions_from(command.from, {command.family}, there, registry, limits_of(config));
  if (contests.empty())
    throw UsageError(
        fmt::format("tune {} --machine: nothing has a kernel of that family for a kind of device that {} has",
                    command.family, command.machine.string()));
  judge(contests, measured);
  say(stdout, "{}", Lines{predictions_text(contests)});
  write_predictions(command, predictions_json(contests));
  const chart::LineChart chart = prediction_chart(contests);
  if (!chart.panels.empty()) write_chart(chart, command.output, kFigure);
  return ExitCode::fine;
}

}  // namespace gpuseq::bench
