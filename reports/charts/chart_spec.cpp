#include "reports/charts/chart_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace gpuseq::reports::chart {
namespace {

constexpr std::size_t kTitleLetters = 110;  // of a line under the title on a screen
constexpr double kPrintPadding = 2;
constexpr double kNotesAreNarrower = 1.06;  // prose has more narrow letters than labels
constexpr double kBoldIsWider = 1.06;
constexpr double kLabelGap = 5;        // between labels along an axis
constexpr std::size_t kAnyTicks = 60;  // more than an axis has room for
constexpr double kOverhang = 9;        // of the last label of an axis
constexpr double kPrintGap = 10;       // between panels side by side

/// Okabe and Ito, 'Color Universal Design' (2008); black takes the colour of text, and a brown of our own the
/// place of yellow, which is faint on white.
constexpr std::array<const char*, kMostSeries> kPalette{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                        "#E69F00", "#56B4E9", kInk,      "#8A5A3B"};
constexpr std::array<const char*, kMostSeries> kShapes{"circle",         "square",        "diamond",
                                                       "triangle-up",    "triangle-down", "cross",
                                                       "triangle-right", "triangle-left"};

/// Values of a scale, one a series; published series stand apart. A chart has no more than there are values
/// (series_limit.hpp).
Json range_of(const std::vector<std::string>& series, std::span<const char* const> values,
              const char* published) {
  Json range = Json::array();
  std::size_t next = 0;
  for (const std::string& name : series)
    range.push_back(is_published(name) ? published : values[next++ % values.size()]);
  return range;
}

Json config(const Style& style) {
  Json config{{"font", "Helvetica, Arial, 'Liberation Sans', sans-serif"},
              {"background", kPaper},
              {"view", {{"stroke", nullptr}}},
              {"axis",
               {{"labelFontSize", style.text},
                {"titleFontSize", style.axis_title},
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
                {"fontSize", style.title},
                {"subtitleFontSize", style.text},
                {"subtitlePadding", 5 * style.scale()},
                {"offset", 14 * style.scale()}}},
              {"legend",
               {{"labelFontSize", style.text},
                {"titleFontSize", style.text},
                {"labelColor", kInk},
                {"titleColor", kInk},
                {"labelLimit", style.print() ? style.width - 20 : 320},
                {"orient", "bottom"},
                {"direction", "horizontal"},
                {"symbolOpacity", 1},
                {"symbolStrokeWidth", 2 * style.scale()}}}};
  if (style.print()) {
    config["font"] = "'Liberation Sans', Arial, Helvetica, sans-serif";  // what the pictures hold
    config["axis"].update({{"tickSize", 3}, {"labelPadding", 2}, {"titlePadding", 3}, {"gridWidth", 0.5}});
    config["legend"].update(
        {{"symbolSize", 30},
         {"rowPadding", 1},
         {"columnPadding", 6},
         {"padding", 0},
         {"titlePadding", 2},
         {"offset", 6},
         {"layout", {{"bottom", {{"anchor", "start"}, {"direction", "vertical"}, {"margin", 4}}}}}});
  }
  return config;
}

/// The title and the lines under it. @param first  a line before the notes; may be empty
Json title_of(const Heading& heading, const std::string& first, const Style& style) {
  Json lines = Json::array();
  const std::size_t note =
      style.print() ? letters(style.width * kNotesAreNarrower, style.text) : kTitleLetters;
  const auto add = [&](const std::string& text) {
    for (std::string& line : wrap(text, note)) lines.push_back(std::move(line));
  };
  if (!first.empty()) add(first);
  for (const std::string& text : heading.notes) add(text);
  Json text = heading.title;
  if (style.print()) text = wrap(heading.title, letters(style.width - 4, style.title * kBoldIsWider));
  return {{"text", text}, {"subtitle", lines}};
}

}  // namespace

std::vector<std::string> wrap(const std::string& text, std::size_t letters) {
  std::vector<std::string> lines;
  std::string_view rest = text;
  while (rest.size() > letters) {
    std::size_t at = rest.rfind(' ', letters);
    if (at == std::string_view::npos || at == 0) at = rest.find(' ', letters);
    if (at == std::string_view::npos) break;
    lines.emplace_back(rest.substr(0, at));
    rest.remove_prefix(at + 1);
  }
  lines.emplace_back(rest);
  return lines;
}

double axis_room(const Quantity& quantity, double high, double height, const Style& style) {
  const std::string widest =
      quantity.labels.empty() ? format_value(high * 0.888, quantity.unit) : "88.8 (8.88 GB)";
  const std::size_t lines = wrap(quantity.title, letters(height, style.axis_title)).size();
  return text_width(widest, style.text) + static_cast<double>(lines) * style.axis_title + 8;
}

double panel_width(std::size_t panels, double beside, const Style& style) {
  if (!style.print()) return panels > 1 ? 430 : 620;
  const double columns = panels > 1 ? style.columns : 1;
  return std::floor((style.width - 2 * kPrintPadding - (columns - 1) * kPrintGap) / columns - beside -
                    kOverhang);
}

Json panel_title(const std::string& title, double width, const Style& style, double offset) {
  Json text = title;
  if (style.print())
    if (const auto lines = wrap(title, letters(width, style.panel_title * kBoldIsWider)); lines.size() > 1)
      text = lines;
  return {{"text", text},
          {"frame", "group"},
          {"fontSize", style.panel_title},
          {"fontWeight", "bold"},
          {"offset", offset}};
}

Json frame(const Heading& heading, std::vector<Json> panels, int columns, const Style& style) {
  Json spec{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
            {"description", heading.description},
            {"title", title_of(heading, "", style)},
            {"config", config(style)},
            {"padding", style.print() ? kPrintPadding : 12}};
  if (style.print()) spec["usermeta"] = {{"width_points", style.width}};
  if (style.bare) {
    spec.erase("title");
    spec["usermeta"]["height_points"] = style.height;
    spec["usermeta"]["least_heights"] = Json::array();
    for (Json& panel : panels) {
      spec["usermeta"]["least_heights"].push_back(panel["least_height"]);
      panel.erase("least_height");
      if (panels.size() == 1) panel.erase("title");
    }
  }
  if (panels.size() == 1) {
    for (auto& [key, value] : panels.front().items())
      if (key != "title") spec[key] = value;
    if (panels.front().contains("title")) {
      const Json& own = panels.front()["title"];
      const Json& text = own["text"];
      std::string first;
      for (const Json& line : text.is_array() ? text : Json::array({text})) {
        if (!first.empty()) first += ' ';
        first += line.get<std::string>();
      }
      spec["title"] = title_of(heading, first, style);
      // A single panel has no title of its own; its offset leaves room for labels above the plot.
      spec["title"]["offset"] = 6 + own["offset"].get<double>();
    }
    return spec;
  }
  spec["columns"] = std::min(columns, style.columns);
  spec["spacing"] =
      style.print() ? Json{{"row", 14}, {"column", kPrintGap}} : Json{{"row", 28}, {"column", 36}};
  spec["concat"] = panels;
  spec["resolve"] = Json{{"scale", {{"color", "shared"}, {"shape", "shared"}, {"strokeDash", "shared"}}}};
  return spec;
}

void note_screen(Json& spec, double beside, bool stretches, const Style& style) {
  if (!style.print()) spec["usermeta"] = {{"beside", std::ceil(beside)}, {"stretches", stretches}};
}

Json legend(const std::vector<std::string>& names, const Style& style) {
  constexpr double kScreenWidth = 640;
  double widest = 0;
  for (const std::string& name : names) widest = std::max(widest, text_width(name, style.text));
  const double room = widest + 16;  // the symbol and the gaps; legends begin where the first plot does
  const double width = style.print() ? style.width * (style.narrow() ? 0.72 : 0.85) : kScreenWidth;
  return {{"columns", std::max(1, static_cast<int>(width / room))}};
}

Json color_encoding(const std::string& title, const std::vector<std::string>& series, const Style& style) {
  Json encoding{{"field", "series"},
                {"type", "nominal"},
                {"title", title},
                {"scale", {{"domain", series}, {"range", range_of(series, kPalette, kGrey)}}}};
  encoding["legend"] = legend(series, style);
  return encoding;
}

Json shape_encoding(const std::string& title, const std::vector<std::string>& series, const Style& style) {
  Json encoding = color_encoding(title, series, style);
  encoding["scale"]["range"] = range_of(series, kShapes, "triangle-left");
  return encoding;
}

double least_row(std::size_t lines, const Style& style) {
  return style.text * 1.1 * static_cast<double>(lines) + 2;
}

double Axis::place(double value) const {
  if (quantity.log) return std::log(value / low) / std::log(high / low) * pixels;
  return (value - low) / (high - low) * pixels;
}

double Axis::value_at(double place) const {
  if (quantity.log) return low * std::pow(high / low, place / pixels);
  return low + (high - low) * place / pixels;
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

namespace {

bool is_decade(double value) {
  const double power = std::log10(value);
  return value > 0 && std::abs(power - std::round(power)) < 1e-9;
}

/// Ticks whose labels do not touch, from the low end on; of a logarithmic axis decades before others.
std::vector<double> not_touching(const std::vector<double>& ticks, const Axis& axis, const Style& style) {
  struct Kept {
    double tick, start, end;
  };
  std::vector<Kept> kept;
  const auto keep = [&](double tick) {
    const double half = text_width(format_value(tick, axis.quantity.unit), style.text) / 2;
    const double start = axis.place(tick) - half, end = axis.place(tick) + half;
    if (std::ranges::none_of(kept, [&](const Kept& other) {
          return start < other.end + kLabelGap && other.start < end + kLabelGap;
        }))
      kept.push_back({tick, start, end});
  };
  const auto keep_some = [&](bool decades) {
    for (const double tick : ticks)
      if (decades == (!axis.quantity.log || is_decade(tick))) keep(tick);
  };
  keep_some(true);
  keep_some(false);
  if (kept.size() < 2 && axis.quantity.log) {  // any two say how the axis goes, the outermost first
    const std::vector<double> all = log_ticks(axis.low, axis.high, axis.quantity.unit, kAnyTicks);
    for (const bool from_end : {false, true})
      for (std::size_t i = 0; i < all.size() && kept.size() < 2; ++i)
        keep(all[from_end ? all.size() - 1 - i : i]);
  }
  std::ranges::sort(kept, {}, &Kept::tick);
  std::vector<double> values;
  values.reserve(kept.size());
  for (const Kept& one : kept) values.push_back(one.tick);
  return values;
}

/// Ticks whose labels do not touch: of a linear axis evenly many are left out.
std::vector<double> apart(const std::vector<double>& ticks, const Axis& axis, const Style& style) {
  for (std::size_t stride = 1; !axis.quantity.log && stride < ticks.size(); ++stride) {
    std::vector<double> even;
    for (std::size_t i = 0; i < ticks.size(); i += stride) even.push_back(ticks[i]);
    if (not_touching(even, axis, style).size() == even.size()) return even;
  }
  return not_touching(ticks, axis, style);
}

/// Where the unit of a rate leaves room for two labels and fewer in print, it goes from the labels ("1 G") to
/// the title, which names the quantity or gets the unit behind.
void shorten_labels(Axis& axis, const std::vector<double>& ticks, const Style& style) {
  Quantity& quantity = axis.quantity;
  const std::string_view unit = base_unit(quantity.unit);
  const bool is_rate = quantity.unit == Unit::bases_per_s || quantity.unit == Unit::bytes_per_s ||
                       quantity.unit == Unit::bases_per_joule;
  if (!style.print() || axis.vertical || !is_rate || !quantity.labels.empty()) return;
  if (apart(ticks, axis, style).size() >= std::min<std::size_t>(3, ticks.size())) return;
  if (!quantity.title.ends_with(" per second")) quantity.title += fmt::format(" ({})", unit);
  quantity.unit = Unit::number_si;
}

}  // namespace

Json axis_encoding(const char* field, const Axis& laid_out, const Style& style) {
  Axis axis = laid_out;
  const double pixels_per_tick = axis.vertical ? 40 : axis.quantity.unit == Unit::bases_per_s ? 95 : 68;
  const auto most = static_cast<std::size_t>(std::max(2.0, axis.pixels / (pixels_per_tick * style.scale())));
  std::vector<double> ticks = axis.quantity.ticks;
  if (ticks.empty() && axis.quantity.log) ticks = log_ticks(axis.low, axis.high, axis.quantity.unit, most);
  shorten_labels(axis, ticks, style);
  const Quantity& quantity = axis.quantity;
  Json look{{"title", quantity.title},
            {"labelExpr", quantity.labels.empty() ? label_expression(quantity.unit) : quantity.labels},
            {"labelOverlap", "greedy"},
            {"labelSeparation", 4},
            {"labelFlush", false}};  // a label moved inward would touch the next
  if (style.print() && text_width(quantity.title, style.axis_title) > axis.pixels)
    look["title"] = wrap(quantity.title, letters(axis.pixels, style.axis_title));
  Json scale{{"nice", false}, {"domain", {axis.low, axis.high}}};
  if (quantity.log) {
    scale["type"] = "log";
    scale["base"] = quantity.unit == Unit::bytes ? 2 : 10;
  } else {
    look["tickCount"] = most;
  }
  if (!ticks.empty()) look["values"] = axis.vertical ? ticks : apart(ticks, axis, style);
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

Json rim_of(Json text, const Style& style) {
  text.update({{"color", "white"}, {"stroke", "white"}, {"strokeWidth", 3 * style.scale()}});
  return text;
}

Json inline_data(std::vector<Json> rows) {
  return {{"values", Json(std::move(rows))}};
}

}  // namespace gpuseq::reports::chart
