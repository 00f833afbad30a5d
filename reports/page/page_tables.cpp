#include "reports/page/page_tables.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <vector>

#include "reports/page/html.hpp"
#include "reports/page/points.hpp"
#include "reports/units.hpp"

namespace gpuseq::reports::page_tables {
namespace {

using html::Cell;
using html::number_cell;
using html::Table;
using nlohmann::json;

/// States that are listed under one reason; the table of records has them all.
constexpr std::size_t kMostStates = 20;
constexpr std::size_t kMostReasons = 500;

}  // namespace

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
