#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/charts/chart_table.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::reports::chart {
namespace {

constexpr std::size_t kRowsOfAPage = 45;

/// What a tooltip says at length has no room in a print table.
constexpr std::array kLeftOut{"Point",  "Problem", "Variant",      "Ceiling", "Notes",
                              "Stated", "Text",    "Instructions", "Energy"};

/// A column as it is printed: all cells as text.
struct Printed {
  std::string title;
  bool number = false;
  std::vector<std::string> cells = {};
};

Printed printed(const Column& column) {
  Printed out{.title = column.title, .number = column.unit.has_value()};
  if (!column.unit) {
    out.cells = column.names;
    return out;
  }
  std::vector<double> values;
  for (const auto& value : column.numbers)
    if (value) values.push_back(*value);
  const Scale scale = common_scale(values, *column.unit);
  if (!scale.unit.empty()) out.title += fmt::format(" ({})", scale.unit);
  for (const auto& value : column.numbers)
    out.cells.push_back(value ? significant(*value / scale.divisor, 4) : "");
  return out;
}

bool one_value(const std::vector<std::string>& cells) {
  return std::adjacent_find(cells.begin(), cells.end(), std::not_equal_to<>()) == cells.end();
}

std::vector<Printed> printed_columns(const Table& table) {
  std::vector<Printed> columns;
  for (const Column& column : table.columns) {
    if (column.title == "panel" ||
        std::find(kLeftOut.begin(), kLeftOut.end(), column.title) != kLeftOut.end())
      continue;
    Printed next = printed(column);
    // A device that is a series, or the only one, needs no column.
    const bool known = std::any_of(columns.begin(), columns.end(),
                                   [&](const Printed& other) { return other.cells == next.cells; });
    if (!next.number && (known || (column.title == "Device" && one_value(next.cells)))) continue;
    columns.push_back(std::move(next));
  }
  return columns;
}

std::string cells_of(const std::vector<Printed>& columns, std::size_t row) {
  std::string line;
  for (const Printed& column : columns)
    line +=
        (line.empty() ? "" : " & ") + (column.cells[row].empty() ? "{}" : latex_escape(column.cells[row]));
  return line + " \\\\\n";
}

std::string head_of(const std::vector<Printed>& columns) {
  std::string line;
  for (const Printed& column : columns) line += (line.empty() ? "" : " & ") + latex_escape(column.title);
  return "\\toprule\n" + line + " \\\\\n\\midrule\n";
}

/// The rows, with a heading where the panel changes.
std::string body_of(const Table& table, const std::vector<Printed>& columns) {
  const auto panel = std::find_if(table.columns.begin(), table.columns.end(),
                                  [](const Column& column) { return column.title == "panel"; });
  const bool headed = panel != table.columns.end() && !one_value(panel->names);
  std::string body;
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (headed && (row == 0 || panel->names[row] != panel->names[row - 1]))
      body +=
          fmt::format("{}\\multicolumn{{{}}}{{l}}{{\\textit{{{}}}}} \\\\\n",
                      row == 0 ? "" : "\\addlinespace\n", columns.size(), latex_escape(panel->names[row]));
    body += cells_of(columns, row);
  }
  return body;
}

std::string caption_of(const Heading& heading) {
  std::string caption = heading.title + ".";
  for (const std::string& note : heading.notes) caption += " " + note;
  return latex_escape(caption);
}

}  // namespace

std::string latex_escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        out += '\\';
        out += c;
        break;
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      case '[':  // behind \\ a bracket would be read as its argument
        out += "{[}";
        break;
      case ']':
        out += "{]}";
        break;
      case '"':
        out += "\\textquotedbl{}";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20)
          out += c;
        else
          out += ' ';
    }
  }
  return out;
}

std::string latex(const Table& table, const Heading& heading, std::string_view name) {
  const std::vector<Printed> columns = printed_columns(table);
  std::string places;
  for (const Printed& column : columns) places += column.number ? 'r' : 'l';
  const bool is_long = table.rows > kRowsOfAPage;
  std::string label(name);
  std::replace(label.begin(), label.end(), '/', '-');
  const std::string titled = fmt::format("\\caption{{{}}}\n\\label{{tab:{}}}", caption_of(heading), label);
  std::string out = fmt::format("% Needs \\usepackage[T1]{{fontenc}}, \\usepackage{{booktabs}}{}.\n",
                                is_long ? ", \\usepackage{longtable}" : "");
  if (is_long)
    return out + fmt::format(
                     "\\begin{{longtable}}{{{}}}\n{} \\\\\n{}\\endfirsthead\n{}\\endhead\n\\bottomrule\n"
                     "\\endlastfoot\n{}\\end{{longtable}}\n",
                     places, titled, head_of(columns), head_of(columns), body_of(table, columns));
  return out + fmt::format(
                   "\\begin{{table}}\n\\centering\n{}\n\\begin{{tabular}}{{{}}}\n{}{}\\bottomrule\n"
                   "\\end{{tabular}}\n\\end{{table}}\n",
                   titled, places, head_of(columns), body_of(table, columns));
}

}  // namespace gpuseq::reports::chart
