#include "reports/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <future>

#include "reports/charts/chart_table.hpp"
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
  Published published = {};
  std::vector<const Figure*> figures = {};
  fs::path folder = {};
};

Loaded load(const ReportOptions& options) {
  check_formats(options.formats);
  std::vector<const Figure*> figures = find_figures(options.figures);
  return {.data = load_runs(options.run_dirs, options.boards),
          .published = load_published(options.published),
          .figures = std::move(figures),
          .folder = options.output_dir.empty() ? options.run_dirs.front() : options.output_dir};
}

/// Calls `take` with the drawing of each figure and its place; on several threads if there are many records.
void draw(const Loaded& loaded, const std::function<void(std::size_t, Drawing)>& take) {
  const auto draw_some = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      take(i, loaded.figures[i]->draw(*loaded.figures[i], loaded.data, loaded.published));
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

chart::Style style_of(const chart::Chart& chart, PrintWidth width) {
  const bool page =
      width == PrintWidth::page || (width == PrintWidth::by_panels && chart::panels_of(chart) > 1);
  return page ? chart::page_width() : chart::column_width();
}

bool is_picture(const std::string& format) {
  return format == "svg" || format == "png" || format == "pdf";
}

/// The content of a file that needs no renderer.
std::string content_of(const Figure& figure, const Drawing& drawing, const std::string& format) {
  const chart::Chart& chart = *drawing.chart;
  if (format == "csv") return chart::csv(chart::table_of(chart));
  if (format == "tex") return chart::latex(chart::table_of(chart), chart::heading_of(chart), figure.name);
  return text_of(*drawing.spec);
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
  std::vector<Rendering> files = {};  // with a specification where a picture is to be drawn of it
};

Plot plot_of(const Figure& figure, const Drawing& drawing, const fs::path& folder,
             const ReportOptions& options) {
  Plot plot{.on_page = {.figure = &figure, .reason = drawing.reason}};
  if (!drawing.spec) return plot;
  plot.on_page.spec = html::script_json(*drawing.spec);
  plot.on_page.notes = chart::notes_of(*drawing.chart);
  for (const std::string& format : formats_of(options)) {
    Rendering file{.spec = "", .target = folder / (figure.file_stem() + "." + format)};
    if (is_picture(format))
      file.spec = text_of(chart::draw(*drawing.chart, style_of(*drawing.chart, options.print_width)));
    else
      write_file_atomically(file.target, content_of(figure, drawing, format));
    plot.files.push_back(std::move(file));
  }
  return plot;
}

std::vector<PageFigure> write_plots(const Loaded& loaded, const ReportOptions& options,
                                    ReportResult& result) {
  const fs::path folder = loaded.folder / "plots";
  make_folder(folder);
  std::vector<Plot> plots(loaded.figures.size());
  draw(loaded, [&](std::size_t i, const Drawing& drawing) {
    plots[i] = plot_of(*loaded.figures[i], drawing, folder, options);
  });
  const std::vector<std::string> formats = formats_of(options);
  for (std::size_t format = 0; format < formats.size(); ++format) {
    std::vector<Rendering> pictures;
    for (Plot& plot : plots) {
      if (plot.files.empty()) continue;
      result.files.push_back(plot.files[format].target);
      if (is_picture(formats[format])) pictures.push_back(std::move(plot.files[format]));
    }
    render_files(options.python, formats[format], pictures);
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
