#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/charts/chart.hpp"

/// The table of the data that a chart draws, as CSV. For LaTeX: chart_latex.hpp.
namespace gpuseq::reports::chart {

/// A column of names or of numbers.
struct Column {
  std::string title = {};
  std::optional<Unit> unit = {};  // of numbers; none: names
  std::vector<std::string> names = {};
  std::vector<std::optional<double>> numbers = {};
};

struct Table {
  std::vector<Column> columns;
  std::size_t rows = 0;
};

/// A row per mark: panel, series, the values with their interval, then what tooltips say of the mark (device,
/// variant, point, published source). Columns that no mark fills are left out.
Table table_of(const Chart& chart);

/// RFC 4180; numbers in base units ("B/s"), with all their digits, units in the header.
std::string csv(const Table& table);

}  // namespace gpuseq::reports::chart
