#include "bench/run/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "bench/base/or_null.hpp"
#include "bench/ceiling/curves.hpp"
#include "bench/ceiling/refuted.hpp"
#include "bench/config/provenance.hpp"
#include "bench/plan/tune.hpp"
#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;
using results::Status;

constexpr std::size_t kRunnersUp = 3;

ordered_json counts_of(std::span<const Record> records) {
  std::array<int, 3> counts{};
  for (const Record& record : records) ++counts[static_cast<std::size_t>(record.status)];
  return {{"ok", counts[0]}, {"failed", counts[1]}, {"skipped", counts[2]}};
}

ordered_json knees_json(std::span<const Curve> curves, std::uint64_t seed) {
  ordered_json all = ordered_json::array();
  for (const Curve& curve : curves)
    for (const probes::Knee& knee : knees_of(curve, seed))
      all.push_back({{"probe", curve.probe},
                     {"device", curve.device},
                     {"variant", curve.variant},
                     {"point", curve.fixed.to_json()},
                     {"from_bytes", knee.from_bytes},
                     {"to_bytes", knee.to_bytes},
                     {"at_bytes", knee.at_bytes},
                     {"low_bytes", knee.low_bytes},
                     {"high_bytes", knee.high_bytes},
                     {"before", knee.before},
                     {"after", knee.after},
                     {"unit", curve.unit},
                     {"hard", knee.hard},
                     {"confidence", knee.confidence}});
  return all;
}

/// By device how many points of curves were probed, and the states of those that passes do not agree on.
ordered_json probe_points_json(std::span<const Curve> curves) {
  ordered_json devices = ordered_json::object();
  for (const Curve& curve : curves) {
    ordered_json& device = devices[curve.device];
    if (device.is_null()) device = {{"measured", 0}, {"disturbed", ordered_json::array()}};
    device["measured"] = device["measured"].get<std::size_t>() + curve.points.size() + curve.disturbed.size();
    for (const Curve::At& at : curve.disturbed) device["disturbed"].push_back(at.state);
  }
  return devices;
}

ordered_json contest_json(const Contest& contest) {
  const Candidate& winner = contest.ranking.front();
  const results::Statistics& statistics = *winner.typical->statistics;
  ordered_json json{{"family", contest.family}, {"problem", contest.problem.to_json()}};
  if (!winner.typical->problem_label.empty()) json["problem_label"] = winner.typical->problem_label;
  json.update(ordered_json{
      {"device", contest.device},
      {"objective",
       {{"metric", contest.objective.metric}, {"direction", contest.objective.maximise ? "max" : "min"}}},
      {"variant", winner.key.variant},
      {"point", winner.key.point.to_json()},
      {"score", winner.score},
      {"rate", statistics.rate},
      {"rate_low", or_null(statistics.rate_low)},
      {"rate_high", or_null(statistics.rate_high)},
      {"confidence", or_null(statistics.confidence)},
      {"samples", statistics.samples},
      {"rate_unit", statistics.rate_unit},
      {"measured_again", winner.typical->phase == "tune"}});
  if (!statistics.confidence) json["interval_reason"] = statistics.interval_reason;
  const auto& ceiling = winner.typical->ceiling;
  json["fraction_of_ceiling"] = ceiling.value ? ordered_json(ceiling.value->fraction) : ordered_json(nullptr);
  if (ceiling.value)
    json["bound_by"] = ceiling.value->bound_by;
  else
    json["fraction_of_ceiling_reason"] = ceiling.reason;
  json["runners_up"] = ordered_json::array();
  for (std::size_t i = 1; i < std::min(contest.ranking.size(), 1 + kRunnersUp); ++i) {
    const Candidate& next = contest.ranking[i];
    json["runners_up"].push_back({{"variant", next.key.variant},
                                  {"point", next.key.point.to_json()},
                                  {"rate", next.typical->statistics->rate}});
  }
  return json;
}

/// "k=2,d=64" of a point in its own order.
std::string axes_text(const ordered_json& point) {
  std::string text;
  for (const auto& [axis, value] : point.items())
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", axis,
                        value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

std::string knee_line(const ordered_json& knee) {
  return fmt::format("  {:<7} {:<14} {} to {} ({}): {}{} to {}{}  [{}]\n", knee["device"].get<std::string>(),
                     knee["probe"].get<std::string>(), bytes_text(knee["from_bytes"].get<double>()),
                     bytes_text(knee["to_bytes"].get<double>()), knee["hard"].get<bool>() ? "hard" : "soft",
                     prefixed(knee["before"].get<double>()), knee["unit"].get<std::string>(),
                     prefixed(knee["after"].get<double>()), knee["unit"].get<std::string>(),
                     axes_text(knee["point"]));
}

/// "3 of 120 probe points of cpu disturbed", where some are.
std::string disturbed_lines(const ordered_json& devices) {
  std::string text;
  for (const auto& [device, points] : devices.items())
    if (const std::size_t disturbed = points["disturbed"].size(); disturbed > 0)
      text += fmt::format("{} of {} probe points of {} disturbed: no two passes agree\n", disturbed,
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
  return text.empty() ? text : "\n" + text + " of the processors' time while this run measured\n";
}

/// A problem in its family's few words; by its axes where it has none or another winner's has the same.
std::string problem_text(const ordered_json& winner, const ordered_json& winners) {
  const auto label = [](const ordered_json& of) { return of.value("problem_label", std::string()); };
  const bool shared = std::ranges::any_of(winners, [&](const ordered_json& other) {
    return other["family"] == winner["family"] && label(other) == label(winner) &&
           other["problem"] != winner["problem"];
  });
  return label(winner).empty() || shared ? axes_text(winner["problem"]) : label(winner);
}

/// "1.2 G to 1.3 G", with the confidence where that is less than usual, or why there is none.
std::string interval_text(const ordered_json& winner) {
  if (winner["confidence"].is_null()) return "no interval: " + winner["interval_reason"].get<std::string>();
  const double confidence = winner["confidence"].get<double>();
  return fmt::format(
      "{} to {}{}", prefixed(winner["rate_low"].get<double>()), prefixed(winner["rate_high"].get<double>()),
      confidence < results::kConfidence
          ? fmt::format(" at {:.0f} %, {} samples", 100 * confidence, winner["samples"].get<std::size_t>())
          : "");
}

std::string winner_lines(const ordered_json& winner, const ordered_json& winners) {
  const ordered_json& fraction = winner["fraction_of_ceiling"];
  const std::string ceiling = fraction.is_null()
                                  ? "no ceiling: " + winner["fraction_of_ceiling_reason"].get<std::string>()
                                  : fmt::format("{:.0f} % of its ceiling ({})", 100 * fraction.get<double>(),
                                                winner.value("bound_by", ""));
  return fmt::format("  {:<7} {} ({}), best {}\n          {}: {}\n          {}{} ({}), {}\n",
                     winner["device"].get<std::string>(), winner["family"].get<std::string>(),
                     problem_text(winner, winners), winner["objective"]["metric"].get<std::string>(),
                     winner["variant"].get<std::string>(), axes_text(winner["point"]),
                     prefixed(winner["rate"].get<double>()), winner["rate_unit"].get<std::string>(),
                     interval_text(winner), ceiling);
}

/// Failures by kind and reason, so that a thousand alike take one line.
std::string failure_lines(std::span<const Record> records, Status status) {
  std::map<std::string, std::pair<int, std::string>> groups;
  for (const Record& record : records) {
    if (record.status != status || !record.failure) continue;
    auto& [count, first] = groups[record.failure->kind + ": " + record.failure->reason];
    if (count++ == 0) first = record.state.to_string();
  }
  std::string text;
  for (const auto& [reason, group] : groups)
    text += fmt::format("  {} x {}\n      first: {}\n", group.first, reason, group.second);
  return text;
}

/// How many kernels have a ceiling, and which of these are none.
std::string ceiling_lines(std::span<const Record> records) {
  int kernels = 0, with = 0, refuted = 0;
  const Record* worst = nullptr;
  for (const Record& record : records) {
    if (record.kind != "kernel" || record.status != Status::ok) continue;
    ++kernels;
    if (!record.ceiling.value) continue;
    ++with;
    if (!is_refuted(record)) continue;
    ++refuted;
    if (worst == nullptr || worst->ceiling.value->fraction < record.ceiling.value->fraction) worst = &record;
  }
  if (kernels == 0) return "";
  std::string text = fmt::format("\n{} of {} kernel records have a ceiling\n", with, kernels);
  if (refuted > 0)
    text += fmt::format("refuted ceilings: {}, the most by {:.0f} %: {}\n", refuted,
                        100 * (worst->ceiling.value->fraction - 1), worst->state.to_string());
  return text;
}

}  // namespace

ordered_json summarise_run(const nlohmann::json& start, const nlohmann::json& devices,
                           std::span<const Record> records, const SuiteConfig& config, bool complete) {
  ordered_json summary;
  for (const char* key : {"schema", "name", "started"}) summary[key] = start.at(key);
  summary["finished"] = utc_now();
  summary["complete"] = complete;
  for (const char* key : {"program", "config", "config_hash", "config_source", "invocation"})
    summary[key] = start.at(key);
  summary["devices"] = start.at("devices");
  for (const auto& [id, description] : devices.items()) summary["devices"][id] = description;
  if (start.contains("defaults")) summary["defaults"] = start["defaults"];  // older runs have none
  summary["counts"] = counts_of(records);
  const std::vector<Curve> curves = curves_of(records);
  summary["knees"] = knees_json(curves, config.seed);
  summary["probe_points"] = probe_points_json(curves);
  summary["tuned"] = ordered_json::array();
  for (const Contest& contest : contests(records, config.tune.objectives))
    summary["tuned"].push_back(contest_json(contest));
  return summary;
}

std::string summary_text(const ordered_json& summary, std::span<const Record> records) {
  std::string text;
  if (!summary["knees"].empty()) {
    text += "\nKnees\n";
    for (const ordered_json& knee : summary["knees"]) text += knee_line(knee);
  }
  if (const std::string disturbed = disturbed_lines(summary["probe_points"]); !disturbed.empty())
    text += "\n" + disturbed;
  if (!summary["tuned"].empty()) {
    text += "\nWinners\n";
    for (const ordered_json& winner : summary["tuned"]) text += winner_lines(winner, summary["tuned"]);
  }
  if (const std::string failed = failure_lines(records, Status::failed); !failed.empty())
    text += "\nFailed\n" + failed;
  if (const std::string skipped = failure_lines(records, Status::skipped); !skipped.empty())
    text += "\nSkipped\n" + skipped;
  text += ceiling_lines(records) + load_line(summary);
  const ordered_json& counts = summary["counts"];
  text += fmt::format("\n{} measured, {} failed, {} skipped\n", counts["ok"].get<int>(),
                      counts["failed"].get<int>(), counts["skipped"].get<int>());
  return text;
}

bool any_failed(std::span<const Record> records) {
  return std::any_of(records.begin(), records.end(),
                     [](const Record& r) { return r.status == Status::failed; });
}

std::string prefixed(double value) {
  constexpr std::array kPrefixes{"", "k", "M", "G", "T", "P"};
  std::size_t i = 0;
  while (std::fabs(value) >= 999.5 && i + 1 < kPrefixes.size()) {
    value /= 1000;
    ++i;
  }
  return fmt::format("{:.3g} {}", value, kPrefixes[i]);
}

std::string bytes_text(double bytes) {
  constexpr std::array kPrefixes{"", "Ki", "Mi", "Gi", "Ti"};
  std::size_t i = 0;
  while (bytes >= 1024 && i + 1 < kPrefixes.size()) {
    bytes /= 1024;
    ++i;
  }
  return fmt::format("{:.3g} {}B", bytes, kPrefixes[i]);
}

}  // namespace gpuseq::bench
