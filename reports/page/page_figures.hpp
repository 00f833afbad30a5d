#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "reports/page/page.hpp"

/// Figures as the page shows them.
namespace gpuseq::reports {

/// Whether the page's filter takes rows out of a plot.
enum class Filtering { by_record, none };

/// Writes plots and numbers them.
class PlotWriter {
 public:
  /// @param with_scripts  whether there is something that draws; else a plot is nothing
  explicit PlotWriter(bool with_scripts) : with_scripts_(with_scripts) {}

  /// @param label  what is told to those who do not see it
  /// @param spec  as it may stand in a <script> element
  std::string plot(std::string_view label, std::string_view spec, Filtering filtering = Filtering::by_record);

 private:
  bool with_scripts_;
  std::size_t count_ = 0;
};

/// Where on the page a figure stands.
enum class PagePart { rate_over_bytes, devices_compared, families, reproductions, heat_maps, fits };

/// Reproductions are the figures that have a published value; else a figure stands where its name says, most
/// with their families.
PagePart part_of(const Figure& figure, const Published& published);

/// The drawn figures of a part. Those of families, and reproductions, stand under a heading a family, with
/// links to them where they are many.
std::string figures_html(const Page& page, PagePart part, PlotWriter& plots);

/// Figures that these records cannot draw, with the reason; empty where there are none.
std::string not_drawn_html(const Page& page);

/// Why there are no plots on the page; empty where there are.
std::string no_plots_html(const Page& page);

}  // namespace gpuseq::reports
