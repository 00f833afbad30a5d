#include "reports/comparison/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <tuple>

#include "reports/comparison/observations.hpp"
#include "reports/comparison/provenance.hpp"
#include "reports/comparison/words.hpp"
#include "results/json_fields.hpp"
#include "results/line_file.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/time/utc_date.hpp"

namespace gpuseq::comparison {
namespace {

using Json = nlohmann::ordered_json;
using Identity = std::tuple<std::string, std::string, std::string, std::string>;

constexpr std::size_t kLongestState = 4096;

Identity identity(const HistoryEntry& entry) {
  return {entry.state, entry.device_hash, entry.commit, entry.date};
}

std::string text(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Of the provenance, else the id.
std::string device_name(const ComparedRecord& record) {
  const nlohmann::json& provenance = record.provenance;
  const std::string name =
      provenance.is_object() && provenance.contains("device") ? text(provenance["device"], "name") : "";
  return name.empty() ? record.state.device : name;
}

HistoryEntry entry_of(const Observation& observation) {
  const auto [values, same_values] = values_of(observation, observation);
  const ComparedRecord& record = *observation.processes.front().front();
  const Maybe<results::Interval> interval = results::median_interval(values.seconds);
  const nlohmann::json& provenance = record.provenance;
  const nlohmann::json program =
      provenance.is_object() ? provenance.value("program", nlohmann::json()) : nlohmann::json();
  HistoryEntry entry{.date = record.date,
                     .commit = text(program, "commit"),
                     .config = text(provenance, "config"),
                     .device_name = device_name(record),
                     .device_hash = device_hash(record),
                     .state = record.state.to_string(),
                     .median_s = results::median(values.seconds),
                     .values = values.seconds.size()};
  if (interval.value) entry.interval = *interval.value;
  if (record.work.amount > 0) {
    entry.rate = record.work.amount / entry.median_s;
    entry.rate_unit = record.work.unit + "/s";
  }
  return entry;
}

Json json_of(const HistoryEntry& entry) {
  const bool rated = entry.rate > 0;
  return {{"schema_version", kHistorySchemaVersion},
          {"date", entry.date},
          {"commit", entry.commit},
          {"config", entry.config},
          {"device", entry.device_name},
          {"device_hash", entry.device_hash},
          {"state", entry.state},
          {"median_s", entry.median_s},
          {"low_s", entry.interval ? Json(entry.interval->low) : Json(nullptr)},
          {"high_s", entry.interval ? Json(entry.interval->high) : Json(nullptr)},
          {"confidence", entry.interval ? Json(entry.interval->confidence) : Json(nullptr)},
          {"values", entry.values},
          {"rate", rated ? Json(entry.rate) : Json(nullptr)},
          {"rate_unit", rated ? Json(entry.rate_unit) : Json(nullptr)},
          {"verdict", entry.verdict.empty() ? Json(nullptr) : Json(entry.verdict)}};
}

std::string text_or_null(const results::Fields& fields, const char* name) {
  return fields.at(name).is_null() ? "" : fields.get<std::string>(name);
}

double duration(const results::Fields& fields, const char* name) {
  const double seconds = fields.get<double>(name);
  if (!std::isfinite(seconds) || seconds <= 0) fields.fail(name, "allowed: a positive number of seconds");
  return seconds;
}

/// Lines of before may lack the confidence: 0.95 was meant.
std::optional<results::Interval> interval_from(const results::Fields& fields) {
  if (fields.at("low_s").is_null()) return std::nullopt;
  const bool stated = fields.has("confidence");
  return results::Interval{.low = duration(fields, "low_s"),
                           .high = duration(fields, "high_s"),
                           .confidence = stated ? fields.get<double>("confidence") : results::kConfidence};
}

HistoryEntry entry_from_json(const results::JsonElement& json) {
  const results::Fields fields(json);
  if (const int version = fields.get<int>("schema_version"); version < 1 || version > kHistorySchemaVersion)
    fields.fail("schema_version", fmt::format("is {}, allowed: 1 to {}", version, kHistorySchemaVersion));
  HistoryEntry entry{.date = fields.get<std::string>("date"),
                     .commit = fields.get<std::string>("commit"),
                     .config = fields.get<std::string>("config"),
                     .device_name = fields.get<std::string>("device"),
                     .device_hash = fields.get<std::string>("device_hash"),
                     .state = fields.get<std::string>("state"),
                     .median_s = duration(fields, "median_s"),
                     .interval = interval_from(fields),
                     .values = fields.get<std::size_t>("values"),
                     .rate_unit = text_or_null(fields, "rate_unit"),
                     .verdict = text_or_null(fields, "verdict")};
  if (!entry.date.empty() && !is_utc_date(entry.date))  // records may have none
    fields.fail("date",
                fmt::format("found \"{}\", allowed: a date such as 2026-11-20T21:26:08Z", entry.date));
  if (!fields.at("rate").is_null()) entry.rate = fields.get<double>("rate");
  if (entry.interval && !(entry.interval->low <= entry.median_s && entry.median_s <= entry.interval->high))
    fields.fail("median_s", "lies outside low_s and high_s");
  // Regular expressions are matched by recursion, a call a character.
  if (entry.state.size() > kLongestState)
    fields.fail("state", fmt::format("has {} characters, allowed: {}", entry.state.size(), kLongestState));
  return entry;
}

/// A writer that was killed leaves the beginning of a line behind the last one, which is left out. Anything
/// else there is no history.
void require_torn_end(const std::filesystem::path& path) {
  constexpr std::string_view kBegin = "{\"schema_version\":";
  std::string end;
  std::size_t lines = 0;
  std::ifstream file(path, std::ios::binary);
  for (; std::getline(file, end) && !file.eof(); end.clear()) ++lines;
  std::erase(end, ' ');
  const std::size_t begin = std::min(end.size(), kBegin.size());
  if (end.substr(0, begin) != kBegin.substr(0, begin))
    throw UsageError(
        fmt::format("{}:{}: found no line of a history, allowed: a JSON object with schema_version",
                    path.string(), lines + 1));
}

/// @throws UsageError for an entry whose line could not be read again
Json readable_line(const HistoryEntry& entry) {
  Json line = json_of(entry);
  std::string text = results::json_line(line);
  text.pop_back();
  results::JsonParser parser;
  try {
    entry_from_json(parser.parse(text));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", entry.state.substr(0, 100), error.what()));
  }
  return line;
}

}  // namespace

std::vector<HistoryEntry> entries_of(const Side& side, const Comparison* comparison) {
  std::map<std::string, std::string> verdicts;
  if (comparison)
    for (const StateComparison& state : comparison->states)
      verdicts[state.state.to_string()] = word(state.verdict);
  std::vector<HistoryEntry> entries;
  for (const auto& [key, observation] : observe(side)) {
    if (!observation.has_numbers()) continue;
    entries.push_back(entry_of(observation));
    const auto verdict = verdicts.find(observation.state->to_string());
    if (verdict != verdicts.end()) entries.back().verdict = verdict->second;
  }
  return entries;
}

std::size_t append_history(const std::filesystem::path& path, const Side& side,
                           const Comparison* comparison) {
  std::set<Identity> known;
  std::error_code error;
  if (std::filesystem::exists(path, error))
    for (const HistoryEntry& entry : load_history(path)) known.insert(identity(entry));
  std::vector<Json> lines;
  for (const HistoryEntry& entry : entries_of(side, comparison))
    if (known.insert(identity(entry)).second) lines.push_back(readable_line(entry));
  results::LineFile(path, "history").append(lines);
  return lines.size();
}

std::vector<HistoryEntry> load_history(const std::filesystem::path& path) {
  std::vector<HistoryEntry> entries;
  results::read_lines(path,
                      [&](const results::JsonElement& json) { entries.push_back(entry_from_json(json)); });
  require_torn_end(path);  // of a regular file, as read_lines() has told
  return entries;
}

}  // namespace gpuseq::comparison
