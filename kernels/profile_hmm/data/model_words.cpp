#include "kernels/profile_hmm/data/model_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "runtime/contract/errors.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kBlanksOfLines = " \t\r\v\f";

constexpr u64 kMostComments = 100'000'000;  // limits an endless source, which would be read for hours

template <typename T>
std::optional<T> parse(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

bool ModelWords::next_line() {
  for (u64 comments = 0; lines_.next(line_); ++comments) {
    if (comments > kMostComments)
      fail(fmt::format("{} lines of comments one after the other, allowed: up to {}", comments,
                       kMostComments));
    if (line_.find('\0') != std::string::npos) fail("a zero byte, allowed: text");
    at_ = line_.find_first_not_of(kBlanksOfLines);
    if (at_ != std::string::npos && line_[at_] != '#') return true;
  }
  line_.clear();
  at_ = 0;
  return false;
}

void ModelWords::expect_line(std::string_view what) {
  if (!next_line()) fail(fmt::format("the file ends before {}", what));
}

std::optional<std::string_view> ModelWords::word() {
  at_ = std::min(line_.find_first_not_of(kBlanks, at_), line_.size());
  if (at_ == line_.size() || line_[at_] == '#') return std::nullopt;
  const std::size_t begin = at_;
  at_ = std::min(line_.find_first_of(kBlanks, at_), line_.size());
  return std::string_view(line_).substr(begin, at_ - begin);
}

std::string_view ModelWords::expect_word(std::string_view what) {
  const auto found = word();
  if (!found) fail(fmt::format("the line ends before {}", what));
  return *found;
}

bool ModelWords::take_word(std::string_view expected) {
  const std::size_t before = at_;
  if (word() == expected) return true;
  at_ = before;
  return false;
}

void ModelWords::expect_rest(std::string_view tag) const {
  if (line_.find_first_not_of(kBlanksOfLines, at_) == std::string::npos)
    fail(fmt::format("nothing follows {}", tag));
}

double ModelWords::number(std::string_view what) {
  const std::string_view text = expect_word(what);
  const auto value = parse<double>(text);
  if (!value || !(std::abs(*value) <= std::numeric_limits<float>::max()))
    fail(fmt::format("'{}' as {}, allowed: a number", shown(text), what));
  return *value;
}

double ModelWords::positive_number(std::string_view what) {
  const double value = number(what);
  if (!(static_cast<float>(value) > 0)) fail(fmt::format("{} as {}, allowed: a number above 0", value, what));
  return value;
}

i64 ModelWords::count(std::string_view what, i64 most) {
  const std::string_view text = expect_word(what);
  const auto value = parse<i64>(text);
  if (!value || *value < 1 || *value > most)
    fail(fmt::format("'{}' as {}, allowed: 1 to {}", shown(text), what, most));
  return *value;
}

bool ModelWords::yes_or_no(std::string_view what) {
  const std::string_view text = expect_word(what);
  const bool yes = same_letters(text, "yes");
  if (!yes && !same_letters(text, "no")) fail(fmt::format("'{}' as {}, allowed: yes, no", shown(text), what));
  return yes;
}

float ModelWords::probability(std::size_t i, std::size_t n, std::string_view what) {
  const auto text = word();
  if (!text) fail(fmt::format("{} {}, needed: {}", i, what, n));
  if (*text == "*") return 0;
  const auto minus_log = parse<double>(*text);
  if (!minus_log || !(*minus_log >= 0) || std::isinf(*minus_log))
    fail(
        fmt::format("'{}' as number {} of the {}, allowed: '*' or a number from 0 (minus the logarithm of a "
                    "probability)",
                    shown(*text), i + 1, what));
  return std::exp(static_cast<float>(-*minus_log));
}

void ModelWords::fail(const std::string& what) const {
  throw UsageError(fmt::format("{}:{}: {}", path_, lines_.number(), what));
}

std::string shown(std::string_view text) {
  std::string result;
  for (const char letter : text.substr(0, 40))
    result += letter > 0x20 && letter < 0x7f ? std::string(1, letter)
                                             : fmt::format("\\x{:02x}", static_cast<unsigned char>(letter));
  return text.size() > 40 ? result + "..." : result;
}

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace gpuseq::profile_hmm
