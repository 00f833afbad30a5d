#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/figures/profile_hmm/figures.hpp"
#include "reports/figures/profile_hmm/points.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

using chart::LineChart;
using chart::Mark;
using chart::Panel;

constexpr const char* kCached = "from the cache";

/// The processor that compiles, which is not the device of the record.
std::string host_of(const ReportData& data, const Entry& entry) {
  const nlohmann::json& of_record = entry.record.provenance;
  if (of_record.is_object() && of_record.contains("host"))
    if (std::string cpu = text(of_record["host"], "cpu"); !cpu.empty()) return cpu;
  const auto pointer = nlohmann::json::json_pointer("/devices/cpu");
  const nlohmann::json& summary = data.runs[entry.run].summary;
  const std::string cpu = summary.contains(pointer) ? text(summary[pointer], "name") : "";
  return cpu.empty() ? "the host of " + entry.device_name : cpu;
}

/// Seconds until the kernel was loaded; in records without them those of the compilation.
std::optional<double> seconds_of(const results::Record& record) {
  const auto loading = record.side_samples_s.find("load_kernel");
  if (loading != record.side_samples_s.end() && !loading->second.empty()) return loading->second.front();
  if (record.resources->from_cache) return std::nullopt;
  return record.resources->compile_s;
}

struct Load {
  const Entry* entry = nullptr;
  double seconds = 0;
};

/// Of a panel: all loads of a kernel, by series, length of the model and kernel.
using Loads = std::map<std::tuple<std::string, double, std::string>, std::vector<Load>>;

/// What the loads of a panel have in common; filters in the order of the pipeline.
struct Place {
  std::string host, device, sequences;
  std::size_t filter = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// "Viterbi, AMD EPYC: 4000 random sequences": what panels differ in.
std::string title_of(const Place& place, const std::map<Place, Loads>& panels) {
  const auto all_have = [&](const auto& part) {
    return std::all_of(panels.begin(), panels.end(),
                       [&](const auto& panel) { return panel.first.*part == place.*part; });
  };
  std::string title(filter_title(kFilters[place.filter]));
  if (!all_have(&Place::host)) title += ", " + place.host;
  if (!all_have(&Place::device)) title += ", for " + place.device;
  return all_have(&Place::sequences) ? title : title + ": " + place.sequences;
}

std::map<Place, Loads> loads_of(const ReportData& data) {
  std::map<Place, Loads> panels;
  for (const Entry& entry : data.entries) {
    const results::Record& record = entry.record;
    const auto length = model_length_of(entry);
    if (record.state.family != "profile_hmm" || record.status != results::Status::ok || !record.statistics ||
        !record.resources || record.resources->compiled_by != "nvrtc" || !length)
      continue;
    const auto seconds = seconds_of(record);
    if (!seconds || !(*seconds > 0)) continue;
    const std::string series = record.resources->from_cache ? kCached : record.state.variant;
    panels[{host_of(data, entry), entry.device_name, sequences_of(entry), filter_index(filter_of(entry))}]
          [{series, *length, text(record.facts, "kernel")}]
              .push_back({&entry, *seconds});
  }
  return panels;
}

Mark mark_of(const ReportData& data, const Loads::key_type& key, std::vector<Load> loads) {
  std::sort(loads.begin(), loads.end(), [](const Load& a, const Load& b) { return a.seconds < b.seconds; });
  const auto& [series, length, kernel] = key;
  const Load& median = loads[loads.size() / 2];
  const results::Record& record = median.entry->record;
  Mark mark{.x = length,
            .y = median.seconds,
            .low = median.seconds,
            .high = median.seconds,
            .series = series,
            .record = data.index_of(*median.entry)};
  mark.tips = {{"Value", format_value(median.seconds, Unit::seconds)},
               {"Kernel", kernel},
               {"Times", fmt::format("{}", loads.size())},
               {"Registers", fmt::format("{}", record.resources->registers_per_thread)},
               {"Device", median.entry->device_name},
               {"Variant", record.state.variant},
               {"Point", record.state.point.to_string()}};
  return mark;
}

/// "Longest compilation 2.1 s; from the cache in 3 ms (median)."
std::string note_of(std::vector<double> compiled, std::vector<double> cached) {
  std::sort(compiled.begin(), compiled.end());
  std::sort(cached.begin(), cached.end());
  const auto in_words = [](const char* what, const std::vector<double>& sorted) {
    return fmt::format("{} {}: {} (median), {} at most. ", sorted.size(), what,
                       format_value(sorted[sorted.size() / 2], Unit::seconds),
                       format_value(sorted.back(), Unit::seconds));
  };
  std::string note;
  if (!compiled.empty()) note += in_words("compiled", compiled);
  if (!cached.empty()) note += in_words("from the cache", cached);
  if (!note.empty()) note.pop_back();
  return note;
}

Drawing draw_table2(const Figure& figure, const ReportData& data, const Published& published) {
  LineChart chart{.x = {.title = "model length (match states)", .unit = Unit::number, .log = true},
                  .y = {.title = "until the kernel is loaded", .unit = Unit::seconds, .log = true},
                  .series_title = "compiled by NVRTC",
                  .connected = false};
  std::vector<const Entry*> used;
  std::vector<double> compiled, cached;
  std::set<std::string> series;
  std::set<double> lengths;
  const auto panels = loads_of(data);
  const bool one_host = !panels.empty() && panels.begin()->first.host == panels.rbegin()->first.host;
  for (const auto& [of, loads] : panels) {
    if (chart.panels.size() == kMostPanels) break;
    Panel panel{.title = title_of(of, panels)};
    for (const auto& [key, of_kernel] : loads) {
      panel.marks.push_back(mark_of(data, key, of_kernel));
      (std::get<0>(key) == kCached ? cached : compiled).push_back(panel.marks.back().y);
      series.insert(std::get<0>(key));
      lengths.insert(std::get<1>(key));
      used.push_back(&data.entries[*panel.marks.back().record]);
    }
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty()) return not_drawn(why_none(data, "profile_hmm", "a kernel compiled by NVRTC"));
  chart.x.ticks.assign(lengths.begin(), lengths.end());
  const bool any_cached = series.erase(kCached) > 0;
  chart.series.assign(series.begin(), series.end());
  if (any_cached) chart.series.push_back(kCached);
  std::vector<std::string> notes{fmt::format("A mark a kernel. {}", note_of(compiled, cached))};
  if (one_host) notes.push_back("Compiled on " + panels.begin()->first.host + ".");
  add_guides(figure, published, chart, notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure table2() {
  return {"profile-hmm/table2",
          "Time to compile a kernel",
          kHeading,
          "What a model that no kernel was compiled for costs once, and what one from the cache does.",
          draw_table2,
          /*of_samples=*/false};
}

}  // namespace gpuseq::reports::profile_hmm
