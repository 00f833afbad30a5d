#pragma once

#include <string>
#include <string_view>

#include "reports/charts/chart.hpp"

namespace gpuseq::reports::chart {

/// A `table` as wide as a column, or a `table*` as wide as the page; by what a table has across.
enum class TableWidth { by_columns, column, page };

/// The data of a chart for LaTeX with booktabs: series across, sizes or names down (pivot.hpp), a block a
/// panel; numbers have four significant digits. Columns that do not fit beside others follow below, rows that
/// a page does not hold in a further table of the same number. No box is overfull in `article`, of one column
/// or two.
/// @param name  of the figure; the label is "tab:<name>"
std::string latex(const Chart& chart, std::string_view name, TableWidth width = TableWidth::by_columns);

/// A text with what is special to LaTeX escaped, in any encoding of fonts.
std::string latex_escape(std::string_view text);

}  // namespace gpuseq::reports::chart
