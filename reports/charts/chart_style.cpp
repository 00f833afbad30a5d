#include "reports/charts/chart_style.hpp"

#include <algorithm>

namespace gpuseq::reports::chart {
namespace {

constexpr double kPointsPerMillimetre = 72 / 25.4;
constexpr double kLetterWidth = 0.54;  // of a sans-serif font's size, on average

constexpr double kTwoPanelsMillimetres = 150;  // from which panels stand side by side
constexpr double kHighest = 0.8;               // of a bare picture's width

}  // namespace

Style print(double width_mm) {
  return {.width = width_mm * kPointsPerMillimetre,
          .text = 7,
          .label = 7,
          .axis_title = 7.5,
          .panel_title = 7.5,
          .title = 8.5,
          .columns = width_mm < kTwoPanelsMillimetres ? 1 : 2};
}

Style screen() {
  return {};
}

Style column_width() {
  return print(kColumnMillimetres);
}

Style page_width() {
  return print(kPageMillimetres);
}

Style bare(double width_mm, double height_mm) {
  Style style = print(width_mm);
  style.bare = true;
  style.height = height_mm > 0 ? height_mm * kPointsPerMillimetre : kHighest * style.width;
  return style;
}

double text_width(std::string_view text, double font_size) {
  // Bytes that continue a letter of UTF-8 take no room of their own.
  const auto count = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return kLetterWidth * font_size * static_cast<double>(count);
}

std::size_t letters(double width, double font_size) {
  return static_cast<std::size_t>(std::max(1.0, width / (kLetterWidth * font_size)));
}

}  // namespace gpuseq::reports::chart
