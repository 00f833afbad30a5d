#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>

#include "bench/commands.hpp"
#include "bench/provenance.hpp"
#include "bench/run_folder.hpp"
#include "reports/report.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

/// The interpreter of the virtual environment with the plot renderer: $GPUSEQ_PYTHON, which the launcher
/// sets, or the checkout's; empty: there is none.
fs::path renderer_python() {
  const char* given = std::getenv("GPUSEQ_PYTHON");
  const fs::path python =
      given != nullptr && *given != '\0' ? given : source_root() / ".venv" / "bin" / "python";
  std::error_code error;
  return fs::exists(python, error) ? python : fs::path();
}

/// The published values of a run, which may have been made elsewhere: where they were, or in the checkout's
/// configs/. Empty, with a remark, if in neither.
fs::path published_values(const fs::path& recorded) {
  std::error_code error;
  if (recorded.empty() || fs::is_regular_file(recorded, error)) return recorded;
  const fs::path ours = source_root() / "configs" / recorded.filename();
  if (fs::is_regular_file(ours, error)) return ours;
  fmt::print(stderr, "no published values are drawn: {} is not here\n", recorded.string());
  return {};
}

}  // namespace

void write_report_of(const fs::path& dir, const fs::path& published, std::FILE* out) {
  const reports::ReportResult result =
      reports::write_report({.run_dirs = {dir}, .python = renderer_python(), .paper_facts = published});
  if (result.files.empty()) return;
  fmt::print(out, "report: {}\n", result.files.back().string());
  if (!result.no_plots_on_page.empty())
    fmt::print(out, "no plots on its page: {}\n", result.no_plots_on_page);
}

Action add_report(CLI::App& app) {
  struct Options {
    fs::path dir;
  };
  auto options = std::make_shared<Options>();
  CLI::App* report = app.add_subcommand("report", "Write plots and report.html of a run folder again");
  report->add_option("dir", options->dir, "Run folder")->required();
  return [options] {
    const fs::path& dir = options->dir;
    if (!fs::is_directory(dir)) throw UsageError(fmt::format("report {}: is no folder", dir.string()));
    const RunFolder folder{dir};
    const fs::path published =
        fs::exists(folder.summary()) ? read_start(folder).config.published : fs::path();
    write_report_of(dir, published_values(published), stdout);
    return ExitCode::fine;
  };
}

}  // namespace gpuseq::bench
