#include "bench/plan/sizes/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "bench/plan/memory_fit.hpp"
#include "bench/plan/sizes/size_cost.hpp"
#include "results/size_curve.hpp"

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

/// Whether a GPU's launch is so short that start-up may be most of it.
bool is_short(const SizeCurve& curve) {
  constexpr double kShortS = 1e-3;
  return !results::of_cpu(curve) && curve.points.back().seconds < kShortS;
}

/// Whether the last change of a CPU's rate says little: other programs run on it, too, and in a long launch
/// start-up is no part of the rate. Larger sizes would take the time that GPUs need.
bool is_noise(const SizeCurve& curve) {
  constexpr double kLongS = 10e-3, kNoise = 0.25;
  const std::optional<double> change = results::last_change(curve);
  return results::of_cpu(curve) && curve.points.back().seconds >= kLongS && change &&
         std::fabs(*change) < kNoise;
}

std::vector<std::string> without_cpu(std::vector<std::string> devices) {
  std::erase(devices, "cpu");
  return devices;
}

std::map<std::int64_t, std::vector<std::string>, std::greater<>> devices_by_size(
    const std::map<std::string, SizeFound>& found) {
  std::map<std::int64_t, std::vector<std::string>, std::greater<>> devices;
  for (const auto& [device, own] : found) devices[own.size].push_back(device);
  return devices;
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
      if (found_.try_emplace(state.key.device, SizeFound{.size = growth_.from, .last_change = INFINITY})
              .second)
        devices_.push_back(state.key.device);
  }

  SizeStep step() {
    for (int doublings = 0; !open().empty();) {
      const std::int64_t size = size_after(doublings, growth_);
      std::vector<State> states = entrants(open(), size);
      if (std::ranges::any_of(states, [&](const State& state) { return find(state) == nullptr; }))
        return {.states = std::move(states), .found = found_};
      take(size);
      if (!open().empty()) go_on(doublings);
    }
    const SizeCost cost(problem_, taken_, config_, limits_.data_bytes);
    SizeStep step{.found = found_, .spent_s = cost.spent_s()};
    for (const auto& [size, devices] : devices_by_size(found_))
      step.sweep_s[size] = cost.sweep_s(devices, size);
    return step;
  }

 private:
  const Record* find(const State& state) const {
    const std::string key = state.key.to_string();
    const auto found =
        std::ranges::find_if(records_, [&](const Record* one) { return one->state.to_string() == key; });
    return found == records_.end() ? nullptr : *found;
  }

  /// The devices that take part in the next size.
  std::vector<std::string> open() const {
    std::vector<std::string> open;
    std::ranges::copy_if(devices_, std::back_inserter(open),
                         [this](const std::string& id) { return found_.at(id).ended_by.empty(); });
    return open;
  }
  void close(const std::vector<std::string>& devices, const std::string& why) {
    for (const std::string& device : devices) found_.at(device).ended_by = why;
  }

  /// The records of a size count from now on; devices stop where they have enough of it.
  void take(std::int64_t size) {
    for (const Record* record : records_)
      if (record->size->value == size) taken_.push_back(record);
    std::vector<results::OnDevice> on;
    for (const Record* record : taken_) on.emplace_back(record, record->state.device);
    const auto curves = results::sized_problems(on);
    curves_ = curves.empty() ? std::vector<SizeCurve>() : curves.front().curves;
    last_size_ = size;
    ++sizes_;
    const double before = work_before(size), now = work_before(size + 1);
    constexpr double kHardlyMore = 1.1;
    if (is_any_ok(size) && before > 0 && now < kHardlyMore * before) return close(open(), kTheData);
    for (const std::string& device : open()) take_of(device, size);
  }

  void take_of(const std::string& device, std::int64_t size) {
    SizeFound& found = found_.at(device);
    const SizeCurve* curve = curve_of(device);
    if (curve == nullptr || curve->points.back().size != size) {
      found.ended_by = did_not_fit(device, size) ? "the memory of " + device : kNoFaster;
      return;
    }
    found.size = size;
    found.last_change = results::last_change(*curve).value_or(INFINITY);
    if (results::is_settled(*curve) || is_noise(*curve)) found.ended_by = kNoFaster;
  }

  bool did_not_fit(const std::string& device, std::int64_t size) const {
    return std::ranges::any_of(taken_, [&](const Record* record) {
      return record->state.device == device && record->size->value == size &&
             record->status == Status::skipped && record->failure->kind == "does_not_fit";
    });
  }

  bool is_any_ok(std::int64_t size) const {
    return std::ranges::any_of(taken_, [&](const Record* record) {
      return record->size->value == size && record->status == Status::ok;
    });
  }

  const SizeCurve* curve_of(const std::string& device) const {
    const auto found = std::ranges::find(curves_, device, &SizeCurve::device);
    return found == curves_.end() ? nullptr : &*found;
  }

  std::vector<State> entrants(std::vector<std::string> devices, std::int64_t size) const {
    std::vector<State> chosen;
    // Another device is the first at each size: its record has the loading of the problem in its time.
    std::ranges::rotate(devices, devices.begin() + static_cast<std::ptrdiff_t>(sizes_ % devices.size()));
    for (const std::string& device : devices) {
      std::vector<State> of_device = taken_.empty() ? usual_points(device) : those_ahead(device);
      std::ranges::move(of_device, std::back_inserter(chosen));
    }
    return at_size(chosen, size, "size");
  }

  /// The default point of each variant; the first where a config leaves the default out.
  std::vector<State> usual_points(const std::string& device) const {
    std::vector<State> usual;
    std::map<std::string, std::pair<std::size_t, Point>> seen;  // place and default by variant
    for (const State& state : problem_) {
      if (state.key.device != device || state.kind != "kernel") continue;
      const auto [variant, is_first] = seen.try_emplace(state.key.variant);
      auto& [place, default_point] = variant->second;
      if (is_first) {
        place = usual.size();
        default_point = state.variant->space.complete({});
        usual.push_back(state);
      } else if (state.key.point == default_point) {
        usual[place] = state;
      }
    }
    return usual;
  }

  std::vector<State> those_ahead(const std::string& device) const {
    std::vector<std::pair<double, State>> by_rate;
    for (const State& state : usual_points(device)) {
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

  /// The most work of a launch at a smaller size.
  double work_before(std::int64_t size) const {
    double most = 0;
    for (const Record* record : taken_)
      if (record->size->value < size && record->status == Status::ok)
        most = std::max(most, record->work.amount);
    return most;
  }

  /// Doublings of the work that the next step may be, the most first.
  std::vector<int> next_steps() const {
    if (std::ranges::any_of(open(), [this](const std::string& id) { return is_short(*curve_of(id)); }))
      return {3, 2, 1};
    const bool steep = std::ranges::any_of(
        open(), [this](const std::string& id) { return std::fabs(found_.at(id).last_change) > kSteep; });
    return steep ? std::vector{2, 1} : std::vector{1};
  }

  /// Takes the next step, or stops devices. One that was measured is taken whatever the limit is now: it was
  /// within it when it was decided.
  void go_on(int& doublings) {
    const std::vector<int> steps = next_steps();
    const auto after = [&](int more) { return size_after(doublings + more, growth_); };
    for (const int more : steps)
      if (is_measured(open(), after(more))) {
        doublings += more;
        return;
      }
    for (const std::string& device : open())
      if (is_full(device, after(steps.back()))) close({device}, "the memory of " + device);
    std::string stop;
    for (const int more : steps)
      for (const std::vector<std::string>& devices : {open(), without_cpu(open())}) {
        if (devices.empty()) continue;
        stop = is_measured(devices, after(more)) ? "" : what_stops(devices, after(more));
        if (!stop.empty()) continue;
        for (const std::string& device : open())
          if (std::ranges::find(devices, device) == devices.end()) close({device}, kTheBudget);
        doublings += more;
        return;
      }
    close(open(), stop);
  }

  bool is_measured(const std::vector<std::string>& devices, std::int64_t size) const {
    if (devices.empty()) return false;
    const std::vector<State> states = entrants(devices, size);
    return !states.empty() &&
           std::ranges::all_of(states, [this](const State& state) { return find(state) != nullptr; });
  }

  /// Why devices are not measured at a size; empty: they may be.
  std::string what_stops(const std::vector<std::string>& devices, std::int64_t size) const {
    if (size > growth_.to) return fmt::format("the {} that the family can do", growth_.to);
    if (is_host_full(size)) return "the memory of the host";
    for (const std::string& device : devices)
      if (is_full(device, size)) return "the memory of " + device;
    const SizeCost cost(problem_, taken_, config_, limits_.data_bytes);
    double seconds = cost.spent_s() + cost.step_s(entrants(devices, size), size);
    std::map<std::string, SizeFound> then = found_;
    for (const std::string& device : devices) then.at(device).size = size;
    for (const auto& [at, of] : devices_by_size(then)) seconds += cost.sweep_s(of, at);
    return seconds > limits_.seconds ? kTheBudget : "";
  }

  bool is_host_full(std::int64_t size) const {
    const State any = at_size(std::span(problem_).first(1), size, "size").front();
    const std::optional<ProblemCost> cost =
        any.family->problem_cost({any.key.point, any.key.problem, limits_.data_bytes});
    return cost && limits_.host_bytes > 0 && cost->host_bytes > limits_.host_bytes;
  }

  bool is_full(const std::string& device, std::int64_t size) const {
    const auto info = std::ranges::find(limits_.devices, device, &DeviceInfo::id);
    return info != limits_.devices.end() && info->kind == DeviceKind::cuda &&
           least_held(at_size(problem_, size, "size"), device) > info->free_bytes;
  }

  /// The bytes of the variant that needs the least of a device's memory; 0: not known.
  std::uint64_t least_held(std::span<const State> states, const std::string& device) const {
    std::optional<std::uint64_t> least;
    for (const State& state : states) {
      if (state.key.device != device) continue;
      if (const auto bytes = estimated_bytes(state, limits_.data_bytes))
        least = std::min(least.value_or(*bytes), *bytes);
    }
    return least.value_or(0);
  }

  const SizedStates& problem_;
  const Growth& growth_;
  const SizeLimits& limits_;
  const SuiteConfig& config_;
  std::vector<const Record*> records_, taken_;  // all of the problem; those of the sizes so far
  std::vector<std::string> devices_;
  std::map<std::string, SizeFound> found_;  // by device
  std::vector<SizeCurve> curves_;           // of those taken
  std::int64_t last_size_ = 0;
  std::size_t sizes_ = 0;  // so far
};

}  // namespace

double SizeStep::seconds() const {
  double seconds = spent_s;
  for (const auto& [size, sweep] : sweep_s) seconds += sweep;
  return seconds;
}

std::optional<double> SizeStep::change_at_budget() const {
  std::optional<double> most;
  for (const auto& [device, own] : found)
    if (own.ended_by == kTheBudget) most = std::max(most.value_or(0), std::fabs(own.last_change));
  return most;
}

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

std::vector<State> sweep_at_sizes(const SizedStates& problem, const std::map<std::string, SizeFound>& found,
                                  std::span<const Record> records) {
  std::set<std::string> ahead;
  std::vector<results::OnDevice> on;
  for (const Record& record : records)
    if (is_of(record, problem.front())) on.emplace_back(&record, record.state.device);
  for (const results::SizedProblem& one : results::sized_problems(on))
    for (const SizeCurve& curve : one.curves)
      if (const auto own = found.find(curve.device); own != found.end())
        ahead.insert(key_at_size(curve.points.back().record->state, one.axis, own->second.size));
  std::vector<State> sweep;
  for (const auto& [size, devices] : devices_by_size(found)) {
    std::vector<State> states;
    std::ranges::copy_if(problem, std::back_inserter(states), [&](const State& state) {
      return std::ranges::find(devices, state.key.device) != devices.end();
    });
    states = at_size(states, size, "sweep");
    std::stable_partition(states.begin(), states.end(),
                          [&](const State& state) { return ahead.contains(state.key.to_string()); });
    std::ranges::move(states, std::back_inserter(sweep));
  }
  return sweep;
}

std::vector<State> at_first_size(std::span<const SizedStates> problems) {
  std::vector<State> states;
  for (const SizedStates& problem : problems)
    if (!problem.empty())
      std::ranges::move(at_size(problem, problem.front().growth->from, "sweep"), std::back_inserter(states));
  return states;
}

}  // namespace gpuseq::bench
