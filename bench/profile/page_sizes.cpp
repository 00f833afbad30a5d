#include "bench/profile/page_sizes.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "bench/config/json_file.hpp"
#include "bench/config/units.hpp"
#include "probes/page_reach.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;

constexpr const char* kHuge = "huge";
constexpr const char* kExplicit = "explicit";

struct PageKind {
  const char* word;
  double bytes;
};
constexpr PageKind kPageKinds[] = {{"small", 4096}, {kHuge, 2 << 20}, {kExplicit, 2 << 20}};

using PageTimes = std::map<std::string, std::vector<probes::AccessTime>>;  // by kind of page

PageTimes page_times(const ordered_json& curves) {
  PageTimes times;
  for (const ordered_json& curve : curves) {
    if (curve["probe"] != "latency") continue;
    std::vector<probes::AccessTime>& of = times[curve["point"].value("pages", kHuge)];
    for (const ordered_json& point : curve["points"])
      of.push_back({point["footprint_bytes"].get<double>(), point["median"].get<double>()});
  }
  return times;
}

/// By kind of page, why it was not probed; empty if it was.
std::map<std::string, std::string> pages_asked_for(std::span<const Record> records, std::string_view device) {
  std::map<std::string, std::string> asked;
  for (const Record& record : records) {
    if (record.kind != "probe" || record.state.family != "latency" || record.state.device != device ||
        !record.state.point.has("pages"))
      continue;
    std::string& reason = asked[record.state.point.word("pages")];
    if (record.failure && reason.empty()) reason = record.failure->reason;
  }
  return asked;
}

ordered_json page_row(const PageKind& kind, const PageTimes& times, const std::string& why_not) {
  const std::string largest = times.contains(kExplicit) ? kExplicit : kHuge;
  probes::PageReach reach;
  const auto own = times.find(kind.word), larger = times.find(largest);
  if (own == times.end())
    reach.reason = why_not.empty() ? "it was not probed" : why_not;
  else if (largest == kind.word || larger == times.end())
    reach.reason = "no larger pages were probed, and none that are sure to be as large";
  else
    reach = probes::page_reach(own->second, larger->second);
  return {{"pages", kind.word},
          {"page_bytes", kind.bytes},
          {"served_bytes", or_null(reach.served_bytes)},
          {"exceeded_bytes", or_null(reach.exceeded_bytes)},
          {"extra_ns", or_null(reach.extra_ns)},
          {"reason", reach.reason}};
}

std::string page_text(const ordered_json& row) {
  const auto word = row["pages"].get<std::string>();
  const std::string extra = row["extra_ns"].is_number() && row["extra_ns"].get<double>() > 0
                                ? fmt::format(", then up to {:.3g} ns more", row["extra_ns"].get<double>())
                                : "";
  if (row["served_bytes"].is_number())
    return fmt::format("{} reach {}{}", word, bytes_text(row["served_bytes"].get<double>()), extra);
  return fmt::format("{}: {}", word, row["reason"].get<std::string>());
}

}  // namespace

ordered_json translation_json(const ordered_json& curves, std::span<const Record> records,
                              std::string_view device) {
  const std::map<std::string, std::string> asked = pages_asked_for(records, device);
  if (!asked.contains("small") && !asked.contains(kExplicit)) return nullptr;
  const PageTimes times = page_times(curves);
  ordered_json rows = ordered_json::array();
  for (const PageKind& kind : kPageKinds)
    if (const auto found = asked.find(kind.word); found != asked.end())
      rows.push_back(page_row(kind, times, found->second));
  return rows;
}

std::string translation_text(const ordered_json& device) {
  if (!device.contains("tlb")) return "";
  std::string text;
  for (const ordered_json& row : device["tlb"])
    // Omits the pages that the others are compared with: they have no result of their own.
    if (row["pages"] != kHuge || !row["extra_ns"].is_null())
      text += (text.empty() ? "  pages      " : "; ") + page_text(row);
  return text.empty() ? text : text + "\n";
}

}  // namespace gpuseq::bench
