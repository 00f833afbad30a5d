#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"
#include "reports/figures/fm_index/rows.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

/// The schemes that the paper compares devices by.
std::string scheme_of(const Entry& entry) {
  if (is_peer(entry)) return contestant(entry);
  const FmLayout layout = layout_of(entry);
  return fmt::format("{}{}-step{}", layout_kind(entry), layout.k,
                     layout.counters == "alternate" ? ", alternate counters" : "");
}

/// Work per joule: measured; else, as in the paper, of the power that the device may draw at most.
struct Efficiency {
  double value = 0;
  bool nominal = false;
};

std::optional<Efficiency> efficiency_of(const Entry& entry) {
  const results::Record& record = entry.record;
  if (const auto measured = work_per_joule(record)) return Efficiency{*measured, false};
  if (!record.provenance.is_object() || !record.provenance.contains("device")) return std::nullopt;
  const auto watts = number(record.provenance["device"], "power_limit_w");
  if (!watts || !(*watts > 0)) return std::nullopt;
  return Efficiency{record.statistics->rate / *watts, true};
}

/// The problem that the most devices have records of; of several the one with the largest reference.
std::vector<const Entry*> common_problem(const ReportData& data) {
  std::map<std::string, std::vector<const Entry*>> problems;
  for (const Entry* entry : data.settled("fm_index", Contestants::with_peers))
    problems[entry->record.state.problem.to_string()].push_back(entry);
  const auto rank = [](const std::vector<const Entry*>& entries) {
    std::set<std::string> devices;
    for (const Entry* entry : entries) devices.insert(entry->device_fingerprint);
    return std::pair(devices.size(), reference_bases(entries.front()->record).value_or(0));
  };
  const auto best = std::max_element(problems.begin(), problems.end(), [&](const auto& a, const auto& b) {
    return rank(a.second) < rank(b.second);
  });
  return best == problems.end() ? std::vector<const Entry*>{} : best->second;
}

/// The record of the same state that has energy, if one has: those of the best points measured again have
/// none.
const Entry& with_energy(const std::vector<const Entry*>& measured, const Entry& entry) {
  const std::string state = entry.record.state.to_string();
  const auto found = std::find_if(measured.begin(), measured.end(), [&](const Entry* other) {
    return other->device_fingerprint == entry.device_fingerprint && other->record.state.to_string() == state;
  });
  return found == measured.end() ? entry : **found;
}

RowMark energy_mark(const ReportData& data, const std::string& row, const Entry& entry,
                    const Efficiency& efficiency) {
  RowMark mark = rate_mark(data, row, entry);
  mark.value = mark.low = mark.high = efficiency.value;
  mark.label = format_value(efficiency.value, Unit::bases_per_joule);
  mark.detail = efficiency.nominal ? "nominal" : "";
  return mark;
}

/// Published values, which say in `panel` whether they are of the rates or of the energy; beside ours only.
void add_published(const std::vector<const Fact*>& facts, const std::string& series, const char* name,
                   RowPanel& panel) {
  if (panel.marks.empty()) return;
  for (const Fact* fact : facts)
    if (text(fact->at, "panel") == name)
      panel.marks.push_back({.row = fmt::format("{}, {}", fact->label, fact->device),
                             .value = fact->value,
                             .low = fact->value,
                             .high = fact->value,
                             .series = series,
                             .label = format_value(fact->value, panel.value->unit),
                             .detail = fact->derived ? "from a ratio" : "",
                             .tips = tips_of(*fact, panel.value->unit)});
}

// Devices by rate, and by bases per joule.
Drawing draw_fig11(const Figure& figure, const ReportData& data, const Published& published) {
  std::map<std::pair<std::string, std::string>, const Entry*> fastest;  // scheme, device
  const std::vector<const Entry*> common = common_problem(data);
  for (const Entry* entry : common) keep_fastest(fastest, {scheme_of(*entry), entry->device_name}, entry);
  if (fastest.empty()) return not_drawn(why_none(data, "fm_index", "a rate"));
  RowPanel rates{
      .title = "rate",
      .value = chart::Quantity{.title = "query bases per second", .unit = Unit::bases_per_s, .log = true}};
  RowPanel energy{
      .title = "energy",
      .value = chart::Quantity{.title = "query bases per joule", .unit = Unit::bases_per_joule, .log = true}};
  std::vector<const Entry*> used;
  std::set<std::string> devices;
  bool nominal = false;
  const auto measured = data.settled("fm_index", Contestants::with_peers, has_energy);
  for (const auto& [key, entry] : fastest) {
    const std::string row = fmt::format("{}, {}", with_point_words(key.first, *entry), key.second);
    rates.marks.push_back(rate_mark(data, row, *entry));
    devices.insert(key.second);
    used.push_back(entry);
    const Entry& source = with_energy(measured, *entry);
    const auto efficiency = efficiency_of(source);
    if (!efficiency) continue;
    energy.marks.push_back(energy_mark(data, row, source, *efficiency));
    nominal = nominal || efficiency->nominal;
  }
  std::vector<std::string> notes{problem_name(*used.front()) + "; the fastest point of each scheme."};
  if (nominal) notes.push_back("Nominal: the rate over the power limit of the device, as the paper does it.");
  RowChart chart{.series_title = "device", .series = {devices.begin(), devices.end()}};
  if (const auto facts = published.find(figure.name, "value"); !facts.empty()) {
    chart.series.push_back(fmt::format("published ({})", papers_of(facts)));
    add_published(facts, chart.series.back(), "rate", rates);
    add_published(facts, chart.series.back(), "energy", energy);
    notes.push_back(
        fmt::format("Grey: published, human genome of 3 Gbases, energy nominal, {}.", credit(facts)));
  }
  for (RowPanel* panel : {&rates, &energy}) {
    if (panel->marks.empty()) {
      notes.push_back("No record has energy, and no device states its power limit.");
      continue;
    }
    sort_rows(*panel);
    chart.panels.push_back(std::move(*panel));
  }
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure fig11() {
  return {"fm-index/fig11", "Rate and energy by device", kHeading,
          "Which device searches fastest, and which with the least energy.", draw_fig11};
}

}  // namespace gpuseq::reports::fm_index
