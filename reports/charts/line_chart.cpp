#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "reports/charts/line_layout.hpp"

namespace gpuseq::reports::chart {
namespace {

constexpr double kPatternLength = 26;  // of a line in the legend: each pattern at least twice

Json one_row(Json row) {
  return {{"values", Json::array({std::move(row)})}};
}

Json label_layer(const TopLabel& label, const Style& style) {
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
    const TopLabel& label = layout.bands[i];
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

/// Of the guides across a panel: over the marks, with a rim that keeps the grid behind from the letters.
void add_guide_labels(Json& layers, const LineLayout& layout, const Style& style) {
  using Place = LabelAcross::Place;
  for (const LabelAcross& label : layout.across) {
    if (label.place == Place::top) {
      layers.push_back(label_layer(label.top, style));
      continue;
    }
    const bool right = label.place == Place::right, along = label.place == Place::at_x;
    const Json text{{"type", "text"},
                    {"align", right ? "right" : "left"},
                    {"baseline", label.below ? "top" : "bottom"},
                    {"dx", along   ? 0
                           : right ? -4
                                   : 4},
                    {"dy", label.below ? 3 : -3},
                    {"fontSize", style.label},
                    {"color", kMuted}};
    Json row{{"at", label.at}, {"label", label.text}};
    if (along) row["x"] = label.x;
    Json x{{"value", right ? Json("width") : Json(0)}};
    if (along) x = {{"field", "x"}, {"type", "quantitative"}};
    for (const Json& mark : {rim_of(text, style), text})
      layers.push_back({{"data", one_row(row)},
                        {"mark", mark},
                        {"encoding",
                         {{"y", {{"field", "at"}, {"type", "quantitative"}}},
                          {"x", x},
                          {"text", {{"field", "label"}, {"type", "nominal"}}}}}});
  }
}

void add_guides(Json& layers, const LineLayout& layout, const Style& style) {
  const Json rule{
      {"type", "rule"}, {"color", kGrey}, {"strokeWidth", 1.2 * style.scale()}, {"strokeDash", {4, 3}}};
  for (std::size_t i = 0; i < layout.guides.size(); ++i) {
    const Guide& guide = layout.guides[i];
    const TopLabel& label = layout.labels[i];
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

/// @param label_side  as a place in kSides
Json row_of(const Mark& mark, int label_side) {
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
  if (mark.behind) row["behind"] = true;
  if (mark.ceiling > 0) row["ceiling"] = mark.ceiling;
  if (label_side != kNoSide) {
    row["label"] = mark.label;
    row["label_side"] = label_side;
  }
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

/// Thin lines and small hollow points.
void add_behind(MarkLayers& marks, const LineChart& chart, Json line, const Json& point, const Style& style) {
  if (chart.connected)
    marks.add("datum.behind && !datum.published",
              {{"type", "line"}, {"strokeWidth", 1 * style.scale()}, {"opacity", 0.55}}, std::move(line));
  marks.add("datum.behind && !datum.published", point_mark(MarkAreas::point, false, 0.7, style), point);
}

/// Error bars, lines, points, and the hollow marks around or beside them.
void add_marks(Json& layers, const LineChart& chart, const Panel& panel, const Style& style) {
  MarkLayers marks{layers};
  const auto any = [&](bool Mark::*flag) {
    return std::any_of(panel.marks.begin(), panel.marks.end(), [&](const Mark& mark) { return mark.*flag; });
  };
  const std::string in_front = any(&Mark::behind) ? " && !datum.behind" : "";
  const std::string and_agreed = (any(&Mark::disturbed) ? " && !datum.disturbed" : "") + in_front;
  const Json color = color_encoding(chart.series_title, chart.series, style);
  const Json shape = shape_encoding(chart.series_title, chart.series, style);
  const Json point{{"color", color}, {"shape", shape}};
  Json line{{"color", color}};
  if (chart.dashes.size() > 1) line["strokeDash"] = dash_encoding(chart, style);
  if (!in_front.empty()) add_behind(marks, chart, line, point, style);
  if (any(&Mark::minor)) marks.add("datum.minor", point_mark(MarkAreas::minor, true, 0.3, style), point);
  marks.add(
      "isValid(datum.low)" + in_front,
      {{"type", "rule"}, {"opacity", 0.6}, {"strokeWidth", 1.5 * style.scale()}},
      {{"y", {{"field", "low"}, {"type", "quantitative"}}}, {"y2", {{"field", "high"}}}, {"color", color}});
  if (chart.connected)
    marks.add("!datum.published" + and_agreed, {{"type", "line"}, {"strokeWidth", 1.8 * style.scale()}},
              line);
  marks.add("!datum.published && !datum.minor" + and_agreed,
            point_mark(chart.connected ? MarkAreas::point : MarkAreas::lone, true, 1, style), point);
  if (any(&Mark::disturbed))
    marks.add("datum.disturbed" + in_front, point_mark(MarkAreas::point, false, 1, style),
              {{"color", {{"value", kGrey}}}, {"shape", shape}});
  if (std::ranges::any_of(panel.marks, [](const Mark& mark) { return mark.ceiling > 0; }))
    marks.add("isValid(datum.ceiling)",
              {{"type", "tick"},
               {"orient", "horizontal"},
               {"size", 14 * style.scale()},
               {"thickness", 2 * style.scale()}},
              {{"y", {{"field", "ceiling"}, {"type", "quantitative"}}}, {"color", color}});
  if (any(&Mark::published))
    marks.add("datum.published", point_mark(MarkAreas::published, false, 1, style), point);
  if (any(&Mark::synthetic))
    marks.add("datum.synthetic",
              {{"type", "point"},
               {"color", kMuted},
               {"filled", false},
               {"size", MarkAreas::ring * style.scale() * style.scale()},
               {"strokeWidth", 0.9 * style.scale()},
               {"shape", "circle"},
               {"opacity", 1}},
              Json::object());
}

/// Of marks, by their sides: over what is drawn, with a rim as those of guides have.
void add_mark_labels(Json& layers, const LineChart& chart, const LineLayout& layout, const Style& style) {
  MarkLayers marks{layers};
  for (std::size_t i = 0; i < kSides.size(); ++i) {
    const int place = static_cast<int>(i);
    if (std::ranges::find(layout.sides, place) == layout.sides.end()) continue;
    const Side side = kSides[i];
    const LabelGap gap = label_gap(chart, side, style);
    const Json text{{"type", "text"},
                    {"align", side.right > 0   ? "left"
                              : side.right < 0 ? "right"
                                               : "center"},
                    {"baseline", "middle"},
                    {"dx", side.right * gap.right},
                    {"dy", -side.up * (gap.up + style.label / 2)},
                    {"fontSize", style.label},
                    {"color", kMuted}};
    for (const Json& mark : {rim_of(text, style), text})
      marks.add(fmt::format("datum.label_side === {}", place), mark,
                {{"text", {{"field", "label"}, {"type", "nominal"}}}});
  }
}

Json draw_panel(const LineChart& chart, const Panel& panel, const LineLayout& layout, int label_rows,
                const Style& style) {
  std::vector<Json> rows;
  for (std::size_t i = 0; i < panel.marks.size(); ++i)
    rows.push_back(row_of(panel.marks[i], layout.sides[i]));
  Json layers = Json::array();
  add_bands(layers, panel, layout, style);
  add_guides(layers, layout, style);
  add_steps(layers, panel, style);
  add_marks(layers, chart, panel, style);
  add_guide_labels(layers, layout, style);
  add_mark_labels(layers, chart, layout, style);
  Json drawn{
      {"title", panel_title(panel.title, layout.x.pixels, style,
                            8 * style.scale() + label_row(style) * (label_rows - layout.rows))},
      {"width", layout.x.pixels},
      {"height", layout.y.pixels},
      {"data", inline_data(std::move(rows))},
      {"encoding", {{"x", axis_encoding("x", layout.x, style)}, {"y", axis_encoding("y", layout.y, style)}}},
      {"layer", layers}};
  if (style.bare) drawn["least_height"] = kLeastPlotPoints;
  return drawn;
}

double panel_height(std::size_t panels, const Style& style) {
  if (!style.print()) return panels > 1 ? 270 : 350;
  if (style.plot_height > 0) return style.plot_height;
  return panels > 1 ? 130 : style.narrow() ? 145 : 200;
}

}  // namespace

Json draw(const LineChart& chart, const Style& style) {
  const double height = panel_height(chart.panels.size(), style), beside = y_room(chart, height, style);
  const double width = panel_width(chart.panels.size(), beside, style);
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
  note_screen(spec, beside, true, style);
  return spec;
}

}  // namespace gpuseq::reports::chart
