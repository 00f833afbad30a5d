#include "bench/phases/race/pareto.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "bench/config/json_file.hpp"
#include "bench/phases/race/contest_json.hpp"
#include "bench/phases/race/objective.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

/// A candidate by both objectives.
struct Member {
  const Candidate* first = nullptr;
  const Candidate* second = nullptr;
};

bool is_better(double a, double b, const Objective& objective) {
  return objective.maximise ? a > b : a < b;
}

std::vector<Member> in_both(const Contest& first, const Contest& second) {
  std::map<std::string, const Candidate*> others;
  for (const Candidate& one : second.ranking) others.emplace(one.key.to_string(), &one);
  std::vector<Member> members;
  for (const Candidate& one : first.ranking)
    if (const auto other = others.find(one.key.to_string()); other != others.end())
      members.push_back({&one, other->second});
  return members;
}

/// Best by the first objective first; of equals the best by the second.
std::vector<Member> nobody_beats(std::vector<Member> members, const Objective& first,
                                 const Objective& second) {
  std::ranges::stable_sort(members, [&](const Member& a, const Member& b) {
    if (a.first->score != b.first->score) return is_better(a.first->score, b.first->score, first);
    return is_better(a.second->score, b.second->score, second);
  });
  std::vector<Member> kept;
  for (const Member& one : members)
    if (kept.empty() || is_better(one.second->score, kept.back().second->score, second)) kept.push_back(one);
  return kept;
}

ordered_json member_json(const Member& member) {
  const results::Record& record = *member.first->typical;
  return {{"variant", member.first->key.variant},
          {"point", member.first->key.point.to_json()},
          {"values", {member.first->score, member.second->score}},
          {"rate", member.first->rate.rate},
          {"rate_unit", member.first->rate.unit},
          {"bytes", or_null(held_bytes(*member.first))},
          {"measured_again", record.phase == "tune"}};
}

/// A value of an objective for people.
std::string value_words(const std::string& metric, double value, const std::string& rate_unit) {
  if (metric == "rate") return with_decimal_prefix(value, rate_unit);
  if (metric == "memory_bytes") return with_decimal_prefix(value, "B");
  if (metric == "time_to_solution_s") return "a user waits " + with_decimal_prefix(value, "s");
  if (metric == "work_per_joule")
    return with_decimal_prefix(value, rate_unit.substr(0, rate_unit.rfind("/s")) + "/J");
  return fmt::format("{:.4g} {}", value, metric);
}

}  // namespace

ordered_json pareto_json(std::span<const Contest> contests, std::span<const Objective> objectives) {
  ordered_json sets = ordered_json::array();
  if (objectives.size() != 2) return sets;
  const auto same = [](const Contest& a, const Contest& b) {
    return a.family == b.family && a.device == b.device && a.problem == b.problem;
  };
  const auto is_of = [&](const Contest& contest, std::size_t which) {
    return contest.objective.metric == objectives[which].metric &&
           contest.objective.maximise == objectives[which].maximise;
  };
  for (const Contest& first : contests) {
    if (!is_of(first, 0)) continue;
    for (const Contest& second : contests) {
      if (!is_of(second, 1) || !same(first, second)) continue;
      ordered_json set{{"family", first.family},
                       {"problem", first.problem.to_json()},
                       {"device", first.device},
                       {"objectives", ordered_json::array()},
                       {"members", ordered_json::array()}};
      for (const Objective& one : objectives)
        set["objectives"].push_back({{"metric", one.metric}, {"direction", one.maximise ? "max" : "min"}});
      for (const Member& member : nobody_beats(in_both(first, second), objectives[0], objectives[1])) {
        if (const std::string& label = member.first->typical->problem_label; !label.empty())
          set["problem_label"] = label;
        set["members"].push_back(member_json(member));
      }
      if (!set["members"].empty()) sets.push_back(std::move(set));
    }
  }
  return sets;
}

std::string pareto_text(const ordered_json& set) {
  std::string text;
  for (const ordered_json& member : set["members"]) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < 2; ++i)
      values.push_back(value_words(set["objectives"][i]["metric"].get<std::string>(),
                                   member["values"][i].get<double>(),
                                   member["rate_unit"].get<std::string>()));
    text += fmt::format("  {}: {}\n", fmt::join(values, ", "), candidate_name(member));
  }
  return text;
}

}  // namespace gpuseq::bench
