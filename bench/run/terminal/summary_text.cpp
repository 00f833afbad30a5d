#include "bench/run/terminal/summary_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "bench/config/units.hpp"
#include "bench/measure/violated.hpp"
#include "bench/phases/race/contest_json.hpp"
#include "bench/phases/race/pareto.hpp"
#include "bench/phases/race/why_text.hpp"
#include "bench/plan/sizes/sizes_json.hpp"
#include "bench/run/terminal/family_table.hpp"
#include "bench/run/terminal/wrapped_rows.hpp"
#include "results/names/short_names.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;
using results::Status;

/// "L1 48 KiB, L2? 1 MiB (0.9 to 1.1 MiB)": levels by random accesses
/// and latencies; with a question mark those that only one curve shows.
std::string levels_of(const ordered_json& levels) {
  std::vector<std::string> words;
  for (const ordered_json& level : levels)
    words.push_back(fmt::format(
        "{}{} {} ({} to {})", level["name"].get<std::string>(), level["uncertain"].get<bool>() ? "?" : "",
        bytes_text(level["measured_bytes"].get<double>()), bytes_text(level["low_bytes"].get<double>()),
        bytes_text(level["high_bytes"].get<double>())));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string level_lines(const ordered_json& summary, const Terminal& terminal) {
  constexpr std::size_t kIndent = 10;  // of a device and the blanks around it
  std::string text;
  const ordered_json devices = summary.value("levels", ordered_json::object());
  for (const auto& [id, levels] : devices.items())
    if (!levels.empty())
      text += fmt::format("  {:<7} {}\n", id, wrapped_text(levels_of(levels), terminal.width(), kIndent));
  return text;
}

/// "3 of 120 probe points of cpu disturbed", where some are.
std::string disturbed_lines(const ordered_json& devices) {
  std::string text;
  for (const auto& [device, points] : devices.items())
    if (const std::size_t disturbed = points["disturbed"].size(); disturbed > 0)
      text += fmt::format("  {} of {} probe points of {} disturbed: no two passes agree\n", disturbed,
                          points["measured"].get<std::size_t>(), device);
  return text;
}

/// "other processes took 12 % of the processors' time": where so much went elsewhere that it shows in times.
std::string load_line(const ordered_json& summary) {
  constexpr double kShows = 0.02;
  if (!summary.contains("host_load")) return "";
  const ordered_json& load = summary["host_load"];
  const double others = load.value("others_share", 0.0), steal = load.value("steal_share", 0.0);
  std::string text;
  if (others > kShows) text += fmt::format("other processes took {:.0f} %", 100 * others);
  if (steal > kShows)
    text += fmt::format("{}other guests of this virtual machine's host {:.0f} %", text.empty() ? "" : ", ",
                        100 * steal);
  return text.empty() ? text : text + " of the processors' time while this run measured\n";
}

/// "a control group granted 2.5 processors to this run", where one did.
std::string quota_line(const ordered_json& summary) {
  const ordered_json quota = summary.value("devices", ordered_json::object())
                                 .value("cpu", ordered_json::object())
                                 .value("cpu_quota", ordered_json());
  return quota.is_number()
             ? fmt::format("a control group granted {:.3g} processors to this run\n", quota.get<double>())
             : "";
}

/// Problems of which nothing keeps to the limit.
std::string nothing_fits_lines(const ordered_json& summary) {
  std::string text;
  for (const ordered_json& contest : summary.value("nothing_fits", ordered_json::array()))
    text += "  " + nothing_fits_text(contest) + "\n";
  return text;
}

/// Problems that have no winner, because nothing has a rate.
std::string no_rate_lines(const ordered_json& summary) {
  std::string text;
  for (const ordered_json& one : summary.value("no_rate", ordered_json::array()))
    text += fmt::format("  {} on {}, {}: {}\n", one["family"].get<std::string>(),
                        one["device"].get<std::string>(),
                        one["problem_label"] == "" ? Point::from_json(one["problem"]).to_string()
                                                   : one["problem_label"].get<std::string>(),
                        one["reason"].get<std::string>());
  return text;
}

/// Waiting time of a user, a line for each winner with known times.
std::string waits_lines(const ordered_json& summary) {
  std::string text;
  for (const ordered_json& winner : summary["tuned"])
    if (const std::string waits = waits_text(winner); !waits.empty())
      text +=
          fmt::format("  {}, {}: {}\n", winner.value("problem_label", winner["family"].get<std::string>()),
                      winner["device"].get<std::string>(), waits);
  return text;
}

/// For `tune` the reasons why its winners won: for other runs the tables have them.
std::string why_lines(const ordered_json& summary) {
  static const ordered_json::json_pointer command("/invocation/command/0");
  if (!summary.contains(command) || summary[command] != "tune") return "";
  std::string text;
  for (const ordered_json& winner : summary["tuned"]) text += why_text(winner) + "\n";
  return text;
}

/// With two objectives, the points that no other point beats in both.
std::string pareto_lines(const ordered_json& summary) {
  std::string text;
  for (const ordered_json& set : summary.value("pareto", ordered_json::array()))
    text += fmt::format("{} on {}{}\n{}", set["family"].get<std::string>(), set["device"].get<std::string>(),
                        set.contains("problem_label") ? ", " + set["problem_label"].get<std::string>() : "",
                        pareto_text(set));
  return text;
}

/// Failures by kind and reason, so that a thousand alike take one line.
std::string failure_lines(std::span<const Record> records, Status status, const results::ShortNames& names) {
  std::map<std::string, std::pair<int, std::string>> groups;
  for (const Record& record : records) {
    if (record.status != status || !record.failure) continue;
    auto& [count, first] = groups[record.failure->kind + ": " + record.failure->reason];
    if (count++ == 0) first = names.of(record.state);
  }
  std::string text;
  for (const auto& [reason, group] : groups)
    text += group.first == 1 ? fmt::format("  {}\n      {}\n", reason, group.second)
                             : fmt::format("  {} x {}\n      first: {}\n", group.first, reason, group.second);
  return text;
}

/// How many kernels have a bound, and which of these are none.
std::string bound_lines(std::span<const Record> records, const results::ShortNames& names) {
  int kernels = 0, with = 0, violated = 0;
  const Record* worst = nullptr;
  for (const Record& record : records) {
    if (record.kind != "kernel" || record.phase == "size" || record.status != Status::ok) continue;
    ++kernels;
    if (!record.bound.value) continue;
    ++with;
    if (!is_violated(record)) continue;
    ++violated;
    if (worst == nullptr || worst->bound.value->fraction < record.bound.value->fraction) worst = &record;
  }
  if (kernels == 0) return "";
  std::string text = fmt::format("{} of {} kernel records have a bound\n", with, kernels);
  if (violated > 0)
    text += fmt::format("violated bounds: {}, the most by {:.0f} %: {}\n", violated,
                        100 * (worst->bound.value->fraction - 1), names.of(worst->state));
  return text;
}

std::string counts_line(const ordered_json& counts, const Terminal& terminal) {
  const int failed = counts["failed"].get<int>();
  const std::string failures = fmt::format("{} failed", failed);
  return fmt::format("{} measured, {}, {} skipped\n", counts["ok"].get<int>(),
                     failed > 0 ? terminal.paint(Ink::red, failures) : failures,
                     counts["skipped"].get<int>());
}

std::string headed(const Terminal& terminal, Ink ink, std::string_view title, const std::string& lines) {
  return lines.empty() ? "" : fmt::format("\n{}\n{}", terminal.paint(ink, title), lines);
}

}  // namespace

std::string summary_text(const ordered_json& summary, std::span<const Record> records,
                         const Terminal& terminal) {
  const results::ShortNames names =
      results::names_of(records, results::AxisDefaults::from_json(summary.value("defaults", ordered_json())));
  std::string text = headed(terminal, Ink::bold, "Levels of memory (95 %)",
                            level_lines(summary, terminal) + disturbed_lines(summary["probe_points"]));
  text += family_tables(summary, records, names, terminal);
  text += headed(terminal, Ink::bold, "Why", why_lines(summary));
  text += headed(terminal, Ink::bold, "Best in both (Pareto set)", pareto_lines(summary));
  text += headed(terminal, Ink::red, "Nothing keeps to the limit", nothing_fits_lines(summary));
  text += headed(terminal, Ink::red, "No winner", no_rate_lines(summary));
  text += headed(terminal, Ink::bold, "Sizes", size_lines(summary));
  text += headed(terminal, Ink::bold, "Waiting time of a user", waits_lines(summary));
  text += headed(terminal, Ink::red, "Failed", failure_lines(records, Status::failed, names));
  text += headed(terminal, Ink::bold, "Skipped", failure_lines(records, Status::skipped, names));
  return text + "\n" + bound_lines(records, names) + load_line(summary) + quota_line(summary) +
         budget_lines(summary) + counts_line(summary["counts"], terminal);
}

}  // namespace gpuseq::bench
