#include "reports/page/page_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "reports/page/html.hpp"
#include "reports/page/packed_json.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::ordered_json;

std::string script_element(const std::string& id, const ordered_json& json) {
  return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id,
                     html::script_json(json));
}

/// A column of few different values: {"values": [...], "rows": [place of each record's value]}.
ordered_json pooled(const ReportData& data, const std::function<ordered_json(const Entry&)>& value_of) {
  std::map<std::string, std::size_t> places;
  ordered_json values = ordered_json::array(), rows = ordered_json::array();
  for (const Entry& entry : data.entries) {
    ordered_json value = value_of(entry);
    std::string text = value.is_string() ? value.get<std::string>()
                                         : value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    const auto [place, is_new] = places.try_emplace(std::move(text), values.size());
    if (is_new) values.push_back(std::move(value));
    rows.push_back(place->second);
  }
  return {{"values", std::move(values)}, {"rows", std::move(rows)}};
}

ordered_json numbers(const ReportData& data, const std::function<std::optional<double>(const Entry&)>& of) {
  JsonPacker packer;
  ordered_json rows = ordered_json::array();
  for (const Entry& entry : data.entries) {
    const std::optional<double> value = of(entry);
    rows.push_back(value && std::isfinite(*value) ? packer.pack(*value) : ordered_json(nullptr));
  }
  return rows;
}

ordered_json statistic(const ReportData& data, double results::Statistics::*member) {
  return numbers(data, [member](const Entry& entry) {
    const auto& statistics = entry.record.statistics;
    return statistics ? std::optional<double>((*statistics).*member) : std::nullopt;
  });
}

/// What the columns do not hold, in the words of records.jsonl.
class DetailsPacker {
 public:
  ordered_json details(const results::Record& record) {
    const auto known = provenances_.find(record.provenance.address());
    ordered_json common = known == provenances_.end() ? packed_members(*record.provenance) : ordered_json();
    ordered_json json = ordered_json::object();
    results::add_numbers(json, record);
    json["problem_hash"] = record.problem_hash;
    ordered_json packed = packer_.pack(json), own = packer_.pack(own_provenance(record));
    ordered_json shared = known == provenances_.end() ? packer_.share(common) : known->second;
    if (known == provenances_.end()) provenances_.emplace(record.provenance.address(), shared);
    return ordered_json::array({std::move(packed), std::move(own), std::move(shared)});
  }
  ordered_json dictionary() const { return packer_.dictionary(); }

 private:
  static ordered_json own_provenance(const results::Record& record) {
    ordered_json own = ordered_json::object();
    if (!record.date.empty())
      own["date"] = record.date;
    else if (record.provenance.is_object() && record.provenance.contains("date"))
      own["date"] = record.provenance["date"];
    return own;
  }
  ordered_json packed_members(const nlohmann::json& provenance) {
    ordered_json members = ordered_json::object();
    for (const auto& [key, value] : provenance.items())
      if (key != "date") members[key] = packer_.share(value);
    return members;
  }

  JsonPacker packer_;
  std::map<const nlohmann::json*, ordered_json> provenances_;  // as the pool holds those that records share
};

}  // namespace

std::string record_columns_html(const ReportData& data) {
  using results::Statistics;
  ordered_json json{{"count", data.entries.size()}, {"per_chunk", kRecordsPerChunk}};
  const auto column = [&](const char* name, const std::function<ordered_json(const Entry&)>& value_of) {
    json["pooled"][name] = pooled(data, value_of);
  };
  column("status", [](const Entry& e) { return status_word(e.record.status); });
  column("kind", [](const Entry& e) { return e.record.kind; });
  column("phase", [](const Entry& e) { return e.record.phase; });
  column("family", [](const Entry& e) { return e.record.state.family; });
  column("variant", [](const Entry& e) { return e.record.state.variant; });
  column("device", [](const Entry& e) { return e.device_name; });
  column("device_id", [](const Entry& e) { return e.record.state.device; });
  column("run", [&](const Entry& e) { return data.runs[e.run].name; });
  column("problem", [](const Entry& e) { return e.record.state.problem.to_json(); });
  column("point", [](const Entry& e) { return e.record.state.point.to_json(); });
  column("repetition", [](const Entry& e) { return e.record.repetition; });
  column("synthetic", [](const Entry& e) { return e.record.synthetic; });
  column("verified", [](const Entry& e) {
    return e.record.verification ? ordered_json(e.record.verification->passed) : ordered_json(nullptr);
  });
  column("rate_unit",
         [](const Entry& e) { return e.record.statistics ? e.record.statistics->rate_unit : ""; });
  column("failure_kind", [](const Entry& e) { return e.record.failure ? e.record.failure->kind : ""; });
  column("reason", [](const Entry& e) { return e.record.failure ? e.record.failure->reason : ""; });
  json["numbers"] = {
      {"rate", statistic(data, &Statistics::rate)},
      {"rate_low", statistic(data, &Statistics::rate_low)},
      {"rate_high", statistic(data, &Statistics::rate_high)},
      {"median_s", statistic(data, &Statistics::median_s)},
      {"samples",
       numbers(data, [](const Entry& e) { return static_cast<double>(e.record.samples_s.size()); })},
      {"fraction_of_ceiling", numbers(data, [](const Entry& e) {
         const auto& ceiling = e.record.ceiling.value;
         return ceiling ? std::optional<double>(ceiling->fraction) : std::nullopt;
       })}};
  return script_element("record-columns", json);
}

std::string record_details_html(const ReportData& data) {
  DetailsPacker packer;
  std::string out;
  for (std::size_t first = 0; first < data.entries.size(); first += kRecordsPerChunk) {
    ordered_json chunk = ordered_json::array();
    for (std::size_t i = first; i < std::min(first + kRecordsPerChunk, data.entries.size()); ++i)
      chunk.push_back(packer.details(data.entries[i].record));
    out += script_element(fmt::format("record-details-{}", first / kRecordsPerChunk), chunk);
  }
  out += script_element("record-dictionary", packer.dictionary());
  return out;
}

}  // namespace gpuseq::reports
