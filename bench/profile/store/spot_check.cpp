#include "bench/profile/store/spot_check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <tuple>

#include "bench/bound/curves.hpp"
#include "bench/plan/estimate.hpp"
#include "bench/plan/plan.hpp"
#include "probes/instruction_operations.hpp"
#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

constexpr std::size_t kMemoryPoints = 6, kPipes = 6;
constexpr double kMostSeconds = 5;
constexpr double kFalseAlarms = 0.02, kLeastTolerance = 0.05, kMostSlower = 0.5, kMostFaster = 1;

/// The i-th of k places that are spread evenly over n.
std::size_t spread(std::size_t i, std::size_t k, std::size_t n) {
  return n >= k ? i * n / k : i % n;
}

/// Points from the smallest footprint of the first curve to the largest of the last.
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

/// One operation of some of the chosen pipes, for each vector width and number of threads.
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

/// The time that bounds use: the median of a pass for memory, else its fastest sample.
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

/// Relative excess of passes over the fastest pass of their point, for one or more points.
struct Excesses {
  std::vector<double> of_passes;
  double sum = 0, freedom = 0;  // passes without the fastest of each point

  void add(const std::vector<const Record*>& passes) {
    // Median distance of the medians of two passes, as a share of their interval's half width.
    constexpr double kOfHalfWidth = 0.33;
    std::vector<double> times(passes.size());
    std::ranges::transform(passes, times.begin(), [](const Record* pass) { return time_of(*pass); });
    std::ranges::sort(times);
    for (std::size_t i = 1; i < times.size(); ++i) add(times[i] / times[0] - 1);
    const results::Statistics& statistics = *passes.front()->statistics;
    if (passes.size() > 1 || !statistics.low_s || !statistics.high_s) return;
    add(kOfHalfWidth / std::numbers::ln2 * (*statistics.high_s - *statistics.low_s) /
        (2 * statistics.median_s));
  }
  void add(double excess) {
    of_passes.push_back(excess);
    sum += excess;
    ++freedom;
  }
  double large() const {
    constexpr double kShare = 0.95;
    if (of_passes.empty()) return 0;
    std::vector<double> sorted = of_passes;
    std::ranges::sort(sorted);
    return sorted[static_cast<std::size_t>(kShare * static_cast<double>(sorted.size() - 1))];
  }
};

double least_time(const std::vector<const Record*>& passes) {
  double least = time_of(*passes.front());
  for (const Record* pass : passes) least = std::min(least, time_of(*pass));
  return least;
}

/// The new passes that a profile's point is compared with.
struct Looks {
  int repetitions = 1;  // records per pass
  int most = kMostChecks;
};

CheckedPoint checked(const std::string& state, const std::vector<const Record*>& profile,
                     const std::vector<const Record*>& now, Looks looks, AllowedDifference allowed) {
  CheckedPoint point{.state = state,
                     .profile_s = least_time(profile),
                     .rate_unit = now.front()->statistics->rate_unit,
                     .allowed = allowed};
  for (int pass = 0; pass < looks.most && !point.agrees; ++pass) {
    bool is_measured = false;
    for (const Record* record : now) {
      if (record->repetition / looks.repetitions != pass) continue;
      is_measured = true;
      const double time = time_of(*record);
      point.now_s = point.now_s > 0 ? std::min(point.now_s, time) : time;
    }
    if (!is_measured) continue;
    ++point.passes;
    point.agrees = point.now_s <= (1 + allowed.slower) * point.profile_s &&
                   point.profile_s <= (1 + allowed.faster) * point.now_s;
  }
  return point;
}

/// @param most_looks  passes measured so far of a point with this number of new records
SpotCheck check_of(std::span<const Record> profile, std::span<const Record> now,
                   std::span<const std::string> states, int repetitions,
                   const std::function<int(std::size_t records)>& most_looks) {
  SpotCheck check;
  const std::map<std::string, ProfileNoise> noise = noise_by_probe(profile);
  const ByState before = by_state(profile), found = by_state(now);
  for (const std::string& state : states) {
    const auto of_profile = before.find(state);
    const auto of_now = found.find(state);
    if (of_profile == before.end() || of_now == found.end()) continue;
    const Looks looks{repetitions, most_looks(of_now->second.size())};
    const AllowedDifference allowed =
        allowed_difference(noise.at(of_profile->second.front()->state.family), of_profile->second.size(),
                           looks.most, states.size());
    CheckedPoint point = checked(state, of_profile->second, of_now->second, looks, allowed);
    if (point.passes > 0) check.points.push_back(std::move(point));
  }
  return check;
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
                    {"profile_rate", 1 / point.profile_s},
                    {"run_rate", 1 / point.now_s},
                    {"rate_unit", point.rate_unit},
                    {"difference", point.profile_s / point.now_s - 1},
                    {"allowed_slower", point.allowed.slower},
                    {"allowed_faster", point.allowed.faster},
                    {"passes", point.passes},
                    {"agrees", point.agrees}});
  return {{"agrees", agrees()}, {"tolerance", tolerance()}, {"points", std::move(list)}};
}

double SpotCheck::tolerance() const {
  double most = 0;
  for (const CheckedPoint& point : points) most = std::max(most, point.allowed.slower);
  return most;
}

std::map<std::string, ProfileNoise> noise_by_probe(std::span<const Record> profile) {
  constexpr double kOfAll = 6;  // weight of all probes' noise, in passes
  std::map<std::string, Excesses> by_probe;
  Excesses all;
  for (const auto& [state, passes] : by_state(profile)) {
    by_probe[passes.front()->state.family].add(passes);
    all.add(passes);
  }
  const double usual = all.freedom > 0 ? all.sum / all.freedom : 0;
  std::map<std::string, ProfileNoise> noise;
  for (const auto& [probe, excesses] : by_probe)
    noise[probe] = {.mean = (excesses.sum + kOfAll * usual) / (excesses.freedom + kOfAll),
                    .large = excesses.freedom < kOfAll ? all.large() : excesses.large()};
  return noise;
}

AllowedDifference allowed_difference(const ProfileNoise& noise, std::size_t profile_passes, int looks,
                                     std::size_t points) {
  constexpr double kBeyondLarge = 1.25;
  const double unlikely = std::log(static_cast<double>(std::max<std::size_t>(points, 1)) / kFalseAlarms);
  const double slower = noise.mean / std::max(looks, 1) * unlikely;
  const double faster =
      std::max(noise.mean / static_cast<double>(std::max<std::size_t>(profile_passes, 1)) * unlikely,
               kBeyondLarge * noise.large);
  return {.slower = std::clamp(slower, kLeastTolerance, kMostSlower),
          .faster = std::clamp(faster, kLeastTolerance, kMostFaster)};
}

SpotCheck spot_check(std::span<const Record> profile, std::span<const Record> now,
                     std::span<const std::string> states, int repetitions) {
  return check_of(profile, now, states, repetitions, [](std::size_t) { return kMostChecks; });
}

SpotCheck compare_points(std::span<const Record> profile, std::span<const Record> now, int repetitions) {
  std::vector<std::string> both;
  const ByState before = by_state(profile);
  for (const auto& [state, passes] : by_state(now))
    if (before.contains(state)) both.push_back(state);
  const auto passes_of = [repetitions](std::size_t records) {
    return std::clamp(static_cast<int>(records) / repetitions, 1, kMostChecks);
  };
  return check_of(profile, now, both, repetitions, passes_of);
}

}  // namespace gpuseq::bench
