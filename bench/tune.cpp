#include "bench/tune.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "results/statistics.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

/// What the records of one state and phase say together.
struct Entry {
  std::vector<const Record*> sweep, tune;
};

bool same_contest(const Contest& contest, const Record& record, const Objective& objective) {
  return contest.family == record.state.family && contest.device == record.state.device &&
         contest.problem == record.state.problem && contest.objective.metric == objective.metric &&
         contest.objective.maximise == objective.maximise;
}

Candidate judge(const std::vector<const Record*>& records, const Objective& objective) {
  std::vector<double> metrics;
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

using Entries = std::vector<std::pair<std::string, Entry>>;

Entry& entry_of(Entries& entries, const std::string& key) {
  for (auto& [name, entry] : entries)
    if (name == key) return entry;
  return entries.emplace_back(key, Entry{}).second;
}

/// The ranking of one contest: what was measured again first, then the rest of the sweep.
std::vector<Candidate> ranking_of(const Entries& entries, const Objective& objective, bool sweep_only) {
  std::vector<Candidate> again, once;
  for (const auto& [key, entry] : entries) {
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

std::vector<Contest> ranked(std::span<const Record> records, std::span<const Objective> objectives,
                            bool sweep_only) {
  std::vector<Contest> found;
  std::vector<Entries> entries;
  for (const Objective& objective : objectives)
    for (const Record& record : records) {
      if (!metric_of(record, objective)) continue;
      auto contest = std::find_if(found.begin(), found.end(),
                                  [&](const Contest& c) { return same_contest(c, record, objective); });
      if (contest == found.end()) {
        found.push_back({record.state.family, record.state.device, record.state.problem, objective, {}});
        entries.emplace_back();
        contest = found.end() - 1;
      }
      Entry& entry =
          entry_of(entries[static_cast<std::size_t>(contest - found.begin())], record.state.to_string());
      (record.phase == "tune" ? entry.tune : entry.sweep).push_back(&record);
    }
  for (std::size_t i = 0; i < found.size(); ++i)
    found[i].ranking = ranking_of(entries[i], found[i].objective, sweep_only);
  return found;
}

}  // namespace

std::optional<double> metric_of(const Record& record, const Objective& objective) {
  if (record.kind != "kernel" || record.status != results::Status::ok || !record.statistics)
    return std::nullopt;
  if (objective.metric == "rate") return record.statistics->rate;
  const nlohmann::json& holder = objective.metric == "work_per_joule"
                                     ? record.energy.value.value_or(nlohmann::json::object())
                                     : record.facts;
  if (!holder.contains(objective.metric) || !holder[objective.metric].is_number()) return std::nullopt;
  const double value = holder[objective.metric].get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::vector<Contest> contests(std::span<const Record> records, std::span<const Objective> objectives) {
  return ranked(records, objectives, false);
}

std::vector<results::StateKey> to_remeasure(std::span<const Record> records, const TuneOptions& options) {
  std::vector<results::StateKey> keys;
  std::set<std::string> seen;
  for (const Contest& contest : ranked(records, options.objectives, true)) {
    if (contest.objective.metric == "bits_per_base") continue;  // not measured, so not noisy
    const std::size_t count = std::min(contest.ranking.size(), static_cast<std::size_t>(options.remeasure));
    for (std::size_t i = 0; i < count; ++i)
      if (seen.insert(contest.ranking[i].key.to_string()).second) keys.push_back(contest.ranking[i].key);
  }
  return keys;
}

}  // namespace gpuseq::bench
