#include "bench/run/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "bench/config/units.hpp"
#include "bench/measure/compile_ahead.hpp"
#include "bench/plan/plan.hpp"
#include "bench/plugin/family.hpp"
#include "bench/run/terminal/remaining_time.hpp"
#include "results/reading/readable_record.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;
using results::Status;

std::string one_line(const Record& record) {
  if (record.status != Status::ok)
    return record.failure ? record.failure->kind + ": " + record.failure->reason : "no reason";
  std::string text = fmt::format("{}{}", prefixed(record.statistics->rate), record.statistics->rate_unit);
  if (record.bound.value) text += fmt::format(", {:.0f} % of its bound", 100 * record.bound.value->fraction);
  return text;
}

const char* word(Status status) {
  return status == Status::ok ? "ok" : status == Status::failed ? "failed" : "skipped";
}

}  // namespace

Recorder::Recorder(const LockedFolder& folder, const SuiteConfig& config, const BenchmarkFlags& flags,
                   std::span<const State> listed, double end_s, Progress& progress)
    : config_(config),
      flags_(flags),
      progress_(progress),
      times_(config),
      journal_(folder.folder.records()),
      measurer_(folder, config.timeout_s, progress, [this] { journal_.flush_if_due(); }),
      make_measurer_([&folder, &config, &progress] {
        return std::make_unique<RemoteMeasurer>(folder, config.timeout_s, progress, [] {});
      }),
      end_s_(end_s) {
  for (const State& state : listed) listed_.insert(state.key.to_string());
  if ((config.budget_s || config.budget_with_gpu_s) && journal_.size() > 0)
    results::Journal::read(folder.folder.records(), [&](const Record& record) {
      spending_.add(part_of(record.state, record.phase), record.took_s);
    });
}

std::string Recorder::part_of(const results::StateKey& key, const std::string& phase) const {
  if (phase == "probe" || phase == "refine")
    return listed_.contains(key.to_string()) || phase == "refine" ? "probes " + key.device : "needed";
  if (phase == "tune") return "tune " + problem_key(key);
  return phase == "sweep" ? problem_key(key) : phase;
}

int Recorder::left_to_do(const State& state) const {
  int left = 0;
  for (int i = 0; i < flags_.repetitions; ++i)
    if (!journal_.has(state, state.repetition + i)) ++left;
  return left;
}

void Recorder::announce(std::span<const State> states, double share) {
  names_.add(states);
  std::map<std::string, std::pair<int, double>>
      paces;  // states left, and the seconds that they take together
  for (const State& state : states) {
    auto& [left, seconds] = paces[pace_of(state.key, state.kind)];
    const int own = left_to_do(state);
    left += own;
    seconds += own * times_.of_state(state).typical_s;
  }
  for (const auto& [pace, some] : paces)
    if (const auto [left, seconds] = some; left > 0 && share != 0)
      progress_.plan(pace, static_cast<long>(std::ceil(share * left)), seconds / left);
}

void Recorder::cut(const std::vector<State>& states, const std::string& what) {
  std::vector<State> open;
  std::ranges::copy_if(states, std::back_inserter(open), [this](const State& state) {
    return left_to_do(state) > 0 && cut_keys_.insert(record_key(state, state.repetition)).second;
  });
  int left = 0;
  for (const State& state : open) left += left_to_do(state);
  announce(open, -1);
  const auto known = std::ranges::find(cuts_, what, &Cut::what);
  if (known != cuts_.end())
    known->states += left;
  else
    cuts_.push_back({what, left});
}

std::vector<State> Recorder::repetitions_of(const std::vector<State>& states) const {
  std::vector<State> repetitions;
  for (const State& state : states)
    for (int i = 0; i < flags_.repetitions; ++i) {
      if (journal_.has(state, state.repetition + i)) continue;
      repetitions.push_back(state);
      repetitions.back().repetition += i;
    }
  if (flags_.interleaved) std::ranges::shuffle(repetitions, std::mt19937_64(config_.seed));
  return repetitions;
}

bool Recorder::run(const std::vector<State>& states, const std::string& what, std::size_t least,
                   std::size_t batch) {
  names_.add(states);
  const std::vector<State> repetitions = repetitions_of(states);
  const std::size_t all = states.size() * static_cast<std::size_t>(flags_.repetitions);
  least *= static_cast<std::size_t>(flags_.repetitions);
  least -= std::min(least, all - repetitions.size());
  const auto compile = [&](std::span<const State> next) {
    if (!is_over()) compile_ahead(next);
  };
  const auto measure_one = [&](std::size_t i) {
    if (is_over(i < least)) return false;
    measure(repetitions[i], most_time(i < least));
    return true;
  };
  const auto in_lanes = [&] {
    const std::size_t size = batch == 0 ? repetitions.size() : batch;
    for (std::size_t i = 0; i < repetitions.size(); i += size) {
      const auto part = std::span(repetitions).subspan(i, std::min(size, repetitions.size() - i));
      const std::vector<State> some(part.begin(), part.end());
      if (batch > 0) compile(some);
      if (!run_in_lanes(some, least - std::min(least, i))) return false;
    }
    return true;
  };
  const bool all_measured =
      lanes_ ? in_lanes() : measure_in_batches(repetitions, batch, compile, measure_one);
  if (!all_measured) cut(states, what);
  return all_measured;
}

double Recorder::spent_now_s() const {
  return spending_.spent_s() + seconds_since(last_end_);
}

bool Recorder::is_over(bool least) const {
  const bool at_deadline = !least && deadline_s_ != kNoBudget && spending_.spent_s() >= deadline_s_;
  return at_deadline || spent_now_s() >= end_s_;
}

MostTime Recorder::most_time(bool least) const {
  constexpr double kOfRest = 0.2;                               // of the time behind the part
  constexpr double kOfPartIfLeast = 0.5, kOfRestIfLeast = 0.1;  // another one may be faster
  if (end_s_ == kNoBudget) return {};
  const double now_s = spent_now_s(), left_s = end_s_ - now_s;
  if (deadline_s_ >= end_s_) return {.own_s = left_s, .with_loading_s = left_s};
  const double part_s = std::max(0.0, deadline_s_ - now_s);
  const double more_s = least ? std::max(kOfPartIfLeast * part_s, kOfRestIfLeast * left_s)
                              : part_s + kOfRest * (left_s - part_s);
  return {.own_s = more_s, .with_loading_s = left_s};
}

void Recorder::begin(const State& state) {
  progress_.begin(names_.of(state.key), pace_of(state.key, state.kind), state.phase);
}

void Recorder::compile_ahead(std::span<const State> states) {
  std::map<std::string, std::vector<State>> by_device;
  for (const State& state : states)
    if (state.variant->device == DeviceKind::cuda && left_to_do(state) > 0)
      by_device[state.key.device].push_back(state);
  for (const auto& [device, of_device] : by_device)
    if (const MostTime most = most_time(false); lanes_ && lanes_->has(device))
      lanes_->call(device, [&](RemoteMeasurer& one) { one.compile_ahead(of_device, device, most); });
    else
      measurer_.compile_ahead(of_device, device, most);
}

Record Recorder::measure(const State& state, const MostTime& most) {
  const std::string key = record_key(state, state.repetition);
  if (journal_.has(key)) return journal_.record(key);
  begin(state);
  Record record;
  if (is_for_a_lane(state))
    lanes_->call(state.key.device, [&](RemoteMeasurer& one) { record = one.measure(state, most); });
  else
    record = measurer_.measure(state, most);
  return finish(state, std::move(record));
}

Record Recorder::finish(const State& state, Record record) {
  if (const auto plugin = plugin_of(config_, state.key.family, state.key.variant))
    record.facts.update(facts_of(*plugin));
  // Records that are made at the same time each have their share, so that their sum is the run's.
  record.took_s = std::max(0.0, seconds_since(std::exchange(last_end_, std::chrono::steady_clock::now())));
  spending_.add(part_of(state.key, state.phase), record.took_s);
  const std::size_t measured = journal_.size();
  complete_(record);
  if (journal_.size() != measured) begin(state);  // complete_() measured probes
  record = results::made_readable(std::move(record));
  journal_.append(record);
  names_.learn(record);
  progress_.end(word(record.status), one_line(record));
  return record;
}

}  // namespace gpuseq::bench
