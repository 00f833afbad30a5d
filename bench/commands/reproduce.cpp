#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/reproductions.hpp"
#include "bench/config/provenance.hpp"
#include "bench/options/print_options.hpp"
#include "bench/options/seconds_option.hpp"
#include "bench/package/package.hpp"
#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

struct ReproduceCommand {
  bool json = false;  // of `list`
  std::string figure;
  fs::path over;
  RunOptions options;
  PrintOptions print;
};

/// `reproduce list`: figure, config and record, a line each.
void print_reproductions(bool as_json) {
  if (as_json) {
    auto rows = nlohmann::ordered_json::array();
    for (const Reproduction& row : reproductions())
      rows.push_back({{"figure", row.figure},
                      {"config", row.config},
                      {"run", row.committed},
                      {"families", row.families},
                      {"probes", row.probes},
                      {"states", row.states},
                      {"bounds", row.beside.ceilings}});
    say("{}", Lines{rows.dump(1) + "\n"});
    return;
  }
  for (const Reproduction& row : reproductions())
    say("{:30} {:30} over results/{}\n", row.figure, row.config, row.committed);
}

fs::path committed_run(const ReproduceCommand& command, const Reproduction& row) {
  fs::path folder = command.over.empty() ? source_root() / "results" / row.committed : command.over;
  if (fs::exists(folder / results::kRecordsFile)) return folder;
  throw UsageError(fmt::format("reproduce {}: {} has no records.jsonl; --over names the run to draw over",
                               command.figure, folder.string()));
}

/// The figure of the run, over the committed one's.
ExitCode draw(const ReproduceCommand& command, const fs::path& run, const fs::path& committed,
              const std::vector<std::string>& print) {
  std::vector<std::string> words{"report", run.string(),       "--figure", command.figure,
                                 "--over", committed.string(), "--output", command.options.output.string()};
  words.insert(words.end(), print.begin(), print.end());
  return call_package(words) == 0 ? ExitCode::fine : ExitCode::failed;
}

/// Measures; says where the figure is, if this machine cannot do any of it.
ExitCode measure(const ReproduceCommand& command, const RunOptions& options, const fs::path& committed,
                 const Registry& registry) {
  try {
    return run_suite(options, registry);
  } catch (const NothingToMeasure& nothing) {
    throw UsageError(
        fmt::format("reproduce {}: nothing that it draws can be measured here: {}; {} has the "
                    "committed records, which `report` draws",
                    command.figure, nothing.what(), committed.string()));
  }
}

ExitCode reproduce_command(ReproduceCommand command, const BenchmarkFlags& flags, const Registry& registry) {
  if (command.figure == "list") {
    print_reproductions(command.json);
    return ExitCode::fine;
  }
  const Reproduction& row = reproduction_of(command.figure);
  const fs::path committed = committed_run(command, row);
  const std::vector<std::string> print = command.print.checked();  // before anything is measured
  RunOptions& options = command.options;
  if (options.config.path.empty()) options.config.path = source_root() / "configs" / row.config;
  options.config.edit = [&row](nlohmann::json& document) { keep_what_is_drawn(row, document); };
  options.command = {"reproduce", command.figure};
  options.flags = flags;
  if (options.flags.filter.empty() && !row.states.empty()) {
    options.flags.filter = row.states;
    options.flags.given.push_back("--benchmark_filter=" + options.flags.filter);
  }
  options.report = false;
  const SuiteConfig config = load_chosen(options.config);
  if (options.output.empty()) options.output = default_output(config.name);
  const fs::path run = options.output / "run";
  RunOptions measured = options;
  measured.output = run;
  const ExitCode code = measure(command, measured, committed, registry);
  if (code != ExitCode::fine && code != ExitCode::failed) return code;
  const ExitCode drawn = draw(command, run, committed, print);
  return code == ExitCode::fine ? drawn : code;
}

}  // namespace

Action add_reproduce(CLI::App& app, const BenchmarkFlags& flags, const Registry& registry) {
  auto command = std::make_shared<ReproduceCommand>();
  CLI::App* reproduce = app.add_subcommand(
      "reproduce", "Measure only what a figure draws, on this machine, and draw it over the committed one");
  RunOptions& options = command->options;
  reproduce
      ->add_option("figure", command->figure, "fm-index/fig8 ...; 'list' names them, with what each runs")
      ->required();
  reproduce->add_option(
      "--over", command->over,
      "The run that it is drawn over; default that of results/ which `reproduce list` names");
  reproduce->add_option("-c,--config", options.config.path,
                        "What is measured of it; default the config which `reproduce list` names");
  reproduce
      ->add_option("--set", options.config.overrides,
                   "Override a.b.c=JSON of that config, e.g. families.fm_index.problems=[{}]")
      ->allow_extra_args(false);
  reproduce->add_option("--device", options.config.device,
                        "cpu, cuda:N, all, auto or a comma-separated list");
  reproduce->add_option("--budget", options.config.budget_s, "Time that the run may take (90, 2min, 1h)")
      ->transform(as_seconds());
  reproduce->add_option("-o,--output,--out", options.output,
                        "Folder of plots/ and of the run; default runs/reproduce-<figure>-<UTC time>");
  reproduce->add_flag("--json", command->json, "`reproduce list` as JSON");
  command->print.add_to(*reproduce);
  return [command, &flags, &registry] { return reproduce_command(*command, flags, registry); };
}

}  // namespace gpuseq::bench
