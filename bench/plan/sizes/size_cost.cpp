#include "bench/plan/sizes/size_cost.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/plan/run_time.hpp"
#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;
using results::Status;

double sampled_s(const Record& record) {
  return record.launches_per_sample * std::accumulate(record.samples_s.begin(), record.samples_s.end(), 0.0) +
         (record.single_launch ? std::accumulate(record.single_launch->samples_s.begin(),
                                                 record.single_launch->samples_s.end(), 0.0)
                               : 0);
}

double compiled_s(const Record& record) {
  return record.resources ? record.resources->compile_s : 0;
}

/// All but samples and compiling.
double beside_s(const Record& record) {
  return std::max(0.0, record.took_s - sampled_s(record) - compiled_s(record));
}

}  // namespace

SizeCost::SizeCost(const SizedStates& problem, std::span<const Record* const> taken,
                   const SuiteConfig& config, const std::map<std::string, std::uint64_t>& data_bytes)
    : problem_(problem), config_(config), data_bytes_(data_bytes) {
  std::vector<const Record*> first;  // of each size
  for (const Record* record : taken) {
    spent_s_ += record->took_s;
    if (record->status != Status::ok || !record->statistics) continue;
    measured_.push_back(record);
    const std::int64_t size = record->size->value;
    double& most = compile_s_[record->state.device];
    most = std::max(most, compiled_s(*record));
    if (first.empty() || first.back()->size->value != size)
      first.push_back(record);
    else
      own_[record->state.device][record->state.variant].emplace_back(size, beside_s(*record));
  }
  for (const Record* record : first)
    shared_.emplace_back(record->size->value,
                         std::max(0.0, beside_s(*record) - own_s(record->state, record->size->value)));
}

double SizeCost::extrapolated(const Curve& curve, const Weight& weight, bool in_seconds, std::int64_t size) {
  const auto& [last, last_s] = curve.back();
  if (curve.size() == 1) {
    const double share = last_s / weight(last);
    return last_s + (in_seconds ? std::min(1.0, share) : share) * (weight(size) - weight(last));
  }
  const auto& [before, before_s] = curve[curve.size() - 2];
  const double more = weight(last) - weight(before);
  const double slope = more > 0 ? std::max(0.0, (last_s - before_s) / more) : 0;
  return std::max(0.0, last_s + slope * (weight(size) - weight(last)));
}

double SizeCost::work_at(std::int64_t size) const {
  return std::pow(static_cast<double>(size), problem_.front().growth->power);
}

double SizeCost::seconds_of(std::int64_t size, double (*part)(const ProblemCost&)) const {
  const State& any = problem_.front();
  Point problem = any.key.problem;
  problem.set(any.growth->axis, size);
  const std::optional<ProblemCost> cost = any.family->problem_cost({any.key.point, problem, data_bytes_});
  return cost ? part(*cost) : 0;
}

double SizeCost::weight_of(std::int64_t size, double (*part)(const ProblemCost&)) const {
  const double seconds = seconds_of(size, part);
  return seconds > 0 ? seconds : work_at(size);
}

double SizeCost::shared_s(std::int64_t size) const {
  if (shared_.empty()) return 0;
  const auto part = [](const ProblemCost& one) { return one.load_s; };
  return extrapolated(
      shared_, [&](std::int64_t at) { return weight_of(at, part); }, seconds_of(size, part) > 0, size);
}

double SizeCost::own_s(const results::StateKey& state, std::int64_t size) const {
  const auto device = own_.find(state.device);
  if (device == own_.end()) return 0;
  const auto part = [](const ProblemCost& one) { return one.prepare_s + one.verify_s; };
  const Weight weight = [&](std::int64_t at) { return weight_of(at, part); };
  const bool in_seconds = seconds_of(size, part) > 0;
  // One that dropped out on the way is taken to be as those that went on.
  std::int64_t furthest = 0;
  for (const auto& [variant, curve] : device->second) furthest = std::max(furthest, curve.back().first);
  std::vector<double> others;
  for (const auto& [variant, curve] : device->second) {
    if (curve.back().first < furthest) continue;
    const double seconds = extrapolated(curve, weight, in_seconds, size);
    if (variant == state.variant) return seconds;
    others.push_back(seconds);
  }
  return results::median(others);
}

const Record* SizeCost::last_of(const results::StateKey& state) const {
  const auto found = std::find_if(measured_.rbegin(), measured_.rend(), [&](const Record* record) {
    return record->state.device == state.device && record->state.variant == state.variant;
  });
  return found == measured_.rend() ? nullptr : *found;
}

/// None where the kernel is in the cache, because it was measured at another size.
double SizeCost::compile_s(const State& state) const {
  const bool is_compiled = std::ranges::any_of(measured_, [&](const Record* record) {
    return record->state.device == state.key.device && record->state.variant == state.key.variant &&
           record->state.point == state.key.point;
  });
  const auto most = compile_s_.find(state.key.device);
  return is_compiled || most == compile_s_.end() ? 0 : most->second;
}

std::int64_t SizeCost::furthest_of(const std::string& device) const {
  std::int64_t furthest = 0;
  for (const Record* record : measured_)
    if (record->state.device == device) furthest = std::max(furthest, record->size->value);
  return furthest;
}

double SizeCost::best_launch_s(const std::string& device, std::int64_t size) const {
  double least = INFINITY;
  for (const Record* record : measured_)
    if (record->state.device == device && record->size->value == size)
      least = std::min(least, record->statistics->median_s);
  return least;
}

double SizeCost::launches_s(const State& state, std::int64_t size) const {
  const Record* last = last_of(state.key);
  if (last == nullptr) return 0;
  // Who was behind stays as far behind, or is no slower than before: the best may have left a cache.
  const double behind = last->statistics->median_s / best_launch_s(state.key.device, last->size->value);
  const std::int64_t furthest = furthest_of(state.key.device);
  const double best_s = best_launch_s(state.key.device, furthest) * work_at(size) / work_at(furthest);
  const double as_before_s = last->statistics->median_s * work_at(size) / work_at(last->size->value);
  return sampling_s(std::min(behind * best_s, as_before_s), config_.sampling);
}

double SizeCost::step_s(std::span<const State> states, std::int64_t size) const {
  double seconds = shared_s(size);
  for (const State& state : states)
    if (last_of(state.key) != nullptr)
      seconds += own_s(state.key, size) + compile_s(state) + launches_s(state, size);
  return seconds;
}

double SizeCost::sweep_s(std::span<const std::string> devices, std::int64_t size) const {
  const int again = config_.tune.remeasure * std::min(config_.tune.rounds, kFewestRounds);
  double seconds = again > 0 ? 2 * shared_s(size) : shared_s(size);
  for (const std::string& device : devices) {
    double all_s = 0, best_s = INFINITY;
    int states = 0;
    for (const State& state : problem_) {
      if (state.key.device != device) continue;
      ++states;
      if (last_of(state.key) == nullptr) continue;
      const double state_s = own_s(state.key, size) + launches_s(state, size);
      all_s += state_s + compile_s(state);
      best_s = std::min(best_s, state_s);
    }
    // A search measures some of them only, at a budget's end half of those that it may: so many find the
    // fastest, but at a size that is too small it is the fastest of launches too short.
    const int most = (config_.tune.evaluations + 1) / 2;
    seconds += most > 0 && most < states ? all_s * most / states : all_s;
    if (again > 0 && std::isfinite(best_s)) seconds += again * best_s;
  }
  return seconds;
}

}  // namespace gpuseq::bench
