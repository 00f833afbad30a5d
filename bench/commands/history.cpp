#include "reports/comparison/history.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/comparison_outputs.hpp"
#include "bench/package/chart_files.hpp"
#include "reports/comparison/history_figure.hpp"
#include "reports/comparison/load_side.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

struct HistoryArguments {
  fs::path file, plot;
  std::vector<fs::path> add;
  std::string state;
  double confidence = 0.99;
};

/// "x.vl.json" is the specification itself; "x.svg" is drawn with x.vl.json beside it.
std::vector<fs::path> files_of(const fs::path& path) {
  static constexpr std::array<std::string_view, 3> kFormats{".svg", ".png", ".pdf"};
  if (path.string().ends_with(".vl.json")) return {path};
  if (std::ranges::find(kFormats, path.extension().string()) == kFormats.end())
    throw UsageError(
        fmt::format("--plot {}: allowed: a name that ends in .vl.json, .svg, .png or .pdf", path.string()));
  return {fs::path(path).replace_extension(".vl.json"), path};
}

ExitCode show_history(const HistoryArguments& options) {
  if (!options.plot.empty()) files_of(options.plot);  // refused before anything is written
  for (const fs::path& run : options.add) {
    const comparison::Side side = comparison::load_side(run);
    say("{}: {} lines added\n", run.string(), comparison::append_history(options.file, side, nullptr));
  }
  const std::vector<comparison::HistorySeries> series =
      comparison::history_series(comparison::load_history(options.file), options.state, options.confidence);
  say("{}", Lines{comparison::to_text(series)});
  if (!options.plot.empty()) {
    draw_chart(comparison::draw_history(series), files_of(options.plot));
    say("plot: {}\n", options.plot.string());
  }
  return ExitCode::fine;
}

}  // namespace

Action add_history(CLI::App& app) {
  auto options = std::make_shared<HistoryArguments>();
  CLI::App* history = app.add_subcommand("history", "Show where the times of states changed over commits");
  history->add_option("file", options->file, "History (history.jsonl); made by --add or compare --history")
      ->required();
  history->add_option("--add", options->add, "Run folders or journals to append first");
  history->add_option("--plot", options->plot,
                      "Draw it: .vl.json, or .svg, .png or .pdf with the .vl.json beside");
  history->add_option("--state", options->state, "Only states that this regular expression matches");
  history->add_option("--confidence", options->confidence, "Of a step; between 0 and 1")
      ->check(share_validator())
      ->capture_default_str();
  return [options] { return show_history(*options); };
}

}  // namespace gpuseq::bench
