#include "runtime/io/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "runtime/contract/errors.hpp"

namespace gpuseq {

std::string significant(double value, int digits) {
  const double magnitude = std::abs(value);
  if (!std::isfinite(value)) return "n/a";
  if (magnitude >= 1e6 || (magnitude > 0 && magnitude < 1e-4)) return fmt::format("{:.{}g}", value, digits);
  const int before = magnitude > 0 ? static_cast<int>(std::floor(std::log10(magnitude))) + 1 : 1;
  std::string text = fmt::format("{:.{}f}", value, std::max(0, digits - before));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string with_decimal_prefix(double value, std::string_view unit) {
  static constexpr std::array<std::string_view, 9> prefixes{"p", "n", "µ", "m", "", "k", "M", "G", "T"};
  std::size_t step = 4;
  // 999.6 would print as "1000": changes the prefix at the value that rounds to three digits.
  for (; std::abs(value) >= 999.5 && step + 1 < prefixes.size(); ++step) value /= 1000;
  for (; value != 0 && std::abs(value) < 0.9995 && step > 0; --step) value *= 1000;
  return fmt::format("{} {}{}", significant(value, 3), prefixes[step], unit);
}

std::uint64_t parse_bytes(std::string_view text) {
  constexpr double kMostBytes = 0x1p60;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  if (suffix.starts_with(' ')) suffix.remove_prefix(1);
  if (suffix.ends_with('B')) suffix.remove_suffix(1);
  const bool binary = suffix.ends_with('i');
  if (binary) suffix.remove_suffix(1);
  constexpr std::string_view kPrefixes = "kMGT";
  const std::size_t prefix = suffix == "K" ? 0 : suffix.size() == 1 ? kPrefixes.find(suffix) : kPrefixes.npos;
  const double factor =
      std::pow(binary ? 1024.0 : 1000.0, suffix.empty() ? 0 : static_cast<double>(prefix + 1));
  const bool known = suffix.empty() ? !binary : prefix != kPrefixes.npos;
  if (error != std::errc() || !known || !(number * factor >= 1) || number * factor > kMostBytes)
    throw UsageError(fmt::format(
        "found \"{}\"; allowed: bytes from 1 to 2^60, with k, M, G or T (powers of 1000) or Ki, Mi, Gi or Ti "
        "(of 1024) behind: 200M, 1.5GiB",
        text.substr(0, 40)));
  return static_cast<std::uint64_t>(number * factor);
}

}  // namespace gpuseq
