#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "bench/base/json_file.hpp"
#include "bench/commands/commands.hpp"
#include "bench/config/provenance.hpp"
#include "bench/machine/card.hpp"
#include "bench/run/run_folder.hpp"
#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCardFile = "machine.json";

struct MachineCommand {
  std::string effort = "quick";
  fs::path run;  // one that is finished; empty: probe now
  RunOptions options;
};

/// Makes the card of a run, writes it beside the records and prints it.
void make_card(const fs::path& dir) {
  const RunFolder folder{dir};
  if (!fs::exists(folder.records()))
    throw UsageError(
        fmt::format("machine {}: has no records.jsonl; allowed: the folder of a run", dir.string()));
  const nlohmann::json summary =
      fs::exists(folder.summary()) ? read_json(folder.summary()) : nlohmann::json::object();
  const auto card = machine_card(summary, results::Journal::load(folder.records()));
  say(stdout, "{}", card_text(card));
  write_json(dir / kCardFile, card);
  say(stdout, "\ncard: {}\n", (dir / kCardFile).string());
}

ExitCode machine_command(MachineCommand command, const BenchmarkFlags& flags, const Registry& registry) {
  ExitCode code = ExitCode::fine;
  if (command.run.empty()) {
    RunOptions& options = command.options;
    options.config.path = source_root() / "configs" / fmt::format("machine-{}.json", command.effort);
    if (options.output.empty()) options.output = default_output("machine-" + command.effort);
    options.probes_only = true;
    options.report = options.summary = false;
    options.flags = flags;
    code = run_suite(options, registry);
    if (code != ExitCode::fine && code != ExitCode::failed) return code;
    command.run = options.output;
  }
  make_card(command.run);
  return code;
}

}  // namespace

Action add_machine(CLI::App& app, const BenchmarkFlags& flags, const Registry& registry) {
  auto command = std::make_shared<MachineCommand>();
  CLI::App* machine = app.add_subcommand(
      "machine", "What this machine can do: levels of memory, bandwidths, latencies, instructions");
  machine->add_option("run", command->run,
                      "Folder of a run with probes, whose card is made; default: probe now");
  machine->add_option("--effort", command->effort, "quick (a minute), normal (five) or thorough")
      ->check(CLI::IsMember({"quick", "normal", "thorough"}));
  machine->add_option("--device", command->options.config.device,
                      "cpu, cuda:N, all, auto or a comma-separated list");
  machine->add_option("--set", command->options.config.overrides, "Override a.b.c=JSON of the config");
  machine->add_option("-o,--output,--out", command->options.output,
                      "Folder of the records and machine.json; default runs/machine-<effort>-<UTC time>");
  return [command, &flags, &registry] { return machine_command(*command, flags, registry); };
}

}  // namespace gpuseq::bench
