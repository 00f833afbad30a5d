#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "bench/measure/filling.hpp"
#include "bench/phases/predict/expected_rates.hpp"
#include "bench/phases/search/search.hpp"
#include "bench/plan/data_bytes.hpp"
#include "bench/plan/estimate.hpp"
#include "bench/plan/passes.hpp"
#include "bench/plan/sizes/sizes.hpp"
#include "bench/run/invocation.hpp"
#include "bench/run/worker.hpp"
#include "results/size_curve.hpp"

// A worker's sizes and kernels, and its share-outs of a budget.

namespace gpuseq::bench {
namespace {

using results::Record;

/// Kernels by problem, in the order of their first ones.
std::vector<std::vector<State>> kernels_by_problem(std::span<const State> kernels) {
  std::vector<std::vector<State>> groups;
  std::map<std::string, std::size_t> places;
  for (const State& state : kernels) {
    const auto [place, is_new] = places.emplace(problem_key(state.key), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(state);
  }
  return groups;
}

}  // namespace

std::string Worker::part_of(const results::StateKey& key, const std::string& phase) const {
  if (phase == "probe" || phase == "refine")
    return listed_.contains(key.to_string()) || phase == "refine" ? "probes " + key.device : "needed";
  if (phase == "tune") return "tune " + problem_key(key);
  return phase == "sweep" ? problem_key(key) : phase;
}

void Worker::count_spent() {
  if (budget_.end_s == kNoBudget || recorded_.empty()) return;
  results::Journal::read(journal_.path(), [&](const Record& record) {
    spending_.add(part_of(record.state, record.phase), record.took_s);
  });
}

void Worker::cut(std::span<const State> states, const std::string& what) {
  int left = 0;
  for (const State& state : states) left += left_to_do(state);
  announce(states, -1);
  tell_({{"cut", {{"what", what}, {"states", left}}}});
}

double Worker::seconds_for_sizes(std::span<const State> sized) const {
  if (budget_.end_s == kNoBudget) return kNoBudget;
  const std::span<const DeviceInfo> devices = run_.invocation.devices;
  double needed_s = std::min(budget_.needed_s, config_.probe_budget_s * static_cast<double>(devices.size()));
  if (!sized.empty()) {
    std::vector<State> kernels(sized.begin(), sized.end());
    kernels.insert(kernels.end(), kernels_.begin(), kernels_.end());
    const std::vector<State> needed =
        needed_within_budget(kernels, probes_, config_, registry_, devices).states;
    needed_s = std::min(needed_s, estimated_s(in_passes(needed, config_, flags_.repetitions), config_));
  }
  // A sweep's estimate has its winners in it.
  return budget_.end_s - needed_s - spending_.spent_before("size") -
         estimated_s(std::span<const State>(kernels_), config_);
}

SizeStep Worker::grow(const SizedStates& problem, const SizeLimits& limits) {
  SizeStep step = next_size_step(problem, size_records_, limits, config_);
  for (; !step.states.empty(); step = next_size_step(problem, size_records_, limits, config_)) {
    announce(step.states);
    run_phase(step.states);
  }
  return step;
}

void Worker::find_sizes(const std::vector<SizedStates>& sized) {
  deadline_s_ = kNoBudget;  // each problem has its limit
  SizeLimits limits{.devices = run_.invocation.devices,
                    .host_bytes = run_.invocation.host_free_bytes,
                    .data_bytes = data_bytes(config_)};
  double all_s = seconds_for_sizes({});
  std::vector<SizeStep> found(sized.size());
  const auto seconds_of = [](const SizeStep& step) { return step.spent_s + step.sweep_s; };
  const auto states_at = [&](std::size_t i) { return sweep_at_size(sized[i], found[i].size, size_records_); };
  // What some leave of their shares, those have in later rounds that the budget had stopped: first the one
  // whose rate changed most in its last step, since shares of it could be too small for anyone's next step.
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::size_t> grown;
    for (std::size_t i = 0; i < sized.size(); ++i)
      if (round == 0 || found[i].ended_by == kTheBudget) grown.push_back(i);
    if (round > 0) {
      if (all_s == kNoBudget) break;
      std::vector<State> at_found;
      for (std::size_t i = 0; i < sized.size(); ++i)
        std::ranges::move(states_at(i), std::back_inserter(at_found));
      all_s = seconds_for_sizes(at_found);
      std::ranges::stable_sort(grown, std::greater<>(), [&](std::size_t i) { return found[i].last_change; });
    }
    for (std::size_t n = 0; n < grown.size(); ++n) {
      SizeStep& own = found[grown[n]];
      if (all_s != kNoBudget) {
        double left_s = all_s;
        for (const SizeStep& other : found)
          if (&other != &own) left_s -= seconds_of(other);
        const double had_s = seconds_of(own);  // none in the first round
        limits.seconds = had_s + share_end_s(0, left_s - had_s, round == 0 ? grown.size() - n : 1);
      }
      own = grow(sized[grown[n]], limits);
    }
  }
  for (std::size_t i = 0; i < sized.size(); ++i) {
    std::vector<State> states = states_at(i);
    found_sizes_[problem_key(states.front().key)] = found[i];
    announce(states);
    std::ranges::move(states, std::back_inserter(kernels_));
  }
}

std::string Worker::words_of(const results::StateKey& key) const {
  const std::string problem = problem_key(key);
  const auto sized = std::ranges::find_if(size_records_, [&](const Record& one) {
    return problem_key(one.state) == problem && !one.problem_label.empty();
  });
  return sized == size_records_.end() ? problem : fmt::format("{}, {}", key.family, sized->problem_label);
}

void Worker::sweep_kernels() {
  if (budget_.end_s == kNoBudget) {
    deadline_s_ = kNoBudget;
    run_phase(kernels_);
    return;
  }
  const std::vector<std::vector<State>> problems = kernels_by_problem(kernels_);
  std::vector<std::string> keys;
  double later_s = 0;
  const auto needed_s = [&](std::size_t i) {
    const auto found = found_sizes_.find(keys[i]);
    return found != found_sizes_.end() ? found->second.sweep_s : estimated_s(std::span(problems[i]), config_);
  };
  for (std::size_t i = 0; i < problems.size(); ++i) {
    keys.push_back(problem_key(problems[i].front().key));
    later_s += needed_s(i);
  }
  for (std::size_t i = 0; i < problems.size(); ++i) {
    later_s -= needed_s(i);
    // What those behind it are not expected to need, and its share of what is left in any case.
    deadline_s_ =
        std::max(share_end_s(spending_.spent_before(keys[i]), budget_.kernels_end_s, problems.size() - i),
                 budget_.kernels_end_s - later_s);
    // One of each device in any case: a family without a winner says nothing.
    run_phase(problems[i], "kernels of " + words_of(problems[i].front().key), run_.invocation.devices.size());
  }
}

ExpectedRates Worker::expected_of_kernels() {
  if (config_.tune.from.empty() || !Search::uses_expectations(config_.tune)) return {};
  const ProbedMachine here = probed_machine(profiles_.with(probe_records_));
  std::set<std::string> families;
  for (const State& state : kernels_) families.insert(state.key.family);
  ExpectedRates rates = expected_rates(
      kernels_, predictions_from(config_.tune.from, families, here, registry_), registry_, config_);
  if (!rates.empty())
    tell_({{"say", fmt::format("expected rates from runs in tune.from: {} of {} points", rates.size(),
                               kernels_.size())}});
  return rates;
}

void Worker::search_kernels() {
  const Search search(kernels_, config_.tune, config_.seed, expected_of_kernels(), sampled_);
  std::vector<Record> records = records_where([](const Record& one) { return one.phase == "sweep"; });
  const auto open = std::ranges::count_if(kernels_, [this](const State& one) { return left_to_do(one) > 0; });
  const std::size_t left = search.evaluations() - std::min(search.evaluations(), records.size());
  if (open > 0) announce(kernels_, static_cast<double>(left) / static_cast<double>(open));
  deadline_s_ = budget_.kernels_end_s;
  for (std::vector<State> states = search.next(records); !states.empty(); states = search.next(records)) {
    if (!sampled_.empty()) names_.add(states);
    if (!run_phase(states, "points that the search asks for", records.empty() ? 1 : 0)) break;
    for (const State& state : states)
      records.push_back(
          results::Journal::at(journal_.path(), recorded_.at(record_key(state, state.repetition))));
  }
  std::ranges::move(search.beyond_plan(records), std::back_inserter(kernels_));
}

void Worker::say_filling(Record& record) {
  const auto found = found_sizes_.find(problem_key(record.state));
  record.fills_device = filling_of(
      record, size_records_, measurer_.describe(record.state.device),
      found == found_sizes_.end() || found->second.ended_by == kNoFaster ? "" : found->second.ended_by);
  if (record.fills_device && record.fills_device->fills == false)
    record.notes.push_back("the problem does not fill the device: " + record.fills_device->reason);
}

}  // namespace gpuseq::bench
