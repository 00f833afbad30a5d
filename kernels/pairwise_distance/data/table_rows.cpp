#include "kernels/pairwise_distance/data/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "kernels/pairwise_distance/data/csv_fields.hpp"
#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::array<std::pair<char, std::string_view>, 4> kSeparators{
    {{'\t', "tabs"}, {';', "semicolons"}, {',', "commas"}, {' ', "blanks"}}};

std::size_t first_letter(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// Whether a row continues after a line, because a quote is open.
class OpenQuote {
 public:
  /// @param separators  after which a quoted field may begin
  void take(std::string_view line, std::string_view separators) {
    if (!open_ && line.find('"') == std::string_view::npos) return;
    bool at_start = !open_;
    for (std::size_t at = 0; at < line.size(); ++at) {
      const char letter = line[at];
      if (open_) {
        if (letter != '"') continue;
        if (at + 1 < line.size() && line[at + 1] == '"') {
          ++at;
          continue;
        }
        open_ = false;
      } else if (separators.find(letter) != std::string_view::npos) {
        at_start = true;
      } else if (letter == '"' && at_start) {
        open_ = true;
      } else if (letter != ' ' && letter != '\t') {
        at_start = false;
      }
    }
  }
  bool is_open() const { return open_; }

 private:
  bool open_ = false;
};

/// Whether a comma-separated row could be separated by blanks and have decimal commas: "a 0,5".
bool may_have_decimal_commas(std::span<const std::string_view> fields) {
  const auto values = fields.subspan(1);
  return std::ranges::any_of(values, [](auto field) { return field.find(',') != field.npos; }) &&
         std::ranges::all_of(
             values, [](auto field) { return !field.ends_with(',') && csv_real(field, true).has_value(); });
}

}  // namespace

TableRows::TableRows(const std::filesystem::path& path, NextBytes bytes)
    : path_(path.string()), lines_(path, std::move(bytes)) {}

void TableRows::fail(std::size_t line, const std::string& what) const {
  throw UsageError(fmt::format("{}:{}: {}", path_, line, what));
}

std::string_view TableRows::separator_name() const {
  const auto found = std::ranges::find(kSeparators, separator_, [](const auto& one) { return one.first; });
  return found == kSeparators.end() ? "commas" : found->second;
}

/// Removes the byte order mark of UTF-8; rejects text in other encodings.
void TableRows::check_bytes(std::string& line) {
  if (!seen_lines_ && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
  if ((!seen_lines_ && (line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff"))) ||
      line.find('\0') != std::string::npos)
    fail(lines_.number(), "found text that is UTF-16 or none, allowed: UTF-8");
  if (line.find('\r') != std::string::npos)
    fail(lines_.number(), "found a carriage return within the line, allowed: lines that end in LF or CRLF");
}

/// "sep=;", which Excel reads from the first line.
bool TableRows::take_separator_line(const std::string& line) {
  constexpr std::string_view kBegin = "sep=";
  if (seen_lines_ || !line.starts_with(kBegin) || line.size() != kBegin.size() + 1) return false;
  separator_ = line.back();
  if (std::ranges::none_of(kSeparators, [&](const auto& one) { return one.first == separator_; }))
    fail(lines_.number(),
         fmt::format("found the separator {}, allowed: a tab, a semicolon, a comma or a blank",
                     shown(separator_)));
  return true;
}

/// Whether a line is not part of a row.
bool TableRows::skip(const std::string& line) {
  const std::size_t first = first_letter(line);
  if (first == line.size()) return separator_ != '\t' || line.find('\t') == std::string::npos;
  if (line[first] != '#') return false;
  if (seen_rows_)
    fail(lines_.number(),
         "the line begins with #, allowed: comments above the first row, and double quotes "
         "around a name that begins with #");
  if (++comments_ > kMostComments) refuse_comments(path_, lines_.number());
  comment_ = {line.substr(first + 1), lines_.number()};
  return true;
}

bool TableRows::read(Text& row) {
  for (std::string line; lines_.next(line);) {
    check_bytes(line);
    const bool is_separator = take_separator_line(line);
    seen_lines_ = true;
    if (is_separator || skip(line)) continue;
    seen_rows_ = true;
    row = {std::move(line), lines_.number()};
    const std::string separators = separator_ == '\0' ? "\t;, " : std::string(1, separator_);
    OpenQuote quote;
    for (quote.take(row.text, separators); quote.is_open(); quote.take(line, separators)) {
      if (!lines_.next(line)) fail(row.line, "a quoted field has no end, allowed: \"...\"");
      check_bytes(line);
      memory().append(row.text, "\n");
      memory().append(row.text, line);
    }
    return true;
  }
  return false;
}

std::size_t TableRows::count_fields(const std::string& text, char separator) {
  const auto fields =
      static_cast<u64>(std::ranges::count_if(
          text, [&](char letter) { return letter == separator || (separator == ' ' && letter == '\t'); })) +
      1;
  scratch_.fields.clear();
  scratch_.unquoted.clear();
  memory().make_room(scratch_.fields, fields);
  memory().make_room(scratch_.unquoted, text.size());
  return split_csv(text, separator, scratch_.fields, scratch_.unquoted) ? scratch_.fields.size() : 0;
}

char TableRows::find_separator(const Text& first, const Text* second) {
  std::array<std::array<std::size_t, 2>, kSeparators.size()> counts{};
  for (std::size_t i = 0; i < kSeparators.size(); ++i) {
    counts[i][0] = count_fields(first.text, kSeparators[i].first);
    counts[i][1] = second == nullptr ? counts[i][0] : count_fields(second->text, kSeparators[i].first);
  }
  const auto find = [&](auto holds) {
    const auto found = std::ranges::find_if(counts, [&](const auto& c) { return holds(c[0], c[1]); });
    return found == counts.end() ? '\0' : kSeparators[static_cast<std::size_t>(found - counts.begin())].first;
  };
  char separator = find([](std::size_t a, std::size_t b) { return a > 1 && a == b; });
  if (separator == '\0') separator = find([](std::size_t a, std::size_t b) { return a > 0 && b == a + 1; });
  if (separator == '\0') separator = find([](std::size_t a, std::size_t b) { return a > 1 || b > 1; });
  // The scratch row has the last row's fields separated by blanks.
  if (separator == ',' && counts.back()[0] > 1 && counts.back()[0] == counts.back()[1] &&
      may_have_decimal_commas(scratch_.fields))
    fail(first.line,
         "fields may be separated by commas, or by blanks with decimal commas; allowed: double quotes around "
         "names with blanks, or decimal points");
  return separator == '\0' ? ',' : separator;
}

void TableRows::begin() {
  begun_ = true;
  for (Text row; ahead_.size() < 2 && read(row);) ahead_.push_back(std::move(row));
  if (separator_ == '\0' && !ahead_.empty())
    separator_ = find_separator(ahead_.front(), ahead_.size() > 1 ? &ahead_.back() : nullptr);
  scratch_.fields = {};
  scratch_.unquoted = {};
}

void TableRows::split(TableRow& row) {
  row.fields.clear();
  row.unquoted.clear();
  memory().make_room(row.fields, static_cast<u64>(std::ranges::count(row.text, separator_)) + 1);
  memory().make_room(row.unquoted, row.text.size());
  if (!split_csv(row.text, separator_, row.fields, row.unquoted))
    fail(row.line, "a quoted field has no end, or more behind it, allowed: \"...\"");
}

bool TableRows::next(TableRow& row) {
  if (!begun_) begin();
  Text text;
  if (!ahead_.empty()) {
    text = std::move(ahead_.front());
    ahead_.pop_front();
  } else if (!read(text)) {
    return false;
  }
  row.text = std::move(text.text);
  row.line = text.line;
  split(row);
  return true;
}

std::unique_ptr<TableRow> TableRows::comment() {
  if (!comment_) return nullptr;
  auto row = std::make_unique<TableRow>();
  row->text = std::move(comment_->text);
  row->line = comment_->line;
  comment_.reset();
  return split_csv(row->text, separator_, row->fields, row->unquoted) ? std::move(row) : nullptr;
}

}  // namespace gpuseq::pairwise_distance
