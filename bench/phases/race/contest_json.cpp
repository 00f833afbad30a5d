#include "bench/phases/race/contest_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/config/json_file.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;

constexpr std::size_t kRunnersUp = 3;

void add_held(ordered_json& json, const Record& record) {
  if (const std::optional<HeldMemory>& memory = record.memory.value) {
    json["memory"] = {{"bytes", memory->bytes()}, {"parts", memory->parts}};
  } else {
    json["memory"] = nullptr;
    json["memory_reason"] = record.memory.reason;
  }
}

/// The rate of a candidate's typical record in shares of its rate over all rounds.
double of_typical(const Candidate& candidate) {
  return candidate.typical->statistics->rate / candidate.rate.rate;
}

/// The text about a candidate: its rank, its rate, and its memory footprint.
void add_candidate(ordered_json& json, const Candidate& candidate) {
  const Record& record = *candidate.typical;
  const results::CaseRate& rate = candidate.rate;
  json.update(ordered_json{{"variant", candidate.key.variant},
                           {"point", candidate.key.point.to_json()},
                           {"score", candidate.score},
                           {"rate", rate.rate},
                           {"rate_low", or_null(rate.low)},
                           {"rate_high", or_null(rate.high)},
                           {"confidence", or_null(rate.confidence)},
                           {"samples", rate.samples},
                           {"rounds", rate.rounds},
                           {"rate_unit", rate.unit},
                           {"measured_again", record.phase == "tune"}});
  if (!rate.confidence) json["interval_reason"] = rate.interval_reason;
  const auto& bound = record.bound;
  json["fraction_of_bound"] =
      bound.value ? ordered_json(bound.value->fraction / of_typical(candidate)) : ordered_json(nullptr);
  if (bound.value)
    json["bound_by"] = bound.value->bound_by;
  else
    json["fraction_of_bound_reason"] = bound.reason;
  if (const auto& filling = record.fills_device)
    json["fills_device"] = {{"fills", or_null(filling->fills)}, {"reason", filling->reason}};
  add_held(json, record);
}

ordered_json candidate_json(const Candidate& candidate) {
  ordered_json json = ordered_json::object();
  add_candidate(json, candidate);
  return json;
}

/// The problem of the contest. @param any  of its candidates
ordered_json head_of(const Contest& contest, const Candidate& any) {
  ordered_json json{{"family", contest.family}, {"problem", contest.problem.to_json()}};
  if (!any.typical->problem_label.empty()) json["problem_label"] = any.typical->problem_label;
  if (const auto& size = any.typical->size)
    json["size"] = {{"axis", size->axis}, {"noun", size->noun}, {"value", size->value}};
  json["device"] = contest.device;
  json["objective"] = {{"metric", contest.objective.metric},
                       {"direction", contest.objective.maximise ? "max" : "min"}};
  return json;
}

ordered_json waits_json(const results::Waits& waits) {
  return {{"kernel_s", waits.kernel_s}, {"total_s", waits.total_s}, {"parts", waits.parts}};
}

void add_waits(ordered_json& json, const Contest& contest, const results::PhaseTimes& times) {
  const auto waits_of = [&](const Candidate& candidate) {
    Maybe<results::Waits> waits = results::waits_of(*candidate.typical, times, candidate.key.device);
    if (waits.value) {  // the kernel's time is of all rounds, as the rate is
      const double kernel_s = waits.value->kernel_s * of_typical(candidate);
      waits.value->total_s += kernel_s - waits.value->kernel_s;
      waits.value->kernel_s = waits.value->parts["kernel"] = kernel_s;
    }
    return waits;
  };
  const Candidate& winner = contest.ranking.front();
  const Maybe<results::Waits> own = waits_of(winner);
  if (!own.value) {
    json["waits"] = nullptr;
    json["waits_reason"] = own.reason;
    return;
  }
  json["waits"] = waits_json(*own.value);
  const nlohmann::json& facts = *winner.typical->facts;
  if (facts.contains("from_cache") && facts["from_cache"].is_boolean())
    json["waits"]["index_from_cache"] = facts["from_cache"];
  const Candidate* best = &winner;
  results::Waits least = *own.value;
  for (const Candidate& candidate : contest.ranking)
    if (const Maybe<results::Waits> waits = waits_of(candidate);
        waits.value && waits.value->total_s < least.total_s) {
      best = &candidate;
      least = *waits.value;
    }
  json["waits"]["best"] = nullptr;
  if (best == &winner) return;
  ordered_json other{{"variant", best->key.variant}, {"point", best->key.point.to_json()}};
  other.update(waits_json(least));
  json["waits"]["best"] = std::move(other);
}

std::string bytes_words(double bytes) {
  return with_decimal_prefix(bytes, "B");
}

void add_limits(ordered_json& json, const MemoryLimits& limits) {
  if (limits.bytes) json["max_bytes"] = *limits.bytes;
  if (limits.index_bytes) json["max_index_bytes"] = *limits.index_bytes;
}

/// Bytes of a candidate: "158 MB", "158 MB, its index 136 MB"; empty where they are not known.
/// @param limits  JSON with the limits; one of the index adds the bytes of the index
/// @param kept  the candidate keeps to the limits, so the text states them
std::string held_words(const ordered_json& candidate, const ordered_json& limits, bool kept) {
  const auto at = candidate.find("memory");
  if (at == candidate.end() || !at->is_object()) return "";
  const auto of_most = [&](const char* limit) {
    return kept && limits.contains(limit)
               ? fmt::format(" of at most {}", bytes_words(limits[limit].get<double>()))
               : "";
  };
  std::string text = bytes_words((*at)["bytes"].get<double>()) + of_most("max_bytes");
  const nlohmann::ordered_json::json_pointer index(std::string("/parts/") + kIndexPart);
  if (limits.contains("max_index_bytes") && at->contains(index))
    text +=
        fmt::format(", its index {}{}", bytes_words((*at)[index].get<double>()), of_most("max_index_bytes"));
  return text;
}

/// A candidate next to the winner.
ordered_json brief_json(const Candidate& candidate) {
  return {{"variant", candidate.key.variant},
          {"point", candidate.key.point.to_json()},
          {"score", candidate.score},
          {"rate", candidate.rate.rate},
          {"share_of_winner", candidate.share_of_winner},
          {"measured_again", candidate.typical->phase == "tune"},
          {"bytes", or_null(held_bytes(candidate))}};
}

/// How the winner was distinguished from the others, and from which it was not.
void add_race(ordered_json& json, const Contest& contest) {
  json["race"] = nullptr;
  if (contest.rounds > 0)
    json["race"] = {{"rounds", contest.rounds}, {"raced", contest.raced}, {"left_out", contest.left_out}};
  json["tied_with"] = ordered_json::array();
  for (std::size_t i = 1; i < std::min(contest.tied, contest.ranking.size()); ++i)
    json["tied_with"].push_back(brief_json(contest.ranking[i]));
}

}  // namespace

std::string candidate_name(const ordered_json& candidate) {
  std::string axes;
  const ordered_json point = candidate.value("point", ordered_json::object());
  for (const auto& [axis, value] : point.items())
    axes += fmt::format("{}{}={}", axes.empty() ? "" : ",", axis,
                        value.is_string() ? value.get<std::string>() : value.dump());
  const std::string variant = candidate["variant"].get<std::string>();
  return axes.empty() ? variant : fmt::format("{} ({})", variant, axes);
}

std::string candidate_names(const ordered_json& candidates) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> some;
  for (const ordered_json& one : candidates) {
    if (some.size() == kMost) break;
    some.push_back(candidate_name(one));
  }
  std::string text = fmt::format("{}", fmt::join(some, ", "));
  if (candidates.size() > kMost) text += fmt::format(" and {} more", candidates.size() - kMost);
  return text;
}

std::string tie_went_to(const ordered_json& winner) {
  const bool is_known = winner.contains("memory") && winner["memory"].is_object();
  return is_known ? "it has the smallest memory footprint of them" : "none states its memory footprint";
}

ordered_json contest_json(const Contest& contest, const MemoryLimits& limits,
                          const results::PhaseTimes& times) {
  const Candidate& winner = contest.ranking.front();
  ordered_json json = head_of(contest, winner);
  add_candidate(json, winner);
  add_waits(json, contest, times);
  json["runners_up"] = ordered_json::array();
  for (std::size_t i = 1; i < std::min(contest.ranking.size(), 1 + kRunnersUp); ++i)
    json["runners_up"].push_back(brief_json(contest.ranking[i]));
  add_race(json, contest);
  if (!limits) return json;
  add_limits(json, limits);
  const bool other =
      contest.without_limit && !(contest.without_limit->key.to_string() == winner.key.to_string());
  if (other)
    json["without_limit"] = candidate_json(*contest.without_limit);
  else if (contest.beyond_limit)  // where none was measured, nothing is known of it
    json["without_limit"] = nullptr;
  return json;
}

ordered_json nothing_fits_json(const Contest& contest, const MemoryLimits& limits) {
  ordered_json json = head_of(contest, *contest.without_limit);
  add_limits(json, limits);
  json["least"] = contest.least ? candidate_json(*contest.least) : ordered_json(nullptr);
  json["without_limit"] = candidate_json(*contest.without_limit);
  return json;
}

std::string memory_text(const ordered_json& winner) {
  std::string text = held_words(winner, winner, true);
  if (text.empty()) return text;
  text = "holds " + text;
  if (!winner.contains("without_limit")) return text;
  const ordered_json& free = winner["without_limit"];
  if (free.is_null()) return text + ", and is the best without this limit too";
  const std::string free_held = held_words(free, winner, false);
  return text +
         fmt::format("; without the limit {}: {}{}", candidate_name(free),
                     with_decimal_prefix(free["rate"].get<double>(), free["rate_unit"].get<std::string>()),
                     free_held.empty() ? "" : ", " + free_held);
}

std::string nothing_fits_text(const ordered_json& contest) {
  const ordered_json& least = contest["least"];
  std::vector<std::string> limits;
  if (contest.contains("max_bytes"))
    limits.push_back(fmt::format("holds at most {}", bytes_words(contest["max_bytes"].get<double>())));
  if (contest.contains("max_index_bytes"))
    limits.push_back(
        fmt::format("has an index of at most {}", bytes_words(contest["max_index_bytes"].get<double>())));
  return fmt::format("{} on {}: nothing {}; {}", contest["family"].get<std::string>(),
                     contest["device"].get<std::string>(), fmt::join(limits, " and "),
                     least.is_null() ? "none states its memory footprint"
                                     : fmt::format("the least is {}, {}", candidate_name(least),
                                                   held_words(least, contest, false)));
}

std::string waits_text(const ordered_json& winner) {
  if (!winner.contains("waits") || !winner["waits"].is_object()) return "";
  const ordered_json& waits = winner["waits"];
  const auto seconds = [](const ordered_json& value) {
    return with_decimal_prefix(value.get<double>(), "s");
  };
  std::string parts;
  for (const char* part : {"index", "transfers", "kernel", "output"})
    if (waits["parts"].contains(part))
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", part, seconds(waits["parts"][part]));
  std::string text = fmt::format("a user waits {} ({})", seconds(waits["total_s"]), parts);
  const ordered_json& best = waits["best"];
  if (best.is_null()) return text;
  return text + fmt::format("; the least is {} with {}", seconds(best["total_s"]), candidate_name(best));
}

}  // namespace gpuseq::bench
