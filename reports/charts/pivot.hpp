#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/chart.hpp"

/// A chart's data as papers print them: sizes or names down, series across.
namespace gpuseq::reports::chart {

struct PivotRow {
  std::string name = {};
  std::vector<std::optional<double>> values = {};  // parallel to the block's columns
  std::string words = {};                          // what stands beside the mark and is not its value
};

/// A panel: rows by what its x axis or its rows name, a column for each series that it has.
struct PivotBlock {
  std::string title = {};  // of the panel; may be empty
  std::string row_title = {};
  Quantity quantity = {};  // of the values
  std::vector<std::string> columns = {};
  std::vector<PivotRow> rows = {};

  bool has_words() const;
};

/// A block a panel. Two marks of one row and column have rows of their own; small ones ("minor") have none.
std::vector<PivotBlock> pivot(const Chart& chart);

}  // namespace gpuseq::reports::chart
