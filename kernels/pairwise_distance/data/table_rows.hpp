#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/byte_source.hpp"

namespace gpuseq::pairwise_distance {

/// A row of a table. Not movable, as its fields are views into its members.
struct TableRow {
  TableRow() = default;
  TableRow(const TableRow&) = delete;
  TableRow& operator=(const TableRow&) = delete;

  std::string text, unquoted;
  std::size_t line = 0;  // the first of its lines
  std::vector<std::string_view> fields;
};

/// The rows of a text table. Tabs, semicolons, commas or blanks separate fields: the first of these that
/// gives the first two rows the same number of fields. A quoted field may contain line breaks. Blank lines
/// are skipped, and so are lines above the first row that begin with '#'.
class TableRows {
 public:
  TableRows(const std::filesystem::path& path, NextBytes bytes);

  /// Replaces `row` by the next one; false at the end.
  /// @throws UsageError for UTF-16, an unclosed quote, a line with '#' below the first row; DoesNotFit
  bool next(TableRow& row);
  /// The last line with '#' above the first row, without the '#', once; null: there is none. Valid
  /// after the first next().
  std::unique_ptr<TableRow> comment();

  /// Whether a comma in a number is a decimal point: a semicolon, tab or blank separates fields.
  bool commas_are_points() const { return separator_ != ','; }
  /// Whether tabs or blanks separate fields: then "1,234" may be a decimal number or have a
  /// thousands separator.
  bool has_thousands() const { return separator_ == '\t' || separator_ == ' '; }
  std::string_view separator_name() const;
  GrowingMemory& memory() { return lines_.memory(); }
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

 private:
  struct Text {
    std::string text;
    std::size_t line = 0;
  };
  void begin();
  bool read(Text& row);
  bool skip(const std::string& line);
  void check_bytes(std::string& line);
  bool take_separator_line(const std::string& line);
  char find_separator(const Text& first, const Text* second);
  std::size_t count_fields(const std::string& text, char separator);
  void split(TableRow& row);

  std::string path_;
  LineReader lines_;
  std::optional<Text> comment_;
  u64 comments_ = 0;
  std::deque<Text> ahead_;
  char separator_ = '\0';  // not known yet
  bool begun_ = false, seen_lines_ = false, seen_rows_ = false;
  TableRow scratch_;
};

}  // namespace gpuseq::pairwise_distance
