#include "bench/phases/race/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "bench/phases/race/objective.hpp"
#include "bench/phases/race/race.hpp"

namespace gpuseq::bench {
namespace {

using results::PhaseTimes;
using results::Record;

/// The records of one state.
struct Entry {
  std::vector<const Record*> sweep;                  // that have the metric
  std::map<int, std::vector<const Record*>> rounds;  // of the race; also those that failed
};

/// The common part of the records of one contest.
std::string contest_key(const results::StateKey& state, const Objective& objective) {
  return fmt::format("{}/{}/{}/{}/{}", state.family, state.problem.to_string(), state.device,
                     objective.metric, objective.maximise);
}

/// Those that an entry is judged by: of the race, if there are any.
std::vector<const Record*> judged_of(const Entry& entry, const Objective& objective,
                                     const PhaseTimes& times) {
  std::vector<const Record*> judged;
  for (const auto& [round, records] : entry.rounds)
    std::ranges::copy_if(records, std::back_inserter(judged), [&](const Record* record) {
      return score_of(*record, objective, times).has_value();
    });
  return judged.empty() ? entry.sweep : judged;
}

Candidate judge(const Entry& entry, const Objective& objective, const PhaseTimes& times) {
  std::vector<const Record*> records = judged_of(entry, objective, times);
  std::erase_if(records, [&](const Record* record) { return !score_of(*record, objective, times); });
  std::vector<double> metrics;
  metrics.reserve(records.size());
  for (const Record* record : records) metrics.push_back(*metric_of(*record, objective, times));
  Candidate candidate{.key = records.front()->state,
                      .score = results::geometric_mean(metrics),
                      .rate = results::case_rate(records)};
  double nearest = INFINITY;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (const double distance = std::fabs(std::log(metrics[i] / candidate.score)); distance < nearest) {
      nearest = distance;
      candidate.typical = records[i];
    }
  return candidate;
}

/// The joint result of the records of one state and round, with the interval of its samples for a rate.
std::optional<Score> score_of(const std::vector<const Record*>& records, const Objective& objective,
                              const PhaseTimes& times) {
  std::vector<double> scores;
  for (const Record* record : records)
    if (const auto score = score_of(*record, objective, times)) scores.push_back(*score);
  if (scores.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(scores);
  Score score{results::geometric_mean(scores), low, high};
  const results::Statistics& statistics = *records.front()->statistics;
  if (scores.size() == 1 && objective.metric == "rate" && objective.maximise && statistics.rate_low) {
    score.low = *statistics.rate_low;
    score.high = *statistics.rate_high;
  }
  return score;
}

/// In the order of their first records, and found by their names.
template <typename Value>
struct Named {
  std::vector<Value> values;
  std::map<std::string, std::size_t> places;

  /// The value of that name; the result of `make` if it is new.
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

/// 0 where there is no index.
std::uint64_t index_bytes(const HeldMemory& memory) {
  const auto index = memory.parts.find(kIndexPart);
  return index == memory.parts.end() ? 0 : index->second;
}

bool keeps_to(const MemoryLimits& limits, const Entry& entry) {
  return !limits || std::ranges::any_of(entry.sweep, [&](const Record* record) {
    return record->memory.value && keeps_to(limits, *record->memory.value);
  });
}

/// A contest's entries by their sweep, best first, and the race of the best of them.
struct Run {
  std::vector<const Entry*> entries;
  std::vector<Racer> racers;
  Race race;
};

Run run_of(const std::vector<const Entry*>& entries, const Objective& objective, const TuneOptions& options,
           const PhaseTimes& times) {
  std::vector<std::pair<Score, const Entry*>> swept;
  for (const Entry* entry : entries)
    if (const auto score = score_of(entry->sweep, objective, times)) swept.emplace_back(*score, entry);
  std::ranges::stable_sort(swept, std::greater(), [](const auto& one) { return one.first.value; });
  Run run;
  for (const auto& [score, entry] : swept) {
    run.entries.push_back(entry);
    run.racers.push_back({.sweep = score});
    for (const auto& [round, records] : entry->rounds)
      if (records.size() >= static_cast<std::size_t>(options.repetitions))
        run.racers.back().rounds[round] = score_of(records, objective, times);
  }
  if (is_measured(objective))
    run.race = run_race(run.racers,
                        {.first = static_cast<std::size_t>(options.remeasure), .rounds = options.rounds});
  return run;
}

/// A racer's score over another's: in the rounds that have both, else in the sweep.
double relative_score(const Racer& one, const Racer& other) {
  std::vector<double> ratios;
  for (const auto& [round, score] : one.rounds)
    if (const auto found = other.rounds.find(round); score && found != other.rounds.end() && found->second)
      ratios.push_back(score->value / found->second->value);
  return ratios.empty() ? one.sweep.value / other.sweep.value : results::geometric_mean(ratios);
}

/// The memory footprint of a candidate; candidates without one come last.
std::uint64_t bytes_to_compare(const Candidate& candidate) {
  return held_bytes(candidate).value_or(std::numeric_limits<std::uint64_t>::max());
}

/// Appends the candidates at the places `of`, the best share of the winner first.
void append_by_share(std::vector<Candidate>& ranking, const std::vector<Candidate>& all,
                     std::span<const std::size_t> of) {
  const auto first = std::ssize(ranking);
  for (const std::size_t i : of) ranking.push_back(all[i]);
  std::ranges::stable_sort(ranking.begin() + first, ranking.end(), std::greater(),
                           &Candidate::share_of_winner);
}

/// A score that is lower by at most this share is worth less than a smaller memory footprint.
constexpr double kTie = 0.02;

/// The ranking by a race and, behind it, by the sweep.
void rank_by(const Run& run, const PhaseTimes& times, Contest& contest) {
  const Race& race = run.race;
  contest.rounds = race.tied.empty() ? 0 : race.rounds;
  contest.raced = race.tied.size() + race.dropped.size();
  contest.left_out = race.left_out;
  contest.ranking.clear();
  if (run.entries.empty()) return;
  std::vector<Candidate> all;
  for (const Entry* entry : run.entries) all.push_back(judge(*entry, contest.objective, times));
  std::vector<std::size_t> others(all.size());
  std::iota(others.begin(), others.end(), std::size_t{0});
  std::erase_if(others, [&](std::size_t i) {
    return std::ranges::find(race.tied, i) != race.tied.end() ||
           std::ranges::find(race.dropped, i) != race.dropped.end();
  });
  // Counted values, unlike measured ones, may be equal: the faster one then.
  if (!is_measured(contest.objective))
    std::ranges::stable_sort(others, [&](std::size_t a, std::size_t b) {
      if (all[a].score == all[b].score) return all[a].rate.rate > all[b].rate.rate;
      return contest.objective.maximise ? all[a].score > all[b].score : all[a].score < all[b].score;
    });
  std::vector<std::size_t> tied, behind, dropped = race.dropped;
  for (const std::size_t i : race.tied)
    (relative_score(run.racers[i], run.racers[race.tied.front()]) >= 1 - kTie ? tied : behind).push_back(i);
  contest.tied = std::max<std::size_t>(tied.size(), 1);
  std::vector<std::size_t>& first = !tied.empty() ? tied : !others.empty() ? others : dropped;
  const auto chosen = tied.empty() ? first.begin() : std::ranges::min_element(tied, {}, [&](std::size_t i) {
    return bytes_to_compare(all[i]);
  });
  const std::size_t winner = *chosen;
  first.erase(chosen);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i != winner) all[i].share_of_winner = relative_score(run.racers[i], run.racers[winner]);
  contest.ranking.push_back(all[winner]);
  for (const std::vector<std::size_t>* const of : {&tied, &behind, &dropped, &others})
    append_by_share(contest.ranking, all, *of);
}

/// The records of all contests, in the order of their first ones.
std::vector<Entered> entered_by(std::span<const Record> records, const TuneOptions& options,
                                const PhaseTimes& times) {
  Named<Entered> entered;
  for (const Objective& objective : options.objectives)
    for (const Record& record : records) {
      const bool again = record.phase == "tune";
      if (record.phase == "winner" || record.phase == "size" || record.kind != "kernel") continue;
      if (!again && !metric_of(record, objective, times)) continue;
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
      if (again)
        entry.rounds[record.repetition / options.repetitions].push_back(&record);
      else
        entry.sweep.push_back(&record);
    }
  return std::move(entered.values);
}

std::vector<const Entry*> entries_of(const Entered& contest, const MemoryLimits& limits) {
  std::vector<const Entry*> found;
  for (const Entry& entry : contest.entries.values)
    if (keeps_to(limits, entry)) found.push_back(&entry);
  return found;
}

/// The candidate with the smallest memory, or the smallest index if that is limited.
std::optional<Candidate> least_of(const std::vector<Candidate>& all, const MemoryLimits& limits) {
  constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
  const auto bytes = [&](const Candidate& candidate) {
    if (!limits.index_bytes) return bytes_to_compare(candidate);
    const std::optional<HeldMemory>& memory = candidate.typical->memory.value;
    return memory ? index_bytes(*memory) : kUnknown;
  };
  const auto least = std::ranges::min_element(all, {}, bytes);
  return least == all.end() || bytes(*least) == kUnknown ? std::nullopt : std::optional(*least);
}

}  // namespace

bool keeps_to(const MemoryLimits& limits, const HeldMemory& memory) {
  return (!limits.bytes || memory.bytes() <= *limits.bytes) &&
         (!limits.index_bytes || index_bytes(memory) <= *limits.index_bytes);
}

std::optional<std::uint64_t> held_bytes(const Candidate& candidate) {
  const std::optional<HeldMemory>& memory = candidate.typical->memory.value;
  return memory ? std::optional(memory->bytes()) : std::nullopt;
}

std::vector<Contest> contests(std::span<const Record> records, const TuneOptions& options) {
  const PhaseTimes times = phase_times_of(records);
  std::vector<Contest> found;
  for (Entered& each : entered_by(records, options, times)) {
    Contest& contest = each.contest;
    rank_by(run_of(entries_of(each, {}), contest.objective, options, times), times, contest);
    if (contest.ranking.empty()) continue;
    if (options.limits) {
      contest.without_limit = contest.ranking.front();
      contest.least = least_of(contest.ranking, options.limits);
      const std::vector<const Entry*> within = entries_of(each, options.limits);
      contest.beyond_limit = within.size() < each.entries.values.size();
      rank_by(run_of(within, contest.objective, options, times), times, contest);
    }
    found.push_back(std::move(contest));
  }
  return found;
}

std::vector<InRound> next_round(std::span<const Record> records, const TuneOptions& options) {
  const PhaseTimes times = phase_times_of(records);
  std::vector<InRound> found;
  std::set<std::pair<std::string, int>> seen;
  std::vector<MemoryLimits> limits{MemoryLimits()};
  if (options.limits) limits.insert(limits.begin(), options.limits);
  for (const MemoryLimits& limit : limits)
    for (const Entered& each : entered_by(records, options, times)) {
      const Run run = run_of(entries_of(each, limit), each.contest.objective, options, times);
      for (const std::size_t i : run.race.next) {
        const results::StateKey& key = run.entries[i]->sweep.front()->state;
        if (seen.emplace(key.to_string(), run.race.round).second) found.push_back({key, run.race.round});
      }
    }
  return found;
}

}  // namespace gpuseq::bench
