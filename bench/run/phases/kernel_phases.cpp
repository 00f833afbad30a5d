#include "bench/run/phases/kernel_phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <ranges>
#include <set>
#include <utility>

#include "bench/phases/race/contest.hpp"
#include "bench/phases/search/search.hpp"
#include "bench/plan/estimate.hpp"
#include "bench/run/phases/turns.hpp"
#include "runtime/system/threads.hpp"

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

std::size_t devices_of(std::span<const State> states) {
  std::set<std::string> devices;
  for (const State& state : states) devices.insert(state.key.device);
  return devices.size();
}

std::vector<Record> kernel_records(const Recorder& recorder) {
  return recorder.journal().records_where([](const Record& one) { return one.kind == "kernel"; });
}

/// Limits the samples of each state, so that the first states of all variants take a quarter of the time.
/// @param seconds  for all states
void limit_sampling(std::vector<State>& states, double seconds) {
  constexpr double kOfFirst = 0.25;
  if (seconds == kNoBudget || seconds <= 0) return;
  const double each_s = kOfFirst * seconds / static_cast<double>(Turns(states).size());
  for (State& state : states)
    if (state.kind == "kernel") state.most_seconds = each_s;
}

}  // namespace

KernelPhases::KernelPhases(const RunInputs& inputs, std::vector<State> kernels, SelectedSpaces sampled,
                           const SizePhase& sizes, const ProbePhase& probes, Recorder& recorder)
    : inputs_(inputs),
      kernels_(std::move(kernels)),
      sampled_(std::move(sampled)),
      sizes_(sizes),
      probes_(probes),
      recorder_(recorder) {}

void KernelPhases::sweep_or_search() {
  if (Search::takes_all(inputs_.config.tune))
    sweep();
  else
    search();
  for (std::size_t i = 0; i < kernels_.size(); ++i) planned_.emplace(kernels_[i].key.to_string(), i);
}

std::string KernelPhases::words_of(const results::StateKey& key) const {
  const std::string problem = problem_key(key);
  const auto sized = std::ranges::find_if(recorder_.journal().size_records(), [&](const Record& one) {
    return problem_key(one.state) == problem && !one.problem_label.empty();
  });
  return fmt::format(
      "{}, {}", key.family,
      sized == recorder_.journal().size_records().end() ? recorder_.problem_name(key) : sized->problem_label);
}

void KernelPhases::sweep() {
  if (inputs_.budget.end_s == kNoBudget) {
    recorder_.set_deadline(kNoBudget);
    recorder_.run(kernels_);
    return;
  }
  std::vector<std::vector<State>> problems = kernels_by_problem(kernels_);
  std::vector<std::string> keys;
  double later_s = 0;
  const auto needed_s = [&](std::size_t i) {
    const std::optional<double> found = sizes_.sweep_s(keys[i]);
    return found ? *found : estimated_s(std::span(problems[i]), inputs_.config);
  };
  for (std::size_t i = 0; i < problems.size(); ++i) {
    keys.push_back(problem_key(problems[i].front().key));
    later_s += needed_s(i);
  }
  for (std::size_t i = 0; i < problems.size(); ++i) {
    later_s -= needed_s(i);
    // Time that later parts are not expected to need, and its share of the rest in any case.
    recorder_.set_deadline(std::max(share_end_s(recorder_.spending().spent_before(keys[i]),
                                                inputs_.budget.kernels_end_s, problems.size() - i),
                                    inputs_.budget.kernels_end_s - later_s));
    sweep_by_rates(problems[i]);
  }
}

void KernelPhases::sweep_by_rates(std::vector<State>& states) {
  // As many as there are devices though the part is over: a family without a winner says nothing.
  const std::size_t least = devices_of(states);
  limit_sampling(states, recorder_.part_left_s());
  const results::StateKey first = states.front().key;
  const auto what = [&] { return "kernels of " + words_of(first); };  // known better as records come
  Turns turns(states);
  std::size_t begun = 0;
  for (const State* state = turns.next(); state != nullptr; state = turns.next(), ++begun) {
    if (recorder_.left_to_do(*state) > 0 && recorder_.is_over(begun < least)) {
      recorder_.run(states, what());  // cuts the rest
      return;
    }
    std::vector<State> together{*state};
    for (const std::string& gpu : recorder_.beside(*state))
      if (const State* other = turns.next_on(gpu)) together.push_back(*other);
    recorder_.run(together, what(), together.size());
    for (const State& one : together)
      for (int n = 0; n < inputs_.flags.repetitions; ++n)
        if (recorder_.journal().has(one, one.repetition + n))
          turns.add(recorder_.journal().record(record_key(one, one.repetition + n)));
  }
}

ExpectedRates KernelPhases::expected_rates_of_kernels() const {
  if (inputs_.config.tune.from.empty() || !Search::uses_expectations(inputs_.config.tune)) return {};
  const ProbedMachine here = probed_machine(probes_.records());
  std::set<std::string> families;
  for (const State& state : kernels_) families.insert(state.key.family);
  ExpectedRates rates =
      expected_rates(kernels_, predictions_from(inputs_.config.tune.from, families, here, inputs_.registry),
                     inputs_.registry, inputs_.config);
  if (!rates.empty())
    recorder_.progress().say(
        fmt::format("expected rates from runs in tune.from: {} of {} points", rates.size(), kernels_.size()));
  return rates;
}

void KernelPhases::search() {
  const ExpectedRates expected = expected_rates_of_kernels();
  std::vector<std::vector<State>> problems = kernels_by_problem(kernels_);
  const auto swept = [this] {
    return recorder_.journal().records_where([](const Record& one) { return one.phase == "sweep"; });
  };
  std::vector<Record> records = swept();
  std::deque<Search> searches;
  const std::map<std::string, std::uint64_t> bytes = data_bytes(inputs_.config);
  for (const std::vector<State>& states : problems) {
    searches.emplace_back(states, inputs_.config.tune, inputs_.config.seed, expected, sampled_, bytes);
    const auto is_open = [this](const State& one) { return recorder_.left_to_do(one) > 0; };
    const auto open = std::ranges::count_if(states, is_open), done = std::ssize(states) - open;
    const auto left =
        std::max<double>(0, static_cast<double>(searches.back().evaluations()) - static_cast<double>(done));
    if (open > 0) recorder_.announce(states, left / static_cast<double>(open));
  }
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const std::string key = problem_key(problems[i].front().key);
    const auto set_end = [&](double end_s) {
      recorder_.set_deadline(share_end_s(recorder_.spending().spent_before(key), end_s, problems.size() - i));
    };
    set_end(inputs_.budget.kernels_end_s);
    limit_sampling(problems[i], recorder_.part_left_s());
    if (const std::vector<State> first = searches[i].first(); !first.empty()) {
      set_end(inputs_.budget.first_end_s);
      recorder_.run(first, kFirstPoints, devices_of(first), static_cast<std::size_t>(available_cpus()));
      records = swept();
      set_end(inputs_.budget.kernels_end_s);
    }
    bool none =
        std::ranges::none_of(records, [&](const Record& one) { return problem_key(one.state) == key; });
    for (std::vector<State> states = searches[i].next(records); !states.empty();
         states = searches[i].next(records)) {
      if (!recorder_.run(states, "points that the search asks for", std::exchange(none, false) ? 1 : 0))
        break;
      for (const State& state : states)
        records.push_back(recorder_.journal().record(record_key(state, state.repetition)));
    }
    std::ranges::move(searches[i].beyond_plan(records), std::back_inserter(kernels_));
  }
}

void KernelPhases::race() {
  if (inputs_.config.tune.remeasure == 0) return;
  std::vector<std::string> problems;  // in the order of the plan: they are costly to change
  for (const State& state : kernels_)
    if (const std::string key = problem_key(state.key);
        !divided_.contains(key) && (problems.empty() || problems.back() != key))
      problems.push_back(key);
  std::map<std::string, std::vector<Record>> records;
  for (Record& record : kernel_records(recorder_))
    records[problem_key(record.state)].push_back(std::move(record));
  for (std::size_t i = 0; i < problems.size(); ++i) {
    std::vector<Record>& own = records[problems[i]];
    if (inputs_.budget.end_s != kNoBudget)
      recorder_.set_deadline(share_end_s(recorder_.spending().spent_before("tune " + problems[i]),
                                         inputs_.budget.end_s, problems.size() - i));
    else
      recorder_.set_deadline(kNoBudget);
    for (std::vector<State> states = next_in_race(own); !states.empty(); states = next_in_race(own)) {
      std::vector<std::string> lacking;
      for (const State& state : states)
        for (int n = 0; n < inputs_.flags.repetitions; ++n)
          if (const std::string key = record_key(state, state.repetition + n);
              !recorder_.journal().has(state, state.repetition + n))
            lacking.push_back(key);
      recorder_.announce(states);
      if (!recorder_.run(states, "rounds of the race of the best")) break;
      for (const std::string& key : lacking) own.push_back(recorder_.journal().record(key));
    }
  }
}

std::vector<State> KernelPhases::next_in_race(std::span<const Record> records) const {
  std::vector<State> states;
  for (const InRound& next : next_round(records, inputs_.config.tune)) {
    const auto found = planned_.find(next.key.to_string());
    if (found == planned_.end()) continue;
    State state = kernels_[found->second];
    state.phase = "tune";
    state.most_seconds = 0;
    state.repetition = next.round * inputs_.flags.repetitions;
    if (recorder_.left_to_do(state) > 0) states.push_back(std::move(state));
  }
  return states;
}

std::vector<State> KernelPhases::best() const {
  const std::vector<Record> records = kernel_records(recorder_);
  std::vector<State> states;
  for (const Contest& contest : contests(records, inputs_.config.tune))
    for (const Candidate& one :
         contest.ranking | std::views::take(std::max(1, inputs_.config.tune.remeasure)))
      if (const auto found = planned_.find(one.key.to_string()); found != planned_.end())
        states.push_back(kernels_[found->second]);
  return states;
}

void KernelPhases::measure_winners() {
  recorder_.set_deadline(inputs_.budget.end_s);
  const std::vector<State> best = winners();
  recorder_.announce(best);
  recorder_.run(best, "counters and energy of winners");
}

std::vector<State> KernelPhases::winners() const {
  if (inputs_.config.counters != ExtraPass::winners && inputs_.config.energy != ExtraPass::winners) return {};
  const std::vector<Record> records = kernel_records(recorder_);
  std::vector<State> states;
  std::set<std::string> seen;
  const auto add = [&](const Candidate& winner) {
    const auto found = planned_.find(winner.key.to_string());
    if (found == planned_.end() || divided_.contains(problem_key(winner.key)) ||
        !seen.insert(found->first).second)
      return;
    states.push_back(kernels_[found->second]);
    states.back().phase = "winner";
  };
  for (const Contest& contest : contests(records, inputs_.config.tune)) {
    if (!contest.ranking.empty()) add(contest.ranking.front());
    if (contest.without_limit) add(*contest.without_limit);
  }
  return states;
}

}  // namespace gpuseq::bench
