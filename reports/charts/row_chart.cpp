#include <algorithm>
#include <limits>

#include "reports/charts/chart_spec.hpp"

namespace gpuseq::reports::chart {
namespace {

constexpr double kRowPixels = 24;
constexpr double kBarPixels = 16;
constexpr std::size_t kShortRow = 36;  // letters of a row's name with which two panels fit side by side
constexpr double kNameGap = 5;         // in print, between a name and its row
constexpr double kMostOfPlot = 0.58;   // that words beside marks may take
constexpr double kAxisPixels = 560, kAxisOfTwoPixels = 420;

/// What decides the width of plots: the letters that a line of a row's name may have (in print), those of the
/// longest, and the most lines.
struct Names {
  std::size_t line = 24, longest = 0, lines = 1;
};

/// A row's name; in print of several lines, which the axis splits again.
std::string row_name(const std::string& row, const Names& names, const Style& style) {
  if (!style.print()) return row;
  std::string name;
  for (const std::string& line : wrap(row, names.line)) name += (name.empty() ? "" : "\n") + line;
  return name;
}

/// Pixels of a line of a row's name, at most.
double name_limit(const Style& style) {
  return style.print() ? std::min(200.0, 0.45 * style.width) : 330;
}

double name_width(const Names& names, const Style& style) {
  return std::min(name_limit(style), text_width(std::string(names.longest, 'x'), style.text)) +
         (style.print() ? 6 + kNameGap : 8);
}

/// How the words beside marks are laid out in a plot.
struct Labels {
  bool detailed = true;  // there is room for details
};

std::string label_of(const RowMark& mark, Labels labels) {
  return labels.detailed && !mark.detail.empty() ? mark.label + ", " + mark.detail : mark.label;
}

double longest_label(const RowChart& chart, Labels labels, const Style& style) {
  double longest = 0;
  for (const RowPanel& panel : chart.panels)
    for (const RowMark& mark : panel.marks)
      longest = std::max(longest, text_width(label_of(mark, labels), style.text));
  return longest;
}

double sum_of(const RowPanel& panel, const std::string& row) {
  double sum = 0;
  for (const RowMark& mark : panel.marks)
    if (mark.row == row) sum += mark.value;
  return sum;
}

/// Where the words of a row begin: behind its last mark.
double last_of(const RowChart& chart, const RowPanel& panel, const RowMark& labelled) {
  if (chart.stacked) return sum_of(panel, labelled.row);
  double last = std::max(labelled.value, labelled.high);
  for (const RowMark& mark : panel.marks)
    if (mark.row == labelled.row && mark.minor) last = std::max(last, mark.value);
  return last;
}

Json row_of(const RowChart& chart, const RowPanel& panel, const RowMark& mark, const Names& names,
            Labels labels, const Style& style) {
  Json row{{"row", row_name(mark.row, names, style)}, {"value", mark.value}, {"series", mark.series}};
  if (chart.stacked)
    row["order"] = std::find(chart.series.begin(), chart.series.end(), mark.series) - chart.series.begin();
  if (!chart.stacked && has_interval(chart, panel, mark)) {
    row["low"] = mark.low;
    row["high"] = mark.high;
  }
  if (!mark.label.empty()) {
    row["label"] = label_of(mark, labels);
    row["label_at"] = last_of(chart, panel, mark);
  }
  if (mark.minor) row["minor"] = true;
  if (mark.hollow) row["hollow"] = true;
  add_record(row, mark.record);
  add_tips(row, mark.tips);
  return row;
}

Names names_of(const RowChart& chart, const Style& style) {
  Names names{.line = row_name_letters(chart, style)};
  for (const RowPanel& panel : chart.panels)
    for (const std::string& row : panel.rows) {
      const std::vector<std::string> lines = style.print() ? wrap(row, names.line) : std::vector{row};
      names.lines = std::max(names.lines, lines.size());
      for (const std::string& line : lines) names.longest = std::max(names.longest, line.size());
    }
  return names;
}

/// Of shares the whole is one, and the halves and quarters of it.
std::vector<double> linear_ticks(const Quantity& quantity, double high) {
  return quantity.unit == Unit::share && high == 1 ? std::vector<double>{0, 0.25, 0.5, 0.75, 1}
                                                   : even_ticks(0, high);
}

/// One axis for some panels, so that they compare; room at its end for the longest label.
Axis common_axis(const RowChart& chart, const Quantity& quantity, const std::vector<const RowPanel*>& panels,
                 double width, double longest) {
  double low = quantity.log ? std::numeric_limits<double>::infinity() : 0, high = 0;
  for (const RowPanel* panel : panels)
    for (const RowMark& mark : panel->marks) {
      if (mark.value > 0) low = std::min(low, mark.value);
      high = std::max({high, mark.value, mark.high, chart.stacked ? sum_of(*panel, mark.row) : 0});
    }
  if (quantity.unit == Unit::share && !quantity.log) high = std::max(high, 1.0);
  const double reserve = std::min(0.6, (10 + longest) / width);
  Axis axis = lay_out(quantity, low, high, width, false, reserve);
  if (quantity.ticks.empty())
    axis.quantity.ticks =
        quantity.log ? log_ticks(axis.low, high, quantity.unit, 5) : linear_ticks(quantity, high);
  return axis;
}

/// Names of several lines begin at their row and would end below the axis: they are moved up by half of the
/// lines that follow the first.
Json middle_of_lines(double line_pixels) {
  constexpr int kMostLines = 8;
  Json conditions = Json::array();
  for (int lines = 2; lines <= kMostLines; ++lines)
    conditions.push_back({{"test", "length(split(datum.label, '\\n')) === " + std::to_string(lines)},
                          {"value", -line_pixels * (lines - 1) / 2}});
  return {{"condition", conditions}, {"value", 0}};
}

Json row_axis(const RowPanel& panel, bool bars, const Names& names, const Style& style) {
  std::vector<std::string> rows;
  for (const std::string& row : panel.rows) rows.push_back(row_name(row, names, style));
  Json axis{{"labelLimit", name_limit(style)}, {"ticks", false}, {"domain", false}, {"grid", !bars}};
  if (style.print()) {
    axis["labelPadding"] = kNameGap;  // a mark may stand on the end of the axis
    axis["labelExpr"] = "split(datum.label, '\\n')";
    axis["labelLineHeight"] = style.text * 1.1;
    axis["labelOverlap"] = false;
    axis["labelOffset"] = middle_of_lines(style.text * 1.1);
  }
  return {{"field", "row"},   {"type", "nominal"},           {"sort", rows},
          {"title", nullptr}, {"scale", {{"domain", rows}}}, {"axis", axis}};
}

void add_marks(Json& layers, const RowChart& chart, const Style& style) {
  const double scale = style.scale(), area = scale * scale;
  const Json color = color_encoding(chart.series_title, chart.series, style);
  const Json bar{{"color", color}};
  const Json point{{"color", color}, {"shape", shape_encoding(chart.series_title, chart.series, style)}};
  const auto add = [&](const char* filter, Json mark, Json encoding) {
    layers.push_back({{"transform", Json::array({{{"filter", filter}}})},
                      {"mark", std::move(mark)},
                      {"encoding", std::move(encoding)}});
  };
  add("datum.minor",
      with_tooltip({{"type", "tick"}, {"thickness", 1.2 * scale}, {"size", 11 * scale}, {"opacity", 0.45}}),
      bar);
  if (!chart.stacked)
    add("isValid(datum.low)", {{"type", "rule"}, {"strokeWidth", 1.5 * scale}, {"opacity", 0.7}},
        {{"x", {{"field", "low"}, {"type", "quantitative"}}}, {"x2", {{"field", "high"}}}, {"color", color}});
  if (chart.bars)
    add("!datum.minor", with_tooltip({{"type", "bar"}}), bar);
  else
    add("!datum.minor && !datum.hollow",
        with_tooltip({{"type", "point"}, {"filled", true}, {"size", 85 * area}, {"opacity", 1}}), point);
  add("datum.hollow",
      with_tooltip({{"type", "point"},
                    {"filled", false},
                    {"size", 85 * area},
                    {"strokeWidth", 1.8 * scale},
                    {"opacity", 1}}),
      point);
  const Json words{{"type", "text"},  {"align", "left"},        {"baseline", "middle"},
                   {"dx", 8 * scale}, {"fontSize", style.text}, {"color", kInk}},
      beside{{"x", {{"field", "label_at"}, {"type", "quantitative"}}},
             {"text", {{"field", "label"}, {"type", "nominal"}}}};
  if (style.print()) add("isValid(datum.label)", rim_of(words, style), beside);
  add("isValid(datum.label)", words, beside);
}

Json draw_panel(const RowChart& chart, const RowPanel& panel, const Axis& axis, const Names& names,
                Labels labels, const Style& style) {
  std::vector<Json> rows;
  for (const RowMark& mark : panel.marks) rows.push_back(row_of(chart, panel, mark, names, labels, style));
  Json shared{{"y", row_axis(panel, chart.bars, names, style)}, {"x", axis_encoding("value", axis, style)}};
  if (chart.stacked) {
    shared["x"]["stack"] = "zero";
    shared["order"] = {{"field", "order"}, {"type", "quantitative"}};
  }
  const bool grouped = chart.bars && chart.grouped && !chart.stacked;
  if (grouped)
    shared["yOffset"] = {{"field", "series"}, {"type", "nominal"}, {"scale", {{"domain", chart.series}}}};
  Json layers = Json::array();
  add_marks(layers, chart, style);
  const double scale = style.scale();
  double per_row =
      grouped ? kBarPixels * scale * static_cast<double>(chart.series.size()) + 8 : kRowPixels * scale;
  per_row = std::max(per_row, style.text * 1.1 * static_cast<double>(names.lines) + 3);
  const auto count = static_cast<double>(std::max<std::size_t>(panel.rows.size(), 1));
  Json drawn{{"title", panel_title(panel.title, axis.pixels, style, 8 * scale)},
             {"width", axis.pixels},
             {"height", per_row * count},
             {"data", inline_data(std::move(rows))},
             {"encoding", shared},
             {"layer", layers}};
  if (style.bare) drawn["least_height"] = least_row(names.lines, style) * count;
  return drawn;
}

double axis_width(const RowChart& chart, const Names& names, bool two_columns, const Style& style) {
  if (!style.print()) return two_columns ? kAxisOfTwoPixels : kAxisPixels;
  return panel_width(two_columns ? chart.panels.size() : 1, name_width(names, style), style);
}

}  // namespace

const Quantity& value_of(const RowChart& chart, const RowPanel& panel) {
  return panel.value ? *panel.value : chart.value;
}

bool has_interval(const RowChart& chart, const RowPanel& panel, const RowMark& mark) {
  const bool on_axis = value_of(chart, panel).log ? mark.low > 0 : mark.low >= 0;
  return on_axis && mark.high > mark.low;
}

std::size_t row_name_letters(const RowChart& chart, const Style& style) {
  constexpr double kShare = 0.35;  // of a picture of one plot, for names
  return style.bare && chart.panels.size() == 1
             ? std::max<std::size_t>(24, letters(kShare * style.width, style.text))
             : 24;
}

Json draw(const RowChart& chart, const Style& style) {
  const Names names = names_of(chart, style);
  const bool two_columns = style.columns > 1 && names.longest <= kShortRow && chart.panels.size() > 1;
  const double width = axis_width(chart, names, two_columns, style);
  const Labels labels{.detailed = longest_label(chart, {true}, style) < kMostOfPlot * width};
  const double longest = longest_label(chart, labels, style);
  std::vector<const RowPanel*> sharing;
  for (const RowPanel& panel : chart.panels)
    if (!panel.value) sharing.push_back(&panel);
  std::vector<Json> panels;
  for (const RowPanel& panel : chart.panels) {
    const Axis axis = panel.value ? common_axis(chart, *panel.value, {&panel}, width, longest)
                                  : common_axis(chart, chart.value, sharing, width, longest);
    panels.push_back(draw_panel(chart, panel, axis, names, labels, style));
  }
  Json spec = frame(chart.heading, std::move(panels), two_columns ? 2 : 1, style);
  note_screen(spec, name_width(names, style), false, style);
  return spec;
}

}  // namespace gpuseq::reports::chart
