#include "bench/run/terminal/family_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <list>
#include <set>
#include <vector>

#include "bench/config/json_file.hpp"
#include "bench/config/units.hpp"
#include "bench/profile/text_table.hpp"
#include "bench/run/terminal/caveats.hpp"
#include "bench/run/terminal/problem_labels.hpp"
#include "bench/run/terminal/wrapped_rows.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;

const std::vector<std::string> kColumns{"problem",  "n",     "device",   "fastest", "rate",
                                        "interval", "share", "bound by", "bytes",   ""};
const std::vector<std::size_t> kWrapping{0, 3, 5, 7};

/// In the order of its axes, which is part of a state's key.
Point point_of(const ordered_json& object) {
  Point point;
  for (const auto& [axis, value] : object.items()) point.set(axis, axis_value_from_json(value));
  return point;
}

results::StateKey key_of(const ordered_json& contest, const ordered_json& candidate) {
  return {.family = contest["family"].get<std::string>(),
          .variant = candidate["variant"].get<std::string>(),
          .problem = point_of(contest["problem"]),
          .point = point_of(candidate["point"]),
          .device = contest["device"].get<std::string>()};
}

bool is_rate(const ordered_json& contest) {
  return contest["objective"]["metric"] == "rate";
}

/// "simd k=2,d=64", and the objective for which it is the best where that is not the rate.
std::string candidate_text(const ordered_json& contest, const results::StateKey& key,
                           const results::ShortNames& names) {
  const std::string point = names.point(key);
  std::string text = point.empty() ? key.variant : key.variant + " " + point;
  if (!is_rate(contest))
    text += fmt::format(" (best {}: {})", contest["objective"]["metric"].get<std::string>(),
                        significant(contest["score"].get<double>(), 3));
  return text;
}

std::string rate_interval(const ordered_json& candidate) {
  if (!candidate["rate_low"].is_number() || !candidate["rate_high"].is_number()) return "-";
  const std::string low = prefixed(candidate["rate_low"].get<double>()),
                    high = prefixed(candidate["rate_high"].get<double>());
  const auto space = low.find(' ');
  const bool same_prefix = low.substr(space) == high.substr(high.find(' '));
  return fmt::format("{} to {}", same_prefix ? low.substr(0, space) : low, high);
}

std::string bytes_of(const ordered_json& candidate) {
  const bool known = candidate.contains("memory") && candidate["memory"].is_object();
  return known ? with_decimal_prefix(candidate["memory"]["bytes"].get<double>(), "B") : "-";
}

bool is_sized(const ordered_json& contest) {
  return contest.contains("size");
}

std::string label_of(const ordered_json& contest, const results::ShortNames& names) {
  const std::string label = names.problem(key_of(contest, contest));
  return is_sized(contest) ? label_of_any_size(label, contest["size"]) : label;
}

std::vector<std::string> row_of(const std::string& problem, const ordered_json& contest,
                                const ordered_json& candidate, const results::ShortNames& names,
                                const std::string& letters) {
  const results::StateKey key = key_of(contest, candidate);
  const ordered_json& fraction = candidate["fraction_of_bound"];
  return {problem,
          is_sized(contest) ? std::to_string(contest["size"]["value"].get<std::int64_t>()) : "",
          key.device,
          candidate_text(contest, key, names),
          prefixed(candidate["rate"].get<double>()),
          rate_interval(candidate),
          fraction.is_null() ? "-" : fmt::format("{:.0f} %", 100 * fraction.get<double>()),
          candidate.value("bound_by", "-"),
          bytes_of(candidate),
          letters};
}

/// Columns that say nothing of any row are left out.
TextRows without_empty_columns(TextRows rows, std::vector<std::size_t>& wrapping) {
  for (std::size_t column = rows.front().size(); column-- > 0;) {
    const bool empty = std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) {
      return row[column].empty() || row[column] == "-";
    });
    if (!empty) continue;
    for (auto& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    std::erase(wrapping, column);
    for (std::size_t& other : wrapping)
      if (other > column) --other;
  }
  return rows;
}

std::string laid_out(TextRows rows, const Terminal& terminal) {
  std::vector<std::size_t> wrapping = kWrapping;
  rows = without_empty_columns(std::move(rows), wrapping);
  std::string text = text_table(wrapped_rows(rows, wrapping, terminal.width()));
  const std::size_t head = text.find('\n');
  return terminal.paint(Ink::dim, text.substr(0, head)) + text.substr(head);
}

/// The records of an external tool as a winner of run.json, which has kernels only.
ordered_json tool_json(const Record& record) {
  ordered_json json{{"family", record.state.family},
                    {"problem", record.state.problem.to_json()},
                    {"device", record.state.device},
                    {"objective", {{"metric", "rate"}}},
                    {"variant", record.state.variant},
                    {"point", record.state.point.to_json()},
                    {"rate", record.statistics->rate},
                    {"rate_low", or_null(record.statistics->rate_low)},
                    {"rate_high", or_null(record.statistics->rate_high)},
                    {"fraction_of_bound", nullptr}};
  if (const auto& size = record.size) json["size"] = {{"value", size->value}};
  return json;
}

/// The fastest record of each external tool on each problem.
std::vector<const Record*> tools_of(std::span<const Record> records, const std::string& family,
                                    const std::string& rate_unit) {
  std::vector<const Record*> fastest;
  for (const Record& record : records) {
    if (record.kind != "tool" || record.status != results::Status::ok || !record.statistics ||
        record.state.family != family || record.statistics->rate_unit != rate_unit)
      continue;
    const auto same = std::ranges::find_if(fastest, [&](const Record* one) {
      return one->state.variant == record.state.variant && one->state.problem == record.state.problem &&
             one->state.device == record.state.device;
    });
    if (same == fastest.end())
      fastest.push_back(&record);
    else if ((*same)->statistics->rate < record.statistics->rate)
      *same = &record;
  }
  return fastest;
}

/// The winners and external tools of one family, whose rates are of one unit.
class FamilyTable {
 public:
  FamilyTable(const ordered_json& summary, const results::ShortNames& names)
      : names_(names), caveats_(summary) {}

  void add(const ordered_json& contest) {
    contests_.push_back(contest);
    labels_.insert(label_of(contest, names_));
  }
  void add_tools(std::span<const Record> records) {
    const ordered_json first = contests_.front();
    for (const Record* record : tools_of(records, first["family"], first["rate_unit"]))
      add(tool_json(*record));
  }

  std::string text(const Terminal& terminal) {
    const std::vector<std::string> common = common_parts(labels_);
    TextRows rows{kColumns};
    for (const ordered_json& contest : contests_) add_rows(contest, common, rows);
    const ordered_json& first = contests_.front();
    const auto family = first["family"].get<std::string>();
    std::string title = family;
    if (const auto words = fmt::format("{}", fmt::join(common, ", ")); !words.empty()) title += ", " + words;
    title += fmt::format("; rates in {}", first["rate_unit"].get<std::string>());
    constexpr std::size_t kIndent = 4;
    title = wrapped_text(title, terminal.width(), kIndent);
    return fmt::format("\n{}{}\n{}{}", terminal.paint(Ink::bold, family), title.substr(family.size()),
                       laid_out(std::move(rows), terminal), caveats_.text(terminal));
  }

 private:
  void add_rows(const ordered_json& contest, const std::vector<std::string>& common, TextRows& rows) {
    const std::string problem = without_parts(label_of(contest, names_), common);
    const auto device = contest["device"].get<std::string>();
    const bool is_tool = !contest.contains("rate_unit");
    rows.push_back(row_of(rows.size() > 1 && problem == last_ ? "" : problem, contest, contest, names_,
                          is_tool ? "" : caveats_.letters(contest, device)));
    last_ = problem;
    if (!contest.contains("without_limit") || !contest["without_limit"].is_object()) return;
    const ordered_json& other = contest["without_limit"];
    rows.push_back(row_of("  without the limit", contest, other, names_, caveats_.letters(other, device)));
  }

  const results::ShortNames& names_;
  Caveats caveats_;
  std::vector<ordered_json> contests_;  // winners, and tools behind them
  std::set<std::string> labels_;
  std::string last_;
};

}  // namespace

std::string family_tables(const ordered_json& summary, std::span<const Record> records,
                          const results::ShortNames& names, const Terminal& terminal) {
  std::list<std::pair<std::string, FamilyTable>> tables;  // in the order of their first contests
  for (const ordered_json& contest : summary["tuned"]) {
    const std::string id =
        contest["family"].get<std::string>() + " " + contest["rate_unit"].get<std::string>();
    auto table = std::ranges::find(tables, id, &std::pair<std::string, FamilyTable>::first);
    if (table == tables.end()) table = tables.emplace(tables.end(), id, FamilyTable(summary, names));
    table->second.add(contest);
  }
  std::string text;
  for (auto& [id, table] : tables) {
    table.add_tools(records);
    text += table.text(terminal);
  }
  return text;
}

}  // namespace gpuseq::bench
