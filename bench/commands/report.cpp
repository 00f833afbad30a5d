#include "reports/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "bench/base/json_file.hpp"
#include "bench/commands/commands.hpp"
#include "bench/config/config_file.hpp"
#include "bench/config/renderer_python.hpp"
#include "bench/options/print_options.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/run/run_report.hpp"
#include "reports/exchange/kernel_tuner.hpp"
#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

/// What the config in run.json names. Only that is read of it: a report takes runs of other versions, whose
/// configs may have what ours have not.
fs::path recorded_published(const RunFolder& folder) {
  if (!fs::exists(folder.summary())) return {};
  const nlohmann::json summary = read_json(folder.summary(), Texts::printable);
  const nlohmann::json::json_pointer place("/config/published");
  if (!summary.contains(place) || !summary[place].is_string()) return {};
  return (fs::absolute(folder.dir) / summary[place].get<std::string>()).lexically_normal();
}

struct ReportCommand {
  std::vector<fs::path> dirs, over;
  std::vector<std::string> figures;
  fs::path output;
  std::vector<fs::path> published;
  PrintOptions print;
  fs::path exported;  // folder; empty: none
  bool no_page = false, by_model = false;
};

/// The published values that the configs of the runs name, then those of the command line, each once.
std::vector<fs::path> all_published(const ReportCommand& command) {
  std::vector<fs::path> files;
  const auto add = [&](const fs::path& file) {
    if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  };
  for (const fs::path& dir : command.dirs) {
    const fs::path recorded = recorded_published(RunFolder{dir});
    if (recorded.empty()) continue;
    const fs::path file = published_file(recorded);
    if (file.empty())
      say(stderr, "no published values are drawn: {} is not here\n", recorded.string());
    else
      add(file);
  }
  for (const fs::path& file : command.published) add(config_file(file));
  return files;
}

/// `report --figure fm-index/fig8 DIR`: an option of several values takes the folder behind them too.
void take_folders_from_figures(ReportCommand& command) {
  const auto is_folder = [](const std::string& name) {
    std::error_code error;
    return name != "list" && fs::is_directory(name, error);
  };
  for (const std::string& name : command.figures)
    if (is_folder(name)) command.dirs.emplace_back(name);
  std::erase_if(command.figures, is_folder);
}

reports::ReportOptions options_of(const ReportCommand& command, const Registry& registry) {
  if (command.dirs.empty()) throw UsageError("report: give the folder of a run, or of several");
  for (const fs::path& dir : command.dirs)
    if (!fs::is_directory(dir)) throw UsageError(fmt::format("report {}: is no folder", dir.string()));
  for (const fs::path& dir : command.over)
    if (!fs::is_directory(dir)) throw UsageError(fmt::format("report --over {}: is no folder", dir.string()));
  return {.run_dirs = command.dirs,
          .output_dir = command.output,
          .over = command.over,
          .figures = command.figures,
          .formats = command.print.formats,
          .print = command.print.checked(),
          .python = renderer_python(),
          .published = all_published(command),
          .boards = command.by_model ? reports::Boards::by_model : reports::Boards::apart,
          .exec = exec_uses(registry)};
}

/// `--figure list`: a line a figure, name, title, and why these runs cannot draw it.
void print_figures(reports::ReportOptions options) {
  options.figures.clear();
  for (const auto& [figure, drawing] : reports::draw_figures(options))
    say("{:20} {}{}\n", figure->name, figure->title,
        drawing.spec ? "" : fmt::format("  [not drawn: {}]", drawing.reason));
}

/// Writes the spaces of each run in Kernel Tuner's formats, each run of several in a folder of its name.
void export_runs(const ReportCommand& command) {
  for (const fs::path& dir : command.dirs) {
    const fs::path run = fs::absolute(dir).lexically_normal();
    const fs::path name = run.has_filename() ? run.filename() : run.parent_path().filename();
    const fs::path folder = command.dirs.size() == 1 ? command.exported : command.exported / name;
    const std::vector<results::Record> records = results::Journal::load(RunFolder{dir}.records());
    for (const fs::path& file : reports::export_spaces(records, folder)) say("{}\n", file.string());
  }
}

ExitCode report_command(ReportCommand command, const Registry& registry) {
  take_folders_from_figures(command);
  if (!command.exported.empty()) {
    options_of(command, registry);  // names what is no folder
    export_runs(command);
    return ExitCode::fine;
  }
  const reports::ReportOptions options = options_of(command, registry);
  if (command.figures == std::vector<std::string>{"list"}) {
    print_figures(options);
    return ExitCode::fine;
  }
  if (command.figures.empty() && !command.no_page) {
    print_page(reports::write_report(options), stdout);
    return ExitCode::fine;
  }
  const reports::ReportResult result = reports::render(options);
  print_result(result);
  // Nothing of what was asked for could be drawn.
  return result.files.empty() && !command.figures.empty() ? ExitCode::failed : ExitCode::fine;
}

}  // namespace

Action add_report(CLI::App& app, const Registry& registry) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App* report = app.add_subcommand("report", "Write plots and report.html of one or several runs");
  report->add_option("dirs", command->dirs, "Run folders; several make one report");
  report->add_option("--figure", command->figures,
                     "Only these figures (fm-index/fig8 suite/roofline ...), no page; 'list' names them");
  command->print.add_to(*report);
  report->add_option("-o,--output,--out", command->output,
                     "Folder to write to; default the first run folder");
  report
      ->add_option("--over", command->over,
                   "Run folder that figures are drawn over, in shared axes: its marks hollow, behind")
      ->allow_extra_args(false);
  report->add_option("--published", command->published,
                     "Values of papers to draw beside ours (configs/published/), beyond those of the runs");
  report->add_flag(
      "--by-model", command->by_model,
      "Boards of one model, memory, driver and limits are one device, as if they were one board");
  report->add_option(
      "--export", command->exported,
      "Folder to write what was measured of each space to, in Kernel Tuner's formats (cache and T4); "
      "no page");
  report->add_flag("--no-page", command->no_page, "Only the plots, no report.html");
  return [command, &registry] { return report_command(*command, registry); };
}

}  // namespace gpuseq::bench
