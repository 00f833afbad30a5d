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
  int columns = 2;         // most panels side by side
  bool bare = false;       // without title and notes, which a caption has
  double height = 0;       // of the whole picture, at most; 0: as high as its panels need
  double plot_height = 0;  // of a plot of lines; 0: the usual one

  bool print() const { return width > 0; }
  /// Lengths of marks and gaps shrink with the letters.
  double scale() const { return text / 11; }
  /// Too narrow for words beside a mark.
  bool narrow() const { return print() && columns == 1; }
};

inline constexpr double kColumnMillimetres = 88;  // a column of a two-column paper
inline constexpr double kPageMillimetres = 180;   // both columns

Style screen();
/// Letters have 7 to 8.5 points, whatever the width.
Style print(double width_mm);
Style column_width();
Style page_width();
/// For a caption below: no higher than `height_mm`, or than 0.8 of the width where that is 0.
Style bare(double width_mm, double height_mm = 0);

/// Width of a text in a sans-serif font, on average.
double text_width(std::string_view text, double font_size);

/// How many letters of a font fit into a width.
std::size_t letters(double width, double font_size);

}  // namespace gpuseq::reports::chart
