#pragma once

#include <string>
#include <vector>

#include "reports/charts/chart_spec.hpp"

namespace gpuseq::reports::chart {

/// A panel of a line chart with its axes, and the labels above it in as many rows as keep them apart.
struct LineLayout {
  struct Label {
    double at = 0;     // what it names, on the x axis
    double shift = 0;  // pixels from there to its left end
    int row = 0;       // 0 is next to the plot; -1: what it names lies outside the axis
    std::string text = {};
  };
  Axis x, y;
  std::vector<Label> bands = {};   // parallel to the panel's
  std::vector<Label> labels = {};  // parallel to `guides`
  std::vector<Guide> guides = {};  // that cross the panel
  int rows = 0;
};

LineLayout lay_out(const LineChart& chart, const Panel& panel, double width, double height,
                   const Style& style);

/// Room for the widest y axis of any panel.
double y_room(const LineChart& chart, const Style& style);

/// Height of a row of labels above a plot.
double label_row(const Style& style);

}  // namespace gpuseq::reports::chart
