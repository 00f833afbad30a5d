#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "reports/chart.hpp"

namespace gpuseq::reports::chart {
namespace {

constexpr double kLabelRowPixels = 13;    // of the labels above a plot
constexpr double kCharacterPixels = 5.4;  // of the labels' font, on average
constexpr double kNearFactor = 8;         // a guide further outside the data than this is left out
constexpr double kLogFromRatio = 12;      // a y axis turns logarithmic where the data spans more

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool near(double value) const { return value > low / kNearFactor && value < high * kNearFactor; }
};

Extent extent(const LineChart& chart, const Panel& panel, bool horizontal) {
  Extent data;
  for (const Mark& mark : panel.marks) {
    data.include(horizontal ? mark.x : mark.y);
    if (!horizontal && mark.low > 0) data.include(mark.low);
    if (!horizontal) data.include(mark.high);
  }
  Extent all = data;
  for (const Guide& guide : chart.guides)
    if (panel.guided && guide.vertical == horizontal && data.near(guide.at)) all.include(guide.at);
  return all;
}

/// A panel with its axes, and the labels above it in as many rows as keep them apart.
struct Layout {
  struct Label {
    double at = 0;     // pixels: where it points
    double start = 0;  // pixels: its left end
    int row = 0;       // 0 is next to the plot
    std::string text = {};
  };
  Axis x, y;
  std::vector<Label> bands = {},
                     guides = {};  // parallel to the panel's and the chart's; row -1: outside the axis
  int rows = 0;
};

/// Rows of labels above a plot, filled one label at a time.
class LabelRows {
 public:
  explicit LabelRows(const Axis& x) : x_(x) {}
  int count() const { return static_cast<int>(rows_.size()); }

  /// Centred above the middle of a band.
  Layout::Label above(double from, double to, const std::string& text) {
    if (to < x_.low || from > x_.high) return {.at = 0, .start = 0, .row = -1};
    const double at = x_.place(std::sqrt(std::max(from, x_.low) * std::min(to, x_.high)));
    return put(at, std::clamp(at - width(text) / 2, 0.0, std::max(0.0, x_.pixels - width(text))), text);
  }
  /// Beside the upper end of a line: to its right, where there is room, else to its left. Called for lines
  /// from right to left, no line then crosses a label that is to the right of its own.
  Layout::Label beside(double value, const std::string& text) {
    if (value < x_.low || value > x_.high) return {.at = 0, .start = 0, .row = -1};
    const double at = x_.place(value);
    const bool fits = at + 4 + width(text) <= x_.pixels;
    return put(at, fits ? at + 4 : std::max(0.0, at - 4 - width(text)), text);
  }

 private:
  struct Span {
    double start, end;
  };
  static double width(const std::string& text) { return kCharacterPixels * static_cast<double>(text.size()); }

  Layout::Label put(double at, double start, const std::string& text) {
    std::size_t row = 0;
    const double end = start + width(text);
    const auto free = [&](const std::vector<Span>& spans) {
      return std::none_of(spans.begin(), spans.end(),
                          [&](const Span& s) { return s.start < end + 8 && start < s.end + 8; });
    };
    while (row < rows_.size() && !free(rows_[row])) ++row;
    if (row >= rows_.size()) rows_.resize(row + 1);
    rows_[row].push_back({start, end});
    return {at, start, static_cast<int>(row), text};
  }

  const Axis& x_;
  std::vector<std::vector<Span>> rows_;
};

Layout lay_out(const LineChart& chart, const Panel& panel, double width, double height) {
  const Extent xs = extent(chart, panel, true), ys = extent(chart, panel, false);
  Quantity y = chart.y;
  y.log = y.log || (ys.low > 0 && ys.high / ys.low > kLogFromRatio);
  Layout layout{.x = lay_out(chart.x, xs.low, xs.high, width, false),
                .y = lay_out(y, ys.low, ys.high, height, true)};
  LabelRows rows(layout.x);
  for (const Band& band : panel.bands) layout.bands.push_back(rows.above(band.from, band.to, band.label));
  if (panel.guided) {
    layout.guides.resize(chart.guides.size());
    std::vector<std::size_t> order(chart.guides.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return chart.guides[a].at > chart.guides[b].at; });
    for (const std::size_t i : order)
      if (chart.guides[i].vertical) layout.guides[i] = rows.beside(chart.guides[i].at, chart.guides[i].label);
  }
  layout.rows = rows.count();
  return layout;
}

Json one_row(Json row) {
  return {{"values", Json::array({std::move(row)})}};
}

Json label_layer(const Layout::Label& label) {
  return {{"data", one_row({{"label", label.text}})},
          {"mark",
           {{"type", "text"},
            {"align", "left"},
            {"baseline", "bottom"},
            {"fontSize", 10},
            {"color", kMuted},
            {"clip", false}}},
          {"encoding",
           {{"x", {{"value", label.start}}},
            {"y", {{"value", -2 - kLabelRowPixels * label.row}}},
            {"text", {{"field", "label"}, {"type", "nominal"}}}}}};
}

void add_bands(Json& layers, const Panel& panel, const Layout& layout) {
  for (std::size_t i = 0; i < panel.bands.size(); ++i) {
    const Layout::Label& label = layout.bands[i];
    if (label.row < 0) continue;
    const double from = std::max(panel.bands[i].from, layout.x.low),
                 to = std::min(panel.bands[i].to, layout.x.high);
    layers.push_back({{"data", one_row({{"from", from}, {"to", to}})},
                      {"mark", {{"type", "rect"}, {"color", kGrey}, {"opacity", 0.18}}},
                      {"encoding",
                       {{"x", {{"field", "from"}, {"type", "quantitative"}}},
                        {"x2", {{"field", "to"}}},
                        {"y", {{"value", 0}}},
                        {"y2", {{"value", "height"}}}}}});
    layers.push_back(label_layer(label));
  }
}

void add_guides(Json& layers, const LineChart& chart, const Layout& layout) {
  const Json rule{{"type", "rule"}, {"color", kGrey}, {"strokeWidth", 1.2}, {"strokeDash", {4, 3}}};
  for (std::size_t i = 0; i < layout.guides.size(); ++i) {
    const Guide& guide = chart.guides[i];
    const Layout::Label& label = layout.guides[i];
    const Json place{{"field", "at"}, {"type", "quantitative"}};
    const Json data = one_row({{"at", guide.at}, {"label", guide.label}});
    if (guide.vertical) {
      if (label.row < 0) continue;
      layers.push_back({{"data", data},
                        {"mark", rule},
                        {"encoding",
                         {{"x", place},
                          {"y", {{"value", -2 - kLabelRowPixels * label.row}}},
                          {"y2", {{"value", "height"}}}}}});
      layers.push_back(label_layer(label));
    } else if (guide.at >= layout.y.low && guide.at <= layout.y.high) {
      layers.push_back({{"data", data},
                        {"mark", rule},
                        {"encoding", {{"y", place}, {"x", {{"value", 0}}}, {"x2", {{"value", "width"}}}}}});
      layers.push_back(
          {{"data", data},
           {"mark",
            {{"type", "text"},
             {"align", "left"},
             {"baseline", "bottom"},
             {"dy", -3},
             {"fontSize", 10},
             {"color", kMuted}}},
           {"encoding",
            {{"y", place}, {"x", {{"value", 4}}}, {"text", {{"field", "label"}, {"type", "nominal"}}}}}});
    }
  }
}

Json row_of(const Mark& mark) {
  Json row{{"x", mark.x}, {"y", mark.y}, {"series", mark.series}};
  if (!mark.dash.empty()) row["dash"] = mark.dash;
  if (mark.low > 0 && mark.high > mark.low) {
    row["low"] = mark.low;
    row["high"] = mark.high;
  }
  if (mark.synthetic) row["synthetic"] = true;
  if (mark.published) row["published"] = true;
  add_record(row, mark.record);
  add_tips(row, mark.tips);
  return row;
}

Json dash_encoding(const LineChart& chart) {
  static const std::array<Json, 4> patterns{Json::array({1, 0}), Json::array({6, 3}), Json::array({2, 2}),
                                            Json::array({8, 3, 2, 3})};
  Json range = Json::array();
  for (std::size_t i = 0; i < chart.dashes.size(); ++i) range.push_back(patterns[i % patterns.size()]);
  return {{"field", "dash"},
          {"type", "nominal"},
          {"title", chart.dash_title},
          {"scale", {{"domain", chart.dashes}, {"range", range}}}};
}

/// Error bars, lines, points, and the hollow marks around or beside them.
void add_marks(Json& layers, const LineChart& chart, const Panel& panel) {
  const auto add = [&](const char* filter, Json mark, Json encoding) {
    layers.push_back({{"transform", Json::array({{{"filter", filter}}})},
                      {"mark", std::move(mark)},
                      {"encoding", std::move(encoding)}});
  };
  const auto any = [&](bool Mark::*flag) {
    return std::any_of(panel.marks.begin(), panel.marks.end(), [&](const Mark& mark) { return mark.*flag; });
  };
  const Json color = color_encoding(chart.series_title, chart.series);
  const Json shape = shape_encoding(chart.series_title, chart.series);
  const Json point{{"color", color}, {"shape", shape}};
  Json line{{"color", color}};
  if (chart.dashes.size() > 1) line["strokeDash"] = dash_encoding(chart);
  add("isValid(datum.low)", {{"type", "rule"}, {"opacity", 0.6}, {"strokeWidth", 1.5}},
      {{"y", {{"field", "low"}, {"type", "quantitative"}}}, {"y2", {{"field", "high"}}}, {"color", color}});
  add("!datum.published", {{"type", "line"}, {"strokeWidth", 1.8}}, line);
  add("!datum.published", with_tooltip({{"type", "point"}, {"filled", true}, {"size", 38}, {"opacity", 1}}),
      point);
  if (any(&Mark::published))
    add("datum.published",
        with_tooltip(
            {{"type", "point"}, {"filled", false}, {"size", 130}, {"strokeWidth", 1.6}, {"opacity", 1}}),
        point);
  if (any(&Mark::synthetic))
    add("datum.synthetic",
        {{"type", "point"},
         {"color", kMuted},
         {"filled", false},
         {"size", 120},
         {"strokeWidth", 0.9},
         {"shape", "circle"},
         {"opacity", 1}},
        Json::object());
}

Json draw_panel(const LineChart& chart, const Panel& panel, const Layout& layout, int label_rows) {
  std::vector<Json> rows;
  for (const Mark& mark : panel.marks) rows.push_back(row_of(mark));
  Json layers = Json::array();
  add_bands(layers, panel, layout);
  add_guides(layers, chart, layout);
  add_marks(layers, chart, panel);
  return {{"title", panel_title(panel.title, 8 + kLabelRowPixels * (label_rows - layout.rows))},
          {"width", layout.x.pixels},
          {"height", layout.y.pixels},
          {"data", inline_data(std::move(rows))},
          {"encoding", {{"x", axis_encoding("x", layout.x)}, {"y", axis_encoding("y", layout.y)}}},
          {"layer", layers}};
}

}  // namespace

Json draw(const LineChart& chart) {
  const double width = panel_width(chart.panels.size()), height = chart.panels.size() > 1 ? 270 : 350;
  std::vector<Layout> layouts;
  int label_rows = 0;
  for (const Panel& panel : chart.panels) {
    layouts.push_back(lay_out(chart, panel, width, height));
    label_rows = std::max(label_rows, layouts.back().rows);
  }
  std::vector<Json> panels;
  for (std::size_t i = 0; i < chart.panels.size(); ++i)
    panels.push_back(draw_panel(chart, chart.panels[i], layouts[i], label_rows));
  return frame(chart.heading, std::move(panels), 2);
}

}  // namespace gpuseq::reports::chart
