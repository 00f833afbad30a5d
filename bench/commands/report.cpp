#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/config/config_file.hpp"
#include "bench/export/kernel_tuner.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/tools/command_words.hpp"
#include "bench/tools/package.hpp"
#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

// The commands that the Python package does: their options are here for help, manual page and completion, and
// the package reads their values.

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

/// The values of the options; only the words are passed on.
struct PackageOptions {
  std::vector<std::string> dirs, figures, over, published;
  std::string sql, output, format, exported;
  bool flag = false;
};

/// --format, --width, --bare and --height of commands that draw figures.
void add_print_options(CLI::App& command) {
  command
      .add_option("--format",
                  "vl.json (always written), svg, pdf, png: in print size; csv, tex: tables of the same data")
      ->delimiter(',')
      ->expected(1, 6)
      ->allow_extra_args(false)  // a folder may follow
      ->type_name("FORMAT");
  command
      .add_option("--width",
                  "Width of pictures and LaTeX tables: column (80.6 mm), page (164.8 mm), millimetres, auto: "
                  "page for several panels")
      ->type_name("WIDTH");
  command.add_flag("--bare")->description(
      "Pictures without title, notes and provenance, which go to <figure>.caption.tex and .txt; in several "
      "where one would be too high");
  command
      .add_option("--height",
                  "Millimetres of a picture, at most; default a page, or 0.8 of the width if bare")
      ->check(CLI::Range(20, 500));
}

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
  add_print_options(*report);
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
  report
      ->add_option("--export-nvbench", options->output,
                   "File to write the cases of one run to, in NVBench's JSON; no page")
      ->type_name("FILE");
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

Action add_reproduce(CLI::App& app, const BenchmarkFlags& flags) {
  CLI::App* reproduce =
      app.add_subcommand("reproduce",
                         "Measure only the cases that a figure draws, and draw it over a committed run. An "
                         "installed program has no committed runs: it draws this machine alone");
  reproduce->add_option("figure", "fm-index/fig8 ...; 'list' names them, with their configs")->required();
  reproduce
      ->add_option("--over", "Run to draw over; default, in a checkout, the run that `reproduce list` names")
      ->type_name("RUN");
  reproduce->add_option("-c,--config", "Config to measure; default the one that `reproduce list` names")
      ->type_name("FILE");
  reproduce->add_option("--set", "Override a.b.c=JSON of that config, e.g. families.fm_index.problems=[{}]")
      ->take_all()
      ->type_name("TEXT");
  reproduce->add_option("--device", "cpu, cuda:N, all, auto or a comma-separated list")->type_name("DEVICES");
  reproduce
      ->add_option("--budget",
                   "Time for the whole command (90, 2min, 1h); cases that do not fit are left out")
      ->transform(as_seconds());
  reproduce
      ->add_option("-o,--output,--out",
                   "Folder of plots/ and of the run; default runs/reproduce-<figure>-<UTC time>")
      ->type_name("FOLDER");
  reproduce->add_flag("--json")->description("`reproduce list` as JSON");
  add_print_options(*reproduce);
  return [reproduce, &flags]() -> ExitCode {
    std::vector<std::string> words = command_words(*reproduce, {"--config"});
    if (const CLI::Option* config = reproduce->get_option("--config"); config->count() > 0)
      words.push_back("--config=" + config_file(config->as<std::string>()).string());
    for (const std::string& flag : flags.given) words.push_back("--benchmark-flag=" + flag);
    become_package(words);
  };
}

}  // namespace gpuseq::bench
