#include "bench/config/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "runtime/io/number_text.hpp"

namespace gpuseq::bench {
namespace {

constexpr std::array<std::string_view, 7> kBinaryPrefixes{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

std::string_view suffix(Unit unit) {
  switch (unit) {
    case Unit::bases_per_joule:
      return "bases/J";
    case Unit::hertz:
      return "Hz";
    case Unit::watts:
      return "W";
    case Unit::ratio:
      return "x";
    case Unit::bytes:
      return "B";
    case Unit::bytes_per_s:
      return "B/s";
    case Unit::bases:
      return "bases";
    case Unit::bases_per_s:
      return "bases/s";
    case Unit::seconds:
      return "s";
    case Unit::share:
      return "%";
    case Unit::bits_per_base:
      return "bits";
    case Unit::number:
    case Unit::number_si:
      break;
  }
  return "";
}

std::string three_digits(double value) {
  return significant(value, 3);
}

std::string with_binary_prefix(double bytes) {
  std::size_t step = 0;
  for (; std::abs(bytes) >= 1024 && step + 1 < kBinaryPrefixes.size(); ++step) bytes /= 1024;
  return fmt::format("{} {}B", three_digits(bytes), kBinaryPrefixes[step]);
}

}  // namespace

std::string format_value(double value, Unit unit) {
  if (!std::isfinite(value)) return "n/a";
  switch (unit) {
    case Unit::bytes:
      return with_binary_prefix(value);
    case Unit::share:
      return three_digits(value * 100) + " %";
    case Unit::number:
      return three_digits(value);
    case Unit::ratio:
      return three_digits(value) + " x";
    case Unit::bits_per_base:
      return three_digits(value) + " bits/base";
    default:
      return with_decimal_prefix(value, suffix(unit));
  }
}

std::string_view unit_name(Unit unit) {
  static constexpr std::array<std::string_view, 13> names{
      "number",  "number_si", "bytes", "bytes_per_s", "bases", "bases_per_s",  "bases_per_joule",
      "seconds", "hertz",     "watts", "share",       "ratio", "bits_per_base"};
  return names.at(static_cast<std::size_t>(unit));
}

std::string prefixed(double value) {
  constexpr std::array kPrefixes{"", "k", "M", "G", "T", "P"};
  std::size_t i = 0;
  while (std::fabs(value) >= 999.5 && i + 1 < kPrefixes.size()) {
    value /= 1000;
    ++i;
  }
  return fmt::format("{:.3g} {}", value, kPrefixes[i]);
}

std::string bytes_text(double bytes) {
  constexpr std::array kPrefixes{"", "Ki", "Mi", "Gi", "Ti"};
  std::size_t i = 0;
  while (bytes >= 1024 && i + 1 < kPrefixes.size()) {
    bytes /= 1024;
    ++i;
  }
  return fmt::format("{:.3g} {}B", bytes, kPrefixes[i]);
}

std::string duration_text(double seconds) {
  constexpr double kAges = 1e15;  // seconds that fit in a long
  const long whole = std::lround(std::clamp(seconds, 0.0, kAges));
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

}  // namespace gpuseq::bench
