#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/units.hpp"

/// Builders of Vega-Lite: a figure fills plain values, these turn them into a specification. Series take the
/// colours of Okabe and Ito (distinct for colour-blind readers) and a shape each, so that colour is never the
/// only sign; series named "published..." are grey.
namespace gpuseq::reports::chart {

using Json = nlohmann::ordered_json;
using Tips = std::vector<std::pair<std::string, std::string>>;  // tooltip lines: name, text

/// Which record a mark stands for, as an index into ReportData::entries: the field "record" of its data row,
/// by which a page links a point to its record. None for what no record says.
using RecordIndex = std::optional<std::size_t>;

/// What an axis shows.
struct Quantity {
  std::string title = {};
  Unit unit = Unit::number;
  bool log = false;
  std::vector<double> ticks = {};  // values to label; empty: chosen
  std::string labels = {};         // Vega expression for the labels; empty: the unit's
};

/// A point of a line chart; `low` and `high` bound y (equal to y: no error bar).
struct Mark {
  double x = 0, y = 0, low = 0, high = 0;
  std::string series = {};
  std::string dash = {};   // a second name, shown as the pattern of the line; empty: none
  bool synthetic = false;  // ringed
  bool published = false;  // drawn hollow and without a line
  RecordIndex record = {};
  Tips tips = {};
};

/// A line across a panel, for a published value.
struct Guide {
  bool vertical = true;
  double at = 0;
  std::string label = {};
};

/// A shaded stretch of the x axis, for a knee.
struct Band {
  double from = 0, to = 0;
  std::string label = {};
};

struct Panel {
  std::string title = {};
  std::vector<Mark> marks = {};
  std::vector<Band> bands = {};
  bool guided = true;  // the chart's guides cross it
};

/// Title, lines under it, and what a reader who cannot see the picture is told.
struct Heading {
  std::string title = {};
  std::vector<std::string> notes = {};
  std::string description = {};
};

struct LineChart {
  Heading heading = {};
  Quantity x = {}, y = {};
  std::string series_title = {};
  std::vector<std::string> series = {};  // in the order of the legend
  std::string dash_title = {};
  std::vector<std::string> dashes = {};  // first is solid; fewer than two: not shown
  std::vector<Guide> guides = {};
  std::vector<Panel> panels = {};
};
Json draw(const LineChart& chart);

/// A mark of a row chart: a dot (or a bar from 0) at `value` in the row `row`.
struct RowMark {
  std::string row = {};
  double value = 0, low = 0, high = 0;
  std::string series = {};
  std::string label = {};  // beside the mark
  bool minor = false;      // drawn as a thin tick without label
  RecordIndex record = {};
  Tips tips = {};
};

struct RowPanel {
  std::string title = {};
  std::vector<std::string> rows = {};  // top to bottom
  std::vector<RowMark> marks = {};
};

struct RowChart {
  Heading heading = {};
  Quantity value = {};
  bool bars = false;
  std::string series_title = {};
  std::vector<std::string> series = {};
  std::vector<RowPanel> panels = {};
};
Json draw(const RowChart& chart);

/// A cell of a heat map.
struct Cell {
  double x = 0;
  std::string row = {};
  double value = 0;
  RecordIndex record = {};
  Tips tips = {};
};

struct HeatPanel {
  std::string title = {};
  std::vector<std::string> rows = {};  // top to bottom
  std::vector<Cell> cells = {};
};

struct HeatMap {
  Heading heading = {};
  Quantity x = {}, value = {};
  std::string row_title = {};
  std::vector<HeatPanel> panels = {};
};
Json draw(const HeatMap& chart);

// Shared by the three.

/// Colours of text and paper. The page puts those of its own theme in their place (for_page).
inline constexpr const char* kInk = "#222222";
inline constexpr const char* kMuted = "#6b6b6b";
inline constexpr const char* kPaper = "white";
/// Readable on light and dark paper.
inline constexpr const char* kGrey = "#858585";

/// A drawing with its own paper, as text takes the colour of the page around it (light, dark, print).
Json for_page(Json spec);

/// A quantity laid out on an axis: the ends of the scale include a margin.
struct Axis {
  Quantity quantity = {};
  double low = 0, high = 1;
  double pixels = 0;
  bool vertical = false;

  /// Pixels from the low end.
  double place(double value) const;
};
/// @param reserve  share of the axis kept free beyond the highest value, for labels beside marks
Axis lay_out(const Quantity& quantity, double low, double high, double pixels, bool vertical,
             double reserve = 0);
Json axis_encoding(const char* field, const Axis& axis);

/// The outer object: schema, title, config, panels side by side in `columns`.
Json frame(const Heading& heading, std::vector<Json> panels, int columns);
Json color_encoding(const std::string& title, const std::vector<std::string>& series);
Json shape_encoding(const std::string& title, const std::vector<std::string>& series);
/// Puts tooltip lines into a row, and makes a mark show those of its row.
void add_tips(Json& row, const Tips& tips);
void add_record(Json& row, const RecordIndex& record);
Json with_tooltip(Json mark);
Json inline_data(std::vector<Json> rows);
Json panel_title(const std::string& title, double offset = 8);
double panel_width(std::size_t panels);

}  // namespace gpuseq::reports::chart
