#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/figure_tools.hpp"

/// Figures that go from a published kernel to ours, a step at a time.
namespace gpuseq::reports::ladders {

/// A value of an axis; "variant" is one too.
struct Setting {
  std::string_view axis;
  std::string value;
};

/// What is replaced at once.
struct Step {
  std::string row;
  std::vector<Setting> changes;
  /// Where it makes a difference; empty: everywhere. Elsewhere there is no row of it.
  std::function<bool(const Entry&)> matters = {};
};

/// The published kernel and the steps from there to the last, ours. Records from before an axis was there
/// have its last value, and so has what never had the axis.
struct Ladder {
  std::string name = {}, series = {};  // before its rows, and in the legend; empty where a figure has but one
  std::string published_row = "as published";
  std::vector<Setting> published;
  std::vector<Step> steps;
};

/// A panel: records with the same `key` on one device and one problem. Keys are in the order of the panels.
struct Place {
  std::string key, title;
};

/// The axis of rates. Made by a function of its own, as GCC 12 takes what it would destroy of a half-made
/// LadderChart for not initialized.
chart::Quantity rates(std::string title);

struct LadderChart {
  std::string_view family;
  std::vector<Ladder> ladders;
  std::function<std::string(const Entry&, std::string_view axis)> value = axis_text;
  std::function<std::optional<Place>(const Entry&)> place;  // nullopt: of no panel
  std::function<double(const Entry&)> worth;       // of problems with as many rows the one shown has the most
  std::function<std::string(const Entry&)> about;  // what was measured on; in titles where panels differ
  chart::Quantity quantity;
  double factor = 1;  // from a record's rate to `quantity`
  std::function<chart::Tips(const Entry&)> tips;
  std::vector<std::string> notes = {};
};

/// A row for each kernel that was measured, the published one first; where steps were taken together, its row
/// names all of them. Ladders whose published kernel was not measured have none; a panel has a step at least.
Drawing draw(const LadderChart& of, const Figure& figure, const ReportData& data);

}  // namespace gpuseq::reports::ladders
