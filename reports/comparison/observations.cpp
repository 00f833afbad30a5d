#include "reports/comparison/observations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>

namespace gpuseq::comparison {
namespace {

using Records = std::vector<const ComparedRecord*>;

/// "d=64,k=2": the axes by their names.
std::string sorted_text(const Point& point) {
  std::vector<const Point::Values::value_type*> axes;
  for (const auto& axis : point.values()) axes.push_back(&axis);
  std::sort(axes.begin(), axes.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
  std::string text;
  for (const auto* axis : axes)
    text.append(text.empty() ? "" : ",")
        .append(axis->first)
        .append("=")
        .append(gpuseq::to_string(axis->second));
  return text;
}

std::string key_of(results::StateKey state, const results::AxisDefaults& defaults) {
  defaults.add_newer_axes(state);
  return fmt::format("{}/{}/{}/{}/{}", state.family, state.variant, sorted_text(state.problem),
                     sorted_text(state.point), state.device);
}

bool is_duration(double value) {
  return std::isfinite(value) && value > 0;
}

/// A record can come from anywhere; ok alone does not promise numbers.
bool has_numbers(const ComparedRecord& record) {
  return record.status == results::Status::ok && !record.samples_s.empty() &&
         std::all_of(record.samples_s.begin(), record.samples_s.end(), is_duration);
}

void add(Observation& observation, const ComparedRecord& record, Records& process) {
  if (has_numbers(record))
    process.push_back(&record);
  else if (record.status == results::Status::skipped)
    observation.skipped.push_back(&record);
  else
    observation.failed.push_back(&record);
  observation.refined_only = observation.refined_only && record.phase == "refine";
}

std::set<int> phases(const Records& process) {
  std::set<int> ranks;
  for (const ComparedRecord* record : process) ranks.insert(results::phase_rank(record->phase));
  return ranks;
}

/// The last phase that every process of both sides has.
std::optional<int> common_phase(const Observation& base, const Observation& next) {
  std::set<int> common = phases(base.processes.front());
  for (const Observation* side : {&base, &next})
    for (const Records& process : side->processes) {
      const std::set<int> own = phases(process);
      std::erase_if(common, [&](int rank) { return !own.contains(rank); });
    }
  return common.empty() ? std::nullopt : std::optional(*common.rbegin());
}

Records of_phase(const Records& process, std::optional<int> phase) {
  const int rank = phase.value_or(*phases(process).rbegin());
  Records kept;
  for (const ComparedRecord* record : process)
    if (results::phase_rank(record->phase) == rank) kept.push_back(record);
  return kept;
}

std::vector<double> medians(const Records& records) {
  std::vector<double> values;
  for (const ComparedRecord* record : records) values.push_back(results::median(record->samples_s));
  return values;
}

std::vector<double> samples(const Records& records) {
  std::vector<double> values;
  for (const ComparedRecord* record : records)
    values.insert(values.end(), record->samples_s.begin(), record->samples_s.end());
  return values;
}

/// The shortest witness, in the median beside a state's samples, that any process of both sides had: one that
/// neighbours disturbed for all of its life cannot know it. Of this state alone, as wide vectors lower the
/// clock of some processors, and of medians, as a clock is high for a moment now and then.
class ShortestWitness {
 public:
  ShortestWitness(const Observation& base, const Observation& next, std::optional<int> phase) {
    for (const Observation* side : {&base, &next})
      for (const Records& process : side->processes)
        for (const ComparedRecord* record : of_phase(process, phase))
          if (record->witness) {
            const double median_s = median(*record->witness);
            double& best_s = best_s_.try_emplace(record->witness->threads, median_s).first->second;
            best_s = std::min(best_s, median_s);
          }
  }

  /// Whether most samples of each of these records of a process were disturbed.
  /// @returns none where a record does not say
  std::optional<bool> are_disturbed(const Records& records) const {
    const auto says = [](const ComparedRecord* record) { return record->witness.has_value(); };
    if (!std::ranges::all_of(records, says)) return std::nullopt;
    return std::ranges::all_of(records, [&](const ComparedRecord* record) {
      return median(*record->witness) >=
             results::WitnessTimes::kDisturbed * best_s_.at(record->witness->threads);
    });
  }

 private:
  static double median(const results::WitnessTimes& witness) { return witness.slowdown * witness.best_s; }

  std::map<int, double> best_s_;  // by threads
};

/// The medians of a side's processes, and which of these neighbours disturbed.
struct ProcessMedians {
  std::vector<double> seconds;
  std::vector<std::optional<bool>> disturbed;

  ProcessMedians(const Observation& side, std::optional<int> phase, const ShortestWitness& shortest) {
    for (const Records& process : side.processes) {
      const Records records = of_phase(process, phase);
      seconds.push_back(results::median(medians(records)));
      disturbed.push_back(shortest.are_disturbed(records));
    }
  }

  /// Whether every process says it of itself, and enough are undisturbed.
  bool can_do_without_disturbed() const {
    return std::ranges::count(disturbed, std::optional(false)) >=
               static_cast<std::ptrdiff_t>(results::kFewestValues) &&
           std::ranges::count(disturbed, std::optional<bool>()) == 0;
  }

  Values values(bool without_disturbed) const {
    Values values{{}, "process", results::Order::exchangeable};
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      const bool is_disturbed = disturbed[i].value_or(false);
      values.disturbed += is_disturbed;
      if (!is_disturbed || !without_disturbed) values.seconds.push_back(seconds[i]);
    }
    values.left_out = without_disturbed && values.disturbed > 0;
    return values;
  }
};

}  // namespace

std::map<std::string, Observation> observe(const Side& side, const results::AxisDefaults& defaults) {
  std::map<std::string, Observation> observations;
  for (const std::vector<ComparedRecord>& process : side.processes) {
    std::unordered_map<Observation*, Records> with_numbers;
    for (const ComparedRecord& record : process) {
      Observation& observation = observations[key_of(record.state, defaults)];
      observation.state = &record.state;
      if (!record.problem_label.empty()) observation.label = record.problem_label;
      add(observation, record, with_numbers[&observation]);
    }
    for (auto& [observation, records] : with_numbers)
      if (!records.empty()) observation->processes.push_back(std::move(records));
  }
  return observations;
}

std::pair<Values, Values> values_of(const Observation& base, const Observation& next) {
  const std::optional<int> phase = common_phase(base, next);
  if (base.processes.size() > 1 || next.processes.size() > 1) {
    // On both sides or on none: the undisturbed of one are faster than all of the other.
    const ShortestWitness shortest(base, next, phase);
    const ProcessMedians a(base, phase, shortest), b(next, phase, shortest);
    const bool without_disturbed = a.can_do_without_disturbed() && b.can_do_without_disturbed();
    return {a.values(without_disturbed), b.values(without_disturbed)};
  }
  const Records a = of_phase(base.processes.front(), phase), b = of_phase(next.processes.front(), phase);
  if (std::min(a.size(), b.size()) >= results::kFewestValues)
    return {{medians(a), "repetition", results::Order::in_time},
            {medians(b), "repetition", results::Order::in_time}};
  return {{samples(a), "sample", results::Order::in_time}, {samples(b), "sample", results::Order::in_time}};
}

}  // namespace gpuseq::comparison
