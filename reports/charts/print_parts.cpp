#include "reports/charts/print_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/charts/line_layout.hpp"

namespace gpuseq::reports::chart {
namespace {

// Points that a picture has beside its plots; rather too many than too few.
constexpr double kAxis = 28;        // labels and title of an x axis
constexpr double kRowGap = 14;      // between plots one above the other
constexpr double kTitleLine = 9.5;  // of a panel's title
constexpr double kTitleGap = 6;
constexpr double kLegendLine = 10;
constexpr double kLegendGap = 8;
constexpr double kDashLegend = 34;  // its title and one line of patterns
constexpr double kUsualPlot = 130;  // height of a plot of lines, at most
constexpr double kPicture = 6;      // around all

double legend_height(const std::vector<std::string>& series, const Style& style) {
  if (series.empty()) return 0;
  const double columns = legend(series, style)["columns"].get<double>();
  return kLegendGap + kLegendLine * (1 + std::ceil(static_cast<double>(series.size()) / columns));
}

double below(const LineChart& chart, const Style& style) {
  return legend_height(chart.series, style) + (chart.dashes.size() > 1 ? kDashLegend : 0);
}
double below(const RowChart& chart, const Style& style) {
  return legend_height(chart.series, style);
}

/// Beside the plot of a panel: its title, in two lines at most as a rule, and the axis.
double around(const std::size_t panels) {
  return kAxis + (panels > 1 ? 2 * kTitleLine + kTitleGap + kRowGap : 0);
}

double around_lines(const LineChart& chart, const Style& style) {
  std::size_t labels = 0;
  for (const Panel& panel : chart.panels) labels = std::max(labels, guides_of(chart, panel).size());
  return around(chart.panels.size()) +
         label_row(style) * static_cast<double>(std::min<std::size_t>(labels, 2));
}

/// A chart with some of the panels of another.
template <typename Kind>
Kind with_panels(const Kind& chart, std::size_t first, std::size_t count) {
  Kind part = chart;
  const auto begin = chart.panels.begin() + static_cast<std::ptrdiff_t>(first);
  part.panels.assign(begin,
                     begin + static_cast<std::ptrdiff_t>(std::min(count, chart.panels.size() - first)));
  return part;
}

std::vector<PrintPart> parts_of_kind(const LineChart& chart, const Style& style) {
  const double room = style.height - kPicture - below(chart, style), beside = around_lines(chart, style);
  const auto columns = static_cast<std::size_t>(style.columns);
  const auto rows = static_cast<std::size_t>(std::max(1.0, std::floor(room / (kLeastPlotPoints + beside))));
  std::vector<PrintPart> parts;
  for (std::size_t first = 0; first < chart.panels.size(); first += rows * columns) {
    PrintPart part{with_panels(chart, first, rows * columns), style};
    const auto& own = std::get<LineChart>(part.chart);
    const std::size_t grid_rows = (own.panels.size() + columns - 1) / columns;
    const auto own_rows = static_cast<double>(grid_rows);
    const double most = own.panels.size() == 1 ? style.width : kUsualPlot;
    part.style.plot_height = std::clamp(room / own_rows - around_lines(own, style), kLeastPlotPoints,
                                        std::max(most, kLeastPlotPoints));
    parts.push_back(std::move(part));
  }
  return parts;
}

std::size_t lines_of(const RowPanel& panel, std::size_t letters) {
  std::size_t lines = 1;
  for (const std::string& row : panel.rows) lines = std::max(lines, wrap(row, letters).size());
  return lines;
}

/// One panel a picture, where it does not fit with others; rows that are too many follow in another.
void add_parts_of_panel(const RowChart& one, const Style& style, std::vector<PrintPart>& parts) {
  const RowPanel& panel = one.panels.front();
  const double grouped = one.bars && one.grouped && !one.stacked ? static_cast<double>(one.series.size()) : 1;
  const double row =
      std::max(least_row(lines_of(panel, row_name_letters(one, style)), style), grouped * style.text);
  const double room = style.height - kPicture - below(one, style) - around(1);
  const auto most = static_cast<std::size_t>(std::max(1.0, std::floor(room / row)));
  for (std::size_t first = 0; first < panel.rows.size(); first += most) {
    PrintPart part{one, style};
    RowPanel& own = std::get<RowChart>(part.chart).panels.front();
    own.rows.assign(
        panel.rows.begin() + static_cast<std::ptrdiff_t>(first),
        panel.rows.begin() + static_cast<std::ptrdiff_t>(std::min(first + most, panel.rows.size())));
    std::erase_if(own.marks, [&](const RowMark& mark) {
      return std::ranges::find(own.rows, mark.row) == own.rows.end();
    });
    parts.push_back(std::move(part));
  }
}

double height_of_rows(const RowChart& chart, const Style& style) {
  double height = kPicture + below(chart, style);
  for (const RowPanel& panel : chart.panels)
    height += least_row(lines_of(panel, row_name_letters(chart, style)), style) *
                  static_cast<double>(panel.rows.size()) +
              around(chart.panels.size());
  return height;
}

/// As many panels one below the other as fit; that some stand side by side only leaves room.
std::vector<PrintPart> parts_of_kind(const RowChart& chart, const Style& style) {
  std::vector<PrintPart> parts;
  for (std::size_t first = 0; first < chart.panels.size();) {
    std::size_t count = 1;
    while (first + count < chart.panels.size() &&
           height_of_rows(with_panels(chart, first, count + 1), style) <= style.height)
      ++count;
    if (count > 1)
      parts.push_back({with_panels(chart, first, count), style});
    else
      add_parts_of_panel(with_panels(chart, first, 1), style, parts);
    first += count;
  }
  return parts;
}

std::vector<PrintPart> parts_of_kind(const HeatMap& chart, const Style& style) {
  std::vector<PrintPart> parts;
  const auto columns = static_cast<std::size_t>(style.columns);
  for (std::size_t first = 0; first < chart.panels.size(); first += columns)
    parts.push_back({with_panels(chart, first, columns), style});
  return parts;
}

}  // namespace

std::vector<PrintPart> parts_of(const Chart& chart, const Style& style) {
  return std::visit([&](const auto& kind) { return parts_of_kind(kind, style); }, chart);
}

std::string caption_of(const Chart& chart, std::size_t part, std::size_t parts) {
  std::string caption = heading_of(chart).title;
  if (parts > 1) caption += fmt::format(" ({} of {})", part, parts);
  caption += '.';
  for (const std::string& note : notes_of(chart)) {
    caption += ' ' + note;
    if (!note.ends_with('.')) caption += '.';
  }
  return caption;
}

}  // namespace gpuseq::reports::chart
