#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "reports/charts/line_layout.hpp"

namespace gpuseq::reports::chart {
namespace {

using Place = LabelAcross::Place;

constexpr double kGap = 3;        // between a label and its guide
constexpr double kEnd = 4;        // between a label and the end of its plot
constexpr double kClearance = 1;  // at least, between a label and what is drawn
constexpr double kStep = 6;       // by which places along a guide are tried

/// In pixels from the lower left of a plot.
struct Spot {
  double x = 0, y = 0;
};

/// A straight stroke, or a mark where both ends are one, and half its width.
struct Stroke {
  Spot from = {}, to = {};
  double half_width = 0;
};

struct Box {
  double left = 0, bottom = 0, right = 0, top = 0;
};

bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top;
}

/// Liang and Barsky: what of the stroke lies between each pair of sides.
bool hits(const Stroke& stroke, const Box& box) {
  const double grow = stroke.half_width + kClearance;
  const double dx = stroke.to.x - stroke.from.x, dy = stroke.to.y - stroke.from.y;
  double enters = 0, leaves = 1;
  const auto between = [&](double step, double from, double low, double high) {
    if (step == 0) return from > low && from < high;
    const auto [first, last] = std::minmax({(low - from) / step, (high - from) / step});
    enters = std::max(enters, first);
    leaves = std::min(leaves, last);
    return enters < leaves;
  };
  return between(dx, stroke.from.x, box.left - grow, box.right + grow) &&
         between(dy, stroke.from.y, box.bottom - grow, box.top + grow);
}

/// Everything in a plot that a label must be clear of.
class Drawn {
 public:
  Drawn(const LineChart& chart, const Panel& panel, const LineLayout& layout, const Style& style)
      : layout_(layout), scale_(style.scale()) {
    add_marks(chart, panel);
    for (std::size_t i = 1; i < panel.steps.size(); ++i) {
      const Spot from = spot(panel.steps[i - 1].first, panel.steps[i - 1].second),
                 to = spot(panel.steps[i].first, panel.steps[i].second);
      strokes_.push_back({from, {to.x, from.y}, 1});
      strokes_.push_back({{to.x, from.y}, to, 1});
    }
    for (const Guide& guide : layout.guides)
      if (guide.vertical) {
        const double x = layout.x.place(guide.at);
        strokes_.push_back({{x, 0}, {x, layout.y.pixels}, 0.6});
      } else if (crosses(guide, layout)) {
        const double y = layout.y.place(guide.at);
        strokes_.push_back({{0, y}, {layout.x.pixels, y}, 0.6});
      }
  }

  bool clear(const Box& box) const {
    return std::ranges::none_of(strokes_, [&](const Stroke& stroke) { return hits(stroke, box); }) &&
           std::ranges::none_of(labels_, [&](const Box& label) { return overlap(label, box); });
  }
  void add(const Box& label) { labels_.push_back(label); }

 private:
  Spot spot(double x, double y) const { return {layout_.x.place(x), layout_.y.place(y)}; }
  double radius(double area) const { return (std::sqrt(area) / 2 + 1) * scale_; }

  void add_marks(const LineChart& chart, const Panel& panel) {
    std::map<std::pair<std::string, std::string>, std::vector<std::pair<double, double>>> lines;
    for (const Mark& mark : panel.marks) {
      const Spot at = spot(mark.x, mark.y);
      const double area = mark.published    ? MarkAreas::published
                          : mark.synthetic  ? MarkAreas::ring
                          : mark.minor      ? MarkAreas::minor
                          : chart.connected ? MarkAreas::point
                                            : MarkAreas::lone;
      strokes_.push_back({at, at, radius(area)});
      if (mark.low > 0 && mark.high > mark.low)
        strokes_.push_back({spot(mark.x, mark.low), spot(mark.x, mark.high), 1});
      if (mark.ceiling > 0) {
        const double y = layout_.y.place(mark.ceiling), half = 7 * scale_;
        strokes_.push_back({{at.x - half, y}, {at.x + half, y}, 1});
      }
      if (chart.connected && !mark.published && !mark.disturbed)
        lines[{mark.series, mark.dash}].emplace_back(at.x, at.y);
    }
    for (auto& [name, line] : lines) {
      std::ranges::sort(line);
      for (std::size_t i = 1; i < line.size(); ++i)
        strokes_.push_back(
            {{line[i - 1].first, line[i - 1].second}, {line[i].first, line[i].second}, scale_});
    }
  }

  const LineLayout& layout_;
  double scale_;
  std::vector<Stroke> strokes_ = {};
  std::vector<Box> labels_ = {};
};

/// Chooses the places of labels one after the other.
class Placing {
 public:
  Placing(const LineChart& chart, const Panel& panel, const LineLayout& layout, const Style& style)
      : layout_(layout), style_(style), drawn_(chart, panel, layout, style) {}

  LabelAcross place(const Guide& guide) {
    const double width = text_width(guide.label, style_.label), far = layout_.x.pixels - width - kEnd;
    for (const bool below : {false, true})
      for (const bool right : {false, true})
        if (takes(guide, right ? far : kEnd, width, below))
          return {.at = guide.at,
                  .text = guide.label,
                  .place = right ? Place::right : Place::left,
                  .below = below};
    const int places = static_cast<int>(std::ceil((far - kEnd) / kStep));
    for (int i = 0; i < places; ++i)
      for (const bool below : {false, true})
        if (const double left = kEnd + i * kStep; takes(guide, left, width, below))
          return {.at = guide.at,
                  .text = guide.label,
                  .place = Place::at_x,
                  .x = layout_.x.value_at(left),
                  .below = below};
    return {.at = guide.at, .text = guide.label, .place = Place::top};
  }

  /// The first side of a mark that is free, as a place in kSides.
  int place(const LineChart& chart, const Mark& mark) {
    const double width = text_width(mark.label, style_.label), height = style_.label;
    for (std::size_t i = 0; i < kSides.size(); ++i) {
      const Side side = kSides[i];
      const LabelGap gap = label_gap(chart, side, style_);
      const auto from = [](double middle, int direction, double away, double size) {
        return direction == 0 ? middle - size / 2 : direction > 0 ? middle + away : middle - away - size;
      };
      const double left = from(layout_.x.place(mark.x), side.right, gap.right, width),
                   bottom = from(layout_.y.place(mark.y), side.up, gap.up, height);
      if (takes({left, bottom, left + width, bottom + height})) return static_cast<int>(i);
    }
    return kNoSide;
  }

 private:
  bool takes(const Guide& guide, double left, double width, bool below) {
    const double line = layout_.y.place(guide.at), height = style_.label;
    const double bottom = below ? line - kGap - height : line + kGap;
    return takes({left, bottom, left + width, bottom + height});
  }
  bool takes(const Box& box) {
    if (box.left < 0 || box.right > layout_.x.pixels || box.bottom < 0 || box.top > layout_.y.pixels ||
        !drawn_.clear(box))
      return false;
    drawn_.add(box);
    return true;
  }

  const LineLayout& layout_;
  const Style& style_;
  Drawn drawn_;
};

}  // namespace

bool crosses(const Guide& guide, const LineLayout& layout) {
  return !guide.vertical && guide.at >= layout.y.low && guide.at <= layout.y.high;
}

LabelGap label_gap(const LineChart& chart, Side side, const Style& style) {
  const double radius = std::sqrt(chart.connected ? MarkAreas::point : MarkAreas::lone) / 2 * style.scale();
  const double gap = radius + 3 + side.away;
  return {.right = gap, .up = side.right == 0 ? gap : 0};
}

void place_labels(const LineChart& chart, const Panel& panel, LineLayout& layout, const Style& style) {
  Placing placing(chart, panel, layout, style);
  for (const Guide& guide : layout.guides)
    if (crosses(guide, layout) && !guide.label.empty()) layout.across.push_back(placing.place(guide));
  for (const Mark& mark : panel.marks)
    layout.sides.push_back(mark.label.empty() ? kNoSide : placing.place(chart, mark));
}

}  // namespace gpuseq::reports::chart
