#pragma once

#include <array>
#include <string>
#include <vector>

#include "reports/charts/chart_spec.hpp"

namespace gpuseq::reports::chart {

/// A text along the top of a plot.
struct TopLabel {
  double at = 0;     // what it names, on the x axis
  double shift = 0;  // pixels from there to its left end
  int row = 0;       // 0 is next to the plot; -1: what it names lies outside the axis
  std::string text = {};
};

/// The label of a guide across a panel: beside it at an end or where nothing is drawn, else along the top.
struct LabelAcross {
  double at = 0;  // of the guide, on the y axis
  std::string text = {};
  enum class Place { left, right, at_x, top } place = Place::left;
  double x = 0;        // at_x: of its left end, on the x axis
  bool below = false;  // the guide
  TopLabel top = {};   // top: where
};

/// A panel of a line chart with its axes, and the labels above it in as many rows as keep them apart.
struct LineLayout {
  Axis x, y;
  std::vector<TopLabel> bands = {};      // parallel to the panel's
  std::vector<TopLabel> labels = {};     // parallel to `guides`: of those down the panel
  std::vector<Guide> guides = {};        // that cross the panel
  std::vector<LabelAcross> across = {};  // of the guides across it
  std::vector<int> sides = {};           // parallel to the panel's marks: of their labels, see kSides
  int rows = 0;
};

LineLayout lay_out(const LineChart& chart, const Panel& panel, double width, double height,
                   const Style& style);

/// Whether a guide goes across a panel.
bool crosses(const Guide& guide, const LineLayout& layout);

/// Where the labels of guides across a panel and of its marks are clear of all that is drawn in it: sets
/// `across` and `sides` of a layout that has axes and guides.
void place_labels(const LineChart& chart, const Panel& panel, LineLayout& layout, const Style& style);

/// From a mark to its label, in the order in which they are tried: first those beside a line that rises, and
/// near ones before those some pixels further away.
struct Side {
  int right = 0, up = 0;  // -1, 0, 1
  double away = 0;
};
inline constexpr std::array kSides{Side{-1, 1},    Side{1, -1},    Side{0, 1},    Side{0, -1},
                                   Side{-1, 0},    Side{1, 0},     Side{1, 1},    Side{-1, -1},
                                   Side{-1, 1, 4}, Side{1, -1, 4}, Side{0, 1, 4}, Side{0, -1, 4},
                                   Side{-1, 0, 4}, Side{1, 0, 4},  Side{1, 1, 4}, Side{-1, -1, 4}};
inline constexpr int kNoSide = -1;

/// Pixels from the middle of a mark to the edge of its label that is next to it.
struct LabelGap {
  double right = 0, up = 0;
};
LabelGap label_gap(const LineChart& chart, Side side, const Style& style);

/// Radii in pixels of what is drawn at a mark, by the areas that the marks have.
struct MarkAreas {
  static constexpr double point = 38, lone = 70, minor = 16, published = 130, ring = 120;
};

/// Room for the widest y axis of any panel, of plots so high.
double y_room(const LineChart& chart, double height, const Style& style);

/// Height of a row of labels above a plot.
double label_row(const Style& style);

}  // namespace gpuseq::reports::chart
