#pragma once

#include <string>
#include <vector>

#include "reports/charts/chart_spec.hpp"

namespace gpuseq::reports::chart {

/// A panel of a line chart with its axes, and the labels above it in as many rows as keep them apart.
struct LineLayout {
  struct Label {
    double start = 0;  // pixels: its left end
    int row = 0;       // 0 is next to the plot; -1: what it names lies outside the axis
    std::string text = {};
  };
  Axis x, y;
  std::vector<Label> bands = {}, guides = {};  // parallel to the panel's and the chart's
  int rows = 0;
};

LineLayout lay_out(const LineChart& chart, const Panel& panel, double width, double height,
                   const Style& style);

/// The largest value on any y axis.
double highest(const LineChart& chart);

/// Height of a row of labels above a plot.
double label_row(const Style& style);

}  // namespace gpuseq::reports::chart
