#include "reports/page/machine_cards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "reports/page/device_curve.hpp"
#include "reports/page/html.hpp"

namespace gpuseq::reports::machine_cards {
namespace {

using nlohmann::json;

/// What decides a device's speed, and so stands on its card without opening it.
struct Headline {
  const char *key, *label, *unit;
};
constexpr std::array kHeadlines{Headline{"architecture", "Architecture", ""},
                                Headline{"multiprocessors", "Multiprocessors", ""},
                                Headline{"cores", "Cores", ""},
                                Headline{"threads", "Threads", ""},
                                Headline{"cpu_quota", "CPU quota", " processors"},
                                Headline{"memory_bytes", "Memory", ""},
                                Headline{"l2_bytes", "L2 cache", ""},
                                Headline{"caches", "Caches", ""},
                                Headline{"memory_bus_bits", "Memory bus", " bits"},
                                Headline{"max_sm_clock_mhz", "Highest SM clock", " MHz"},
                                Headline{"max_memory_clock_mhz", "Highest memory clock", " MHz"},
                                Headline{"max_clock_mhz", "Highest clock", " MHz"},
                                Headline{"power_limit_w", "Power limit", " W"},
                                Headline{"ecc", "ECC", ""},
                                Headline{"mig", "MIG", ""},
                                Headline{"driver_version", "Driver", ""},
                                Headline{"toolkit_version", "CUDA toolkit", ""},
                                Headline{"virtual_machine", "Virtual machine", ""},
                                Headline{"operating_system", "Operating system", ""}};

/// A device as the runs describe it, and the runs that used it.
struct Card {
  std::string name = {}, ids = {};
  json description = {};
  std::vector<std::string> runs = {};
  std::vector<std::pair<std::size_t, std::string>> places = {};  // its id in each run
};

/// The devices of all runs, those with one fingerprint together. A device without a record has none.
std::vector<Card> cards(const ReportData& data) {
  std::map<std::pair<std::size_t, std::string>, const Entry*> measured;
  for (const Entry& entry : data.entries)
    measured.try_emplace({entry.run, entry.record.state.device}, &entry);
  std::vector<Card> cards;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < data.runs.size(); ++i) {
    const Run& run = data.runs[i];
    if (!run.summary.is_object() || !run.summary.contains("devices") || !run.summary["devices"].is_object())
      continue;
    for (const auto& [id, device] : run.summary["devices"].items()) {
      if (!device.is_object()) continue;
      const auto entry = measured.find({i, id});
      const std::string fingerprint = entry == measured.end() ? "" : entry->second->device_fingerprint;
      const auto [place, is_new] =
          places.try_emplace(fingerprint.empty() ? fmt::format("{} {}", i, id) : fingerprint, cards.size());
      if (!is_new) {
        cards[place->second].runs.push_back(run.name);
        cards[place->second].places.emplace_back(i, id);
        continue;
      }
      const std::string name = entry == measured.end() ? text(device, "name") : entry->second->device_name;
      cards.push_back({name.empty() ? id : name, id, device, {run.name}, {{i, id}}});
    }
  }
  return cards;
}

/// "48 KiB L1, 2 MiB L2, 300 MiB L3"
std::string caches_text(const json& caches) {
  std::vector<std::string> parts;
  for (const json& cache : caches)
    if (const auto level = number(cache, "level"), bytes = number(cache, "bytes"); level && bytes)
      parts.push_back(fmt::format("{} L{}", html::describe("bytes", *bytes), *level));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string curve_html(const Drawing& drawing, const std::string& id, const std::vector<DeviceLevel>& levels,
                       PlotWriter& plots) {
  if (!drawing.spec) return "";
  return fmt::format(
      "<figure id=\"{}\">\n{}<figcaption>{}</figcaption>\n</figure>\n", id,
      plots.plot("Bandwidth and latency over footprint", html::script_json(*drawing.spec), Filtering::none),
      levels.empty() ? "No level of memory shows."
                     : "Dashed: where a level of memory ends. Shaded: the interval of 95 % that holds it. ?: "
                       "one curve alone shows it.");
}

std::string levels_text(const std::vector<DeviceLevel>& levels) {
  std::vector<std::string> words;
  for (const DeviceLevel& level : levels) words.push_back(level_words(level));
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string card_html(const Card& card, std::size_t number, const ReportData& data, PlotWriter& plots) {
  const std::vector<DeviceLevel> levels = device_levels(data, card.places);
  std::string list = "<dl class=\"facts\">";
  for (const auto& [key, label, unit] : kHeadlines) {
    const auto value = card.description.find(key);
    if (value == card.description.end() || value->is_null()) continue;
    const bool caches = std::string_view(key) == "caches" && value->is_array();
    const std::string text = caches ? caches_text(*value) : html::describe(key, *value) + unit;
    list += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", label, html::escape(text));
  }
  if (!levels.empty())
    list += fmt::format("<div class=\"wide\"><dt>Levels measured</dt><dd>{}</dd></div>",
                        html::escape(levels_text(levels)));
  return fmt::format(
      "<article class=\"card machine\" data-device=\"{}\"><h3>{}</h3><p class=\"note\">{} in {} "
      "{}</p>{}</dl>{}"
      "<details><summary>All that is known</summary>{}</details></article>\n",
      html::escape(card.name), html::escape(card.name), html::escape(card.ids),
      card.runs.size() == 1 ? "run" : "runs", html::escape(fmt::format("{}", fmt::join(card.runs, ", "))),
      list,
      curve_html(device_curve(data, card.name, levels), fmt::format("device-{}", number), levels, plots),
      html::definition_list(card.description));
}

std::string run_html(const ReportData& data, std::size_t i) {
  const Run& run = data.runs[i];
  json facts = json::object();
  for (const char* key : {"name", "started", "finished", "complete", "program", "config_hash", "counts"})
    if (run.summary.is_object() && run.summary.contains(key)) facts[key] = run.summary[key];
  facts["folder"] = run.dir.string();
  const auto first =
      std::find_if(data.entries.begin(), data.entries.end(), [&](const Entry& e) { return e.run == i; });
  if (first != data.entries.end())
    for (const char* key : {"program", "host", "seed"})
      if (const json& known = first->record.provenance; known.is_object() && known.contains(key))
        facts[key] = known[key];
  std::string out = fmt::format("<article class=\"card\"><h3>Run {}</h3>{}", html::escape(run.name),
                                html::definition_list(facts));
  if (run.summary.is_object() && run.summary.contains("config"))
    out +=
        fmt::format("<details><summary>Configuration</summary><pre>{}</pre></details>",
                    html::escape(run.summary["config"].dump(2, ' ', false, json::error_handler_t::replace)));
  return out + "</article>\n";
}

}  // namespace

std::string machines(const ReportData& data, PlotWriter& plots) {
  std::string out;
  std::size_t number = 0;
  for (const Card& card : cards(data)) out += card_html(card, number++, data, plots);
  return out;
}

std::string provenance(const ReportData& data) {
  std::string out;
  for (std::size_t i = 0; i < data.runs.size(); ++i) out += run_html(data, i);
  return out;
}

}  // namespace gpuseq::reports::machine_cards
