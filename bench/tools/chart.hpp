#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/config/units.hpp"

/// Line charts as plain values. The Python package draws them: gpuseq/charts/values.py has the same fields.
namespace gpuseq::bench::chart {

using Tips = std::vector<std::pair<std::string, std::string>>;  // tooltip lines: name, text

/// An axis.
struct Quantity {
  std::string title = {};
  Unit unit = Unit::number;
  bool log = false;
};

struct Mark {
  double x = 0, y = 0;
  std::string series = {};
  Tips tips = {};
};

/// A straight line across a panel.
struct Guide {
  bool vertical = true;
  double at = 0;
  std::string label = {};
};

struct Panel {
  std::string title = {};
  std::vector<Mark> marks = {};
  std::optional<Quantity> y = {};  // if it differs from the chart's
};

/// Title, lines below it, and a description for readers who cannot see the picture.
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
  std::vector<Guide> guides = {};
  std::vector<Panel> panels = {};
  bool connected = true;  // lines join the marks of a series
};

/// The input of `gpuseq-bench chart` (gpuseq/charts/read.py).
nlohmann::json to_json(const LineChart& chart);

}  // namespace gpuseq::bench::chart
