#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reports/charts/chart_style.hpp"
#include "reports/units.hpp"

/// Charts as plain values, which a figure fills: draw() makes Vega-Lite of them, chart_table.hpp the table of
/// the same data. Series named "published..." are grey.
namespace gpuseq::reports::chart {

/// Series that a reader tells apart by colour and shape; published ones come on top.
inline constexpr std::size_t kMostSeries = 8;

inline bool is_published(const std::string& series) {
  return series.starts_with("published");
}

using Json = nlohmann::ordered_json;
using Tips = std::vector<std::pair<std::string, std::string>>;  // tooltip lines: name, text

/// Which record a mark stands for, as an index into ReportData::entries: the field "record" of its data row,
/// by which a page links a point to its record. None for what no record says.
using RecordIndex = std::optional<std::size_t>;

/// What of a mark its record does not say, by name: {"timed", "kernel alone"}, {"tree", "from the cache"}.
/// Marks of a panel agree in it, or each says it in its row, series, dash or label. Instead of a term of the
/// record (reports/terms.hpp) where it has that name: {"prefix table", "not counted"}. Not drawn.
using Terms = std::vector<std::pair<std::string, std::string>>;

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
  bool minor = false;      // drawn small and faint
  bool disturbed = false;  // drawn hollow and grey, and no line goes there
  bool behind = false;     // drawn hollow and faint, with what it is compared with over it
  double ceiling = 0;      // a tick at this y in the colour of its series; 0: none
  std::string label = {};  // beside it, where it is clear of all that is drawn; else left out
  RecordIndex record = {};
  Tips tips = {};
  Terms terms = {};
};

/// A line across a panel, for a published value or a limit.
struct Guide {
  bool vertical = true;
  double at = 0;
  std::string label = {};
  Terms terms = {};  // those of the marks that it may cross
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
  bool guided = true;              // the chart's guides cross it
  std::vector<Guide> guides = {};  // these cross it alone
  /// (x, y) in the order of x, joined by a grey line in steps: what is least or most up to each x.
  std::vector<std::pair<double, double>> steps = {};
  std::optional<Quantity> y = {};  // where it is not the chart's; then logarithmic only if it says so
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
  bool connected = true;  // lines join the marks of a series
};

/// A mark of a row chart: a dot (or a bar from 0) at `value` in the row `row`.
struct RowMark {
  std::string row = {};
  double value = 0, low = 0, high = 0;
  std::string series = {};
  std::string label = {};   // beside the mark
  std::string detail = {};  // behind the label, where there is room
  bool minor = false;       // drawn as a thin tick without label
  bool hollow = false;      // a contestant that is none of ours
  RecordIndex record = {};
  Tips tips = {};
  Terms terms = {};
};

struct RowPanel {
  std::string title = {};
  std::vector<std::string> rows = {};  // top to bottom
  std::vector<RowMark> marks = {};
  std::optional<Quantity> value = {};  // where it is not the chart's; such panels do not share their axis
};

struct RowChart {
  Heading heading = {};
  Quantity value = {};
  bool bars = false;
  bool grouped = true;   // bars of a row stand side by side, one for each series; else a row has one bar
  bool stacked = false;  // bars of a row follow on one another in the order of `series`, without intervals;
                         // the label stands behind the last one
  std::string series_title = {};
  std::vector<std::string> series = {};
  std::vector<RowPanel> panels = {};
};

/// A cell of a heat map.
struct Cell {
  double x = 0;
  std::string row = {};
  double value = 0;
  double low = 0, high = 0;
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

using Chart = std::variant<LineChart, RowChart, HeatMap>;

/// A Vega-Lite 5 specification with the data inside.
Json draw(const LineChart& chart, const Style& style = screen());
Json draw(const RowChart& chart, const Style& style = screen());
Json draw(const HeatMap& chart, const Style& style = screen());
Json draw(const Chart& chart, const Style& style = screen());

/// The y axis of a panel, and the guides that cross it.
const Quantity& y_of(const LineChart& chart, const Panel& panel);
std::vector<Guide> guides_of(const LineChart& chart, const Panel& panel);

/// The axis of a panel, and whether a mark has an interval that can be drawn on it.
const Quantity& value_of(const RowChart& chart, const RowPanel& panel);
bool has_interval(const RowChart& chart, const RowPanel& panel, const RowMark& mark);

const Heading& heading_of(const Chart& chart);
std::size_t panels_of(const Chart& chart);
/// What stands between title and plots: the title of a single panel, then the notes.
std::vector<std::string> notes_of(const Chart& chart);

/// Colours of text and paper. The page puts those of its own theme in their place.
inline constexpr const char* kInk = "#222222";
inline constexpr const char* kMuted = "#6b6b6b";
inline constexpr const char* kPaper = "white";
/// Readable on light and dark paper.
inline constexpr const char* kGrey = "#858585";

}  // namespace gpuseq::reports::chart
