#include "bench/tools/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"
#include "runtime/system/child_process.hpp"

namespace gpuseq::bench {
namespace {

using Columns = std::vector<std::string_view>;

Columns split(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  Columns columns;
  while (true) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return columns;
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    columns.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

class Reader {
 public:
  Reader(const std::filesystem::path& path, const AnswerFormat& format)
      : path_(path), format_(format), lines_(path) {}

  Answers read() {
    std::string line;
    while (lines_.next(line)) {
      if (!format_.comment.empty() && line.starts_with(format_.comment)) continue;
      if (line.find_first_not_of(" \t") == std::string::npos) continue;
      take(line);
    }
    if (rows_ < width_)
      fail(fmt::format("found {} lines of {} numbers; a matrix has as many", rows_, width_));
    for (auto& [number, answer] : pairs_)
      if (!answers_.insert(answer).second)
        fail(fmt::format("the key '{}' is there twice", last_lines(answer.first)));
    return std::move(answers_);
  }

 private:
  void take(const std::string& line) {
    switch (format_.kind) {
      case AnswerFormat::Kind::count_lines:
        return count_line(split(line));
      case AnswerFormat::Kind::table:
        if (line.starts_with(format_.header)) take_row(split(line.substr(format_.header.size())));
        return;
      case AnswerFormat::Kind::sections:
        if (line.starts_with(format_.header)) return begin_section(line.substr(format_.header.size()));
        if (section_ == nullptr) fail(fmt::format("found '{}' before the first header", last_lines(line)));
        *section_ += counted(split(line));
        return;
      case AnswerFormat::Kind::matrix:
        return take_matrix_row(split(line));
      case AnswerFormat::Kind::pairs:
        return take_pair(split(line));
      case AnswerFormat::Kind::rows:
        if (rows_++ < static_cast<std::size_t>(format_.header_lines)) return;
        answers_[std::to_string(rows_ - static_cast<std::size_t>(format_.header_lines))] =
            sum_of(split(line));
    }
  }

  void take_matrix_row(Columns columns) {
    const auto left_out = static_cast<std::size_t>(format_.first_column) - 1;
    columns.erase(columns.begin(),
                  columns.begin() + static_cast<std::ptrdiff_t>(std::min(left_out, columns.size())));
    if (width_ == 0) width_ = columns.size();
    ++rows_;
    if (columns.size() != width_ || rows_ > width_)
      fail(fmt::format("found line {} of {} numbers; a matrix has {} of {}", rows_, columns.size(), width_,
                       width_));
    const std::size_t step = width_ * width_ / kMostOfMatrix + 1;
    const std::size_t before = (rows_ - 1) * width_;
    for (std::size_t at = (before + step - 1) / step * step; at < before + width_; at += step)
      answers_[fmt::format("{},{}", rows_, at - before + 1)] = number_of(columns[at - before]);
  }

  void count_line(const Columns& columns) {
    for (const int number : format_.same_columns)
      if (column(columns, number) != column(columns, format_.same_columns.front())) return;
    ++answers_[std::string(column(columns, format_.key_column))];
  }

  double sum_of(const Columns& columns) const {
    double value = 0;
    for (const auto& [number, times] : format_.sum) value += times * number_of(column(columns, number));
    return value;
  }

  /// Keeps all pairs at first, and a smaller share as their number grows.
  void take_pair(const Columns& columns) {
    if (rows_++ % step_ != 0) return;
    const auto& [first, second] = format_.key_columns;
    pairs_.push_back(
        {rows_ - 1,
         {fmt::format("{},{}", column(columns, first), column(columns, second)), sum_of(columns)}});
    if (pairs_.size() <= kMostOfMatrix) return;
    step_ *= 2;
    std::erase_if(pairs_, [this](const auto& pair) { return pair.first % step_ != 0; });
  }

  void take_row(const Columns& columns) {
    const std::string key(column(columns, format_.key_column));
    const double value = number_of(column(columns, format_.value_column));
    if (!answers_.emplace(key, value).second)
      fail(fmt::format("the key '{}' is there twice", last_lines(key)));
  }

  double number_of(std::string_view text) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      fail(fmt::format("found '{}'; allowed: a number", last_lines(text)));
    return value;
  }

  void begin_section(const std::string& header) {
    const Columns columns = split(header);
    section_ = &answers_[std::string(column(columns, format_.key_column))];
    if (format_.count_equal) wanted_ = column(columns, format_.count_equal->first);
  }

  /// The amount that a line adds to its section.
  double counted(const Columns& columns) const {
    if (format_.line_equal && column(columns, format_.line_equal->first) != format_.line_equal->second)
      return 0;
    if (format_.count_equal && column(columns, format_.count_equal->second) != wanted_) return 0;
    if (format_.count_words.empty()) return 1;
    return static_cast<double>(std::ranges::count_if(
        columns, [this](std::string_view word) { return word.find(format_.count_words) != word.npos; }));
  }

  std::string_view column(const Columns& columns, int number) const {
    const int size = static_cast<int>(columns.size());
    const int at = number > 0 ? number - 1 : size + number;
    if (at < 0 || at >= size) fail(fmt::format("found {} columns; column {} is needed", size, number));
    return columns[static_cast<std::size_t>(at)];
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("{}:{}: {}", path_.filename().string(), lines_.number(), what));
  }

  const std::filesystem::path& path_;
  const AnswerFormat& format_;
  LineReader lines_;
  Answers answers_;
  std::size_t rows_ = 0, width_ = 0;  // of a matrix; also lines of pairs and rows
  std::size_t step_ = 1;              // of pairs: distance of kept lines
  std::vector<std::pair<std::size_t, std::pair<std::string, double>>> pairs_;  // by line number
  double* section_ = nullptr;  // into answers_, whose elements do not move
  std::string wanted_;
};

}  // namespace

Answers read_answers(const std::filesystem::path& path, const AnswerFormat& format) {
  return Reader(path, format).read();
}

}  // namespace gpuseq::bench
