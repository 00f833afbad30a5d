#include "reports/page/winners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "reports/figure_tools.hpp"
#include "reports/page/html.hpp"
#include "reports/page/points.hpp"
#include "reports/units.hpp"
#include "results/statistics/statistics.hpp"

namespace gpuseq::reports {
namespace {

using html::Cell;
using html::number_cell;
using nlohmann::json;

const json& field(const json& object, const char* key) {
  static const json nothing = nullptr;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

const Entry* entry_of(const ReportData& data, std::size_t run, const json& winner) {
  const std::string family = text(winner, "family"), variant = text(winner, "variant"),
                    device = text(winner, "device");
  const json &problem = field(winner, "problem"), &point = field(winner, "point");
  const Entry* best = nullptr;
  for (const Entry& entry : data.entries) {
    const results::StateKey& state = entry.record.state;
    if (entry.run != run || state.family != family || state.variant != variant || state.device != device)
      continue;
    if (json(state.point.to_json()) != point || json(state.problem.to_json()) != problem) continue;
    if (best == nullptr || results::phase_rank(entry.record.phase) > results::phase_rank(best->record.phase))
      best = &entry;
  }
  return best;
}

/// The name of a device of a run as the records have it, else its id.
std::string device_name_of(const ReportData& data, std::size_t run, const std::string& id) {
  for (const Entry& entry : data.entries)
    if (entry.run == run && entry.record.state.device == id) return entry.device_name;
  const std::string name = text(field(field(data.runs[run].summary, "devices"), id.c_str()), "name");
  return name.empty() ? id : name;
}

std::string objective_words(const json& winner) {
  const json& objective = field(winner, "objective");
  const std::string direction = text(objective, "direction"), metric = text(objective, "metric");
  if (metric.empty() || metric == "rate") return "";
  return fmt::format("{} {}", direction.starts_with("min") ? "lowest" : "highest", html::words_of(metric));
}

/// How a runner-up stands beside the winner: in the same rounds where both raced, else in the sweep.
std::string standing(const json& winner, const json& other) {
  const auto is_same = [&](const json& tied) {
    return text(tied, "variant") == text(other, "variant") && field(tied, "point") == field(other, "point");
  };
  if (const json& tied = field(winner, "tied_with"); tied.is_array() && std::ranges::any_of(tied, is_same))
    return "a tie";
  const auto share = number(other, "share_of_winner");
  if (!share) {  // of older runs, whose rates may be of one round
    const double rates = number(other, "rate").value_or(NAN) / number(winner, "rate").value_or(NAN);
    return rates <= 1 ? format_value(rates, Unit::share) + " of the winner" : "";
  }
  const json& again = field(other, "measured_again");
  return fmt::format("{} {} the winner{}", format_value(*share, Unit::share),
                     objective_words(winner).empty() ? "of" : "as good as",
                     again.is_boolean() && again.get<bool>() ? " in the same rounds" : " in the sweep");
}

std::vector<std::string> runners_up(const json& winner, const std::string& unit) {
  std::vector<std::string> lines;
  for (const json& other : field(winner, "runners_up")) {
    const std::string stands = standing(winner, other);
    lines.push_back(fmt::format(
        "{}: {}{}, {}", text(other, "variant"), rate_text(number(other, "rate").value_or(NAN), unit),
        stands.empty() ? "" : " (" + stands + ")", point_text(field(other, "point"))));
  }
  return lines;
}

/// The interval of a winner's rate, with its confidence where few samples carry no more, or why there is
/// none.
std::string interval_words(const json& winner) {
  const auto low = number(winner, "rate_low"), high = number(winner, "rate_high");
  if (!low || !high) return text(winner, "interval_reason");
  const double confidence = number(winner, "confidence").value_or(results::kConfidence);
  return fmt::format(
      "{} to {}{}", format_value(*low, Unit::number_si), format_value(*high, Unit::number_si),
      confidence < results::kConfidence ? fmt::format(" at {:.0f} % confidence", 100 * confidence) : "");
}

std::vector<Cell> row_of(const Winner& winner, const std::vector<Reached>& all) {
  const json& tuned = *winner.reached.winner;
  const std::string unit = text(tuned, "rate_unit");
  const double rate = number(tuned, "rate").value_or(NAN);
  Cell problem{problem_words(all, winner.reached)}, variant{text(tuned, "variant")};
  problem.note = objective_words(tuned);
  variant.note = point_text(field(tuned, "point"));
  variant.more = runners_up(tuned, unit);
  variant.more_title =
      fmt::format("{} {}", variant.more.size(), variant.more.size() == 1 ? "runner-up" : "runners-up");
  Cell value = number_cell(rate_text(rate, unit), rate);
  value.note = interval_words(tuned);
  Cell ceiling{"none", "", "number"};
  if (const auto fraction = number(tuned, "fraction_of_bound"))
    ceiling = number_cell(format_value(*fraction, Unit::share), *fraction);
  ceiling.note = text(tuned, "bound_by");
  Cell memory{"", "", "number"};
  if (const auto bytes = number(field(tuned, "memory"), "bytes"))
    memory = number_cell(format_value(*bytes, Unit::bytes), *bytes);
  if (const auto most = number(tuned, "max_bytes"))
    memory.note = fmt::format("of at most {}", format_value(*most, Unit::bytes));
  if (const json& free = field(tuned, "without_limit"); free.is_object()) {
    memory.more_title = "without this limit";
    memory.more = {fmt::format("{}: {}, {}", text(free, "variant"),
                               rate_text(number(free, "rate").value_or(NAN), unit),
                               point_text(field(free, "point")))};
  }
  Cell waits{"", "", "number"};
  if (const auto total = number(field(tuned, "waits"), "total_s"))
    waits = number_cell(format_value(*total, Unit::seconds), *total);
  return {problem, {winner.reached.device_name}, variant, value, ceiling, memory, waits};
}

std::string line_html(std::string_view what, const std::string& line) {
  if (line.empty()) return "";
  return fmt::format(
      "<p class=\"note\">{}</p>\n<pre class=\"copyable\" tabindex=\"0\"><code>{}</code></pre>\n", what,
      html::escape(line));
}

/// What stands closed under a winner.
std::string taking_html(const Winner& winner, const ReportData& data, const ExecUses& uses) {
  const std::string exec = exec_line(winner, uses);
  const std::string described = winner.reached.winner->dump(1, ' ', false, json::error_handler_t::replace);
  return fmt::format(
      "<details class=\"taking\"><summary>{}</summary>\n{}{}{}</details>",
      exec.empty() ? "Measure it again, JSON" : "Run it on your files, measure it again, JSON",
      line_html("On files of your own (names in capitals are yours to fill in):", exec),
      line_html("Measured again, this state alone, from the root of a checkout:", measure_line(winner, data)),
      line_html("As run.json has it:", described));
}

std::string family_html(const std::string& family, const std::vector<const Winner*>& winners,
                        const std::vector<Reached>& all, const ReportData& data, const ExecUses& uses) {
  html::Table table{
      .caption = fmt::format("Winners of {}", family),
      .columns = {"Problem", "Device", "Variant", "Rate", "Of bound", "Memory", "A user waits"}};
  for (const Winner* winner : winners) {
    table.rows.push_back(row_of(*winner, all));
    table.below.push_back(taking_html(*winner, data, uses));
    table.records.push_back(winner->entry == nullptr ? "" : fmt::format("{}", data.index_of(*winner->entry)));
  }
  constexpr std::size_t kAlwaysThere = 5;  // the columns behind are of newer runs
  for (std::size_t column = table.columns.size(); column-- > kAlwaysThere;) {
    if (std::ranges::any_of(table.rows, [&](const auto& row) { return !row[column].text.empty(); })) continue;
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(column));
    for (auto& row : table.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }
  return fmt::format("<div class=\"family\"><h3>{}</h3>\n{}</div>\n", html::escape(family),
                     table.to_string());
}

/// Winners of one problem together, the fastest first; problems in the order of their first.
void by_problem(std::vector<const Winner*>& winners) {
  std::vector<const json*> problems;
  const auto place = [&](const Winner* winner) {
    const json& problem = field(*winner->reached.winner, "problem");
    const auto known = std::ranges::find_if(problems, [&](const json* other) { return *other == problem; });
    if (known != problems.end()) return known - problems.begin();
    problems.push_back(&problem);
    return std::ssize(problems) - 1;
  };
  std::vector<std::tuple<std::ptrdiff_t, double, const Winner*>> placed;
  for (const Winner* winner : winners)
    placed.emplace_back(place(winner), -number(*winner->reached.winner, "rate").value_or(0), winner);
  std::ranges::stable_sort(placed, [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  std::ranges::transform(placed, winners.begin(), [](const auto& one) { return std::get<2>(one); });
}

}  // namespace

std::vector<Winner> winners_of(const ReportData& data) {
  std::vector<Winner> winners;
  for (std::size_t run = 0; run < data.runs.size(); ++run)
    for (const json& winner : field(data.runs[run].summary, "tuned")) {
      if (!winner.is_object()) continue;
      winners.push_back({.reached = {.winner = &winner,
                                     .device_name = device_name_of(data, run, text(winner, "device")),
                                     .summary = &data.runs[run].summary},
                         .run = run,
                         .entry = entry_of(data, run, winner)});
    }
  return winners;
}

std::string winners_html(const ReportData& data, const ExecUses& uses) {
  const std::vector<Winner> winners = winners_of(data);
  std::vector<Reached> all;
  std::vector<std::string> families;
  std::map<std::string, std::vector<const Winner*>> by_family;
  for (const Winner& winner : winners) {
    all.push_back(winner.reached);
    const std::string family = text(*winner.reached.winner, "family");
    if (!by_family.contains(family)) families.push_back(family);
    by_family[family].push_back(&winner);
  }
  std::string out;
  for (const std::string& family : families) {
    by_problem(by_family[family]);
    out += family_html(family, by_family[family], all, data, uses);
  }
  return out;
}

}  // namespace gpuseq::reports
