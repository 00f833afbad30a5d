#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/config/config_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/plan/plan_problems.hpp"
#include "bench/tools/command_words.hpp"
#include "bench/tools/package.hpp"
#include "runtime/contract/errors.hpp"

// Commands of the Python package: compare, gate and history. Their options are here for help, manual
// page and completion, and the package reads their values. Only the part with a config is done here.

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCompareFooter =
    "A side is a run folder, a journal (records.jsonl), or a folder whose sub-folders are run folders, "
    "one for each process; or results of another tool: a .json file of Google Benchmark, NVBench, "
    "hyperfine or pytest-benchmark, Criterion's folder (target/criterion), or a folder of such files, one "
    "for each process. Exit codes: 0 fine; 1 a case is slower, missing or failed; 2 wrong arguments or "
    "data, or sides that are not comparable; 3 nothing worse than cases that cannot be decided.";

constexpr const char* kGateFooter =
    "Both commands run the same config in turn (base, new, new, base), each time in a process of its own; "
    "the medians of the processes are compared. Cases that cannot be decided, and those that seem slower, "
    "are measured again where the rest of the budget can decide them. Exit codes: 0 fine; 1 a case is "
    "slower, missing or failed, or not decided with --require-decided; 2 wrong arguments, or a command "
    "that does not run, or whose first process hangs beyond the budget; 3 nothing worse than cases "
    "that cannot be decided, or rounds that the budget cut; 130 interrupted. `compare OUTPUT/base "
    "OUTPUT/new` gives the verdict again from the records.\n\n"
    "`gate --command OLD --command NEW` compares any two programs in the same way. Each command is a line "
    "for the shell (/bin/sh -c); its wall time is measured, the start of the shell included. A command "
    "that writes results of Google Benchmark, NVBench, hyperfine, pytest-benchmark or Criterion to "
    "$GPUSEQ_RESULT is judged by these. A command that fails ends the gate with exit code 2.";

void add_judging_options(CLI::App& command) {
  const auto file = [&](const char* name, const std::string& meaning) {
    command.add_option(name, meaning)->type_name("FILE");
  };
  const auto share = [&](const char* name, const std::string& meaning) {
    command.add_option(name, meaning)->type_name("SHARE");
  };
  share("--min-effect", "A slowdown within it is no regression; between 0 and 1, default 0.03");
  share("--confidence", "Confidence of the intervals and the noise floor; between 0 and 1, default 0.95");
  share("--fdr", "False discovery rate over all cases; between 0 and 1, default 0.05");
  command.add_option("--allow", "Permitted differences of the sides: device, driver, problem")
      ->delimiter(',')
      ->expected(1, 3)
      ->allow_extra_args(false)  // a folder may follow
      ->type_name("WHAT");
  command.add_flag("--allow-missing")->description("Missing cases are listed, but are no failure");
  file("--deleted", "File of deleted cases and variants, one per line, # before remarks");
  file("--markdown", "Write Markdown for a pull request; - is standard output");
  file("--junit", "Write JUnit XML; - is standard output");
  file("--json", "Write JSON; - is standard output");
  file("--history", "Append the new side to a history, a JSON line per case");
  file("--plot", "Draw the values of both sides: .vl.json, .svg, .png or .pdf");
  command.add_flag("--annotations")
      ->description("Print the failed cases as errors and warnings of GitHub Actions");
  command.add_flag("--all")->description("Show cases that are the same in the table as well");
  command.add_option("--color", "Colour of the output: auto (default), always, never")->type_name("WHEN");
}

/// Options of a gate between two libraries, or between two foreign programs.
void add_foreign_options(CLI::App& command, ConfigChoice& config) {
  command
      .add_option("--plugin", config.plugins,
                  "Given twice, the base first: shared libraries with kernels of yours "
                  "(docs/guides/plugins.md), whose cases alone are judged; both commands are this program "
                  "unless given")
      ->allow_extra_args(false)
      ->type_name("LIBRARY");
  command
      .add_option("--command",
                  "Given twice, the base first: any two programs, each a line for the shell (/bin/sh -c), "
                  "instead of --base-cmd and --new-cmd")
      ->take_all()
      ->type_name("COMMAND");
  command
      .add_option("--prepare",
                  "Line for the shell that runs before each measurement of a --command, not timed")
      ->type_name("COMMAND");
  command
      .add_option("--value",
                  "The value is the first group of this regular expression in the output of a --command, not "
                  "its wall time")
      ->type_name("REGEX");
  command
      .add_option("--value-is",
                  "Kind of the --value: seconds (default), less is better; rate, more is better")
      ->type_name("WHAT");
}

/// The arguments of every process; paths are absolute, because a command may change the folder.
std::vector<std::string> arguments_of(const ConfigChoice& config, const BenchmarkFlags& flags) {
  std::vector<std::string> arguments{"--config", fs::absolute(config.path)};
  for (const std::string& override_text : config.overrides)
    arguments.insert(arguments.end(), {"--set", override_text});
  if (!config.device.empty()) arguments.insert(arguments.end(), {"--device", config.device});
  arguments.insert(arguments.end(), flags.given.begin(), flags.given.end());
  return arguments;
}

/// Foreign programs have no config, no devices and no flags of this program.
[[noreturn]] void gate_programs(const CLI::App& command, const BenchmarkFlags& flags) {
  for (const char* name : {"--config", "--set", "--device", "--probes", "--plugin"})
    if (command.count(name) > 0) throw UsageError(fmt::format("gate --command: takes no {}", name));
  if (!flags.given.empty()) throw UsageError("gate --command: takes no " + flags.given.front());
  become_package(command_words(command));
}

/// Loads the config, so that a mistake in it or in a library shows before anything runs.
SuiteConfig load_stated(const ConfigChoice& config) {
  SuiteConfig suite = load_chosen(config);
  if (finds_sizes(suite))
    throw UsageError(
        suite.source +
        ": leaves sizes of problems to the run (\"auto\"), and processes would find different ones; "
        "a gate needs them stated, as run.json of a run has them under \"sizes\"");
  return suite;
}

/// The names of the cases that the libraries of both sides measure, which may have a kernel of one name each.
std::string filter_of_plugins(ConfigChoice config) {
  std::set<std::string> names;
  for (const std::string& library : std::exchange(config.plugins, {})) {
    config.plugins = {library};
    const SuiteConfig side = load_stated(config);
    for (const nlohmann::json& plugin : side.document["plugins"])
      names.insert(fmt::format("{}/{}", plugin["family"].get_ref<const std::string&>(),
                               plugin["name"].get_ref<const std::string&>()));
  }
  return fmt::format("--benchmark_filter=^({})/", fmt::join(names, "|"));
}

ExitCode gate(const CLI::App& command, ConfigChoice& config, const BenchmarkFlags& flags) {
  if (command.count("--command") > 0) gate_programs(command, flags);
  if (config.path.empty()) config.path = source_root() / "configs" / "ci.json";
  config.path = config_file(config.path);  // the processes get it absolute
  std::vector<std::string> words = command_words(command, {"--config", "--set", "--device"});
  words.emplace_back("--");
  if (config.plugins.empty())
    load_stated(config);
  else
    words.push_back(filter_of_plugins(config));  // a filter that is given comes behind it, and counts
  const std::vector<std::string> arguments = arguments_of(config, flags);
  words.insert(words.end(), arguments.begin(), arguments.end());
  become_package(words);
}

}  // namespace

Action add_compare(CLI::App& app) {
  CLI::App* compare =
      app.add_subcommand("compare", "Say which cases are slower on the new side than in the base");
  compare->add_option("base", "Side to compare with")->required();
  compare->add_option("new", "Side that is judged")->required();
  add_judging_options(*compare);
  compare->footer(kCompareFooter);
  return [compare]() -> ExitCode { become_package(command_words(*compare)); };
}

Action add_gate(CLI::App& app, const BenchmarkFlags& flags) {
  auto config = std::make_shared<ConfigChoice>();
  CLI::App* command = app.add_subcommand("gate", "Run two builds in turn and say which cases are slower");
  command->add_option("--base-cmd", "The program to compare with, in words of a shell")->type_name("COMMAND");
  command->add_option("--new-cmd", "The program that is judged")->type_name("COMMAND");
  command->add_option("-c,--config", config->path, "Run description; default ci.json");
  command->add_option("--set", config->overrides, "Override a.b.c=JSON in both")->allow_extra_args(false);
  command->add_option("--device", config->device, "cpu, cuda:N, all, auto or a comma-separated list");
  command->add_option("--output,-o,--out", "Folder of all processes' records; default runs/gate-<UTC time>")
      ->type_name("FOLDER");
  command->add_option("--rounds", "Rounds of four processes before the first verdict; default 5")
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--budget",
                   "Time for all rounds (600, 10min), but for the first process of each side; default 600 s")
      ->transform(as_seconds());
  command->add_flag("--probes")->description("Judge the config's probes as well");
  command
      ->add_option("--save",
                   "Keep the new side as a baseline, in runs/baselines/NAME; alone it is only measured")
      ->type_name("NAME");
  command->add_option("--baseline", "Compare with a baseline that was saved, instead of --base-cmd")
      ->type_name("NAME");
  command->add_flag("--require-decided")->description("Exit code 1 also for cases that are not decided");
  add_foreign_options(*command, *config);
  add_judging_options(*command);
  command->footer(kGateFooter);
  return [command, config, &flags] { return gate(*command, *config, flags); };
}

Action add_history(CLI::App& app) {
  CLI::App* history = app.add_subcommand("history", "Show where the times of cases changed over commits");
  history->add_option("file", "History (history.jsonl); made by --add or compare --history")->required();
  history->add_option("--add", "Run folders or journals to append first")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->type_name("RUN");
  history->add_option("--plot", "Draw it: .vl.json, or .svg, .png or .pdf with the .vl.json next to it")
      ->type_name("FILE");
  history->add_option("--state", "Only cases in whose names this regular expression is found")
      ->type_name("REGEX");
  history->add_option("--confidence", "Confidence of a step; between 0 and 1, default 0.99")
      ->type_name("SHARE");
  return [history]() -> ExitCode { become_package(command_words(*history)); };
}

}  // namespace gpuseq::bench
