#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/charts/chart.hpp"

/// The table of the data that a chart draws, as CSV and for LaTeX.
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

/// A `table`, or a `longtable` where a page could not hold it, with the rules of booktabs; numbers have four
/// significant digits, and panels that are long words stand as headings between rows.
/// @param name  of the figure; the label is "tab:<name>"
std::string latex(const Table& table, const Heading& heading, std::string_view name);

/// A text with what is special to LaTeX escaped.
std::string latex_escape(std::string_view text);

}  // namespace gpuseq::reports::chart
