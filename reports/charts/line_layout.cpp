#include "reports/charts/line_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace gpuseq::reports::chart {
namespace {

constexpr double kNearFactor = 8;  // a guide further outside the data than this is left out

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
    if (!horizontal && mark.high > 0) data.include(mark.high);
    if (!horizontal && mark.ceiling > 0) data.include(mark.ceiling);
  }
  Extent all = data;
  for (const Guide& guide : guides_of(chart, panel))
    if (guide.vertical == horizontal && data.near(guide.at)) all.include(guide.at);
  return all;
}

/// The side of its line that a label rather stands on; on top: in a row of its own, above all others; above:
/// the middle of the label over the end of its line, or as near as the plot is wide.
enum class LineSide { right, left, left_on_top, above };

/// Rows of labels above a plot, filled one label at a time.
class LabelRows {
 public:
  LabelRows(const Axis& x, const Style& style) : x_(x), style_(style) {}
  int count() const { return static_cast<int>(rows_.size()); }
  /// What another, of the same axis, holds.
  void take(LabelRows& other) { rows_.swap(other.rows_); }

  /// Centred above the middle of a band.
  TopLabel above(double from, double to, const std::string& text) {
    if (to < x_.low || from > x_.high) return {.row = -1};
    const double middle = std::sqrt(std::max(from, x_.low) * std::min(to, x_.high));
    if (text.empty()) return {.at = middle};
    return put(middle, over(middle, text), text);
  }
  /// At the left end.
  TopLabel first(const std::string& text) { return put(x_.low, 0, text); }
  /// Beside the upper end of a line: to its right, where there is room, else to its left.
  TopLabel beside(double value, const std::string& text, LineSide side) {
    if (value < x_.low || value > x_.high) return {.row = -1};
    if (side == LineSide::above) return put(value, over(value, text), text);
    const double at = x_.place(value), left = at - 4 - width(text);
    const bool fits = at + 4 + width(text) <= x_.pixels && !(side != LineSide::right && left >= 0);
    return put(value, fits ? at + 4 : std::max(0.0, left), text,
               side == LineSide::left_on_top ? rows_.size() : 0);
  }
  /// Whether no line, which ends below its label, crosses the label of another.
  bool uncrossed(const std::vector<TopLabel>& labels) const {
    return std::ranges::none_of(labels, [&](const TopLabel& line) {
      const double at = x_.place(line.at);
      return std::ranges::any_of(labels, [&](const TopLabel& other) {
        const double start = x_.place(other.at) + other.shift;
        return other.row >= 0 && other.row < line.row && start < at + 1 && at - 1 < start + width(other.text);
      });
    });
  }

 private:
  struct Span {
    double start, end;
  };
  double width(const std::string& text) const { return text_width(text, style_.label); }
  /// Where a label begins whose middle is above a value, within the plot.
  double over(double value, const std::string& text) const {
    return std::clamp(x_.place(value) - width(text) / 2, 0.0, std::max(0.0, x_.pixels - width(text)));
  }

  /// Into the lowest row from `row` on that has room.
  TopLabel put(double value, double start, const std::string& text, std::size_t row = 0) {
    const double end = start + width(text);
    const auto free = [&](const std::vector<Span>& spans) {
      return std::none_of(spans.begin(), spans.end(),
                          [&](const Span& s) { return s.start < end + 8 && start < s.end + 8; });
    };
    while (row < rows_.size() && !free(rows_[row])) ++row;
    if (row >= rows_.size()) rows_.resize(row + 1);
    rows_[row].push_back({start, end});
    return {value, start - x_.place(value), static_cast<int>(row), text};
  }

  const Axis& x_;
  const Style& style_;
  std::vector<std::vector<Span>> rows_;
};

/// Labels of the lines down a panel, put into `rows` on that side and in that order of the lines that lets
/// none cross a label: from right to left, as is right for labels to the right of their lines, or another.
std::vector<TopLabel> labels_beside(const std::vector<Guide>& guides, LabelRows& rows) {
  constexpr std::size_t kMostTried = 6;  // lines; of more the orders are too many
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < guides.size(); ++i)
    if (guides[i].vertical) order.push_back(i);
  const auto right_first = [&](std::size_t a, std::size_t b) {
    return guides[a].at != guides[b].at ? guides[a].at > guides[b].at : a < b;
  };
  const auto in_order = [&](LabelRows& filled, LineSide side) {
    std::vector<TopLabel> labels(guides.size(), {.row = -1});
    for (const std::size_t i : order) labels[i] = filled.beside(guides[i].at, guides[i].label, side);
    return labels;
  };
  for (const LineSide side : {LineSide::right, LineSide::left, LineSide::left_on_top, LineSide::above}) {
    std::ranges::sort(order, right_first);
    do {
      LabelRows filled = rows;
      std::vector<TopLabel> labels = in_order(filled, side);
      if (!filled.uncrossed(labels)) continue;
      rows.take(filled);
      return labels;
    } while (order.size() <= kMostTried && std::next_permutation(order.begin(), order.end(), right_first));
  }
  std::ranges::sort(order, right_first);
  return in_order(rows, LineSide::right);
}

}  // namespace

double label_row(const Style& style) {
  return 1.3 * style.label;
}

double y_room(const LineChart& chart, double height, const Style& style) {
  std::map<std::string, std::pair<const Quantity*, double>> highest;  // by title
  for (const Panel& panel : chart.panels) {
    const Quantity& y = y_of(chart, panel);
    auto& [quantity, high] = highest.try_emplace(y.title, &y, 0.0).first->second;
    high = std::max(high, extent(chart, panel, false).high);
  }
  double room = 0;
  for (const auto& [title, of] : highest)
    room = std::max(room, axis_room(*of.first, of.second, height, style));
  return room;
}

LineLayout lay_out(const LineChart& chart, const Panel& panel, double width, double height,
                   const Style& style) {
  const Extent xs = extent(chart, panel, true), ys = extent(chart, panel, false);
  Quantity y = y_of(chart, panel);
  if (!panel.y) y.log = y.log || (ys.low > 0 && ys.high / ys.low > kLogFromRatio);
  LineLayout layout{.x = lay_out(chart.x, xs.low, xs.high, width, false),
                    .y = lay_out(y, ys.low, ys.high, height, true)};
  LabelRows rows(layout.x, style);
  for (const Band& band : panel.bands) layout.bands.push_back(rows.above(band.from, band.to, band.label));
  layout.guides = guides_of(chart, panel);
  layout.labels = labels_beside(layout.guides, rows);
  place_labels(chart, panel, layout, style);
  for (LabelAcross& label : layout.across)
    if (label.place == LabelAcross::Place::top) label.top = rows.first("- - " + label.text);
  layout.rows = rows.count();
  return layout;
}

}  // namespace gpuseq::reports::chart
