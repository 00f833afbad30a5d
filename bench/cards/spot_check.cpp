#include "bench/cards/spot_check.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "bench/ceiling/curves.hpp"
#include "bench/plan/estimate.hpp"
#include "bench/plan/plan.hpp"
#include "probes/instruction_operations.hpp"
#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

constexpr std::size_t kMemoryPoints = 6, kPipes = 6;
constexpr double kMostSeconds = 5;
constexpr double kFalseAlarms = 0.002, kLeastTolerance = 0.05, kMostTolerance = 0.25;

/// The i-th of k places that are spread evenly over n.
std::size_t spread(std::size_t i, std::size_t k, std::size_t n) {
  return n >= k ? i * n / k : i % n;
}

/// From the smallest footprint of the first curve to the largest of the last.
std::vector<const State*> memory_points(std::span<const State> taken) {
  std::map<std::string, std::vector<const State*>> by_curve;
  for (const State& state : taken)
    if (footprint_of(state.key)) by_curve[curve_id(state.key)].push_back(&state);
  std::vector<std::vector<const State*>> curves;
  for (auto& [id, points] : by_curve) {
    std::ranges::sort(points, {}, [](const State* state) { return *footprint_of(state->key); });
    curves.push_back(std::move(points));
  }
  std::vector<const State*> chosen;
  for (std::size_t i = 0; i < kMemoryPoints && !curves.empty(); ++i) {
    const auto& curve = curves[spread(i, kMemoryPoints, curves.size())];
    const double share = static_cast<double>(i) / (kMemoryPoints - 1);
    chosen.push_back(
        curve[static_cast<std::size_t>(std::lround(share * static_cast<double>(curve.size() - 1)))]);
  }
  return chosen;
}

/// One operation of some of the pipes that are asked, with each vector width and number of threads.
std::vector<const State*> pipe_points(std::span<const State> taken) {
  using Pipe = std::tuple<std::string, std::int64_t, std::string>;
  std::map<Pipe, const State*> by_pipe;
  for (const State& state : taken) {
    const Point& point = state.key.point;
    if (!point.has("operation")) continue;
    const std::string pipes = probes::pipes_of(state.variant->device, point.word("operation"));
    by_pipe.try_emplace({point.has("target") ? point.word("target") : "", threads_of(point, 0), pipes},
                        &state);
  }
  std::vector<const State*> all, chosen;
  for (const auto& [pipe, state] : by_pipe) all.push_back(state);
  for (std::size_t i = 0; i < kPipes && !all.empty(); ++i)
    chosen.push_back(all[spread(i, kPipes, all.size())]);
  return chosen;
}

bool is_usable(const Record& record) {
  return record.kind == "probe" && record.status == results::Status::ok && record.statistics &&
         record.work.amount > 0 && record.statistics->min_s > 0;
}

/// As ceilings read it: of memory the median of a pass, else its fastest sample.
double time_of(const Record& record) {
  const bool of_memory = footprint_of(record.state).has_value();
  return (of_memory ? record.statistics->median_s : record.statistics->min_s) / record.work.amount;
}

using ByState = std::map<std::string, std::vector<const Record*>>;
ByState by_state(std::span<const Record> records) {
  ByState found;
  for (const Record& record : records)
    if (is_usable(record)) found[record.state.to_string()].push_back(&record);
  return found;
}

/// How far apart two looks at a point are that see the same, half of them at most; negative: it does not say.
double usual_gap(const std::vector<const Record*>& passes) {
  constexpr double kOfHalfWidth = 0.33;
  if (passes.size() > 1) {
    std::vector<double> times;
    for (const Record* pass : passes) times.push_back(time_of(*pass));
    std::ranges::partial_sort(times, times.begin() + 2);
    return times[1] / times[0] - 1;
  }
  const results::Statistics& statistics = *passes.front()->statistics;
  if (!statistics.low_s || !statistics.high_s) return -1;
  return kOfHalfWidth * (*statistics.high_s - *statistics.low_s) / (2 * statistics.median_s);
}

double least_time(const std::vector<const Record*>& passes) {
  double least = time_of(*passes.front());
  for (const Record* pass : passes) least = std::min(least, time_of(*pass));
  return least;
}

CheckedPoint checked(const std::string& state, const std::vector<const Record*>& card,
                     const std::vector<const Record*>& now, int repetitions, double tolerance) {
  CheckedPoint point{
      .state = state, .card_s = least_time(card), .rate_unit = now.front()->statistics->rate_unit};
  for (int pass = 0; pass < kMostChecks && !point.agrees; ++pass) {
    bool is_measured = false;
    for (const Record* record : now) {
      if (record->repetition / repetitions != pass) continue;
      is_measured = true;
      const double time = time_of(*record);
      point.now_s = point.now_s > 0 ? std::min(point.now_s, time) : time;
    }
    if (!is_measured) continue;
    ++point.passes;
    const auto [less, more] = std::minmax(point.card_s, point.now_s);
    point.agrees = more <= (1 + tolerance) * less;
  }
  return point;
}

}  // namespace

std::vector<std::string> points_to_check(std::span<const State> taken, const SuiteConfig& config) {
  std::vector<const State*> chosen = pipe_points(taken);
  for (const State& state : taken)
    if (state.key.family == "launch") chosen.push_back(&state);
  std::ranges::copy(memory_points(taken), std::back_inserter(chosen));
  TimeEstimate time(config);
  std::vector<std::string> keys;
  for (const State* state : chosen) {
    const std::string key = state->key.to_string();
    if (std::ranges::find(keys, key) != keys.end()) continue;
    if (!keys.empty() && time.seconds() + time.of(*state) > kMostSeconds) continue;
    time.add(*state);
    keys.push_back(key);
  }
  return keys;
}

bool SpotCheck::agrees() const {
  return !points.empty() && std::ranges::all_of(points, &CheckedPoint::agrees);
}

nlohmann::ordered_json SpotCheck::to_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const CheckedPoint& point : points)
    list.push_back({{"state", point.state},
                    {"card_rate", 1 / point.card_s},
                    {"run_rate", 1 / point.now_s},
                    {"rate_unit", point.rate_unit},
                    {"difference", point.card_s / point.now_s - 1},
                    {"passes", point.passes},
                    {"agrees", point.agrees}});
  return {{"agrees", agrees()}, {"tolerance", tolerance}, {"points", std::move(list)}};
}

double tolerance_of_check(std::span<const Record> card, std::size_t points) {
  std::vector<double> gaps;
  for (const auto& [state, passes] : by_state(card))
    if (const double gap = usual_gap(passes); gap >= 0) gaps.push_back(gap);
  const double usual = gaps.empty() ? 0 : results::median(gaps);
  const double among = static_cast<double>(std::max<std::size_t>(points, 1));
  return std::clamp(usual * std::log2(among / kFalseAlarms), kLeastTolerance, kMostTolerance);
}

SpotCheck spot_check(std::span<const Record> card, std::span<const Record> now,
                     std::span<const std::string> states, int repetitions) {
  SpotCheck check{.tolerance = tolerance_of_check(card, states.size()), .points = {}};
  const ByState before = by_state(card), found = by_state(now);
  for (const std::string& state : states) {
    const auto of_card = before.find(state);
    const auto of_now = found.find(state);
    if (of_card == before.end() || of_now == found.end()) continue;
    CheckedPoint point = checked(state, of_card->second, of_now->second, repetitions, check.tolerance);
    if (point.passes > 0) check.points.push_back(std::move(point));
  }
  return check;
}

SpotCheck compare_points(std::span<const Record> card, std::span<const Record> now, int repetitions) {
  std::vector<std::string> both;
  const ByState before = by_state(card);
  for (const auto& [state, passes] : by_state(now))
    if (before.contains(state)) both.push_back(state);
  return spot_check(card, now, both, repetitions);
}

}  // namespace gpuseq::bench
