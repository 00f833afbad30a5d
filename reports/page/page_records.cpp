#include "reports/page/page_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "reports/page/html.hpp"
#include "reports/page/packed_json.hpp"
#include "results/record_fields.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::ordered_json;

void write_script_element(std::ostream& out, std::string_view id, std::string_view json) {
  out << "<script type=\"application/json\" id=\"" << id << "\">";
  html::write_script_json(out, json);
  out << "</script>\n";
}

void append_point(std::string& out, const Point& point) {
  out += '{';
  for (const auto& [axis, value] : point.values()) {
    if (&axis != &point.values().front().first) out += ',';
    append_json(out, axis);
    out += ':';
    std::visit([&](const auto& held) { append_json(out, held); }, value);
  }
  out += '}';
}

void append_number(std::string& out, std::optional<double> number) {
  if (number)
    append_json(out, *number);
  else
    out += "null";
}

/// Appends the array of what `append` writes of each record.
void append_rows(std::string& out, const ReportData& data, const std::function<void(const Entry&)>& append) {
  out += '[';
  for (const Entry& entry : data.entries) {
    if (&entry != &data.entries.front()) out += ',';
    append(entry);
  }
  out += ']';
}

/// The table of records as one JSON text.
class Columns {
 public:
  explicit Columns(const ReportData& data) : data_(data) {
    text_ =
        fmt::format("{{\"count\":{},\"per_chunk\":{},\"pooled\":{{", data.entries.size(), kRecordsPerChunk);
  }

  /// A column of few different values: {"values": [...], "rows": [place of each record's value]}.
  /// @param append  the JSON of a record's value to a text
  void add_pooled(std::string_view name, const std::function<void(std::string&, const Entry&)>& append) {
    std::unordered_map<std::string, std::size_t> places;
    std::string values, rows, value;
    append_rows(rows, data_, [&](const Entry& entry) {
      value.clear();
      append(value, entry);
      const auto [place, is_new] = places.try_emplace(value, places.size());
      if (is_new) values.append(values.empty() ? "" : ",").append(value);
      append_json(rows, static_cast<std::int64_t>(place->second));
    });
    begin(name);
    text_.append("{\"values\":[").append(values).append("],\"rows\":").append(rows) += '}';
  }

  void begin_numbers() {
    text_ += "},\"numbers\":{";
    is_first_ = true;
  }
  void add_numbers(std::string_view name,
                   const std::function<std::optional<double>(const Entry&)>& number_of) {
    begin(name);
    append_rows(text_, data_, [&](const Entry& entry) { append_number(text_, number_of(entry)); });
  }
  template <typename Number>
  void add_statistic(std::string_view name, Number results::Statistics::*member) {
    add_numbers(name, [member](const Entry& entry) {
      const auto& statistics = entry.record.statistics;
      return statistics ? std::optional<double>((*statistics).*member) : std::nullopt;
    });
  }

  std::string finished() && { return std::move(text_ += "}}"); }

 private:
  void begin(std::string_view name) {
    if (!std::exchange(is_first_, false)) text_ += ',';
    append_json(text_, name);
    text_ += ':';
  }

  const ReportData& data_;
  std::string text_;
  bool is_first_ = true;
};

/// Appends parts of records to a text, packed.
class PartsPacker {
 public:
  PartsPacker(JsonPacker& packer, std::string& out) : packer_(packer), out_(out) {}

  /// @param visit_all  calls its argument with the name and the value of each field
  template <typename VisitAll>
  void add_object(VisitAll visit_all) {
    const std::size_t shape = packer_.shape(
        [&](auto visit) { visit_all([&](std::string_view name, const auto&) { visit(name); }); });
    append_json(out_ += '[', static_cast<std::int64_t>(shape));
    visit_all([&](std::string_view, const auto& value) {
      out_ += ',';
      add(value);
    });
    out_ += ']';
  }

 private:
  template <results::HasFields T>
  void add(const T& part) {
    add_object([&](auto visit) { results::visit_fields(part, visit); });
  }
  template <typename T>
  void add(const std::optional<T>& value) {
    if (value)
      add(*value);
    else
      out_ += "null";
  }
  template <typename T>
  void add(const std::vector<T>& values) {
    out_ += "[-1";
    for (const T& value : values) {
      out_ += ',';
      add(value);
    }
    out_ += ']';
  }
  template <typename T>
  void add(const std::map<std::string, T>& values) {
    add_object([&](auto visit) {
      for (const auto& [name, value] : values) visit(name, value);
    });
  }
  template <std::integral T>
  void add(T value) {
    if constexpr (std::same_as<T, bool>)
      out_ += value ? "true" : "false";
    else
      out_ += fmt::format_int(value).c_str();
  }
  void add(double value) { append_json(out_, value); }
  void add(const std::string& text) { append_json(out_, std::string_view(text)); }
  void add(const nlohmann::json& json) { packer_.pack(json, out_); }

  JsonPacker& packer_;
  std::string& out_;
};

/// What the columns do not hold, in the words of records.jsonl.
class DetailsPacker {
 public:
  /// Appends [what it has of its own, its own of the provenance, what it shares of the provenance].
  void append_details(std::string& out, const results::Record& record) {
    const auto known = provenances_.find(record.provenance.address());
    ordered_json common = known == provenances_.end() ? packed_members(*record.provenance) : ordered_json();
    PartsPacker(packer_, out += '[').add_object([&](auto visit) {
      results::visit_numbers(record, visit);
      visit("problem_hash", record.problem_hash);
      if (!record.problem_label.empty()) visit("problem_label", record.problem_label);
    });
    packer_.pack(own_provenance(record), out += ',');
    const std::size_t place = known == provenances_.end() ? packer_.share(common) : known->second;
    if (known == provenances_.end()) provenances_.emplace(record.provenance.address(), place);
    out += fmt::format(",{}]", shared(place).dump());
  }
  std::string dictionary() const { return packer_.dictionary(); }

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
      if (key != "date") members[key] = shared(packer_.share(value));
    return members;
  }

  JsonPacker packer_;
  std::map<const nlohmann::json*, std::size_t> provenances_;  // places in the pool of what records share
};

}  // namespace

void write_record_columns(std::ostream& out, const ReportData& data) {
  using results::Statistics;
  Columns columns(data);
  const auto texts = [&](std::string_view name,
                         const std::function<std::string_view(const Entry&)>& text_of) {
    columns.add_pooled(name, [&](std::string& json, const Entry& e) { append_json(json, text_of(e)); });
  };
  texts("status", [](const Entry& e) { return status_word(e.record.status); });
  texts("kind", [](const Entry& e) -> std::string_view { return e.record.kind; });
  texts("phase", [](const Entry& e) -> std::string_view { return e.record.phase; });
  texts("family", [](const Entry& e) -> std::string_view { return e.record.state.family; });
  texts("variant", [](const Entry& e) -> std::string_view { return e.record.state.variant; });
  texts("device", [](const Entry& e) -> std::string_view { return e.device_name; });
  texts("device_id", [](const Entry& e) -> std::string_view { return e.record.state.device; });
  texts("run", [&](const Entry& e) -> std::string_view { return data.runs[e.run].name; });
  columns.add_pooled("problem",
                     [](std::string& json, const Entry& e) { append_point(json, e.record.state.problem); });
  columns.add_pooled("point",
                     [](std::string& json, const Entry& e) { append_point(json, e.record.state.point); });
  columns.add_pooled("repetition", [](std::string& json, const Entry& e) {
    append_json(json, std::int64_t{e.record.repetition});
  });
  columns.add_pooled(
      "synthetic", [](std::string& json, const Entry& e) { json += e.record.synthetic ? "true" : "false"; });
  columns.add_pooled("verified", [](std::string& json, const Entry& e) {
    const auto& verification = e.record.verification;
    json += !verification ? "null" : verification->passed ? "true" : "false";
  });
  texts("rate_unit", [](const Entry& e) {
    return e.record.statistics ? e.record.statistics->rate_unit : std::string_view();
  });
  texts("failure_kind",
        [](const Entry& e) { return e.record.failure ? e.record.failure->kind : std::string_view(); });
  texts("reason",
        [](const Entry& e) { return e.record.failure ? e.record.failure->reason : std::string_view(); });
  columns.begin_numbers();
  columns.add_statistic("rate", &Statistics::rate);
  columns.add_statistic("rate_low", &Statistics::rate_low);
  columns.add_statistic("rate_high", &Statistics::rate_high);
  columns.add_statistic("confidence", &Statistics::confidence);
  columns.add_statistic("median_s", &Statistics::median_s);
  columns.add_numbers("samples",
                      [](const Entry& e) { return static_cast<double>(e.record.samples_s.size()); });
  columns.add_numbers("fraction_of_bound", [](const Entry& e) {
    const auto& ceiling = e.record.ceiling.value;
    return ceiling ? std::optional<double>(ceiling->fraction) : std::nullopt;
  });
  write_script_element(out, "record-columns", std::move(columns).finished());
}

void write_record_details(std::ostream& out, const ReportData& data) {
  DetailsPacker packer;
  std::string chunk;
  for (std::size_t first = 0; first < data.entries.size(); first += kRecordsPerChunk) {
    chunk = '[';
    for (std::size_t i = first; i < std::min(first + kRecordsPerChunk, data.entries.size()); ++i) {
      if (i > first) chunk += ',';
      packer.append_details(chunk, data.entries[i].record);
    }
    chunk += ']';
    write_script_element(out, fmt::format("record-details-{}", first / kRecordsPerChunk), chunk);
  }
  write_script_element(out, "record-dictionary", packer.dictionary());
}

}  // namespace gpuseq::reports
