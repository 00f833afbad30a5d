#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/export/kernel_tuner.hpp"
#include "bench/options/print_options.hpp"
#include "bench/package/command_words.hpp"
#include "bench/package/package.hpp"
#include "bench/run/run_folder.hpp"
#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

// The commands that the Python package does: their options are here for help, manual page and completion, and
// the package reads their values.

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

/// What the options are read into; only the words are passed on.
struct PackageOptions {
  std::vector<std::string> dirs, figures, over, published;
  std::string sql, output, format, exported;
  PrintOptions print;
  bool flag = false;
};

/// Writes the spaces of each run in Kernel Tuner's formats, each run of several in a folder of its name.
ExitCode export_runs(const std::vector<std::string>& runs, const fs::path& exported) {
  if (runs.empty()) throw UsageError("report --export: give the folder of a run, or of several");
  for (const std::string& dir : runs) {
    if (!fs::is_directory(dir)) throw UsageError(fmt::format("report {}: is not a folder", dir));
    const fs::path run = fs::absolute(dir).lexically_normal();
    const fs::path name = run.has_filename() ? run.filename() : run.parent_path().filename();
    const fs::path folder = runs.size() == 1 ? exported : exported / name;
    const std::vector<results::Record> records = results::Journal::load(RunFolder{dir}.records());
    for (const fs::path& file : export_spaces(records, folder)) say("{}\n", file.string());
  }
  return ExitCode::fine;
}

}  // namespace

Action add_report(CLI::App& app, const Registry& registry) {
  auto options = std::make_shared<PackageOptions>();
  CLI::App* report = app.add_subcommand("report", "Write plots and report.html of one or several runs");
  report->add_option("dirs", options->dirs, "Run folders; several make one report");
  report->add_option("--figure", options->figures,
                     "Only these figures (fm-index/fig8 suite/roofline ...), no page; 'list' lists them");
  options->print.add_to(*report);
  report->add_option("-o,--output,--out", options->output,
                     "Folder to write to; default the first run folder");
  report
      ->add_option("--over", options->over,
                   "Run folder that figures are drawn over, in shared axes: its marks are hollow, behind")
      ->allow_extra_args(false);
  report->add_option("--published", options->published,
                     "Published values to draw (configs/published/), in addition to those of the runs");
  report->add_flag("--by-model", options->flag,
                   "GPUs of one model, memory, driver and limits count as one device");
  report->add_option("--export", options->exported,
                     "Folder to write the measurements of each space to, in Kernel Tuner's formats (cache "
                     "and T4); no page");
  report->add_flag("--no-page", options->flag, "Only the plots, no report.html");
  return [options, report, &registry]() -> ExitCode {
    if (!options->exported.empty()) return export_runs(options->dirs, options->exported);
    become_package(command_words(*report), exec_uses(registry));
  };
}

Action add_query(CLI::App& app) {
  auto options = std::make_shared<PackageOptions>();
  CLI::App* query = app.add_subcommand("query", "Query the records of runs with SQL");
  query->add_option("sql", options->sql,
                    "One SELECT statement over the table `records`, or 'columns' to list its columns");
  query->add_option("dirs", options->dirs, "Run folders");
  query->add_option("--format", options->format, "table (default), csv or parquet");
  query->add_option("-o,--output", options->output, "File to write to; default the terminal");
  return [options, query]() -> ExitCode { become_package(command_words(*query)); };
}

}  // namespace gpuseq::bench
