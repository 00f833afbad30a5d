#include "bench/base/number_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gpuseq::bench {

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
  constexpr double kAges = 1e15;  // no number of seconds that a long cannot hold
  const long whole = std::lround(std::clamp(seconds, 0.0, kAges));
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

}  // namespace gpuseq::bench
