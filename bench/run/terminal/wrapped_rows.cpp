#include "bench/run/terminal/wrapped_rows.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace gpuseq::bench {
namespace {

constexpr std::size_t kNarrowest = 8;  // of a column that is wrapped
constexpr std::size_t kPadding = 2;    // of a column of text_table()

std::vector<std::size_t> widths_of(const TextRows& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  return widths;
}

/// The longest word in a column's cells, with the comma behind it.
std::size_t longest_word(const TextRows& rows, std::size_t column) {
  std::size_t longest = kNarrowest;
  for (const auto& row : rows)
    for (std::size_t begin = 0; begin < row[column].size();) {
      const std::size_t end = std::min(row[column].find_first_of(", ", begin), row[column].size() - 1) + 1;
      longest = std::max(longest, end - begin);
      begin = end;
    }
  return longest;
}

/// The widest of the wrapping columns; nullptr: none can be narrower.
std::size_t* widest(std::vector<std::size_t>& widths, const std::vector<std::size_t>& wrapping,
                    const std::vector<std::size_t>& narrowest) {
  std::size_t* found = nullptr;
  for (std::size_t i = 0; i < wrapping.size(); ++i) {
    std::size_t& width = widths[wrapping[i]];
    if (width > narrowest[i] && (found == nullptr || width > *found)) found = &width;
  }
  return found;
}

/// Lines of at most so many characters, but for words that are longer.
std::vector<std::string> lines_of(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t end = text.find_last_of(", ", width - 1);
    if (end == std::string_view::npos || end == 0) end = text.find_first_of(", ", width - 1);
    if (end == std::string_view::npos || end + 1 == text.size()) break;
    lines.emplace_back(text.substr(0, end + 1));
    while (lines.back().ends_with(' ')) lines.back().pop_back();
    text.remove_prefix(std::min(text.find_first_not_of(' ', end + 1), text.size()));
  }
  lines.emplace_back(text);
  return lines;
}

void add_wrapped(TextRows& to, const std::vector<std::string>& row, const std::vector<std::size_t>& wrapping,
                 const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool wraps = std::ranges::find(wrapping, i) != wrapping.end();
    cells.push_back(wraps ? lines_of(row[i], widths[i]) : std::vector{row[i]});
    height = std::max(height, cells.back().size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    auto& out = to.emplace_back();
    for (const auto& cell : cells) out.push_back(line < cell.size() ? cell[line] : "");
  }
}

}  // namespace

std::string wrapped_text(const std::string& text, std::size_t width, std::size_t indent) {
  std::string wrapped;
  std::size_t column = indent;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const bool breaks = column + 1 + word.size() > width && column > indent;
    if (breaks) {
      wrapped += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (begin > 0) {
      wrapped += ' ';
      ++column;
    }
    wrapped += word;
    column += word.size();
    begin = end + 1;
  }
  return wrapped;
}

TextRows wrapped_rows(const TextRows& rows, const std::vector<std::size_t>& wrapping, std::size_t width) {
  std::vector<std::size_t> widths = widths_of(rows);
  const auto total = [&] { return std::accumulate(widths.begin(), widths.end(), kPadding * widths.size()); };
  std::vector<std::size_t> narrowest(wrapping.size());
  std::ranges::transform(wrapping, narrowest.begin(),
                         [&](std::size_t column) { return longest_word(rows, column); });
  while (total() > width) {
    std::size_t* column = widest(widths, wrapping, narrowest);
    if (column == nullptr) break;
    --*column;
  }
  TextRows wrapped;
  for (const auto& row : rows) add_wrapped(wrapped, row, wrapping, widths);
  return wrapped;
}

}  // namespace gpuseq::bench
