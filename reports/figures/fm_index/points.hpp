#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/figure_tools.hpp"
#include "reports/terms.hpp"

/// Reading of FM-index records that the family's figures share.
namespace gpuseq::reports {

/// The layout axes of a point; d is 0 where a variant has none.
struct FmLayout {
  int k = 0;
  int d = 0;
  std::string counters = {};  // "full", "alternate", empty
  friend auto operator<=>(const FmLayout&, const FmLayout&) = default;
};
FmLayout layout_of(const Entry& entry);
FmLayout layout_of(const Fact& fact);
std::string layout_text(const FmLayout& layout);  // "k=2 d=192 alternate"
/// "one-hot ", "Elias-Fano ", "psi " or "psi lines ", before such a text; of sampled layouts empty.
std::string layout_kind(const Entry& entry);

/// Records on one device and one problem with the same prefix table, largest reference first.
struct FmPanel {
  std::string device_name = {};
  std::string problem = {};  // short name, and the words of the prefix table
  double reference_bases = 0;
  std::vector<const Entry*> entries = {};
  std::string title() const { return device_name + ": " + problem; }
};
std::vector<FmPanel> fm_panels(const ReportData& data);

/// Panels of rates over a number, as they fill.
struct FmCurves {
  std::vector<chart::Panel> panels;
  std::vector<const Entry*> used;
  std::set<double> xs;
  std::set<std::string> series;
};

/// Adds a panel, unless it has fewer than `least_x` values of x or the figure is full.
/// @param fastest (series, x) -> record
void add_curves(const ReportData& data, FmCurves& curves, const std::string& title,
                const std::map<std::pair<std::string, double>, const Entry*>& fastest, std::size_t least_x);

/// Names of series, natural order ("d=64" before "d=192").
std::vector<std::string> natural_order(std::vector<std::string> names);

}  // namespace gpuseq::reports
