#pragma once

#include <cstddef>
#include <string_view>

/// How large a picture is and its letters are: the same chart is drawn for a screen and for a column of a
/// paper.
namespace gpuseq::reports::chart {

/// Sizes in pixels; in print a pixel is a point of 1/72 inch.
struct Style {
  double width = 0;  // of the whole picture; 0: as wide as its panels need
  double text = 11;  // numbers along axes, legends, notes
  double label = 10;
  double axis_title = 12, panel_title = 12, title = 15;
  int columns = 2;  // most panels side by side

  bool print() const { return width > 0; }
  /// Lengths of marks and gaps shrink with the letters.
  double scale() const { return text / 11; }
  /// Too narrow for words beside a mark.
  bool narrow() const { return print() && columns == 1; }
};

Style screen();
/// 88 mm, a column of a two-column paper. No letter is smaller than 7 points.
Style column_width();
/// 180 mm, both columns.
Style page_width();

/// Width of a text in a sans-serif font, on average.
double text_width(std::string_view text, double font_size);

/// How many letters of a font fit into a width.
std::size_t letters(double width, double font_size);

}  // namespace gpuseq::reports::chart
