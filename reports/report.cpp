#include "reports/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <future>
#include <iterator>
#include <map>
#include <optional>

#include "reports/charts/chart_latex.hpp"
#include "reports/charts/chart_table.hpp"
#include "reports/charts/print_parts.hpp"
#include "reports/overlay/overlay.hpp"
#include "reports/page/html.hpp"
#include "reports/page/page.hpp"
#include "reports/renderer.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/staged_file.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::reports {
namespace {

namespace fs = std::filesystem;

constexpr double kWidestColumnMillimetres = 110;  // of tables: wider ones go over the page

void check_formats(const std::vector<std::string>& formats) {
  const std::vector<std::string>& all = figure_formats();
  for (const std::string& format : formats)
    if (std::find(all.begin(), all.end(), format) == all.end())
      throw UsageError(fmt::format("no format '{}'; allowed: {}", format, fmt::join(all, ", ")));
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw ResourceError(fmt::format("{} cannot be made: {}", folder.string(), error.message()));
}

/// What all functions need.
struct Loaded {
  ReportData data;
  std::optional<ReportData> behind = {};  // what figures are drawn over
  Published published = {};
  std::vector<const Figure*> figures = {};
  fs::path folder = {};
};

Loaded load(const ReportOptions& options) {
  check_formats(options.formats);
  std::vector<const Figure*> figures = find_figures(options.figures);
  return {
      .data = load_runs(options.run_dirs, options.boards),
      .behind = options.over.empty() ? std::nullopt : std::optional(load_runs(options.over, options.boards)),
      .published = load_published(options.published),
      .figures = std::move(figures),
      .folder = options.output_dir.empty() ? options.run_dirs.front() : options.output_dir};
}

/// Calls `take` with the drawing of each figure and its place; on several threads if there are many records.
void draw(const Loaded& loaded, const std::function<void(std::size_t, Drawing)>& take) {
  const auto draw_one = [&](const Figure& figure) {
    Drawing drawing = figure.draw(figure, loaded.data, loaded.published);
    if (!loaded.behind) return drawing;
    const Drawing behind = figure.draw(figure, *loaded.behind, loaded.published);
    return overlaid({drawing, loaded.data}, {behind, *loaded.behind});
  };
  const auto draw_some = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) take(i, draw_one(*loaded.figures[i]));
  };
  constexpr std::size_t kManyRecords = 5000;
  if (loaded.data.entries.size() < kManyRecords)
    draw_some(0, loaded.figures.size());
  else
    ThreadPool(0, /*pin=*/false).parallel_for(loaded.figures.size(), 1, draw_some);
}

/// Text that is no UTF-8 must not cost the plot.
std::string text_of(const nlohmann::ordered_json& spec) {
  return spec.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

double width_mm_of(const chart::Chart& chart, const Print& print) {
  if (print.width_mm > 0) return print.width_mm;
  return chart::panels_of(chart) > 1 ? chart::kPageMillimetres : chart::kColumnMillimetres;
}

chart::TableWidth table_width(const Print& print) {
  if (!(print.width_mm > 0)) return chart::TableWidth::by_columns;
  return print.width_mm > kWidestColumnMillimetres ? chart::TableWidth::page : chart::TableWidth::column;
}

bool is_picture(const std::string& format) {
  return format == "svg" || format == "png" || format == "pdf";
}

/// "vl.json", and what was asked for beside it.
std::vector<std::string> formats_of(const ReportOptions& options) {
  std::vector<std::string> formats{"vl.json"};
  for (const std::string& format : figure_formats())
    if (format != "vl.json" &&
        std::find(options.formats.begin(), options.formats.end(), format) != options.formats.end())
      formats.push_back(format);
  return formats;
}

/// The files of one figure, by format, and what the page has of it. A drawing of many marks is large: what is
/// left of it is text.
struct Plot {
  PageFigure on_page;
  /// By format, with a specification where a picture is to be drawn of it.
  std::map<std::string, std::vector<Rendering>> files = {};
};

void write_text(Plot& plot, const std::string& format, const fs::path& target, const std::string& content) {
  write_file_atomically(target, content);
  plot.files[format].push_back({.spec = "", .target = target});
}

/// The files of a figure that need no renderer.
void write_texts(Plot& plot, const Drawing& drawing, const fs::path& stem, const ReportOptions& options) {
  const auto named = [&](const std::string& ending) { return fs::path(stem.string() + ending); };
  const chart::Chart& chart = *drawing.chart;
  for (const std::string& format : formats_of(options)) {
    if (format == "vl.json") write_text(plot, format, named(".vl.json"), text_of(*drawing.spec));
    if (format == "csv") write_text(plot, format, named(".csv"), chart::csv(chart::table_of(chart)));
    if (format == "tex")
      write_text(plot, format, named(".tex"),
                 chart::latex(chart, plot.on_page.figure->name, table_width(options.print)));
  }
}

/// What is to be rendered of a figure, and the captions of bare pictures.
void add_pictures(Plot& plot, const chart::Chart& chart, const fs::path& stem, const ReportOptions& options) {
  const std::vector<chart::PrintPart> parts = print_parts(chart, options.print);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string name = stem.string() + (parts.size() > 1 ? fmt::format("-{}", i + 1) : "");
    const std::string spec = text_of(chart::draw(parts[i].chart, parts[i].style));
    for (const std::string& format : options.formats)
      if (is_picture(format))
        plot.files[format].push_back({.spec = spec, .target = fmt::format("{}.{}", name, format)});
    if (!options.print.bare) continue;
    const std::string caption = chart::caption_of(parts[i].chart, i + 1, parts.size());
    write_text(plot, "caption", name + ".caption.txt", caption + "\n");
    write_text(plot, "caption", name + ".caption.tex", chart::latex_escape(caption) + "%\n");
  }
}

Plot plot_of(const Figure& figure, const Drawing& drawing, const fs::path& folder,
             const ReportOptions& options) {
  Plot plot{.on_page = {.figure = &figure, .reason = drawing.reason}};
  if (!drawing.spec) return plot;
  plot.on_page.spec = html::script_json(*drawing.spec);
  plot.on_page.notes = chart::notes_of(*drawing.chart);
  const fs::path stem = folder / figure.file_stem();
  write_texts(plot, drawing, stem, options);
  if (std::ranges::any_of(options.formats, is_picture)) add_pictures(plot, *drawing.chart, stem, options);
  return plot;
}

std::vector<PageFigure> write_plots(const Loaded& loaded, const ReportOptions& options,
                                    ReportResult& result) {
  const fs::path folder = loaded.folder / "plots";
  make_folder(folder);
  result.remarks = loaded.data.warnings;
  std::vector<Plot> plots(loaded.figures.size());
  draw(loaded, [&](std::size_t i, const Drawing& drawing) {
    plots[i] = plot_of(*loaded.figures[i], drawing, folder, options);
  });
  std::vector<std::string> formats = formats_of(options);
  formats.emplace_back("caption");
  for (const std::string& format : formats) {
    std::vector<Rendering> files;
    for (Plot& plot : plots) std::ranges::move(plot.files[format], std::back_inserter(files));
    Rendered rendered;
    if (is_picture(format)) rendered = render_files(options.python, format, files);
    for (std::size_t i = 0; i < files.size(); ++i)
      if (!rendered.not_drawn.contains(i)) result.files.push_back(files[i].target);
    for (const auto& [i, reason] : rendered.not_drawn)
      result.not_drawn.emplace_back(files[i].target.string(), reason);
    std::ranges::move(rendered.remarks, std::back_inserter(result.remarks));
  }
  std::vector<PageFigure> on_page;
  for (Plot& plot : plots) {
    if (plot.on_page.spec.empty())
      result.not_drawn.emplace_back(plot.on_page.figure->name, plot.on_page.reason);
    on_page.push_back(std::move(plot.on_page));
  }
  return on_page;
}

}  // namespace

std::vector<chart::PrintPart> print_parts(const chart::Chart& chart, const Print& print) {
  const double width_mm = width_mm_of(chart, print);
  if (print.bare) return chart::parts_of(chart, chart::bare(width_mm, print.height_mm));
  return {{chart, chart::print(width_mm)}};
}

const std::vector<std::string>& figure_formats() {
  static const std::vector<std::string> formats{"vl.json", "svg", "pdf", "png", "csv", "tex"};
  return formats;
}

ReportResult render(const ReportOptions& options) {
  ReportResult result;
  write_plots(load(options), options, result);
  return result;
}

ReportResult write_report(const ReportOptions& options) {
  const Loaded loaded = load(options);
  // A program of its own, which takes seconds.
  std::future<Maybe<std::string>> getting_scripts =
      std::async(std::launch::async, [&] { return vega_scripts(options.python); });
  ReportResult result;
  const std::vector<PageFigure> figures = write_plots(loaded, options, result);
  const Maybe<std::string> scripts = getting_scripts.get();
  result.no_plots_on_page = scripts.reason;
  StagedFile page(loaded.folder / "report.html");
  write_page(page.out(), {loaded.data, loaded.published, figures, scripts, options.exec});
  page.commit(Durability::survives_loss_of_power);
  result.files.push_back(page.path());
  return result;
}

std::vector<std::pair<const Figure*, Drawing>> draw_figures(const ReportOptions& options) {
  const Loaded loaded = load(options);
  std::vector<std::pair<const Figure*, Drawing>> figures(loaded.figures.size());
  draw(loaded, [&](std::size_t i, Drawing drawing) { figures[i] = {loaded.figures[i], std::move(drawing)}; });
  return figures;
}

}  // namespace gpuseq::reports
