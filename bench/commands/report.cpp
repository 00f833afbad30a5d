#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/package/package.hpp"
#include "bench/run/run_folder.hpp"
#include "reports/exchange/kernel_tuner.hpp"
#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

// The commands that the Python package does.

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

/// Writes the spaces of each run in Kernel Tuner's formats, each run of several in a folder of its name.
void export_runs(const std::vector<std::string>& runs, const fs::path& exported) {
  if (runs.empty()) throw UsageError("report --export: give the folder of a run, or of several");
  for (const std::string& dir : runs) {
    if (!fs::is_directory(dir)) throw UsageError(fmt::format("report {}: is not a folder", dir));
    const fs::path run = fs::absolute(dir).lexically_normal();
    const fs::path name = run.has_filename() ? run.filename() : run.parent_path().filename();
    const fs::path folder = runs.size() == 1 ? exported : exported / name;
    const std::vector<results::Record> records = results::Journal::load(RunFolder{dir}.records());
    for (const fs::path& file : reports::export_spaces(records, folder)) say("{}\n", file.string());
  }
}

/// Takes `--export FOLDER` out of the words. @returns the folder; empty: it is not there
std::string take_export(std::vector<std::string>& words) {
  const auto option = std::ranges::find(words, "--export");
  if (option == words.end()) return "";
  if (std::next(option) == words.end()) throw UsageError("report --export: give a folder");
  std::string folder = *std::next(option);
  words.erase(option, option + 2);
  return folder;
}

/// A command whose options the package reads.
CLI::App* add_of_package(CLI::App& app, const std::string& name, const std::string& description) {
  CLI::App* command =
      app.add_subcommand(name, description + "; its options: gpuseq-bench " + name + " --help");
  command->set_help_flag();
  command->prefix_command();
  return command;
}

}  // namespace

Action add_report(CLI::App& app, const Registry& registry) {
  CLI::App* report = add_of_package(app, "report", "Write plots and report.html of one or several runs");
  return [report, &registry] {
    std::vector<std::string> words = report->remaining();
    if (const std::string exported = take_export(words); !exported.empty()) {
      export_runs(words, exported);
      return ExitCode::fine;
    }
    words.insert(words.begin(), "report");
    become_package(words, exec_uses(registry));
  };
}

Action add_query(CLI::App& app) {
  CLI::App* query = add_of_package(app, "query", "Query the records of runs with SQL");
  return [query]() -> ExitCode {
    std::vector<std::string> words = query->remaining();
    words.insert(words.begin(), "query");
    become_package(words);
  };
}

}  // namespace gpuseq::bench
