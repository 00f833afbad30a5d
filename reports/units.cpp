#include "reports/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "runtime/io/number_text.hpp"

namespace gpuseq::reports {
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

std::string_view base_unit(Unit unit) {
  if (unit == Unit::bits_per_base) return "bits/base";
  return unit == Unit::share || unit == Unit::ratio ? "" : suffix(unit);
}

Scale common_scale(const std::vector<double>& values, Unit unit) {
  std::vector<double> sizes;
  for (const double value : values)
    if (std::isfinite(value) && value != 0) sizes.push_back(std::abs(value));
  if (unit == Unit::share) return {0.01, "%"};
  if (unit == Unit::number || unit == Unit::ratio || unit == Unit::bits_per_base || sizes.empty())
    return {1, std::string(base_unit(unit))};
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  if (unit == Unit::bytes) {
    std::size_t step = 0;
    double divisor = 1;
    for (; *middle / divisor >= 1024 && step + 1 < kBinaryPrefixes.size(); ++step) divisor *= 1024;
    return {divisor, fmt::format("{}B", kBinaryPrefixes[step])};
  }
  static constexpr std::array<std::string_view, 9> prefixes{"p", "n", "µ", "m", "", "k", "M", "G", "T"};
  const int step = std::clamp(static_cast<int>(std::floor(std::log10(*middle) / 3)), -4, 4);
  return {std::pow(1000.0, step),
          fmt::format("{}{}", prefixes[static_cast<std::size_t>(step + 4)], suffix(unit))};
}

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

std::string label_expression(Unit unit) {
  switch (unit) {
    case Unit::number:
    case Unit::bits_per_base:
      return "format(datum.value, '.7~g')";  // of fewer digits 10 000 would be 1e+4
    case Unit::ratio:
      return "format(datum.value, '.7~g') + ' x'";
    case Unit::share:
      return "format(datum.value * 100, '.4~g') + ' %'";
    case Unit::bytes: {
      std::string expression = "format(datum.value, '.4~g') + ' B'";
      double scale = 1;
      for (std::size_t step = 1; step < kBinaryPrefixes.size(); ++step) {
        scale *= 1024;
        expression =
            fmt::format("datum.value < {0:.0f} ? {1} : format(datum.value / {0:.0f}, '.4~g') + ' {2}B'",
                        scale, expression, kBinaryPrefixes[step]);
      }
      return expression;
    }
    default:
      // format(..., 's') ends in the prefix, if there is one; the space goes before it.
      return fmt::format("replace(format(datum.value, '.3~s'), regexp('([a-zA-Zµ]?)$'), ' $1') + '{}'",
                         suffix(unit));
  }
}

std::vector<double> even_ticks(double low, double high) {
  const double rough = (high - low) / 4;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power < 1.5   ? 1
                               : rough / power < 3.5 ? 2
                               : rough / power < 7.5 ? 5
                                                     : 10);
  std::vector<double> ticks;
  for (double tick = std::ceil(low / step) * step; tick <= high; tick += step) ticks.push_back(tick);
  return ticks;
}

std::vector<double> log_ticks(double low, double high, Unit unit, std::size_t most) {
  std::vector<double> ticks;
  if (!(low > 0) || !(high > low)) return ticks;
  most = std::max<std::size_t>(most, 2);
  if (unit == Unit::bytes) {
    const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
    int step = 1;
    while ((last - first) / step + 1 > static_cast<int>(most)) ++step;
    for (int power = (first + step - 1) / step * step; power <= last; power += step)
      ticks.push_back(std::exp2(power));
    return ticks;
  }
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::floor(std::log10(high)));
  const auto collect = [&](std::initializer_list<double> mantissas, int step) {
    ticks.clear();
    for (int power = first; power <= last; power += step)
      for (const double mantissa : mantissas) {
        const double tick = mantissa * std::pow(10, power);
        if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
      }
    return ticks.size() <= most;
  };
  if (collect({1, 2, 3, 4, 5, 6, 7, 8, 9}, 1)) {
    // A range too narrow to have ticks of its own kind.
    return ticks.size() > 2 ? ticks : even_ticks(low, high);
  }
  if (collect({1, 2, 5}, 1) || collect({1, 3}, 1)) return ticks;
  for (int step = 1; !collect({1}, step) && step <= last - first;) ++step;
  return ticks;
}

}  // namespace gpuseq::reports
