#include "reports/charts/pivot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace gpuseq::reports::chart {
namespace {

/// Puts values into the cells of a block: rows in the order of their keys, columns as they are given.
class Cells {
 public:
  explicit Cells(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// @param key  rows are in its order
  PivotRow& put(double key, const std::string& name, const std::string& column, double value) {
    const auto at = static_cast<std::size_t>(std::ranges::find(columns_, column) - columns_.begin());
    for (int again = 0;; ++again) {
      PivotRow& row = rows_[{key, again}];
      row.name = name;
      row.values.resize(columns_.size());
      if (row.values.at(at)) continue;
      row.values[at] = value;
      return row;
    }
  }

  /// Without the columns that nothing is in.
  void move_to(PivotBlock& block) && {
    for (auto& [key, row] : rows_) block.rows.push_back(std::move(row));
    for (std::size_t i = columns_.size(); i-- > 0;) {
      if (std::ranges::any_of(block.rows, [&](const PivotRow& row) { return row.values[i].has_value(); }))
        continue;
      columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(i));
      for (PivotRow& row : block.rows) row.values.erase(row.values.begin() + static_cast<std::ptrdiff_t>(i));
    }
    block.columns = std::move(columns_);
  }

 private:
  std::vector<std::string> columns_;
  std::map<std::pair<double, int>, PivotRow> rows_ = {};
};

std::string column_of(const Mark& mark) {
  return mark.dash.empty() || mark.published ? mark.series : mark.series + ", " + mark.dash;
}

std::vector<PivotBlock> pivot_of(const LineChart& chart) {
  std::vector<PivotBlock> blocks;
  for (const Panel& panel : chart.panels) {
    std::vector<std::string> columns;
    const auto add = [&](const std::string& column) {
      const auto has = [&](const Mark& mark) { return !mark.minor && column_of(mark) == column; };
      if (std::ranges::find(columns, column) == columns.end() && std::ranges::any_of(panel.marks, has))
        columns.push_back(column);
    };
    for (const std::string& series : chart.series) {
      for (const std::string& dash : chart.dashes) add(fmt::format("{}, {}", series, dash));
      add(series);
    }
    for (const Mark& mark : panel.marks)
      if (!mark.minor) add(column_of(mark));
    PivotBlock block{.title = panel.title, .row_title = chart.x.title, .quantity = y_of(chart, panel)};
    Cells cells(std::move(columns));
    for (const Mark& mark : panel.marks)
      if (!mark.minor) cells.put(mark.x, format_value(mark.x, chart.x.unit), column_of(mark), mark.y);
    std::move(cells).move_to(block);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

/// Whether a row has marks of several series, so that these are columns.
bool has_series_across(const RowChart& chart) {
  for (const RowPanel& panel : chart.panels) {
    std::map<std::string, std::set<std::string>> series;
    for (const RowMark& mark : panel.marks)
      if (!mark.minor && series[mark.row].insert(mark.series).second && series[mark.row].size() > 1)
        return true;
  }
  return false;
}

std::string words_of(const RowMark& mark, Unit unit) {
  const bool says_value = mark.label == format_value(mark.value, unit);
  if (says_value || mark.label.empty()) return mark.detail;
  return mark.detail.empty() ? mark.label : mark.label + ", " + mark.detail;
}

std::vector<PivotBlock> pivot_of(const RowChart& chart) {
  const bool across = has_series_across(chart);
  std::vector<PivotBlock> blocks;
  for (const RowPanel& panel : chart.panels) {
    const Quantity& quantity = value_of(chart, panel);
    PivotBlock block{.title = panel.title, .quantity = quantity};
    Cells cells(across ? chart.series : std::vector{quantity.title});
    for (const RowMark& mark : panel.marks) {
      if (mark.minor) continue;
      const bool says_series =
          across || chart.series.size() < 2 || mark.row.find(mark.series) != std::string::npos;
      const auto key = static_cast<double>(std::ranges::find(panel.rows, mark.row) - panel.rows.begin());
      PivotRow& row = cells.put(key, says_series ? mark.row : mark.row + ", " + mark.series,
                                across ? mark.series : quantity.title, mark.value);
      if (std::string words = words_of(mark, quantity.unit); !words.empty()) row.words = std::move(words);
    }
    std::move(cells).move_to(block);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

/// What there are fewer of goes across.
std::vector<PivotBlock> pivot_of(const HeatMap& chart) {
  std::vector<PivotBlock> blocks;
  for (const HeatPanel& panel : chart.panels) {
    std::set<double> xs;
    for (const Cell& cell : panel.cells) xs.insert(cell.x);
    const bool sizes_down = panel.rows.size() <= xs.size();
    PivotBlock block{.title = panel.title,
                     .row_title = sizes_down ? chart.x.title : chart.row_title,
                     .quantity = chart.value};
    std::vector<std::string> columns = panel.rows;
    if (!sizes_down) {
      columns.clear();
      for (const double x : xs) columns.push_back(format_value(x, chart.x.unit));
    }
    Cells cells(std::move(columns));
    for (const Cell& cell : panel.cells) {
      const std::string size = format_value(cell.x, chart.x.unit);
      const auto row = static_cast<double>(std::ranges::find(panel.rows, cell.row) - panel.rows.begin());
      cells.put(sizes_down ? cell.x : row, sizes_down ? size : cell.row, sizes_down ? cell.row : size,
                cell.value);
    }
    std::move(cells).move_to(block);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace

bool PivotBlock::has_words() const {
  return std::ranges::any_of(rows, [](const PivotRow& row) { return !row.words.empty(); });
}

std::vector<PivotBlock> pivot(const Chart& chart) {
  std::vector<PivotBlock> blocks = std::visit([](const auto& kind) { return pivot_of(kind); }, chart);
  std::erase_if(blocks, [](const PivotBlock& block) { return block.rows.empty(); });
  return blocks;
}

}  // namespace gpuseq::reports::chart
