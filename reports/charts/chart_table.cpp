#include "reports/charts/chart_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpuseq::reports::chart {
namespace {

/// A row as it comes from a mark: cells by the title of their column.
class Rows {
 public:
  void next() { ++rows_; }
  void name(const std::string& title, const std::string& text) {
    column(title, std::nullopt).names.back() = text;
  }
  void number(const std::string& title, Unit unit, double value) {
    if (std::isfinite(value)) column(title, unit).numbers.back() = value;
  }
  void interval(Unit unit, double low, double high) {
    if (low > 0 && high > low) bounds(unit, low, high);
  }
  void bounds(Unit unit, double low, double high) {
    number("low", unit, low);
    number("high", unit, high);
  }
  /// Values and intervals have columns of their own.
  void tips(const Tips& tips) {
    for (const auto& [title, text] : tips)
      if (title != "Value" && title != "Interval") name(title, text);
  }
  Table table() && {
    Table table{.columns = std::move(columns_), .rows = rows_};
    for (Column& column : table.columns) {
      column.names.resize(rows_);
      column.numbers.resize(rows_);
    }
    std::erase_if(table.columns, [](const Column& column) {
      return !column.unit && std::all_of(column.names.begin(), column.names.end(),
                                         [](const std::string& name) { return name.empty(); });
    });
    // Numbers before what tooltips say.
    std::stable_sort(table.columns.begin(), table.columns.end(), [](const Column& a, const Column& b) {
      const auto rank = [](const Column& c) {
        return c.unit ? 1 : c.title == "panel" || c.title == "series" || c.title == "row" ? 0 : 2;
      };
      return rank(a) < rank(b);
    });
    return table;
  }

 private:
  Column& column(const std::string& title, std::optional<Unit> unit) {
    auto found = std::find_if(columns_.begin(), columns_.end(), [&](const Column& column) {
      return column.title == title && column.unit == unit;
    });
    if (found == columns_.end())
      found = columns_.insert(columns_.end(), Column{.title = title, .unit = unit});
    found->names.resize(rows_);
    found->numbers.resize(rows_);
    return *found;
  }

  std::size_t rows_ = 0;
  std::vector<Column> columns_;
};

Table table_of_kind(const LineChart& chart) {
  Rows rows;
  for (const Panel& panel : chart.panels)
    for (const Mark& mark : panel.marks) {
      const Quantity& y = y_of(chart, panel);
      rows.next();
      rows.name("panel", panel.title);
      rows.name("series", mark.series);
      if (chart.dashes.size() > 1) rows.name(chart.dash_title, mark.dash);
      rows.number(chart.x.title, chart.x.unit, mark.x);
      rows.number(y.title, y.unit, mark.y);
      rows.interval(y.unit, mark.low, mark.high);
      if (mark.ceiling > 0) rows.number("ceiling", y.unit, mark.ceiling);
      rows.tips(mark.tips);
    }
  return std::move(rows).table();
}

Table table_of_kind(const RowChart& chart) {
  Rows rows;
  for (const RowPanel& panel : chart.panels)
    for (const RowMark& mark : panel.marks) {
      const Quantity& value = value_of(chart, panel);
      rows.next();
      rows.name("panel", panel.title);
      rows.name("row", mark.row);
      rows.name("series", mark.series);
      rows.number(value.title, value.unit, mark.value);
      if (has_interval(chart, panel, mark)) rows.bounds(value.unit, mark.low, mark.high);
      rows.tips(mark.tips);
    }
  return std::move(rows).table();
}

Table table_of_kind(const HeatMap& chart) {
  Rows rows;
  for (const HeatPanel& panel : chart.panels)
    for (const Cell& cell : panel.cells) {
      rows.next();
      rows.name("panel", panel.title);
      rows.name(chart.row_title, cell.row);
      rows.number(chart.x.title, chart.x.unit, cell.x);
      rows.number(chart.value.title, chart.value.unit, cell.value);
      rows.interval(chart.value.unit, cell.low, cell.high);
      rows.tips(cell.tips);
    }
  return std::move(rows).table();
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string header(const std::string& title, std::string_view unit) {
  return unit.empty() ? title : fmt::format("{} ({})", title, unit);
}

}  // namespace

Table table_of(const Chart& chart) {
  return std::visit([](const auto& kind) { return table_of_kind(kind); }, chart);
}

std::string csv(const Table& table) {
  std::string out;
  for (const Column& column : table.columns)
    out += fmt::format("{}{}", out.empty() ? "" : ",",
                       quoted(column.unit ? header(column.title, base_unit(*column.unit)) : column.title));
  out += "\r\n";
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Column& column = table.columns[i];
      if (i > 0) out += ',';
      if (!column.unit)
        out += quoted(column.names[row]);
      else if (column.numbers[row])
        out += fmt::format("{}", *column.numbers[row]);
    }
    out += "\r\n";
  }
  return out;
}

}  // namespace gpuseq::reports::chart
