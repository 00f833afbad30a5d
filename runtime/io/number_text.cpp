#include "runtime/io/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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
  // 999.6 would print as "1000": the prefix changes where rounding to three digits does.
  for (; std::abs(value) >= 999.5 && step + 1 < prefixes.size(); ++step) value /= 1000;
  for (; value != 0 && std::abs(value) < 0.9995 && step > 0; --step) value *= 1000;
  return fmt::format("{} {}{}", significant(value, 3), prefixes[step], unit);
}

}  // namespace gpuseq
