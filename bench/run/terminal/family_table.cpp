#include "bench/run/terminal/family_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <list>
#include <set>
#include <vector>

#include "bench/config/units.hpp"
#include "bench/profile/text_table.hpp"
#include "bench/run/terminal/caveats.hpp"
#include "bench/run/terminal/wrapped_rows.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

const std::vector<std::string> kColumns{"problem", "device",   "fastest", "rate", "interval",
                                        "share",   "bound by", "bytes",   ""};
const std::vector<std::size_t> kWrapping{0, 2};

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

/// "ecoli", "4.94 Mbases" of "ecoli, 4.94 Mbases".
std::vector<std::string> parts_of(const std::string& label) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= label.size();) {
    const std::size_t end = std::min(label.find(", ", begin), label.size());
    parts.push_back(label.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

/// Parts that all of several labels have: a table says them once.
std::vector<std::string> common_parts(const std::set<std::string>& labels) {
  if (labels.size() < 2) return {};
  std::vector<std::string> common = parts_of(*labels.begin());
  for (const std::string& label : labels) {
    const std::vector<std::string> own = parts_of(label);
    std::erase_if(common, [&](const std::string& part) { return std::ranges::find(own, part) == own.end(); });
  }
  return common;
}

std::string without(const std::string& label, const std::vector<std::string>& common) {
  std::vector<std::string> parts = parts_of(label);
  std::erase_if(parts,
                [&](const std::string& part) { return std::ranges::find(common, part) != common.end(); });
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool is_rate(const ordered_json& contest) {
  return contest["objective"]["metric"] == "rate";
}

/// "simd k=2,d=64", and what it is the best of where that is not the rate.
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

std::vector<std::string> row_of(const std::string& problem, const ordered_json& contest,
                                const ordered_json& candidate, const results::ShortNames& names,
                                const std::string& letters) {
  const results::StateKey key = key_of(contest, candidate);
  const ordered_json& fraction = candidate["fraction_of_bound"];
  return {problem,
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

/// The contests of one family, whose rates are of one unit.
class FamilyTable {
 public:
  FamilyTable(const ordered_json& summary, const results::ShortNames& names)
      : names_(names), caveats_(summary) {}

  void add(const ordered_json& contest) {
    contests_.push_back(&contest);
    labels_.insert(names_.problem(key_of(contest, contest)));
  }

  std::string text(const Terminal& terminal) {
    const std::vector<std::string> common = common_parts(labels_);
    TextRows rows{kColumns};
    for (const ordered_json* contest : contests_) {
      const std::string problem = without(names_.problem(key_of(*contest, *contest)), common);
      rows.push_back(row_of(rows.size() > 1 && problem == last_ ? "" : problem, *contest, *contest, names_,
                            caveats_.letters(*contest, (*contest)["device"].get<std::string>())));
      last_ = problem;
      if (contest->contains("without_limit") && (*contest)["without_limit"].is_object()) {
        const ordered_json& other = (*contest)["without_limit"];
        rows.push_back(row_of("  without the limit", *contest, other, names_,
                              caveats_.letters(other, (*contest)["device"].get<std::string>())));
      }
    }
    const ordered_json& first = *contests_.front();
    std::string title = terminal.paint(Ink::bold, first["family"].get<std::string>());
    if (!common.empty()) title += fmt::format(", {}", fmt::join(common, ", "));
    return fmt::format("\n{}; rates in {}\n{}{}", title, first["rate_unit"].get<std::string>(),
                       laid_out(std::move(rows), terminal), caveats_.text(terminal));
  }

 private:
  const results::ShortNames& names_;
  Caveats caveats_;
  std::vector<const ordered_json*> contests_;
  std::set<std::string> labels_;
  std::string last_;
};

}  // namespace

std::string family_tables(const ordered_json& summary, const results::ShortNames& names,
                          const Terminal& terminal) {
  std::list<std::pair<std::string, FamilyTable>> tables;  // in the order of their first contests
  for (const ordered_json& contest : summary["tuned"]) {
    const std::string id =
        contest["family"].get<std::string>() + " " + contest["rate_unit"].get<std::string>();
    auto table = std::ranges::find(tables, id, &std::pair<std::string, FamilyTable>::first);
    if (table == tables.end()) table = tables.emplace(tables.end(), id, FamilyTable(summary, names));
    table->second.add(contest);
  }
  std::string text;
  for (auto& [id, table] : tables) text += table.text(terminal);
  return text;
}

}  // namespace gpuseq::bench
