#include "results/reading/migration.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <string_view>
#include <vector>

#include "results/line_file.hpp"
#include "results/reading/provenances.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::results {
namespace {

using nlohmann::ordered_json;
using Names = std::map<std::string_view, std::string_view>;

const Names kNamesInRecords{{"ceiling", "bound"},
                            {"ceiling_reason", "bound_reason"},
                            {"discarded_neighbours", "discarded_disturbed"},
                            {"witness", "reference_loop"},
                            {"card", "profile"},
                            {"neighbour", "peer"},
                            {"neighbour_id", "peer_id"},
                            {"neighbour_name", "peer_name"},
                            {"neighbour_uuid", "peer_uuid"}};
const Names kNamesInSummaries{{"cards", "profiles"},
                              {"ceilings_from", "bounds_from"},
                              {"discarded_neighbours", "discarded_disturbed"},
                              {"fraction_of_ceiling", "fraction_of_bound"},
                              {"fraction_of_ceiling_reason", "fraction_of_bound_reason"},
                              {"neighbour", "peer"},
                              {"neighbour_access", "peer_access"},
                              {"neighbour_access_sequential", "peer_access_sequential"},
                              {"neighbour_transfer", "peer_transfer"},
                              {"neighbours", "peers"},
                              {"peers", "tools"},
                              {"translation", "tlb"}};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// Renames probes of peer GPU memory, their directions, and the keys of their states.
std::string renamed_peer(const std::string& text) {
  if (text == "to_neighbour" || text == "from_neighbour") return replaced(text, "neighbour", "peer");
  return text.starts_with("neighbour_") ? replaced(text, "neighbour", "peer") : text;
}

std::string renamed_value(std::string_view key, const std::string& text) {
  if (text == "card" && (key == "stands" || key == "bounds_from" || key == "source")) return "profile";
  if (text == "peer" && key == "kind") return "tool";
  if (text == "translation" && key == "kind") return "tlb";
  if (text == "translation" && key == "name") return "TLB";
  if (text.starts_with("ceilings_from="))
    return replaced(replaced(text, "ceilings", "bounds"), "card", "profile");
  return renamed_peer(text);
}

ordered_json renamed(const ordered_json& old, const Names& names, std::string_view key = "") {
  if (old.is_string()) return renamed_value(key, old.get<std::string>());
  if (old.is_array()) {
    ordered_json items = ordered_json::array();
    for (const ordered_json& item : old) items.push_back(renamed(item, names, key));
    return items;
  }
  if (!old.is_object()) return old;
  ordered_json object = ordered_json::object();
  for (const auto& [name, value] : old.items()) {
    const auto found = names.find(name);
    const std::string is(found == names.end() ? name : found->second);
    object[is] = renamed(value, names, is);
  }
  return object;
}

void add_missing(ordered_json& object, const ordered_json& defaults) {
  for (const auto& [name, value] : defaults.items())
    if (!object.contains(name)) object[name] = value;
}

/// @throws UsageError, nlohmann::json::exception if it is not a record of schema 1 or 2
Record migrated_record(const ordered_json& old) {
  const int version = old.at("schema_version").get<int>();
  if (version < 1 || version >= kSchemaVersion)
    throw UsageError(fmt::format("/schema_version: found {}, allowed: 1 to {}", version, kSchemaVersion - 1));
  ordered_json json = renamed(old, kNamesInRecords);
  json["schema_version"] = kSchemaVersion;
  add_missing(json, {{"launches_per_sample", 1}, {"single_launch", nullptr}, {"instructions", nullptr}});
  if (!json.contains("memory"))
    add_missing(json, {{"memory", nullptr}, {"memory_reason", "it was not recorded"}});
  if (json.at("statistics").is_object()) add_missing(json["statistics"], {{"autocorrelation_time", 1.0}});
  if (json.at("bound").is_object()) add_missing(json["bound"], {{"source", "run"}});
  nlohmann::json provenance = old.at("provenance");
  if (const auto date = provenance.find("date"); date != provenance.end()) {
    if (date->is_string()) json["date"] = *date;
    provenance.erase(date);
  }
  json["provenance"] = provenance_id(provenance);
  Record record = record_from_json(json);
  record.provenance = std::move(provenance);
  // Version 1 gave a single sample an interval, and gave two samples their range with confidence 95 %.
  if (version == 1 && record.statistics && !record.samples_s.empty())
    set_interval(*record.statistics, record.samples_s, record.work, kConfidence);
  return record;
}

}  // namespace

bool has_old_records(const std::filesystem::path& journal) {
  bool found = false;
  read_raw_lines(journal, [&](std::string_view line, std::size_t) {
    constexpr std::string_view kName = "\"schema_version\":";
    const std::size_t name = line.find(kName);
    if (name == line.npos) return;
    const std::size_t digit = line.find_first_not_of(' ', name + kName.size());
    int version = kSchemaVersion;
    if (digit != line.npos) std::from_chars(line.data() + digit, line.data() + line.size(), version);
    found |= version < kSchemaVersion;
  });
  return found;
}

std::string migrated_records(const std::filesystem::path& journal) {
  std::vector<Record> records;
  read_raw_lines(journal, [&](std::string_view line, std::size_t number) {
    try {
      std::string buffer;
      records.push_back(migrated_record(parse_line(printable_json(line, buffer))));
    } catch (const nlohmann::json::exception& error) {
      throw UsageError(fmt::format("{}:{}: {}", journal.string(), number, reason_of(error)));
    } catch (const std::exception& error) {
      throw UsageError(fmt::format("{}:{}: {}", journal.string(), number, error.what()));
    }
  });
  return lines_of(records);
}

ordered_json migrated_summary(const ordered_json& old) {
  ordered_json summary = renamed(old, kNamesInSummaries);
  if (summary.is_object()) summary.erase("knees");
  return summary;
}

}  // namespace gpuseq::results
