#include "bench/plan/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

/// What the records of one state and phase say together.
struct Entry {
  std::vector<const Record*> sweep, tune;
};

/// What the records of one contest have in common.
std::string contest_key(const results::StateKey& state, const Objective& objective) {
  return fmt::format("{}/{}/{}/{}/{}", state.family, state.problem.to_string(), state.device,
                     objective.metric, objective.maximise);
}

Candidate judge(const std::vector<const Record*>& records, const Objective& objective) {
  std::vector<double> metrics;
  metrics.reserve(records.size());
  for (const Record* record : records) metrics.push_back(*metric_of(*record, objective));
  Candidate candidate{.key = records.front()->state, .score = results::median(metrics), .typical = nullptr};
  double nearest = INFINITY;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (const double distance = std::fabs(metrics[i] - candidate.score); distance < nearest) {
      nearest = distance;
      candidate.typical = records[i];
    }
  return candidate;
}

void rank(std::vector<Candidate>& candidates, const Objective& objective) {
  std::stable_sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
    return objective.maximise ? a.score > b.score : a.score < b.score;
  });
}

/// In the order of their first records, and found by their names.
template <typename Value>
struct Named {
  std::vector<Value> values;
  std::map<std::string, std::size_t> places;

  /// The value of that name; what `make` returns if it is new.
  template <typename Make>
  Value& at(const std::string& name, Make make) {
    const auto [place, is_new] = places.emplace(name, values.size());
    if (is_new) values.push_back(make());
    return values[place->second];
  }
};

struct Entered {
  Contest contest;
  Named<Entry> entries;
};

/// The ranking of one contest: what was measured again first, then the rest of the sweep.
std::vector<Candidate> ranking_of(std::span<const Entry> entries, const Objective& objective,
                                  bool sweep_only) {
  std::vector<Candidate> again, once;
  for (const Entry& entry : entries) {
    if (!entry.tune.empty() && !sweep_only)
      again.push_back(judge(entry.tune, objective));
    else if (!entry.sweep.empty())
      once.push_back(judge(entry.sweep, objective));
  }
  rank(again, objective);
  rank(once, objective);
  again.insert(again.end(), once.begin(), once.end());
  return again;
}

/// Leaves those in the ranking that hold at most so much.
void keep_to(std::uint64_t max_bytes, Contest& contest) {
  const auto holds = [](const Candidate& candidate) {
    return held_bytes(candidate).value_or(std::numeric_limits<std::uint64_t>::max());
  };
  contest.without_limit = contest.ranking.front();
  const auto least = std::ranges::min_element(contest.ranking, {}, holds);
  if (held_bytes(*least)) contest.least = *least;
  std::erase_if(contest.ranking, [&](const Candidate& candidate) { return holds(candidate) > max_bytes; });
}

std::vector<Contest> ranked(std::span<const Record> records, std::span<const Objective> objectives,
                            bool sweep_only, const std::optional<std::uint64_t>& max_bytes) {
  Named<Entered> entered;
  for (const Objective& objective : objectives)
    for (const Record& record : records) {
      if (record.phase == "winner" || record.phase == "size" || !metric_of(record, objective)) continue;
      const results::StateKey& state = record.state;
      Entered& contest = entered.at(contest_key(state, objective), [&] {
        return Entered{.contest = {.family = state.family,
                                   .device = state.device,
                                   .problem = state.problem,
                                   .objective = objective,
                                   .ranking = {}},
                       .entries = {}};
      });
      Entry& entry = contest.entries.at(state.to_string(), [] { return Entry{}; });
      (record.phase == "tune" ? entry.tune : entry.sweep).push_back(&record);
    }
  std::vector<Contest> found;
  for (Entered& each : entered.values) {
    each.contest.ranking = ranking_of(each.entries.values, each.contest.objective, sweep_only);
    if (max_bytes && !each.contest.ranking.empty()) keep_to(*max_bytes, each.contest);
    found.push_back(std::move(each.contest));
  }
  return found;
}

}  // namespace

std::optional<double> metric_of(const Record& record, const Objective& objective) {
  if (record.kind != "kernel" || record.status != results::Status::ok || !record.statistics)
    return std::nullopt;
  if (objective.metric == "rate") return record.statistics->rate;
  const nlohmann::json& holder = objective.metric == "work_per_joule"
                                     ? record.energy.value.value_or(nlohmann::json::object())
                                     : *record.facts;
  if (!holder.contains(objective.metric) || !holder[objective.metric].is_number()) return std::nullopt;
  const double value = holder[objective.metric].get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> held_bytes(const Candidate& candidate) {
  const std::optional<HeldMemory>& memory = candidate.typical->memory.value;
  return memory ? std::optional(memory->bytes()) : std::nullopt;
}

std::vector<Contest> contests(std::span<const Record> records, std::span<const Objective> objectives,
                              const std::optional<std::uint64_t>& max_bytes) {
  return ranked(records, objectives, false, max_bytes);
}

namespace {

/// The states that have as many records of phase "tune" as there are rounds.
std::set<std::string> measured_again(std::span<const Record> records, int rounds) {
  std::map<std::string, int> counts;
  for (const Record& record : records)
    if (record.phase == "tune") ++counts[record.state.to_string()];
  std::set<std::string> found;
  for (const auto& [state, count] : counts)
    if (count >= rounds) found.insert(state);
  return found;
}

/// How many of a contest's sweep, best first, are to be measured again: the first `least`; and once these
/// have been, all that the sweep has before the best of those that were measured again, `least` at a time.
std::size_t count_again(const Contest& sweep, const Contest& judged, const std::set<std::string>& again,
                        std::size_t least) {
  const auto is_again = [&](const Candidate& one) { return again.contains(one.key.to_string()); };
  const auto first_left = std::ranges::find_if_not(sweep.ranking, is_again);
  const auto done = static_cast<std::size_t>(first_left - sweep.ranking.begin());
  const std::size_t most = std::min(done + least, sweep.ranking.size());
  const auto best = std::ranges::find_if(judged.ranking, is_again);
  if (done < least || best == judged.ranking.end()) return std::min(least, sweep.ranking.size());
  const auto beaten = std::ranges::find_if(sweep.ranking, [&](const Candidate& one) {
    return sweep.objective.maximise ? one.score <= best->score : one.score >= best->score;
  });
  return std::clamp(static_cast<std::size_t>(beaten - sweep.ranking.begin()), done, most);
}

}  // namespace

std::vector<results::StateKey> to_remeasure(std::span<const Record> records, const TuneOptions& options) {
  std::vector<results::StateKey> keys;
  std::set<std::string> seen;
  const std::set<std::string> again = measured_again(records, options.rounds);
  const auto add = [&](const std::optional<std::uint64_t>& max_bytes) {
    const std::vector<Contest> sweeps = ranked(records, options.objectives, true, max_bytes),
                               judged = ranked(records, options.objectives, false, max_bytes);
    for (std::size_t contest = 0; contest < sweeps.size(); ++contest) {
      if (sweeps[contest].objective.metric == "bits_per_base") continue;  // not measured, so not noisy
      const std::size_t count =
          count_again(sweeps[contest], judged[contest], again, static_cast<std::size_t>(options.remeasure));
      for (std::size_t i = 0; i < count; ++i) {
        const results::StateKey& key = sweeps[contest].ranking[i].key;
        if (seen.insert(key.to_string()).second) keys.push_back(key);
      }
    }
  };
  if (options.max_bytes) add(options.max_bytes);
  add(std::nullopt);
  return keys;
}

}  // namespace gpuseq::bench
