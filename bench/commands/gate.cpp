#include "bench/run/gate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "bench/base/number_words.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/comparison_outputs.hpp"
#include "bench/config/config_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/options/seconds_option.hpp"
#include "bench/plan/plan_problems.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/run/worker_process.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGateFooter =
    "Both commands run the same config in turn (base, new, new, base), each time in a process of its own; "
    "the\n"
    "medians of the processes are compared. States that cannot be decided, and those that seem slower, are\n"
    "measured again while the budget lasts. Exit codes: 0 fine; 1 a state is slower, missing or failed; 2 "
    "wrong\n"
    "arguments, or a command that does not run, or of which no process ends before the budget does; 3 "
    "nothing\n"
    "worse than states that cannot be decided, or rounds that the budget cut; 130 interrupted. `compare "
    "OUTPUT/base OUTPUT/new` gives the verdict again from the records.";

constexpr int kUndecided = 3;  // as of comparison::exit_code()

struct GateArguments {
  GateOptions gate;
  ConfigChoice config;
  ComparisonOutputs outputs;
};

/// The arguments of every process; paths are absolute, because a command may change the folder.
std::vector<std::string> arguments_of(const ConfigChoice& config, const BenchmarkFlags& flags) {
  std::vector<std::string> arguments{"--config", fs::absolute(config.path)};
  for (const std::string& override_text : config.overrides)
    arguments.insert(arguments.end(), {"--set", override_text});
  if (!config.device.empty()) arguments.insert(arguments.end(), {"--device", config.device});
  arguments.insert(arguments.end(), flags.given.begin(), flags.given.end());
  return arguments;
}

RunLock make_output(const fs::path& output) {
  std::error_code error;
  fs::create_directories(output, error);
  if (error || !fs::is_directory(output))
    throw UsageError(fmt::format("--output {}: cannot be made: {}", output.string(), error.message()));
  RunLock lock(output);
  const bool is_empty = std::ranges::all_of(fs::directory_iterator(output), [](const auto& entry) {
    return entry.path().filename() == RunLock::file_name;
  });
  if (!is_empty) throw UsageError(fmt::format("--output {}: is not empty", output.string()));
  return lock;
}

ExitCode gate_command(GateArguments& options, const BenchmarkFlags& flags) {
  if (options.config.path.empty()) options.config.path = source_root() / "configs" / "ci.json";
  options.config.path = config_file(options.config.path);  // the processes get it absolute
  const SuiteConfig config = load_chosen(options.config);  // a mistake in it shows before anything runs
  if (finds_sizes(config))
    throw UsageError(
        config.source +
        ": leaves sizes of problems to the run (\"auto\"), and processes would find different ones; "
        "a gate needs them stated, as run.json of a run has them under \"sizes\"");
  GateOptions& gate = options.gate;
  if (gate.output.empty()) gate.output = default_output("gate");
  const RunLock lock = make_output(gate.output);
  gate.output = fs::absolute(gate.output).lexically_normal();
  gate.arguments = arguments_of(options.config, flags);
  say(stderr, "results: {}\n", gate.output.string());
  const InterruptGuard guard;
  try {
    const GateResult result = run_gate(gate, [](const std::string& line) { say(stderr, "{}\n", line); });
    write_outputs(options.outputs, result.comparison, result.next);
    say(stderr, "{} rounds, {} processes a side, {}\n", result.rounds, result.base.processes.size(),
        duration_text(result.elapsed_s));
    if (result.cut) say(stderr, "the budget is spent before all rounds were measured\n");
    const ExitCode code = exit_code_of(result.comparison);
    return result.cut && code == ExitCode::fine ? static_cast<ExitCode>(kUndecided) : code;
  } catch (const Interrupted&) {
    const std::string dir = gate.output.string();
    say(stderr, "\ninterrupted; what was measured: gpuseq-bench compare {}/base {}/new\n", dir, dir);
    return ExitCode::interrupted;
  }
}

}  // namespace

Action add_gate(CLI::App& app, const BenchmarkFlags& flags) {
  auto options = std::make_shared<GateArguments>();
  GateOptions& gate = options->gate;
  CLI::App* command = app.add_subcommand("gate", "Run two builds in turn and say which states are slower");
  command->add_option("--base-cmd", gate.base_command, "The program to compare with, in words of a shell")
      ->required();
  command->add_option("--new-cmd", gate.new_command, "The program that is judged")->required();
  command->add_option("-c,--config", options->config.path, "Run description; default configs/ci.json");
  command->add_option("--set", options->config.overrides, "Override a.b.c=JSON in both")
      ->allow_extra_args(false);
  command->add_option("--device", options->config.device, "cpu, cuda:N, all, auto or a comma-separated list");
  command->add_option("-o,--output,--out", gate.output,
                      "Folder of all processes' records; default runs/gate-<UTC time>");
  command->add_option("--rounds", gate.rounds, "Rounds of four processes before the first verdict; default 5")
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--budget", gate.budget_s,
                   "Time in which undecided states may be repeated (600, 10min); a process that hangs is "
                   "killed at its end; "
                   "default 600 s")
      ->transform(as_seconds());
  command->add_flag("--probes", gate.probes, "Judge the config's probes as well");
  add_compare_options(*command, gate.compare);
  add_output_options(*command, options->outputs);
  command->footer(kGateFooter);
  return [options, &flags] { return gate_command(*options, flags); };
}

}  // namespace gpuseq::bench
