#include "bench/plan/sizes/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "bench/plan/sizes/size_cost.hpp"
#include "results/size_curve.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;
using results::SizeCurve;
using results::Status;

constexpr double kFarBehind = 0.5;  // of the device's best rate
constexpr std::size_t kMostOnTheWay = 3;
constexpr double kSteep = 0.4;

/// Size after so many doublings of the work.
std::int64_t size_after(int doublings, const Growth& growth) {
  const double size =
      static_cast<double>(growth.from) * std::exp2(static_cast<double>(doublings) / growth.power);
  const std::int64_t whole = std::llround(std::min(size, 1e18));
  return std::max(growth.from, (whole + growth.step - 1) / growth.step * growth.step);
}

/// The key that a state has at another size.
std::string key_at_size(results::StateKey key, const std::string& axis, std::int64_t size) {
  key.problem.set(axis, size);
  return key.to_string();
}

bool is_of(const Record& record, const State& state) {
  return record.phase == "size" && record.size && record.state.family == state.key.family &&
         record.size->axis == state.growth->axis &&
         results::without_size(record) == results::without_axis(state.key.problem, state.growth->axis);
}

/// One problem on its way.
class Ladder {
 public:
  Ladder(const SizedStates& problem, std::span<const Record> records, const SizeLimits& limits,
         const SuiteConfig& config)
      : problem_(problem), growth_(*problem.front().growth), limits_(limits), config_(config) {
    for (const Record& record : records)
      if (is_of(record, problem.front())) records_.push_back(&record);
    for (const State& state : problem)
      if (std::ranges::find(devices_, state.key.device) == devices_.end())
        devices_.push_back(state.key.device);
  }

  SizeStep step() {
    SizeStep step{.size = growth_.from};
    for (int doublings = 0; step.ended_by.empty();) {
      const std::int64_t size = size_after(doublings, growth_);
      step.states = entrants(size);
      const bool none = step.states.empty();
      if (std::ranges::any_of(step.states, [&](const State& state) { return find(state) == nullptr; }))
        return step;
      take(size);
      step.ended_by = end_at(size, none, step.size);
      if (step.ended_by.empty()) step.ended_by = go_on(doublings);
    }
    step.states.clear();
    const SizeCost cost(problem_, taken_, config_, limits_.data_bytes);
    step.spent_s = cost.spent_s();
    step.sweep_s = cost.sweep_s(step.size);
    step.last_change = last_change();
    return step;
  }

 private:
  const Record* find(const State& state) const {
    const std::string key = state.key.to_string();
    const auto found =
        std::ranges::find_if(records_, [&](const Record* one) { return one->state.to_string() == key; });
    return found == records_.end() ? nullptr : *found;
  }

  /// The records of a size count from now on.
  void take(std::int64_t size) {
    for (const Record* record : records_)
      if (record->size->value == size) taken_.push_back(record);
    std::vector<results::OnDevice> on;
    for (const Record* record : taken_) on.emplace_back(record, record->state.device);
    const auto curves = results::sized_problems(on);
    curves_ = curves.empty() ? std::vector<SizeCurve>() : curves.front().curves;
    last_size_ = size;
    ++sizes_;
  }

  const SizeCurve* curve_of(const std::string& device) const {
    const auto found = std::ranges::find(curves_, device, &SizeCurve::device);
    return found == curves_.end() ? nullptr : &*found;
  }

  /// Whether a device takes part in the next size.
  bool is_open(const std::string& device) const {
    if (taken_.empty()) return true;
    const SizeCurve* curve = curve_of(device);
    return curve != nullptr && curve->points.back().size == last_size_ && !results::is_settled(*curve);
  }

  std::vector<State> entrants(std::int64_t size) const {
    std::vector<State> chosen;
    // Another device is the first at each size: its record has the loading of the problem in its time.
    std::vector<std::string> devices = devices_;
    std::rotate(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(sizes_ % devices.size()),
                devices.end());
    for (const std::string& device : devices) {
      if (!is_open(device)) continue;
      std::vector<State> of_device = taken_.empty() ? first_points(device) : those_ahead(device);
      std::ranges::move(of_device, std::back_inserter(chosen));
    }
    return at_size(chosen, size, "size");
  }

  std::vector<State> first_points(const std::string& device) const {
    std::vector<State> first;
    std::set<std::string> seen;
    for (const State& state : problem_)
      if (state.key.device == device && state.kind == "kernel" && seen.insert(state.key.variant).second)
        first.push_back(state);
    return first;
  }

  std::vector<State> those_ahead(const std::string& device) const {
    std::vector<std::pair<double, State>> by_rate;
    for (const State& state : first_points(device)) {
      const Record* record = find(at_size(std::span(&state, 1), last_size_, "size").front());
      if (record != nullptr && record->status == Status::ok && record->statistics)
        by_rate.emplace_back(record->statistics->rate, state);
    }
    std::ranges::stable_sort(by_rate, std::greater<>(), [](const auto& one) { return one.first; });
    std::vector<State> ahead;
    for (auto& [rate, state] : by_rate)
      if (ahead.size() < kMostOnTheWay && rate >= kFarBehind * by_rate.front().first)
        ahead.push_back(std::move(state));
    return ahead;
  }

  /// Why the way ends at a size that was measured; empty: it may go on. `found` is the size to take.
  std::string end_at(std::int64_t size, bool none, std::int64_t& found) const {
    for (const Record* record : taken_)
      if (record->size->value == size && record->status == Status::skipped &&
          record->failure->kind == "does_not_fit")
        return "the memory of " + record->state.device;
    const double before = work_before(size), now = work_before(size + 1);
    constexpr double kHardlyMore = 1.1;
    if (before > 0 && now < kHardlyMore * before) return "the data, which have no more";
    found = size;
    if (none || std::ranges::none_of(devices_, [&](const std::string& id) { return is_open(id); }))
      return kNoFaster;
    return "";
  }

  /// The most work of a launch at a smaller size.
  double work_before(std::int64_t size) const {
    double most = 0;
    for (const Record* record : taken_)
      if (record->size->value < size && record->status == Status::ok)
        most = std::max(most, record->work.amount);
    return most;
  }

  /// Takes the next step, or says why there is none. One that was measured is taken whatever the limit is
  /// now: it was within it when it was decided.
  std::string go_on(int& doublings) const {
    std::vector<int> steps = {1};
    if (is_steep()) steps = {2, 1};
    std::string stopped;
    for (const int more : steps)
      if (is_measured(size_after(doublings + more, growth_))) {
        doublings += more;
        return "";
      }
    for (const int more : steps) {
      const std::string stop = what_stops(size_after(doublings + more, growth_));
      if (stop.empty()) {
        doublings += more;
        return "";
      }
      if (stopped.empty()) stopped = stop;
    }
    return stopped;
  }

  bool is_measured(std::int64_t size) const {
    const std::vector<State> states = entrants(size);
    return !states.empty() &&
           std::ranges::all_of(states, [this](const State& state) { return find(state) != nullptr; });
  }

  /// Why a size is not measured; empty: it may be.
  std::string what_stops(std::int64_t size) const {
    if (size > growth_.to) return fmt::format("the {} that the family can do", growth_.to);
    if (std::string full = what_is_full(size); !full.empty()) return full;
    const SizeCost cost(problem_, taken_, config_, limits_.data_bytes);
    const double seconds = cost.spent_s() + cost.step_s(entrants(size), size) + cost.sweep_s(size);
    return seconds > limits_.seconds ? kTheBudget : "";
  }

  bool is_steep() const { return last_change() > kSteep; }

  /// The most that a device's rate changed by in the last step; infinite where one had no step yet.
  double last_change() const {
    double most = 0;
    for (const std::string& device : devices_)
      if (is_open(device))
        most = std::max(most, std::fabs(results::last_change(*curve_of(device)).value_or(INFINITY)));
    return most;
  }

  std::string what_is_full(std::int64_t size) const {
    const std::vector<State> states = at_size(problem_, size, "size");
    const State& any = states.front();
    const std::optional<ProblemCost> cost = any.family->problem_cost(outline_of(any));
    if (cost && limits_.host_bytes > 0 && cost->host_bytes > limits_.host_bytes)
      return "the memory of the host";
    for (const DeviceInfo& device : limits_.devices)
      if (device.kind == DeviceKind::cuda && least_held(states, device.id) > device.free_bytes)
        return "the memory of " + device.id;
    return "";
  }

  StateOutline outline_of(const State& state) const {
    return {state.key.point, state.key.problem, limits_.data_bytes};
  }

  /// The bytes of the variant that needs the least of a device's memory; 0: not known.
  std::uint64_t least_held(std::span<const State> states, const std::string& device) const {
    std::optional<std::uint64_t> least;
    for (const State& state : states) {
      if (state.key.device != device || !state.variant->cost) continue;
      try {
        const std::uint64_t bytes = state.variant->cost(outline_of(state)).held.bytes();
        least = std::min(least.value_or(bytes), bytes);
      } catch (const ResourceError&) {
        // The state will be skipped, with the reason.
      }
    }
    return least.value_or(0);
  }

  const SizedStates& problem_;
  const Growth& growth_;
  const SizeLimits& limits_;
  const SuiteConfig& config_;
  std::vector<const Record*> records_, taken_;  // all of the problem; those of the sizes so far
  std::vector<std::string> devices_;
  std::vector<SizeCurve> curves_;  // of those taken
  std::int64_t last_size_ = 0;
  std::size_t sizes_ = 0;  // so far
};

}  // namespace

SizeStep next_size_step(const SizedStates& problem, std::span<const Record> records, const SizeLimits& limits,
                        const SuiteConfig& config) {
  return Ladder(problem, records, limits, config).step();
}

std::vector<State> at_size(std::span<const State> states, std::int64_t size, const std::string& phase) {
  std::vector<State> sized(states.begin(), states.end());
  for (State& state : sized) {
    state.key.problem.set(state.growth->axis, size);
    state.phase = phase;
  }
  return sized;
}

std::vector<State> sweep_at_size(const SizedStates& problem, std::int64_t size,
                                 std::span<const Record> records) {
  std::set<std::string> ahead;
  std::vector<results::OnDevice> on;
  for (const Record& record : records)
    if (is_of(record, problem.front())) on.emplace_back(&record, record.state.device);
  for (const results::SizedProblem& one : results::sized_problems(on))
    for (const SizeCurve& curve : one.curves)
      ahead.insert(key_at_size(curve.points.back().record->state, one.axis, size));
  std::vector<State> states = at_size(problem, size, "sweep");
  std::stable_partition(states.begin(), states.end(),
                        [&](const State& state) { return ahead.contains(state.key.to_string()); });
  return states;
}

std::vector<State> at_first_size(std::span<const SizedStates> problems) {
  std::vector<State> states;
  for (const SizedStates& problem : problems)
    if (!problem.empty())
      std::ranges::move(at_size(problem, problem.front().growth->from, "sweep"), std::back_inserter(states));
  return states;
}

}  // namespace gpuseq::bench
