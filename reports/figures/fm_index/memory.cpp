#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using chart::LineChart;
using chart::Mark;
using chart::Panel;

constexpr const char* kBytesUnit = "B";

/// Of a record that is older than `memory`: the index with its prefix table, queries of one length as they
/// are packed (16-byte words of 64 bases, two numbers a query), and an interval a query.
std::optional<double> held_by_older(const results::Record& record) {
  const nlohmann::json& facts = *record.facts;
  const auto index = number(facts, "index_bytes"), queries = number(facts, "queries_searched"),
             bases = number(facts, "query_bases"), longest = number(facts, "longest_query_bases");
  if (!index || !queries || !bases || !longest || *queries * *longest != *bases) return std::nullopt;
  const bool wide = facts.contains("wide") && facts["wide"] == true;
  const double packed = std::ceil(*longest / 64) * 16, place_and_length = 8, interval = wide ? 16 : 8;
  return *index + *queries * (packed + place_and_length + interval);
}

std::optional<double> held_bytes(const results::Record& record) {
  if (record.memory.value) return static_cast<double>(record.memory.value->bytes());
  return held_by_older(record);
}

struct Held {
  const Entry* entry = nullptr;
  double bytes = 0;
  double rate() const { return entry->record.statistics->rate; }
};

/// Of a problem on a device, those that hold least first.
struct MemoryPanel {
  std::string title = {};
  double reference_bases = 0;
  std::vector<Held> held = {};
};

std::vector<MemoryPanel> memory_panels(const ReportData& data, std::size_t& silent) {
  std::map<std::pair<std::string, std::string>, MemoryPanel> panels;
  for (const Entry* entry : data.settled("fm_index")) {
    const std::optional<double> bytes = held_bytes(entry->record);
    if (!bytes) ++silent;
    if (!bytes) continue;
    MemoryPanel& panel = panels[{entry->device_name, entry->record.state.problem.to_string()}];
    panel.title = fmt::format("{}: {}", entry->device_name, problem_name(*entry));
    panel.reference_bases = reference_bases(entry->record).value_or(0);
    panel.held.push_back({entry, *bytes});
  }
  std::vector<MemoryPanel> list;
  for (auto& [key, panel] : panels) list.push_back(std::move(panel));
  std::ranges::stable_sort(list, std::ranges::greater(), &MemoryPanel::reference_bases);
  for (MemoryPanel& panel : list)
    std::ranges::stable_sort(panel.held, [](const Held& a, const Held& b) {
      return a.bytes != b.bytes ? a.bytes < b.bytes : a.rate() > b.rate();
    });
  return list;
}

/// Those that nothing beats which holds as little. @param held  those that hold least first
std::set<const Entry*> pareto(const std::vector<Held>& held) {
  std::set<const Entry*> best;
  double rate = 0;
  for (const Held& one : held)
    if (one.rate() > rate) {
      rate = one.rate();
      best.insert(one.entry);
    }
  return best;
}

std::string bytes_words(double bytes) {
  return with_decimal_prefix(bytes, kBytesUnit);
}

Mark mark_of(const ReportData& data, const Held& held, bool on_line) {
  const Entry& entry = *held.entry;
  const Rate rate = rate_of(entry);
  const auto& ceiling = entry.record.ceiling.value;
  Mark mark{.x = held.bytes,
            .y = rate.value,
            .low = on_line ? rate.low : 0,
            .high = on_line ? rate.high : 0,
            .series = entry.record.state.variant,
            .synthetic = is_synthetic(entry) && on_line,
            .minor = !on_line,
            .ceiling = on_line && ceiling ? ceiling->rate : 0,
            .record = data.index_of(entry),
            .tips = tips_of(entry, rate, Unit::bases_per_s),
            .terms = {{"prefix table", "among the bytes"}}};
  mark.tips.emplace_back("Holds", bytes_words(held.bytes));
  if (entry.record.memory.value)
    for (const auto& [part, bytes] : entry.record.memory.value->parts)
      mark.tips.emplace_back("Of it, " + part, bytes_words(static_cast<double>(bytes)));
  return mark;
}

/// What the config of an entry's run allows winners to hold.
std::optional<double> limit_of(const ReportData& data, const Entry& entry) {
  const nlohmann::json& summary = data.runs.at(entry.run).summary;
  const nlohmann::json::json_pointer place("/config/limits/max_bytes");
  if (!summary.is_object() || !summary.contains(place)) return std::nullopt;
  const nlohmann::json& limit = summary[place];
  if (limit.is_number()) return limit.get<double>();
  try {
    return limit.is_string() ? std::optional(static_cast<double>(parse_bytes(limit.get<std::string>())))
                             : std::nullopt;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

Panel panel_of(const ReportData& data, const MemoryPanel& source) {
  Panel panel{.title = source.title};
  const std::set<const Entry*> line = pareto(source.held);
  std::set<double> limits;
  for (const Held& held : source.held) {
    panel.marks.push_back(mark_of(data, held, line.contains(held.entry)));
    if (line.contains(held.entry)) panel.steps.emplace_back(held.bytes, held.rate());
    if (const auto limit = limit_of(data, *held.entry)) limits.insert(*limit);
  }
  for (const double limit : limits)
    panel.guides.push_back({.vertical = true, .at = limit, .label = "limit " + bytes_words(limit)});
  return panel;
}

std::vector<std::string> notes_of(std::size_t shown, std::size_t all, std::size_t silent) {
  std::vector<std::string> notes{
      "Held: index, prefix table, queries, output and workspace, in the memory of the device that searches. "
      "Large marks and the line: nothing that holds as little is faster (Pareto). Ticks: their ceilings."};
  if (silent > 0)
    notes.push_back(fmt::format("{} {} not say what {}, and {} left out.", silent,
                                silent == 1 ? "record does" : "records do",
                                silent == 1 ? "it holds" : "they hold", silent == 1 ? "is" : "are"));
  note_left_out(shown, all, "panels, the largest references", notes);
  return notes;
}

// Rate over the bytes that a user must hold, and which points are worth them.
Drawing draw_memory(const Figure& figure, const ReportData& data, const Published&) {
  std::size_t silent = 0;
  std::vector<MemoryPanel> sources = memory_panels(data, silent);
  if (sources.empty()) return not_drawn(why_none(data, "fm_index", "the bytes that it holds"));
  const std::size_t all = sources.size();
  if (sources.size() > kMostPanels) sources.resize(kMostPanels);
  LineChart chart{.x = {.title = "memory held (bytes)", .unit = Unit::number_si, .log = true},
                  .y = {.title = "query bases per second", .unit = Unit::bases_per_s},
                  .series_title = "variant",
                  .connected = false};
  std::vector<const Entry*> used;
  std::set<std::string> variants;
  for (const MemoryPanel& source : sources) {
    chart.panels.push_back(panel_of(data, source));
    for (const Held& held : source.held) {
      used.push_back(held.entry);
      variants.insert(held.entry->record.state.variant);
    }
  }
  chart.series.assign(variants.begin(), variants.end());
  chart.heading = heading(figure, data, used, notes_of(sources.size(), all, silent));
  return drawn(std::move(chart));
}

}  // namespace

Figure memory() {
  return {"fm-index/memory", "Rate over the memory held", kHeading,
          "How fast a search can be within so many bytes, and with which layout.", draw_memory};
}

}  // namespace gpuseq::reports::fm_index
