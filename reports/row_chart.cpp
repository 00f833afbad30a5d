#include <algorithm>
#include <limits>

#include "reports/chart.hpp"

namespace gpuseq::reports::chart {
namespace {

constexpr double kRowPixels = 24;
constexpr double kBarPixels = 16;
constexpr double kLabelCharacterPixels = 6;
constexpr std::size_t kShortRow = 36;  // characters of a row's name with which two panels fit side by side

Json row_of(const RowMark& mark) {
  Json row{{"row", mark.row}, {"value", mark.value}, {"series", mark.series}};
  if (mark.low > 0 && mark.high > mark.low) {
    row["low"] = mark.low;
    row["high"] = mark.high;
  }
  if (!mark.label.empty()) row["label"] = mark.label;
  if (mark.minor) row["minor"] = true;
  add_record(row, mark.record);
  add_tips(row, mark.tips);
  return row;
}

/// One axis for all panels, so that they compare; room at its end for the longest label.
Axis common_axis(const RowChart& chart, double width) {
  double low = chart.value.log ? std::numeric_limits<double>::infinity() : 0, high = 0;
  std::size_t longest = 0;
  for (const RowPanel& panel : chart.panels)
    for (const RowMark& mark : panel.marks) {
      if (mark.value > 0) low = std::min(low, mark.value);
      high = std::max({high, mark.value, mark.high});
      longest = std::max(longest, mark.label.size());
    }
  const double reserve = std::min(0.5, (8 + kLabelCharacterPixels * static_cast<double>(longest)) / width);
  Axis axis = lay_out(chart.value, low, high, width, false, reserve);
  axis.quantity.ticks =
      chart.value.log ? log_ticks(axis.low, high, chart.value.unit, 5) : even_ticks(0, high);
  return axis;
}

Json draw_panel(const RowChart& chart, const RowPanel& panel, const Axis& axis) {
  std::vector<Json> rows;
  for (const RowMark& mark : panel.marks) rows.push_back(row_of(mark));
  const Json color = color_encoding(chart.series_title, chart.series);
  const Json shape = shape_encoding(chart.series_title, chart.series);
  const Json names{{"labelLimit", 330}, {"ticks", false}, {"domain", false}, {"grid", !chart.bars}};
  Json shared{{"y",
               {{"field", "row"},
                {"type", "nominal"},
                {"sort", panel.rows},
                {"title", nullptr},
                {"scale", {{"domain", panel.rows}}},
                {"axis", names}}},
              {"x", axis_encoding("value", axis)}};
  if (chart.bars)
    shared["yOffset"] = {{"field", "series"}, {"type", "nominal"}, {"scale", {{"domain", chart.series}}}};

  Json layers = Json::array();
  const auto add = [&](const char* filter, Json mark, Json encoding) {
    layers.push_back({{"transform", Json::array({{{"filter", filter}}})},
                      {"mark", std::move(mark)},
                      {"encoding", std::move(encoding)}});
  };
  const Json bar{{"color", color}};
  const Json point{{"color", color}, {"shape", shape}};
  add("datum.minor", with_tooltip({{"type", "tick"}, {"thickness", 1.2}, {"size", 11}, {"opacity", 0.45}}),
      bar);
  add("isValid(datum.low)", {{"type", "rule"}, {"strokeWidth", 1.5}, {"opacity", 0.7}},
      {{"x", {{"field", "low"}, {"type", "quantitative"}}}, {"x2", {{"field", "high"}}}, {"color", color}});
  if (chart.bars)
    add("!datum.minor", with_tooltip({{"type", "bar"}}), bar);
  else
    add("!datum.minor", with_tooltip({{"type", "point"}, {"filled", true}, {"size", 85}, {"opacity", 1}}),
        point);
  add("isValid(datum.label)",
      {{"type", "text"},
       {"align", "left"},
       {"baseline", "middle"},
       {"dx", 8},
       {"fontSize", 11},
       {"color", kInk}},
      {{"text", {{"field", "label"}, {"type", "nominal"}}}});
  const double per_row = chart.bars ? kBarPixels * static_cast<double>(chart.series.size()) + 8 : kRowPixels;
  return {{"title", panel_title(panel.title)},
          {"width", axis.pixels},
          {"height", per_row * static_cast<double>(std::max<std::size_t>(panel.rows.size(), 1))},
          {"data", inline_data(std::move(rows))},
          {"encoding", shared},
          {"layer", layers}};
}

}  // namespace

Json draw(const RowChart& chart) {
  std::size_t longest = 0;
  for (const RowPanel& panel : chart.panels)
    for (const std::string& row : panel.rows) longest = std::max(longest, row.size());
  const bool two_columns = longest <= kShortRow && chart.panels.size() > 1;
  const Axis axis = common_axis(chart, two_columns ? 420 : 560);
  std::vector<Json> panels;
  for (const RowPanel& panel : chart.panels) panels.push_back(draw_panel(chart, panel, axis));
  return frame(chart.heading, std::move(panels), two_columns ? 2 : 1);
}

}  // namespace gpuseq::reports::chart
