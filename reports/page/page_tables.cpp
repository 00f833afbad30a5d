#include "reports/page/page_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/page/html.hpp"
#include "reports/units.hpp"

namespace gpuseq::reports::page_tables {
namespace {

using html::Cell;
using html::number_cell;
using html::Table;
using nlohmann::json;

/// Rows of the table of records; a page of more would take a browser seconds to open.
constexpr std::size_t kMostRecords = 5000;

/// "46.7 G query bases/s"
std::string rate_text(double rate, const std::string& unit) {
  const std::string value = format_value(rate, Unit::number_si);
  return value + (value.ends_with(' ') ? "" : " ") + unit;
}

const json* member(const json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

/// {"k": 2, "d": 64} as "k=2, d=64"; anything else as JSON.
std::string point_text(const json* point) {
  if (!point || point->is_null()) return "";
  if (!point->is_object()) return point->dump();
  std::string text;
  for (const auto& [axis, value] : point->items())
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", axis,
                        value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

std::string rate_range(const json& object, const std::string& unit) {
  const auto low = number(object, "rate_low"), high = number(object, "rate_high");
  return low && high ? fmt::format("{} to {}", rate_text(*low, unit), rate_text(*high, unit)) : "";
}

std::string runners_up(const json& tuned, const std::string& unit) {
  const json* list = member(tuned, "runners_up");
  if (!list || !list->is_array()) return "";
  std::string words;
  for (const json& other : *list)
    words +=
        fmt::format("{}{} {} ({})", words.empty() ? "" : "; ", text(other, "variant"),
                    point_text(member(other, "point")), rate_text(number(other, "rate").value_or(NAN), unit));
  return words;
}

const char* status_name(results::Status status) {
  switch (status) {
    case results::Status::ok:
      return "ok";
    case results::Status::failed:
      return "failed";
    case results::Status::skipped:
      return "skipped";
  }
  return "";
}

std::vector<Cell> record_row(const Entry& entry) {
  const results::Record& record = entry.record;
  std::vector<Cell> row{{status_name(record.status), "", status_name(record.status)},
                        {record.state.family},
                        {record.state.variant},
                        {entry.device_name},
                        {record.state.problem.to_string()},
                        {record.state.point.to_string()}};
  if (record.statistics) {
    const results::Statistics& s = *record.statistics;
    row.push_back(number_cell(rate_text(s.rate, s.rate_unit), s.rate));
    row.push_back({fmt::format("{} to {}", format_value(s.rate_low, Unit::number_si),
                               format_value(s.rate_high, Unit::number_si)),
                   "", "number"});
    row.push_back(number_cell(fmt::format("{}", s.samples), static_cast<double>(s.samples)));
  } else {
    row.insert(row.end(), 3, Cell{""});
  }
  if (record.ceiling.value)
    row.push_back(number_cell(format_value(record.ceiling.value->fraction, Unit::share),
                              record.ceiling.value->fraction));
  else
    row.push_back({""});
  row.push_back({!record.verification ? "" : record.verification->passed ? "yes" : "no"});
  row.push_back({record.phase});
  row.push_back({record.synthetic ? "synthetic" : ""});
  return row;
}

}  // namespace

std::string machines(const ReportData& data) {
  std::string out;
  for (const Run& run : data.runs) {
    const json* devices = member(run.summary, "devices");
    if (!devices || !devices->is_object()) continue;
    for (const auto& [id, device] : devices->items()) {
      const std::string name = text(device, "name");
      out +=
          fmt::format("<article class=\"card\"><h3>{}</h3><p class=\"muted\">{} in run {}</p>{}</article>\n",
                      html::escape(name.empty() ? id : name), html::escape(id), html::escape(run.name),
                      html::definition_list(device));
    }
  }
  return out;
}

std::string winners(const ReportData& data) {
  Table table{.caption = "Fastest points, re-measured among the best",
              .columns = {"Family", "Problem", "Device", "Objective", "Variant", "Point", "Rate", "Interval",
                          "Of ceiling", "Runners-up"},
              .sortable = true};
  for (const Run& run : data.runs) {
    const json* tuned = member(run.summary, "tuned");
    if (!tuned || !tuned->is_array()) continue;
    for (const json& winner : *tuned) {
      const std::string unit = text(winner, "rate_unit");
      const double rate = number(winner, "rate").value_or(NAN);
      const auto fraction = number(winner, "fraction_of_ceiling");
      const json* objective = member(winner, "objective");
      table.rows.push_back(
          {{text(winner, "family")},
           {point_text(member(winner, "problem"))},
           {text(winner, "device")},
           {objective ? fmt::format("{} {}", text(*objective, "direction"), text(*objective, "metric")) : ""},
           {text(winner, "variant")},
           {point_text(member(winner, "point"))},
           number_cell(rate_text(rate, unit), rate),
           {rate_range(winner, unit), "", "number"},
           fraction ? number_cell(format_value(*fraction, Unit::share), *fraction) : Cell{"none"},
           {runners_up(winner, unit)}});
    }
  }
  return table.rows.empty() ? "" : table.to_string();
}

std::string knees(const ReportData& data) {
  Table table{.caption = "Footprints where a probe's curve changes",
              .columns = {"Probe", "Device", "Curve", "From", "To", "Middle lies between", "Before", "After",
                          "Kind", "Confidence"},
              .sortable = true};
  for (const KneeMark& knee : data.knees) {
    const auto bytes = [](double value) { return number_cell(format_value(value, Unit::bytes), value); };
    const auto level = [&](double value) {
      return number_cell(
          knee.probe == "latency" ? fmt::format("{:.3g} ns", value) : format_value(value, Unit::bytes_per_s),
          value);
    };
    table.rows.push_back({{knee.probe},
                          {knee.device_name},
                          {fmt::format("{} {}", knee.variant, point_text(&knee.point))},
                          bytes(knee.from_bytes),
                          bytes(knee.to_bytes),
                          {fmt::format("{} and {}", format_value(knee.low_bytes, Unit::bytes),
                                       format_value(knee.high_bytes, Unit::bytes)),
                           "", "number"},
                          level(knee.before),
                          level(knee.after),
                          {knee.hard ? "hard" : "soft"},
                          number_cell(format_value(knee.confidence, Unit::share), knee.confidence)});
  }
  return table.rows.empty() ? "" : table.to_string();
}

std::string failures(const ReportData& data) {
  Table table{.caption = "States without a number, and why",
              .columns = {"Status", "Kind", "Reason", "Family", "Variant", "Device", "Problem", "Point"},
              .sortable = true};
  for (const Entry& entry : data.entries) {
    const results::Record& record = entry.record;
    if (record.status == results::Status::ok) continue;
    table.rows.push_back({{status_name(record.status), "", status_name(record.status)},
                          {record.failure ? record.failure->kind : ""},
                          {record.failure ? record.failure->reason : "none given"},
                          {record.state.family},
                          {record.state.variant},
                          {entry.device_name},
                          {record.state.problem.to_string()},
                          {record.state.point.to_string()}});
  }
  return table.rows.empty() ? "" : table.to_string();
}

std::string records(const ReportData& data) {
  Table table{.caption = "Records",
              .columns = {"Status", "Family", "Variant", "Device", "Problem", "Point", "Rate", "Interval",
                          "Samples", "Of ceiling", "Verified", "Phase", "Data"},
              .sortable = true};
  for (const Entry& entry : data.entries) {
    if (table.rows.size() == kMostRecords) break;
    table.rows.push_back(record_row(entry));
  }
  if (table.rows.empty()) return "";
  std::string out = table.to_string();
  if (data.entries.size() > kMostRecords)
    out += fmt::format("<p>The first {} of {} records; records.jsonl holds them all.</p>\n", kMostRecords,
                       data.entries.size());
  return out;
}

std::string published(const Published& published) {
  if (published.facts.empty()) return "";
  Table table{.caption = "Published values drawn or quoted here",
              .columns = {"Figure", "Device", "What", "Value", "Unit", "Source", "As stated"},
              .sortable = true};
  for (const Fact& fact : published.facts) {
    std::string what = fact.label;
    if (!fact.at.empty()) what += fmt::format(" ({})", point_text(&fact.at));
    table.rows.push_back({{fact.figure},
                          {fact.device},
                          {what},
                          number_cell(format_value(fact.value, Unit::number_si), fact.value),
                          {fact.unit},
                          {fact.source},
                          {fact.derived ? "from a ratio: " + fact.stated : fact.stated}});
  }
  return fmt::format("<p>{}</p>\n{}", html::escape(published.citation), table.to_string());
}

std::string provenance(const ReportData& data) {
  std::string out;
  for (std::size_t i = 0; i < data.runs.size(); ++i) {
    const Run& run = data.runs[i];
    json facts = json::object();
    for (const char* key : {"name", "started", "finished", "complete", "program", "config_hash", "counts"})
      if (const json* value = member(run.summary, key)) facts[key] = *value;
    facts["folder"] = run.dir.string();
    const auto first = std::find_if(data.entries.begin(), data.entries.end(),
                                    [&](const Entry& entry) { return entry.run == i; });
    if (first != data.entries.end())
      for (const char* key : {"program", "host", "seed"})
        if (const json* value = member(first->record.provenance, key)) facts[key] = *value;
    out += fmt::format("<article class=\"card\"><h3>Run {}</h3>{}", html::escape(run.name),
                       html::definition_list(facts));
    if (const json* config = member(run.summary, "config"))
      out += fmt::format("<details><summary>Configuration</summary><pre>{}</pre></details>",
                         html::escape(config->dump(2, ' ', false, json::error_handler_t::replace)));
    out += "</article>\n";
  }
  return out;
}

}  // namespace gpuseq::reports::page_tables
