#include "reports/page/page_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "reports/figure_tools.hpp"
#include "reports/page/html.hpp"
#include "reports/page/points.hpp"
#include "reports/units.hpp"
#include "results/statistics/statistics.hpp"

namespace gpuseq::reports::page_tables {
namespace {

using html::Cell;
using html::number_cell;
using html::Table;
using nlohmann::json;

/// States that are listed under one reason; the table of records has them all.
constexpr std::size_t kMostStates = 20;
constexpr std::size_t kMostReasons = 500;

const json& member(const json& object, const char* key) {
  static const json nothing = nullptr;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

std::string objective_text(const json& winner) {
  const json& objective = member(winner, "objective");
  const std::string direction = text(objective, "direction"), metric = text(objective, "metric");
  return metric.empty() ? ""
                        : fmt::format("{} {}", direction.starts_with("min") ? "lowest" : "highest", metric);
}

std::vector<std::string> runners_up(const json& winner, const std::string& unit) {
  std::vector<std::string> lines;
  const double best = number(winner, "rate").value_or(NAN);
  for (const json& other : member(winner, "runners_up")) {
    const double rate = number(other, "rate").value_or(NAN);
    lines.push_back(fmt::format("{}: {} ({} of the winner), {}", text(other, "variant"),
                                rate_text(rate, unit), format_value(rate / best, Unit::share),
                                point_text(member(other, "point"))));
  }
  return lines;
}

/// The interval of a winner's rate, with its confidence where few samples carry no more, or why there is
/// none.
std::string interval_text(const json& winner) {
  const auto low = number(winner, "rate_low"), high = number(winner, "rate_high");
  if (!low || !high) return text(winner, "interval_reason");
  const double confidence = number(winner, "confidence").value_or(results::kConfidence);
  return fmt::format(
      "{} to {}{}", format_value(*low, Unit::number_si), format_value(*high, Unit::number_si),
      confidence < results::kConfidence ? fmt::format(" at {:.0f} %, few samples", 100 * confidence) : "");
}

std::vector<Cell> winner_row(const json& winner, const std::string& device,
                             const std::set<std::string>& common) {
  const std::string unit = text(winner, "rate_unit");
  const double rate = number(winner, "rate").value_or(NAN);
  Cell family{text(winner, "family")}, point{point_text(member(winner, "point"))};
  family.note = objective_text(winner);
  point.more = runners_up(winner, unit);
  point.more_title =
      fmt::format("{} {}", point.more.size(), point.more.size() == 1 ? "runner-up" : "runners-up");
  Cell value = number_cell(rate_text(rate, unit), rate);
  value.note = interval_text(winner);
  Cell ceiling{"none", "", "number"};
  if (const auto fraction = number(winner, "fraction_of_ceiling"))
    ceiling = number_cell(format_value(*fraction, Unit::share), *fraction);
  ceiling.note = text(winner, "bound_by");
  Cell problem{text(winner, "problem_label")};
  const std::string axes = point_text(member(winner, "problem"), common);
  (problem.text.empty() ? problem.text : problem.note) = axes;
  return {family, {device}, problem, {text(winner, "variant")}, point, value, ceiling};
}

/// The name of a device of a run as the records have it, else its id.
std::string name_of(const ReportData& data, std::size_t run, const std::string& id) {
  for (const Entry& entry : data.entries)
    if (entry.run == run && entry.record.state.device == id) return entry.device_name;
  const std::string name = text(member(member(data.runs[run].summary, "devices"), id.c_str()), "name");
  return name.empty() ? id : name;
}

std::string common_line(std::string_view what, const json& point, const std::set<std::string>& common) {
  if (common.empty()) return "";
  return fmt::format("<p class=\"note\">{}: {}.</p>\n", what, html::escape(common_text(point, common)));
}

}  // namespace

std::string winners(const ReportData& data) {
  Table table{.caption = "Fastest points, measured again among the best",
              .columns = {"Family", "Device", "Problem", "Variant", "Point", "Rate", "Of ceiling"},
              .sortable = true};
  std::vector<const json*> problems;
  for (const Run& run : data.runs)
    for (const json& winner : member(run.summary, "tuned")) problems.push_back(&member(winner, "problem"));
  const std::set<std::string> common = common_axes(problems);
  for (std::size_t i = 0; i < data.runs.size(); ++i)
    for (const json& winner : member(data.runs[i].summary, "tuned"))
      table.rows.push_back(winner_row(winner, name_of(data, i, text(winner, "device")), common));
  if (table.rows.empty()) return "";
  return common_line("All problems have", *problems.front(), common) + table.to_string();
}

std::string knees(const ReportData& data) {
  Table table{.caption = "Footprints where a probe's curve changes",
              .columns = {"Probe", "Device", "Curve", "Changes from", "To", "Middle lies between", "Before",
                          "After", "Kind", "Confidence"},
              .sortable = true};
  std::map<std::string, std::vector<const json*>> points;
  for (const KneeMark& knee : data.knees) points[knee.probe + '\n' + knee.variant].push_back(&knee.point);
  for (const KneeMark& knee : data.knees) {
    const auto bytes = [](double value) { return number_cell(format_value(value, Unit::bytes), value); };
    const auto level = [&](double value) {
      return number_cell(
          knee.probe == "latency" ? fmt::format("{:.3g} ns", value) : format_value(value, Unit::bytes_per_s),
          value);
    };
    const std::set<std::string> common = common_axes(points[knee.probe + '\n' + knee.variant]);
    table.rows.push_back({{knee.probe},
                          {knee.device_name},
                          {knee.variant, "", "", point_text(knee.point, common)},
                          bytes(knee.from_bytes),
                          bytes(knee.to_bytes),
                          {fmt::format("{} and {}", format_value(knee.low_bytes, Unit::bytes),
                                       format_value(knee.high_bytes, Unit::bytes)),
                           fmt::format("{}", knee.low_bytes), "number"},
                          level(knee.before),
                          level(knee.after),
                          {knee.hard ? "hard" : "soft"},
                          number_cell(format_value(knee.confidence, Unit::share), knee.confidence)});
  }
  return table.rows.empty() ? "" : table.to_string();
}

std::string failures(const ReportData& data) {
  Table table{.caption = "States without a number, and why",
              .columns = {"Status", "Kind", "Reason", "Family", "Variant", "Device", "States"},
              .sortable = true};
  using Reason = std::tuple<results::Status, std::string, std::string, std::string, std::string, std::string>;
  std::map<Reason, std::vector<const results::Record*>> reasons;
  for (const Entry& entry : data.entries) {
    const results::Record& r = entry.record;
    if (r.status == results::Status::ok) continue;
    reasons[{r.status, r.failure ? r.failure->kind : "", r.failure ? r.failure->reason : "none given",
             r.state.family, r.state.variant, entry.device_name}]
        .push_back(&r);
  }
  for (const auto& [reason, states] : reasons) {
    if (table.rows.size() == kMostReasons) break;
    const auto& [status, kind, words, family, variant, device] = reason;
    const std::string status_word = status == results::Status::failed ? "failed" : "skipped";
    Cell count = number_cell(fmt::format("{}", states.size()), static_cast<double>(states.size()));
    count.more_title = "which";
    for (const results::Record* record : states) {
      if (count.more.size() == kMostStates) {
        count.more.push_back("and more, see the table of records");
        break;
      }
      count.more.push_back(
          fmt::format("{}; {}", record->state.problem.to_string(), record->state.point.to_string()));
    }
    table.rows.push_back(
        {{.text = status_word, .css_class = status_word, .link = "#filter=status:" + status_word},
         {kind},
         {words},
         {family},
         {variant},
         {device},
         count});
  }
  if (table.rows.empty()) return "";
  std::string out = table.to_string();
  if (reasons.size() > kMostReasons)
    out +=
        fmt::format("<p class=\"note\">The first {} of {} reasons; the table of records has them all.</p>\n",
                    kMostReasons, reasons.size());
  return out;
}

std::string published(const Published& published) {
  if (published.facts.empty()) return "";
  Table table{.caption = "Published values drawn or quoted here",
              .columns = {"Figure", "Device", "What", "Value", "Unit", "Source", "As stated"},
              .sortable = true};
  for (const Fact& fact : published.facts) {
    Cell what{fact.label};
    if (!fact.at.empty()) what.note = point_text(fact.at);
    table.rows.push_back({{fact.figure},
                          {fact.device},
                          what,
                          number_cell(format_value(fact.value, Unit::number_si), fact.value),
                          {fact.unit},
                          {fact.source},
                          {fact.derived ? "from a ratio: " + fact.stated : fact.stated}});
  }
  return fmt::format("<p>{}</p>\n{}", html::escape(published.citation), table.to_string());
}

}  // namespace gpuseq::reports::page_tables
