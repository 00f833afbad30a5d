#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "reports/charts/line_layout.hpp"

namespace gpuseq::reports::chart {
namespace {

constexpr double kPatternLength = 26;  // of a line in the legend: each pattern at least twice

Json one_row(Json row) {
  return {{"values", Json::array({std::move(row)})}};
}

Json label_layer(const LineLayout::Label& label, const Style& style) {
  return {{"data", one_row({{"at", label.at}, {"label", label.text}})},
          {"mark",
           {{"type", "text"},
            {"align", "left"},
            {"baseline", "bottom"},
            {"dx", label.shift},
            {"fontSize", style.label},
            {"color", kMuted},
            {"clip", false}}},
          {"encoding",
           {{"x", {{"field", "at"}, {"type", "quantitative"}}},
            {"y", {{"value", -2 - label_row(style) * label.row}}},
            {"text", {{"field", "label"}, {"type", "nominal"}}}}}};
}

void add_bands(Json& layers, const Panel& panel, const LineLayout& layout, const Style& style) {
  for (std::size_t i = 0; i < panel.bands.size(); ++i) {
    const LineLayout::Label& label = layout.bands[i];
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
    if (!label.text.empty()) layers.push_back(label_layer(label, style));
  }
}

/// Where marks and the lines between them are drawn: points close enough to each other to hit a label, in
/// pixels from the lower left.
std::vector<std::pair<double, double>> drawn_places(const LineChart& chart, const Panel& panel,
                                                    const LineLayout& layout) {
  constexpr int kSteps = 64;
  using Places = std::vector<std::pair<double, double>>;
  std::map<std::pair<std::string, std::string>, Places> lines;
  Places all;
  for (const Mark& mark : panel.marks) {
    all.emplace_back(layout.x.place(mark.x), layout.y.place(mark.y));
    if (chart.connected && !mark.published && !mark.disturbed)
      lines[{mark.series, mark.dash}].push_back(all.back());
  }
  for (auto& [name, line] : lines) {
    std::sort(line.begin(), line.end());
    for (std::size_t i = 1; i < line.size(); ++i)
      for (int step = 1; step < kSteps; ++step) {
        const double share = static_cast<double>(step) / kSteps;
        all.emplace_back(std::lerp(line[i - 1].first, line[i].first, share),
                         std::lerp(line[i - 1].second, line[i].second, share));
      }
  }
  return all;
}

/// An end of a guide across a panel, above or below it, for its label.
struct LabelPlace {
  bool right, below;
};

/// That of the four places at which least is drawn.
LabelPlace freest_place(const LineChart& chart, const Panel& panel, const LineLayout& layout,
                        const Guide& guide, const Style& style) {
  constexpr std::array<LabelPlace, 4> places{{{false, false}, {true, false}, {false, true}, {true, true}}};
  const auto drawn = drawn_places(chart, panel, layout);
  const double width = text_width(guide.label, style.label) + 8, height = 2 * style.label;
  return *std::ranges::min_element(places, {}, [&](const LabelPlace& place) {
    const double left = place.right ? layout.x.pixels - width : 0,
                 bottom = layout.y.place(guide.at) + (place.below ? 4 - height : -4);
    if (bottom < 0 || bottom + height > layout.y.pixels) return drawn.size();  // outside of the panel
    return static_cast<std::size_t>(std::ranges::count_if(drawn, [&](const auto& at) {
      return at.first > left && at.first < left + width && at.second > bottom && at.second < bottom + height;
    }));
  });
}

bool crosses(const Guide& guide, const LineLayout& layout) {
  return !guide.vertical && guide.at >= layout.y.low && guide.at <= layout.y.high;
}

/// Of the guides across a panel: over the marks, with a rim that keeps what passes behind from the letters.
void add_guide_labels(Json& layers, const LineChart& chart, const Panel& panel, const LineLayout& layout,
                      const Style& style) {
  for (const Guide& guide : layout.guides) {
    if (!crosses(guide, layout)) continue;
    const LabelPlace at = freest_place(chart, panel, layout, guide, style);
    const Json text{{"type", "text"},
                    {"align", at.right ? "right" : "left"},
                    {"baseline", at.below ? "top" : "bottom"},
                    {"dx", at.right ? -4 : 4},
                    {"dy", at.below ? 3 : -3},
                    {"fontSize", style.label},
                    {"color", kMuted}};
    Json rim = text;
    rim.update({{"color", "white"}, {"stroke", "white"}, {"strokeWidth", 3 * style.scale()}});
    for (const Json& mark : {rim, text})
      layers.push_back({{"data", one_row({{"at", guide.at}, {"label", guide.label}})},
                        {"mark", mark},
                        {"encoding",
                         {{"y", {{"field", "at"}, {"type", "quantitative"}}},
                          {"x", {{"value", at.right ? Json("width") : Json(0)}}},
                          {"text", {{"field", "label"}, {"type", "nominal"}}}}}});
  }
}

void add_guides(Json& layers, const LineLayout& layout, const Style& style) {
  const Json rule{
      {"type", "rule"}, {"color", kGrey}, {"strokeWidth", 1.2 * style.scale()}, {"strokeDash", {4, 3}}};
  for (std::size_t i = 0; i < layout.guides.size(); ++i) {
    const Guide& guide = layout.guides[i];
    const LineLayout::Label& label = layout.labels[i];
    const Json place{{"field", "at"}, {"type", "quantitative"}};
    const Json data = one_row({{"at", guide.at}, {"label", guide.label}});
    if (guide.vertical) {
      if (label.row < 0) continue;
      layers.push_back({{"data", data},
                        {"mark", rule},
                        {"encoding",
                         {{"x", place},
                          {"y", {{"value", -2 - label_row(style) * label.row}}},
                          {"y2", {{"value", "height"}}}}}});
      layers.push_back(label_layer(label, style));
    } else if (crosses(guide, layout)) {
      layers.push_back({{"data", data},
                        {"mark", rule},
                        {"encoding", {{"y", place}, {"x", {{"value", 0}}}, {"x2", {{"value", "width"}}}}}});
    }
  }
}

/// From each point on as high as it is until the next.
void add_steps(Json& layers, const Panel& panel, const Style& style) {
  if (panel.steps.size() < 2) return;
  Json rows = Json::array();
  for (const auto& [x, y] : panel.steps) rows.push_back({{"x", x}, {"y", y}});
  layers.push_back({{"data", {{"values", std::move(rows)}}},
                    {"mark",
                     {{"type", "line"},
                      {"interpolate", "step-after"},
                      {"color", kGrey},
                      {"strokeWidth", 1.4 * style.scale()}}},
                    {"encoding", Json::object()}});
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
  if (mark.minor) row["minor"] = true;
  if (mark.disturbed) row["disturbed"] = true;
  if (mark.ceiling > 0) row["ceiling"] = mark.ceiling;
  add_record(row, mark.record);
  add_tips(row, mark.tips);
  return row;
}

Json dash_encoding(const LineChart& chart, const Style& style) {
  static const std::array<Json, 4> patterns{Json::array({1, 0}), Json::array({6, 3}), Json::array({2, 2}),
                                            Json::array({8, 3, 2, 3})};
  Json range = Json::array();
  for (std::size_t i = 0; i < chart.dashes.size(); ++i) range.push_back(patterns[i % patterns.size()]);
  Json encoding{{"field", "dash"},
                {"type", "nominal"},
                {"title", chart.dash_title},
                {"scale", {{"domain", chart.dashes}, {"range", range}}}};
  encoding["legend"] = legend(chart.dashes, style);
  encoding["legend"]["symbolSize"] = kPatternLength * kPatternLength * style.scale() * style.scale();
  return encoding;
}

/// Layers of marks, each a filter, a mark and its encoding.
struct MarkLayers {
  Json& layers;
  void add(const std::string& filter, Json mark, Json encoding) {
    const Json one_filter{{"filter", filter}};
    layers.push_back({{"transform", Json::array({one_filter})},
                      {"mark", std::move(mark)},
                      {"encoding", std::move(encoding)}});
  }
};

/// A point of `area` square pixels on a screen.
Json point_mark(double area, bool filled, double opacity, const Style& style) {
  Json mark{{"type", "point"},
            {"filled", filled},
            {"size", area * style.scale() * style.scale()},
            {"opacity", opacity}};
  if (!filled) mark["strokeWidth"] = 1.6 * style.scale();
  return with_tooltip(std::move(mark));
}

/// Error bars, lines, points, and the hollow marks around or beside them.
void add_marks(Json& layers, const LineChart& chart, const Panel& panel, const Style& style) {
  MarkLayers marks{layers};
  const auto any = [&](bool Mark::*flag) {
    return std::any_of(panel.marks.begin(), panel.marks.end(), [&](const Mark& mark) { return mark.*flag; });
  };
  const std::string and_agreed = any(&Mark::disturbed) ? " && !datum.disturbed" : "";
  const Json color = color_encoding(chart.series_title, chart.series, style);
  const Json shape = shape_encoding(chart.series_title, chart.series, style);
  const Json point{{"color", color}, {"shape", shape}};
  Json line{{"color", color}};
  if (chart.dashes.size() > 1) line["strokeDash"] = dash_encoding(chart, style);
  if (any(&Mark::minor)) marks.add("datum.minor", point_mark(16, true, 0.3, style), point);
  marks.add(
      "isValid(datum.low)", {{"type", "rule"}, {"opacity", 0.6}, {"strokeWidth", 1.5 * style.scale()}},
      {{"y", {{"field", "low"}, {"type", "quantitative"}}}, {"y2", {{"field", "high"}}}, {"color", color}});
  if (chart.connected)
    marks.add("!datum.published" + and_agreed, {{"type", "line"}, {"strokeWidth", 1.8 * style.scale()}},
              line);
  marks.add("!datum.published && !datum.minor" + and_agreed,
            point_mark(chart.connected ? 38 : 70, true, 1, style), point);
  if (!and_agreed.empty())
    marks.add("datum.disturbed", point_mark(38, false, 1, style),
              {{"color", {{"value", kGrey}}}, {"shape", shape}});
  if (std::ranges::any_of(panel.marks, [](const Mark& mark) { return mark.ceiling > 0; }))
    marks.add("isValid(datum.ceiling)",
              {{"type", "tick"},
               {"orient", "horizontal"},
               {"size", 14 * style.scale()},
               {"thickness", 2 * style.scale()}},
              {{"y", {{"field", "ceiling"}, {"type", "quantitative"}}}, {"color", color}});
  if (any(&Mark::published)) marks.add("datum.published", point_mark(130, false, 1, style), point);
  if (any(&Mark::synthetic))
    marks.add("datum.synthetic",
              {{"type", "point"},
               {"color", kMuted},
               {"filled", false},
               {"size", 120 * style.scale() * style.scale()},
               {"strokeWidth", 0.9 * style.scale()},
               {"shape", "circle"},
               {"opacity", 1}},
              Json::object());
}

Json draw_panel(const LineChart& chart, const Panel& panel, const LineLayout& layout, int label_rows,
                const Style& style) {
  std::vector<Json> rows;
  for (const Mark& mark : panel.marks) rows.push_back(row_of(mark));
  Json layers = Json::array();
  add_bands(layers, panel, layout, style);
  add_guides(layers, layout, style);
  add_steps(layers, panel, style);
  add_marks(layers, chart, panel, style);
  add_guide_labels(layers, chart, panel, layout, style);
  return {
      {"title", panel_title(panel.title, layout.x.pixels, style,
                            8 * style.scale() + label_row(style) * (label_rows - layout.rows))},
      {"width", layout.x.pixels},
      {"height", layout.y.pixels},
      {"data", inline_data(std::move(rows))},
      {"encoding", {{"x", axis_encoding("x", layout.x, style)}, {"y", axis_encoding("y", layout.y, style)}}},
      {"layer", layers}};
}

double panel_height(std::size_t panels, const Style& style) {
  if (!style.print()) return panels > 1 ? 270 : 350;
  return panels > 1 ? 130 : style.narrow() ? 145 : 200;
}

}  // namespace

Json draw(const LineChart& chart, const Style& style) {
  const double width = panel_width(chart.panels.size(), y_room(chart, style), style);
  const double height = panel_height(chart.panels.size(), style);
  std::vector<LineLayout> layouts;
  int label_rows = 0;
  for (const Panel& panel : chart.panels) {
    layouts.push_back(lay_out(chart, panel, width, height, style));
    label_rows = std::max(label_rows, layouts.back().rows);
  }
  std::vector<Json> panels;
  for (std::size_t i = 0; i < chart.panels.size(); ++i)
    panels.push_back(draw_panel(chart, chart.panels[i], layouts[i], label_rows, style));
  Json spec = frame(chart.heading, std::move(panels), 2, style);
  note_screen(spec, y_room(chart, style), true, style);
  return spec;
}

}  // namespace gpuseq::reports::chart
