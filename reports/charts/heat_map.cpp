#include <algorithm>
#include <cmath>
#include <set>

#include "reports/charts/chart_spec.hpp"

namespace gpuseq::reports::chart {
namespace {

constexpr double kMapRowPixels = 30;

/// Cells span halfway (on the logarithmic axis) to their neighbours; a single column spans an octave.
std::vector<std::pair<double, double>> spans(const std::vector<double>& xs) {
  std::vector<std::pair<double, double>> spans;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double left = i > 0           ? std::sqrt(xs[i] / xs[i - 1])
                        : xs.size() > 1 ? std::sqrt(xs[1] / xs[0])
                                        : std::sqrt(2.0);
    const double right = i + 1 < xs.size() ? std::sqrt(xs[i + 1] / xs[i]) : left;
    spans.emplace_back(xs[i] / left, xs[i] * right);
  }
  return spans;
}

Json draw_panel(const HeatMap& chart, const HeatPanel& panel, const Json& color_scale, double width,
                const Style& style) {
  std::vector<Json> rows;
  double low = INFINITY, high = 0;
  for (const std::string& name : panel.rows) {
    std::set<double> columns;
    for (const Cell& cell : panel.cells)
      if (cell.row == name) columns.insert(cell.x);
    const std::vector<double> xs(columns.begin(), columns.end());
    const auto edges = spans(xs);
    for (const Cell& cell : panel.cells) {
      if (cell.row != name) continue;
      const auto& [from, to] =
          edges[static_cast<std::size_t>(std::lower_bound(xs.begin(), xs.end(), cell.x) - xs.begin())];
      low = std::min(low, from);
      high = std::max(high, to);
      Json row{{"row", name}, {"from", from}, {"to", to}, {"value", cell.value}};
      if (cell.low > 0 && cell.high > cell.low) {
        row["low"] = cell.low;
        row["high"] = cell.high;
      }
      add_record(row, cell.record);
      add_tips(row, cell.tips);
      rows.push_back(std::move(row));
    }
  }
  Json x = axis_encoding(
      "from", {.quantity = chart.x, .low = low, .high = high, .pixels = width, .vertical = false}, style);
  x["axis"]["grid"] = false;
  Json drawn{{"width", width},
             {"height", kMapRowPixels * style.scale() * static_cast<double>(panel.rows.size())},
             {"mark", with_tooltip({{"type", "rect"}, {"clip", true}})}};
  drawn["encoding"] = {
      {"x", x},
      {"x2", {{"field", "to"}}},
      {"y", {{"field", "row"}, {"type", "nominal"}, {"sort", panel.rows}, {"title", chart.row_title}}},
      {"color",
       {{"field", "value"},
        {"type", "quantitative"},
        {"title", chart.value.title},
        {"scale", color_scale},
        {"legend",
         {{"labelExpr", label_expression(chart.value.unit)},
          {"gradientLength", width * (style.print() ? 0.9 : 0.5)},
          {"gradientThickness", 16 * style.scale()}}}}}};
  drawn["data"] = inline_data(std::move(rows));
  if (style.bare) drawn["least_height"] = least_row(1, style) * static_cast<double>(panel.rows.size());
  if (!panel.title.empty()) drawn["title"] = panel_title(panel.title, width, style, 8 * style.scale());
  return drawn;
}

}  // namespace

Json draw(const HeatMap& chart, const Style& style) {
  const double beside = text_width("888 KiB", style.text) + style.axis_title + 8;
  std::vector<Json> panels;
  for (const HeatPanel& panel : chart.panels) {
    double low = INFINITY, high = 0;
    for (const Cell& cell : panel.cells) {
      low = std::min(low, cell.value);
      high = std::max(high, cell.value);
    }
    Json scale{{"scheme", "viridis"}};
    if (low > 0 && high / low > kLogFromRatio)
      scale["type"] = "log";
    else
      scale["zero"] = true;
    panels.push_back(draw_panel(chart, panel, scale,
                                panel_width(style.print() ? chart.panels.size() : 1, beside, style), style));
  }
  // Devices differ by orders of magnitude: each panel has its own colours, one below the other.
  Json spec = frame(chart.heading, std::move(panels), style.print() ? style.columns : 1, style);
  if (spec.contains("concat"))
    spec["resolve"] = {{"scale", {{"color", "independent"}}}, {"legend", {{"color", "independent"}}}};
  note_screen(spec, beside, false, style);
  return spec;
}

}  // namespace gpuseq::reports::chart
