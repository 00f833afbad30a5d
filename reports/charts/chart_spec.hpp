#pragma once

#include <string>
#include <vector>

#include "reports/charts/chart.hpp"

/// Pieces of Vega-Lite that the kinds of charts share. Series take the colours of Okabe and Ito (distinct for
/// colour-blind readers) and a shape each, so that colour is never the only sign.
namespace gpuseq::reports::chart {

/// An axis or a scale turns logarithmic where the data spans more.
inline constexpr double kLogFromRatio = 12;

/// Height of a plot of lines and of a row with names of some lines in a bare picture, at least.
inline constexpr double kLeastPlotPoints = 60;
double least_row(std::size_t lines, const Style& style);

/// Letters that a line of a row's name has in print, at most.
std::size_t row_name_letters(const RowChart& chart, const Style& style);

/// A quantity laid out on an axis: the ends of the scale include a margin.
struct Axis {
  Quantity quantity = {};
  double low = 0, high = 1;
  double pixels = 0;
  bool vertical = false;

  /// Pixels from the low end.
  double place(double value) const;
  /// What stands so many pixels from the low end.
  double value_at(double place) const;
};
/// @param reserve  share of the axis kept free beyond the highest value, for labels beside marks
Axis lay_out(const Quantity& quantity, double low, double high, double pixels, bool vertical,
             double reserve = 0);
Json axis_encoding(const char* field, const Axis& axis, const Style& style);

/// Room that a vertical axis takes beside its plot: title, in lines as long as the plot is high, labels,
/// ticks.
double axis_room(const Quantity& quantity, double high, double height, const Style& style);

/// Width of one of `panels` plots with `beside` pixels of axis each.
double panel_width(std::size_t panels, double beside, const Style& style);

/// The outer object: schema, title, config, panels side by side in `columns`. Those of a bare picture have a
/// "least_height", to which the renderer makes them lower where the whole is too high.
Json frame(const Heading& heading, std::vector<Json> panels, int columns, const Style& style);

/// What a page needs to draw a specification of the screen's style at another width: pixels of axes and names
/// `beside` each plot, and whether a wider plot is a higher one, too. Nothing in print.
void note_screen(Json& spec, double beside, bool stretches, const Style& style);

/// Legend of named things; in print below the plots, in as many columns as fit.
Json legend(const std::vector<std::string>& names, const Style& style);
Json color_encoding(const std::string& title, const std::vector<std::string>& series, const Style& style);
Json shape_encoding(const std::string& title, const std::vector<std::string>& series, const Style& style);

/// Puts tooltip lines into a row, and makes a mark show those of its row.
void add_tips(Json& row, const Tips& tips);
void add_record(Json& row, const RecordIndex& record);
Json with_tooltip(Json mark);
/// White around a text, drawn before it, so that what passes behind stays off its letters.
Json rim_of(Json text, const Style& style);
Json inline_data(std::vector<Json> rows);
/// Title of a plot of some width; broken into lines in print.
Json panel_title(const std::string& title, double width, const Style& style, double offset = 8);

/// Breaks a text at spaces into lines of at most `letters`, where a word fits.
std::vector<std::string> wrap(const std::string& text, std::size_t letters);

}  // namespace gpuseq::reports::chart
