#include "reports/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gpuseq::reports::chart {
namespace {

constexpr std::size_t kTitleCharacters = 110;

/// Okabe and Ito, 'Color Universal Design' (2008); black takes the colour of text, and yellow, faint on
/// white, comes last.
constexpr std::array<const char*, 8> kPalette{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                              "#E69F00", "#56B4E9", kInk,      "#F0E442"};
constexpr std::array<const char*, 8> kShapes{"circle",        "square", "diamond",        "triangle-up",
                                             "triangle-down", "cross",  "triangle-right", "triangle-left"};

/// Values of a scale, one a series; published series stand apart.
Json range_of(const std::vector<std::string>& series, const std::array<const char*, 8>& values,
              const char* published) {
  Json range = Json::array();
  std::size_t next = 0;
  for (const std::string& name : series)
    range.push_back(name.starts_with("published") ? published : values[next++ % values.size()]);
  return range;
}

std::vector<std::string> wrap(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::string rest = text;
  while (rest.size() > width) {
    std::size_t at = rest.rfind(' ', width);
    if (at == std::string::npos || at == 0) break;
    lines.push_back(rest.substr(0, at));
    rest = rest.substr(at + 1);
  }
  lines.push_back(rest);
  return lines;
}

Json config() {
  return {{"font", "Helvetica, Arial, 'Liberation Sans', sans-serif"},
          {"background", kPaper},
          {"view", {{"stroke", nullptr}}},
          {"axis",
           {{"labelFontSize", 11},
            {"titleFontSize", 12},
            {"titleFontWeight", "normal"},
            {"labelColor", kInk},
            {"titleColor", kInk},
            {"domainColor", kMuted},
            {"tickColor", kMuted},
            {"gridColor", kMuted},
            {"gridOpacity", 0.18}}},
          {"title",
           {{"anchor", "start"},
            {"color", kInk},
            {"subtitleColor", kMuted},
            {"fontSize", 15},
            {"subtitleFontSize", 11},
            {"subtitlePadding", 5},
            {"offset", 14}}},
          {"legend",
           {{"labelFontSize", 11},
            {"titleFontSize", 11},
            {"labelColor", kInk},
            {"titleColor", kInk},
            {"labelLimit", 320},
            {"symbolOpacity", 1},
            {"symbolStrokeWidth", 2}}}};
}

void replace_colors(Json& value) {
  if (value.is_object()) {
    // Data and words stay as they are: only what decides the looks changes.
    for (auto& [key, item] : value.items())
      if (key != "data" && key != "text" && key != "description") replace_colors(item);
  } else if (value.is_array()) {
    for (Json& item : value) replace_colors(item);
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text == kInk || text == kMuted)
      value = "currentColor";
    else if (text == kPaper)
      value = "transparent";
  }
}

}  // namespace

Json for_page(Json spec) {
  replace_colors(spec);
  spec.erase("$schema");  // the page's scripts would remark on a version other than their own
  return spec;
}

double panel_width(std::size_t panels) {
  return panels > 1 ? 430 : 620;
}

Json panel_title(const std::string& title, double offset) {
  return {{"text", title}, {"frame", "group"}, {"fontSize", 12}, {"fontWeight", "bold"}, {"offset", offset}};
}

Json frame(const Heading& heading, std::vector<Json> panels, int columns) {
  Json subtitle = Json::array();
  for (const std::string& note : heading.notes)
    for (std::string& line : wrap(note, kTitleCharacters)) subtitle.push_back(std::move(line));
  Json spec{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
            {"description", heading.description},
            {"title", {{"text", heading.title}, {"subtitle", subtitle}}},
            {"config", config()},
            {"padding", 12}};
  if (panels.size() == 1) {
    for (auto& [key, value] : panels.front().items())
      if (key != "title") spec[key] = value;
    if (panels.front().contains("title")) {
      Json lines = Json::array();
      if (panels.front()["title"]["text"] != "") lines.push_back(panels.front()["title"]["text"]);
      for (Json& line : subtitle) lines.push_back(line);
      spec["title"]["subtitle"] = lines;
      // A single panel has no title of its own; its offset leaves room for labels above the plot.
      spec["title"]["offset"] = 6 + panels.front()["title"]["offset"].get<double>();
    }
    return spec;
  }
  spec["columns"] = columns;
  spec["spacing"] = Json{{"row", 28}, {"column", 36}};
  spec["concat"] = panels;
  spec["resolve"] = Json{{"scale", {{"color", "shared"}, {"shape", "shared"}, {"strokeDash", "shared"}}}};
  return spec;
}

Json color_encoding(const std::string& title, const std::vector<std::string>& series) {
  return {{"field", "series"},
          {"type", "nominal"},
          {"title", title},
          {"scale", {{"domain", series}, {"range", range_of(series, kPalette, kGrey)}}}};
}

Json shape_encoding(const std::string& title, const std::vector<std::string>& series) {
  Json encoding = color_encoding(title, series);
  encoding["scale"]["range"] = range_of(series, kShapes, "triangle-left");
  return encoding;
}

double Axis::place(double value) const {
  if (quantity.log) return std::log(value / low) / std::log(high / low) * pixels;
  return (value - low) / (high - low) * pixels;
}

Axis lay_out(const Quantity& quantity, double low, double high, double pixels, bool vertical,
             double reserve) {
  const double grown = 1 / (1 - reserve);
  if (quantity.log) {
    // A single value, or several equal ones, still needs a scale with an extent.
    const double margin = high > low ? std::pow(high / low, 0.04) : 1.5;
    low /= margin;
    high = low * std::pow(high * margin / low, grown);
  } else {
    low = std::min(low, 0.0);
    high = high > 0 ? high * 1.06 * grown : 1;
  }
  return {quantity, low, high, pixels, vertical};
}

Json axis_encoding(const char* field, const Axis& axis) {
  const Quantity& quantity = axis.quantity;
  const double pixels_per_tick = axis.vertical ? 40 : quantity.unit == Unit::bases_per_s ? 95 : 68;
  const auto most = static_cast<std::size_t>(axis.pixels / pixels_per_tick);
  Json look{{"title", quantity.title},
            {"labelExpr", quantity.labels.empty() ? label_expression(quantity.unit) : quantity.labels},
            {"labelOverlap", "greedy"}};
  Json scale{{"nice", false}, {"domain", {axis.low, axis.high}}};
  if (quantity.log) {
    scale["type"] = "log";
    scale["base"] = quantity.unit == Unit::bytes ? 2 : 10;
  } else {
    look["tickCount"] = most;
  }
  if (!quantity.ticks.empty())
    look["values"] = quantity.ticks;
  else if (quantity.log)
    look["values"] = log_ticks(axis.low, axis.high, quantity.unit, most);
  return {{"field", field}, {"type", "quantitative"}, {"scale", scale}, {"axis", look}};
}

void add_tips(Json& row, const Tips& tips) {
  for (const auto& [name, text] : tips)
    if (!text.empty()) row["tips"][name] = text;
}

void add_record(Json& row, const RecordIndex& record) {
  if (record) row["record"] = *record;
}

Json with_tooltip(Json mark) {
  mark["tooltip"] = {{"expr", "datum.tips"}};
  return mark;
}

Json inline_data(std::vector<Json> rows) {
  return {{"values", Json(std::move(rows))}};
}

}  // namespace gpuseq::reports::chart
