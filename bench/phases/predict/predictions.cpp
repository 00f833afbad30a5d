#include "bench/phases/predict/predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "bench/config/units.hpp"
#include "bench/phases/race/contest.hpp"
#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;

/// Runners-up that are named.
constexpr std::size_t kNamed = 3;

bool is_measured_kernel(const Record& record) {
  return record.kind == "kernel" && record.status == results::Status::ok && record.statistics;
}

/// The record of the last phase of each state, in the order in which the states were first measured.
std::vector<const Record*> last_of_each(std::span<const Record> records) {
  std::vector<const Record*> kept;
  std::unordered_map<std::string, std::size_t> places;
  for (const Record& record : records) {
    if (!is_measured_kernel(record)) continue;
    const auto [place, is_new] = places.emplace(record.state.to_string(), kept.size());
    if (is_new)
      kept.push_back(&record);
    else if (results::phase_rank(record.phase) > results::phase_rank(kept[place->second]->phase))
      kept[place->second] = &record;
  }
  return kept;
}

std::string name_of(const ProbedMachine& machine, const std::string& device) {
  const ProbedMachine::Device* const found = machine.find(device);
  return found == nullptr ? device : found->name();
}

bool within(const MemoryLimits& limits, const Record& record) {
  return !limits || (record.memory.value && keeps_to(limits, *record.memory.value));
}

/// The variant and those axes in which points of it differ.
std::string point_text(const PredictedContest& contest, const Prediction& prediction) {
  std::vector<Point> of_variant;
  for (const Prediction& other : contest.ranking)
    if (other.state.variant == prediction.state.variant) of_variant.push_back(other.state.point);
  const std::string axes = differing_axes(of_variant, prediction.state.point).to_string();
  return axes.empty() ? prediction.state.variant : fmt::format("{} {}", prediction.state.variant, axes);
}

std::string rate_text(const Prediction& prediction) {
  return fmt::format("{}{} ({} to {})", prefixed(prediction.rate), prediction.rate_unit,
                     prefixed(prediction.rate_low), prefixed(prediction.rate_high));
}

std::string bound_text(const Prediction& prediction) {
  if (!prediction.bound || prediction.bound_share == 0) return "by the rate of instructions alone";
  return fmt::format("{:.0f} % of its time bound by {}", 100 * prediction.bound_share,
                     prediction.bound->bound_by);
}

std::string accuracy_text(const Accuracy& accuracy) {
  return fmt::format(
      "of {} that were measured there: rank correlation {:.2f}, median error {:.1f} %, the point predicted "
      "to be best is "
      "{:.1f} % below the best",
      accuracy.points, accuracy.rank_correlation, 100 * accuracy.median_error, 100 * accuracy.regret);
}

std::string contest_text(const PredictedContest& contest) {
  std::string text = fmt::format("{}  {}, from {} ({} points)\n", contest.problem_label, contest.name_there,
                                 contest.name_here, contest.ranking.size());
  if (contest.left_out_count > 0)
    text += fmt::format("  {} points have no prediction: {}{}\n", contest.left_out_count,
                        contest.left_out.front(), contest.left_out.size() > 1 ? "; and other reasons" : "");
  if (contest.ranking.empty()) return text;
  const Prediction& best = contest.ranking.front();
  text += fmt::format("  best: {}, {} (here {}{}), {}\n", point_text(contest, best), rate_text(best),
                      prefixed(best.rate_here), best.rate_unit, bound_text(best));
  for (std::size_t i = 1; i < std::min(contest.ranking.size(), kNamed + 1); ++i)
    text += fmt::format("  then: {}, {}\n", point_text(contest, contest.ranking[i]),
                        rate_text(contest.ranking[i]));
  if (contest.accuracy) text += fmt::format("  {}\n", accuracy_text(*contest.accuracy));
  return text;
}

ordered_json bound_json(const std::optional<results::Bound>& bound) {
  if (!bound) return nullptr;
  return {{"rate", bound->rate}, {"bound_by", bound->bound_by}, {"explanation", bound->explanation}};
}

template <class Of>
double median_over(std::span<const Accuracy> all, Of of) {
  std::vector<double> values;
  for (const Accuracy& one : all) values.push_back(of(one));
  return results::median(values);
}

}  // namespace

std::vector<PredictedContest> predictions(std::span<const Record> records,
                                          const std::set<std::string>& families, const ProbedMachine& here,
                                          const ProbedMachine& there, const MemoryLimits& limits) {
  std::vector<PredictedContest> contests;
  std::map<std::string, std::size_t> places;                      // of a problem and two devices
  std::map<std::pair<std::string, std::string>, CarryOver> ways;  // between devices
  for (const Record* record : last_of_each(records)) {
    const results::StateKey& state = record->state;
    if (!families.contains(state.family)) continue;
    for (const ProbedMachine::Device& to : there.devices) {
      if (kind_of_device(to.id) != kind_of_device(state.device)) continue;
      const auto way = ways.try_emplace({state.device, to.id}, here, state.device, there, to).first;
      const auto [place, is_new] = places.emplace(
          fmt::format("{}/{}/{}/{}", state.family, state.problem.to_string(), state.device, to.id),
          contests.size());
      if (is_new)
        contests.push_back({.family = state.family,
                            .problem = state.problem,
                            .problem_label = record->problem_label,
                            .device_here = state.device,
                            .device_there = to.id,
                            .name_here = name_of(here, state.device),
                            .name_there = to.name()});
      PredictedContest& contest = contests[place->second];
      Maybe<Prediction> found = within(limits, *record)
                                    ? way->second.of(*record)
                                    : Maybe<Prediction>{std::nullopt, "holds more than the limit allows"};
      if (found.value) {
        contest.ranking.push_back(std::move(*found.value));
        continue;
      }
      ++contest.left_out_count;
      if (std::ranges::find(contest.left_out, found.reason) == contest.left_out.end())
        contest.left_out.push_back(found.reason);
    }
  }
  for (PredictedContest& contest : contests)
    std::ranges::stable_sort(contest.ranking, std::ranges::greater(), &Prediction::rate);
  return contests;
}

void judge(std::vector<PredictedContest>& contests, std::span<const Record> measured_there) {
  std::unordered_map<std::string, double> rates;
  for (const Record* record : last_of_each(measured_there))
    rates[record->state.to_string()] = record->statistics->rate;
  for (PredictedContest& contest : contests) {
    std::vector<PredictedAndMeasured> both;
    contest.measured.clear();
    for (const Prediction& one : contest.ranking) {
      const auto found = rates.find(one.state.to_string());
      contest.measured.push_back(found == rates.end() ? std::nullopt : std::optional(found->second));
      if (found != rates.end()) both.push_back({one.rate, found->second});
    }
    if (both.size() > 1) contest.accuracy = accuracy_of(both);
  }
}

Point differing_axes(std::span<const Point> all, const Point& point) {
  Point differing;
  for (const auto& own : point.values())
    if (std::ranges::any_of(all, [&](const Point& other) {
          return other.has(own.first) && other.at(own.first) != own.second;
        }))
      differing.set(own.first, own.second);
  return differing;
}

std::string predictions_text(std::span<const PredictedContest> contests) {
  std::string text;
  std::vector<Accuracy> judged;
  double most_regret = 0;
  for (const PredictedContest& contest : contests) {
    text += contest_text(contest);
    if (!contest.accuracy) continue;
    judged.push_back(*contest.accuracy);
    most_regret = std::max(most_regret, contest.accuracy->regret);
  }
  if (judged.size() > 1)
    text += fmt::format(
        "all {} problems, medians: rank correlation {:.2f}, error {:.1f} %, regret {:.1f} % (at most {:.1f} "
        "%)\n",
        judged.size(), median_over(judged, [](const Accuracy& one) { return one.rank_correlation; }),
        100 * median_over(judged, [](const Accuracy& one) { return one.median_error; }),
        100 * median_over(judged, [](const Accuracy& one) { return one.regret; }), 100 * most_regret);
  return text;
}

ordered_json predictions_json(std::span<const PredictedContest> contests) {
  ordered_json all = ordered_json::array();
  for (const PredictedContest& contest : contests) {
    ordered_json ranking = ordered_json::array();
    for (std::size_t i = 0; i < contest.ranking.size(); ++i) {
      const Prediction& one = contest.ranking[i];
      ordered_json measured;
      if (i < contest.measured.size() && contest.measured[i]) measured = *contest.measured[i];
      ranking.push_back({{"variant", one.state.variant},
                         {"point", one.state.point.to_json()},
                         {"rate", one.rate},
                         {"rate_low", one.rate_low},
                         {"rate_high", one.rate_high},
                         {"rate_unit", one.rate_unit},
                         {"rate_here", one.rate_here},
                         {"bound", bound_json(one.bound)},
                         {"bound_share", one.bound_share},
                         {"measured_rate", measured}});
    }
    ordered_json accuracy;
    if (contest.accuracy)
      accuracy = {{"points", contest.accuracy->points},
                  {"rank_correlation", contest.accuracy->rank_correlation},
                  {"median_error", contest.accuracy->median_error},
                  {"calibrated_error", contest.accuracy->calibrated_error},
                  {"regret", contest.accuracy->regret}};
    all.push_back({{"family", contest.family},
                   {"problem", contest.problem.to_json()},
                   {"problem_label", contest.problem_label},
                   {"device", contest.device_there},
                   {"device_name", contest.name_there},
                   {"from_device", contest.device_here},
                   {"from_device_name", contest.name_here},
                   {"left_out", contest.left_out_count},
                   {"reasons", contest.left_out},
                   {"accuracy", accuracy},
                   {"ranking", ranking}});
  }
  return {{"schema_version", 1}, {"contests", all}};
}

}  // namespace gpuseq::bench
