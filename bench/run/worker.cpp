#include "bench/run/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <set>
#include <utility>

#include "bench/config/provenance.hpp"
#include "bench/config/units.hpp"
#include "bench/measure/violated.hpp"
#include "bench/phases/race/contest.hpp"
#include "bench/phases/search/search.hpp"
#include "bench/plan/passes.hpp"
#include "bench/plan/plan.hpp"
#include "bench/run/terminal/remaining_time.hpp"
#include "results/names/problem_hashes.hpp"
#include "results/reading/readable_record.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/program_name.hpp"
#include "runtime/system/seconds_since.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using results::Record;
using results::Status;

SuiteConfig with_flags(SuiteConfig config, const BenchmarkFlags& flags) {
  SamplingOptions& sampling = config.sampling;
  if (flags.min_seconds) sampling.min_seconds = *flags.min_seconds;
  if (flags.min_samples) sampling.min_samples = *flags.min_samples;
  sampling.max_samples = std::max(sampling.max_samples, sampling.min_samples);
  config.tune.repetitions = flags.repetitions;
  return config;
}

std::string one_line(const Record& record) {
  if (record.status != Status::ok)
    return record.failure ? record.failure->kind + ": " + record.failure->reason : "no reason";
  std::string text = fmt::format("{}{}", prefixed(record.statistics->rate), record.statistics->rate_unit);
  if (record.bound.value) text += fmt::format(", {:.0f} % of its bound", 100 * record.bound.value->fraction);
  return text;
}

/// The hash of each problem that a journal has records of.
results::ProblemHashes hashes_of(const std::filesystem::path& journal) {
  results::ProblemHashes hashes;
  results::Journal::read(journal, [&](const Record& record) { hashes.check(record, "the records"); });
  return hashes;
}

const char* word(Status status) {
  return status == Status::ok ? "ok" : status == Status::failed ? "failed" : "skipped";
}

}  // namespace

std::string record_key(const State& state, int repetition) {
  return results::record_key(state.key.to_string(), state.phase, repetition);
}

json end_message(const Record& record) {
  return {{"end", {{"status", word(record.status)}, {"text", one_line(record)}}}};
}

Worker::Worker(const RunFolder& folder, const BegunRun& run, const Registry& registry, Tell tell)
    : run_(run),
      registry_(registry),
      tell_(std::move(tell)),
      flags_(flags_of(run.invocation)),
      config_(with_flags(run.config, flags_)),
      times_(config_),
      measurer_(
          config_, run_provenance(run.config), [](const std::string& id) { return open_device(id); },
          [this](const std::string& stage) { alive(stage); }),
      journal_(folder.records()),
      profiles_(folder.dir) {
  const std::filesystem::path& path = journal_.path();
  measurer_.hold_to(run.data.value_or(DataContents()), hashes_of(path));
  results::Journal::read_heads(path, results::ReadLine::head,
                               [&](const results::RecordHead& head, std::size_t, std::uint64_t begin) {
                                 recorded_.emplace(head.key(), begin);
                                 if (head.kind == "probe")
                                   probe_records_.push_back(results::Journal::at(path, begin));
                                 if (head.phase == "size")
                                   size_records_.push_back(results::Journal::at(path, begin));
                               });
}

void Worker::run() {
  Sweep sweep = invoked_sweep(config_, run_.invocation, registry_);
  probes_ = std::move(sweep.probes);
  kernels_ = std::move(sweep.kernels);
  sampled_ = std::move(sweep.sampled);
  all_probes_ = probes_;
  budget_ = parts_of(budget_s(config_, run_.invocation.devices),
                     run_.invocation.probes_only || (kernels_.empty() && sweep.sized.empty()));
  for (const State& state : probes_) listed_.insert(state.key.to_string());
  count_spent();
  for (const DeviceInfo& device : run_.invocation.devices)
    tell_({{"device", device.id},
           {"description", measurer_.describe(device.id)},
           {"provenance", measurer_.provenance(device.id)}});

  // What bounds need is measured among the listed probes, unless the kernels are not known yet.
  const bool all_known = sweep.sized.empty() && budget_.end_s == kNoBudget;
  const bool needed_first = all_known || run_.invocation.probes_only;
  if (Search::takes_all(config_.tune)) announce(kernels_);
  probe_listed(needed_first ? sweep.needed : std::vector<State>());
  find_sizes(sweep.sized);
  if (!needed_first) probe_needed();
  settle_probes();
  if (Search::takes_all(config_.tune))
    sweep_kernels();
  else
    search_kernels();
  if (run_.invocation.shard.whole()) measure_winners_again();  // who is best, only the merged run knows
}

void Worker::measure_winners_again() {
  race();
  deadline_s_ = budget_.end_s;
  const std::vector<State> best = winners();
  announce(best);
  run_phase(best, "counters and energy of winners");
}

bool Worker::any_left(const std::vector<State>& states) const {
  return std::ranges::any_of(states, [this](const State& state) { return left_to_do(state) > 0; });
}

void Worker::alive(const std::string& stage) {
  constexpr auto kOften = std::chrono::milliseconds(250);
  const auto now = std::chrono::steady_clock::now();
  if (stage == told_stage_ && now - told_at_ < kOften) return;
  told_stage_ = stage;
  told_at_ = now;
  tell_({{"stage", stage}});
  journal_.flush_if_due();  // here, because a state may take long, and no sample is being taken
}

int Worker::left_to_do(const State& state) const {
  int left = 0;
  for (int i = 0; i < flags_.repetitions; ++i)
    if (!recorded_.contains(record_key(state, state.repetition + i))) ++left;
  return left;
}

void Worker::announce(std::span<const State> states, double share) {
  names_.add(states);
  std::map<std::string, std::pair<int, double>> paces;  // states left, and what they take together
  for (const State& state : states) {
    auto& [left, seconds] = paces[pace_of(state.key, state.kind)];
    const int own = left_to_do(state);
    left += own;
    seconds += own * times_.of_state(state).typical_s;
  }
  json planned = json::array();
  for (const auto& [pace, some] : paces)
    if (const auto [left, seconds] = some; left > 0 && share != 0)
      planned.push_back({{"pace", pace},
                         {"states", static_cast<int>(std::ceil(share * left))},
                         {"typical_s", seconds / left}});
  tell_({{"planned", std::move(planned)}});
}

std::vector<State> Worker::repetitions_of(const std::vector<State>& states) const {
  std::vector<State> repetitions;
  for (const State& state : states)
    for (int i = 0; i < flags_.repetitions; ++i) {
      if (recorded_.contains(record_key(state, state.repetition + i))) continue;
      repetitions.push_back(state);
      repetitions.back().repetition += i;
    }
  if (flags_.interleaved) std::ranges::shuffle(repetitions, std::mt19937_64(config_.seed));
  return repetitions;
}

bool Worker::run_phase(const std::vector<State>& states, const std::string& what, std::size_t least) {
  const std::vector<State> repetitions = repetitions_of(states);
  const std::size_t all = states.size() * static_cast<std::size_t>(flags_.repetitions);
  least *= static_cast<std::size_t>(flags_.repetitions);
  least -= std::min(least, all - repetitions.size());
  for (std::size_t i = 0; i < repetitions.size(); ++i) {
    if (i >= least && deadline_s_ != kNoBudget && spending_.spent_s() >= deadline_s_) {
      std::vector<State> left;
      std::ranges::copy_if(states, std::back_inserter(left),
                           [this](const State& state) { return left_to_do(state) > 0; });
      cut(left, what);
      return false;
    }
    measure(repetitions[i]);
  }
  return true;
}

Record Worker::measure(const State& state) {
  const std::string key = record_key(state, state.repetition);
  if (const auto found = recorded_.find(key); found != recorded_.end())
    return results::Journal::at(journal_.path(), found->second);
  const json begin = {{"begin", results::to_json(Measurer::blank(state))}, {"name", names_.of(state.key)}};
  tell_(begin);
  Record record = measurer_.measure(state, found_);
  record.took_s = std::max(0.0, seconds_since(std::exchange(last_end_, std::chrono::steady_clock::now())));
  spending_.add(part_of(state.key, state.phase), record.took_s);
  say_filling(record);
  if (is_violated(record)) {
    look_again(record);
    tell_(begin);  // probes began and ended since
  }
  if (record.kind == "kernel" && record.bound.value && profiles_.any())
    name_source(record, bound_of(record, own_, available_cpus()), profiles_.profile_of(record.state.device));
  record = results::made_readable(std::move(record));
  recorded_[key] = journal_.append(record);
  names_.learn(record);
  tell_(end_message(record));
  if (record.kind == "probe") probe_records_.push_back(record);
  if (record.phase == "size") size_records_.push_back(record);
  if (record.status == Status::failed) measurer_.check_device(state);
  return record;
}

std::vector<Record> Worker::records_where(const std::function<bool(const Record&)>& is_wanted) const {
  std::vector<Record> records;
  results::Journal::read(journal_.path(), [&](Record record) {
    if (is_wanted(record)) records.push_back(std::move(record));
  });
  return records;
}

std::vector<Record> Worker::kernel_records() const {
  return records_where([](const Record& one) { return one.kind == "kernel"; });
}

std::map<std::string, const State*> Worker::planned_kernels() const {
  std::map<std::string, const State*> planned;
  for (const State& state : kernels_) planned.emplace(state.key.to_string(), &state);
  return planned;
}

void Worker::race() {
  if (config_.tune.remeasure == 0) return;
  const auto planned = planned_kernels();
  std::vector<std::string> problems;  // in the order of the plan: they are costly to change
  for (const State& state : kernels_)
    if (const std::string key = problem_key(state.key); problems.empty() || problems.back() != key)
      problems.push_back(key);
  std::map<std::string, std::vector<Record>> records;
  for (Record& record : kernel_records()) records[problem_key(record.state)].push_back(std::move(record));
  for (std::size_t i = 0; i < problems.size(); ++i) {
    std::vector<Record>& own = records[problems[i]];
    if (budget_.end_s != kNoBudget)
      deadline_s_ =
          share_end_s(spending_.spent_before("tune " + problems[i]), budget_.end_s, problems.size() - i);
    else
      deadline_s_ = kNoBudget;
    for (std::vector<State> states = next_in_race(own, planned); !states.empty();
         states = next_in_race(own, planned)) {
      std::vector<std::string> lacking;
      for (const State& state : states)
        for (int n = 0; n < flags_.repetitions; ++n)
          if (const std::string key = record_key(state, state.repetition + n); !recorded_.contains(key))
            lacking.push_back(key);
      announce(states);
      if (!run_phase(states, "rounds of the race of the best")) break;
      for (const std::string& key : lacking)
        own.push_back(results::Journal::at(journal_.path(), recorded_.at(key)));
    }
  }
}

std::vector<State> Worker::next_in_race(std::span<const Record> records,
                                        const std::map<std::string, const State*>& planned) const {
  std::vector<State> states;
  for (const InRound& next : next_round(records, config_.tune)) {
    const auto found = planned.find(next.key.to_string());
    if (found == planned.end()) continue;
    State state = *found->second;
    state.phase = "tune";
    state.repetition = next.round * flags_.repetitions;
    if (left_to_do(state) > 0) states.push_back(std::move(state));
  }
  return states;
}

std::vector<State> Worker::winners() const {
  if (config_.counters != ExtraPass::winners && config_.energy != ExtraPass::winners) return {};
  const auto planned = planned_kernels();
  const std::vector<Record> records = kernel_records();
  std::vector<State> states;
  std::set<std::string> seen;
  const auto add = [&](const Candidate& winner) {
    const auto found = planned.find(winner.key.to_string());
    if (found == planned.end() || !seen.insert(found->first).second) return;
    states.push_back(*found->second);
    states.back().phase = "winner";
  };
  for (const Contest& contest : contests(records, config_.tune)) {
    if (!contest.ranking.empty()) add(contest.ranking.front());
    if (contest.without_limit) add(*contest.without_limit);
  }
  return states;
}

}  // namespace gpuseq::bench
