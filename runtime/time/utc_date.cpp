#include "runtime/time/utc_date.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "runtime/contract/errors.hpp"

namespace gpuseq {
namespace {

/// Removes a number of `digits` digits and the letter `behind` from the front of a text; -1
/// for anything else.
int take_number(std::string_view& text, std::size_t digits, char behind) {
  int number = 0;
  const char* const end = text.data() + std::min(digits, text.size());
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  const bool is_whole = error == std::errc() && stopped == text.data() + digits && text.front() != '-';
  const bool ends_right =
      behind == '\0' ? text.size() == digits : text.size() > digits && text[digits] == behind;
  if (!is_whole || !ends_right) return -1;
  text.remove_prefix(digits + (behind == '\0' ? 0 : 1));
  return number;
}

}  // namespace

bool is_utc_date(std::string_view text) {
  const bool has_time = text.find('T') != text.npos;
  const int year = take_number(text, 4, '-');
  const int month = take_number(text, 2, '-');
  const int day = take_number(text, 2, has_time ? 'T' : '\0');
  if (year < 1 || month < 1 || day < 1) return false;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || !has_time) return date.ok();
  const int hour = take_number(text, 2, ':');
  const int minute = take_number(text, 2, ':');
  const int second = take_number(text, 2, 'Z');
  constexpr int kLeapSecond = 60;
  return hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= kLeapSecond &&
         text.empty();
}

void require_utc_date(std::string_view text, std::string_view place) {
  if (!is_utc_date(text))
    throw UsageError(
        fmt::format("{}: found \"{}\", allowed: a date such as 2026-11-20T21:26:08Z", place, text));
}

}  // namespace gpuseq
