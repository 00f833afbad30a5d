#include "reports/figures/profile_hmm/others.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpuseq::reports::profile_hmm {
namespace {

/// Guides nearer than this share of a logarithmic axis share one label.
constexpr double kNearShare = 0.1;

/// Ratio of the values of two guides that are so near in a panel.
double near_ratio(const chart::Panel& panel, const std::vector<const Fact*>& guides) {
  double low = guides.front()->value, high = guides.back()->value;
  for (const chart::Mark& mark : panel.marks) {
    if (mark.y > 0) low = std::min(low, mark.y);
    high = std::max(high, mark.y);
  }
  return std::pow(high / low, kNearShare);
}

bool is_for(const Fact& fact, const PanelOf& of) {
  const auto fits = [&](const char* key, const std::string& value) {
    const std::string stated = text(fact.at, key);
    return stated.empty() || stated == value;
  };
  const std::string measure = text(fact.at, "measure");
  if (of.measured.contains(text(fact.at, "unless"))) return false;
  return fits("filter", of.filter) && fits("on", of.on) &&
         (measure.empty() ? "gcups" : measure) == of.measure;
}

Unit unit_of(const Fact& fact) {
  return fact.unit == "share" ? Unit::share : Unit::number;
}

chart::Tips tips_of_value(const Fact& fact) {
  return fact.unit == "GCUPS" ? gcups_tips(fact) : tips_of(fact, unit_of(fact));
}

void use(std::vector<const Fact*>& used, const Fact* fact) {
  if (std::find(used.begin(), used.end(), fact) == used.end()) used.push_back(fact);
}

}  // namespace

std::string panel_kind(const Entry& entry) {
  if (on_gpu(entry)) return "gpu";
  return number(entry.record.state.point, "threads") == 1.0 ? "1 thread" : "threads";
}

Others::Others(const Figure& figure, const Published& published)
    : values_(published.find(figure.name, "value")), guides_(published.find(figure.name, "guide")) {}

void Others::add(const PanelOf& of, chart::Panel& panel) {
  add_marks(of, panel);
  add_guides(of, panel);
}

void Others::add_marks(const PanelOf& of, chart::Panel& panel) {
  for (const Fact* fact : values_) {
    const auto length = number(fact->at, "model_length");
    if (!length || !is_for(*fact, of)) continue;
    const std::string series = text(fact->at, "series");
    panel.marks.push_back({.x = *length,
                           .y = fact->value,
                           .low = fact->value,
                           .high = fact->value,
                           .series = series.empty() ? fmt::format("published ({})", fact->paper) : series,
                           .published = true,
                           .tips = tips_of_value(*fact)});
    use(marks_used_, fact);
  }
}

/// From the lowest on; the label of lines side by side stands above the highest of them.
void Others::add_guides(const PanelOf& of, chart::Panel& panel) {
  std::vector<const Fact*> found;
  for (const Fact* fact : guides_)
    if (is_for(*fact, of)) found.push_back(fact);
  std::sort(found.begin(), found.end(), [](const Fact* a, const Fact* b) { return a->value < b->value; });
  if (found.empty()) return;
  const double near = near_ratio(panel, found);
  for (const Fact* fact : found) {
    std::string label = fmt::format("{} {}", fact->label, format_value(fact->value, unit_of(*fact)));
    if (!panel.guides.empty() && fact->value < panel.guides.back().at * near) {
      label.insert(0, panel.guides.back().label + ", ");
      panel.guides.back().label.clear();
    }
    panel.guides.push_back({.vertical = false, .at = fact->value, .label = std::move(label)});
    use(guides_used_, fact);
  }
}

void Others::add_notes(std::vector<std::string>& notes) const {
  if (!marks_used_.empty())
    notes.push_back(fmt::format("Hollow, in the colour of what they compare with: values of others, {}.",
                                credit(marks_used_)));
  if (!guides_used_.empty())
    notes.push_back(fmt::format("Dashed grey lines: published, {}.", credit(guides_used_)));
}

}  // namespace gpuseq::reports::profile_hmm
