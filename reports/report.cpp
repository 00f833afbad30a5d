#include "reports/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/charts/chart_table.hpp"
#include "reports/page/page.hpp"
#include "reports/renderer.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"

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

/// What all functions do: read and draw.
struct Drawn {
  ReportData data;
  Published published = {};
  std::vector<PageFigure> figures = {};
  fs::path folder = {};
  ReportResult result = {};
};

Drawn draw(const ReportOptions& options) {
  check_formats(options.formats);
  const std::vector<const Figure*> chosen = find_figures(options.figures);
  Drawn drawn{.data = load_runs(options.run_dirs), .published = load_published(options.published)};
  drawn.folder = options.output_dir.empty() ? options.run_dirs.front() : options.output_dir;
  for (const Figure* figure : chosen) {
    drawn.figures.push_back({figure, figure->draw(*figure, drawn.data, drawn.published)});
    if (const Drawing& drawing = drawn.figures.back().drawing; !drawing.spec)
      drawn.result.not_drawn.emplace_back(figure->name, drawing.reason);
  }
  return drawn;
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

/// Writes one format of all figures that were drawn.
void write_format(Drawn& drawn, const std::string& format, const ReportOptions& options) {
  std::vector<Rendering> renderings;
  for (const PageFigure& figure : drawn.figures) {
    if (!figure.drawing.chart) continue;
    const chart::Chart& chart = *figure.drawing.chart;
    const fs::path target = drawn.folder / "plots" / (figure.figure->file_stem() + "." + format);
    if (format == "vl.json")
      write_file_atomically(target, text_of(*figure.drawing.spec));
    else if (format == "csv")
      write_file_atomically(target, chart::csv(chart::table_of(chart)));
    else if (format == "tex")
      write_file_atomically(
          target, chart::latex(chart::table_of(chart), chart::heading_of(chart), figure.figure->name));
    else
      renderings.push_back({text_of(chart::draw(chart, style_of(chart, options.print_width))), target});
    drawn.result.files.push_back(target);
  }
  render_files(options.python, format, renderings);
}

void write_plots(Drawn& drawn, const ReportOptions& options) {
  make_folder(drawn.folder / "plots");
  write_format(drawn, "vl.json", options);
  for (const std::string& format : figure_formats())
    if (format != "vl.json" &&
        std::find(options.formats.begin(), options.formats.end(), format) != options.formats.end())
      write_format(drawn, format, options);
}

}  // namespace

const std::vector<std::string>& figure_formats() {
  static const std::vector<std::string> formats{"vl.json", "svg", "pdf", "png", "csv", "tex"};
  return formats;
}

ReportResult render(const ReportOptions& options) {
  Drawn drawn = draw(options);
  write_plots(drawn, options);
  return std::move(drawn.result);
}

ReportResult write_report(const ReportOptions& options) {
  Drawn drawn = draw(options);
  write_plots(drawn, options);
  const Maybe<std::string> scripts = vega_scripts(options.python);
  drawn.result.no_plots_on_page = scripts.reason;
  const fs::path page = drawn.folder / "report.html";
  write_file_atomically(page, page_html({drawn.data, drawn.published, drawn.figures, scripts}));
  drawn.result.files.push_back(page);
  return std::move(drawn.result);
}

std::vector<std::pair<const Figure*, Drawing>> draw_figures(const ReportOptions& options) {
  std::vector<std::pair<const Figure*, Drawing>> figures;
  Drawn drawn = draw(options);
  for (PageFigure& figure : drawn.figures) figures.emplace_back(figure.figure, std::move(figure.drawing));
  return figures;
}

}  // namespace gpuseq::reports
