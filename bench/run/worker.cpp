#include "bench/run/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "bench/base/number_words.hpp"
#include "bench/cards/spot_check.hpp"
#include "bench/ceiling/refuted.hpp"
#include "bench/config/provenance.hpp"
#include "bench/plan/passes.hpp"
#include "bench/plan/plan.hpp"
#include "bench/plan/tune.hpp"
#include "bench/terminal/remaining_time.hpp"
#include "bench/tune/search.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/program_name.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using results::Record;
using results::Status;

constexpr int kRefinements = 2;  // each looks for the knees again, with the footprints of the last
constexpr int kFootprintsPerKnee = 3;
constexpr int kMorePasses = 2;     // over points that the others do not agree on
constexpr int kMostLooks = 3;      // at the probes behind ceilings that are refuted
constexpr int kPassesOfALook = 2;  // which can agree on what none before them did
constexpr double kFootprintGrain = 4096;
constexpr auto kBetweenLooks = std::chrono::milliseconds(500);  // at points of a card that differ

std::string record_key(const State& state, int repetition) {
  return results::record_key(state.key.to_string(), state.phase, repetition);
}

SuiteConfig with_flags(SuiteConfig config, const BenchmarkFlags& flags) {
  SamplingOptions& sampling = config.sampling;
  if (flags.min_seconds) sampling.min_seconds = *flags.min_seconds;
  if (flags.min_samples) sampling.min_samples = *flags.min_samples;
  sampling.max_samples = std::max(sampling.max_samples, sampling.min_samples);
  return config;
}

std::string one_line(const Record& record) {
  if (record.status != Status::ok)
    return record.failure ? record.failure->kind + ": " + record.failure->reason : "no reason";
  std::string text = fmt::format("{}{}", prefixed(record.statistics->rate), record.statistics->rate_unit);
  if (record.ceiling.value)
    text += fmt::format(", {:.0f} % of its ceiling", 100 * record.ceiling.value->fraction);
  return text;
}

const char* word(Status status) {
  return status == Status::ok ? "ok" : status == Status::failed ? "failed" : "skipped";
}

}  // namespace

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
      cards_(folder.dir) {
  const std::filesystem::path& path = journal_.path();
  results::Journal::read_heads(path, results::ReadLine::head,
                               [&](const results::RecordHead& head, std::uint64_t begin) {
                                 recorded_.emplace(head.key(), begin);
                                 if (head.kind == "probe")
                                   probe_records_.push_back(results::Journal::at(path, begin));
                               });
}

void Worker::run() {
  initialise_benchmark(flags_, kProgramName);
  Sweep sweep = invoked_sweep(config_, run_.invocation, registry_);
  probes_ = std::move(sweep.probes);
  kernels_ = std::move(sweep.kernels);
  all_probes_ = probes_;
  std::ranges::copy(sweep.needed, std::back_inserter(all_probes_));
  for (const DeviceInfo& device : run_.invocation.devices)
    tell_({{"device", device.id},
           {"description", measurer_.describe(device.id)},
           {"provenance", measurer_.provenance(device.id)}});

  std::vector<State> measured = probes_;
  std::ranges::move(check_cards(sweep.needed), std::back_inserter(measured));
  announce(in_passes(measured, config_, flags_.repetitions));
  if (Search::takes_all(config_.tune)) announce(kernels_);
  run_probes(measured);
  std::vector<State> accepted = probes_;
  for (int i = 0; i < kRefinements; ++i) {
    const std::vector<State> more = refinement(accepted);
    announce(in_passes(more, config_, flags_.repetitions));
    run_probes(more);
    std::ranges::copy(more, std::back_inserter(all_probes_));
  }
  settle_probes();
  run_sweep();
  if (!run_.invocation.shard.whole()) return;  // who is best, only the merged run knows
  // Who was lucky in the sweep falls back, and others are to be measured again.
  for (std::vector<State> states = again(); any_left(states); states = again()) {
    announce(states);
    run_phase(states);
  }
  const std::vector<State> best = winners();
  announce(best);
  run_phase(best);
}

void Worker::run_sweep() {
  if (Search::takes_all(config_.tune)) return run_phase(kernels_);
  const Search search(kernels_, config_.tune, config_.seed);
  std::vector<Record> records = records_where([](const Record& one) { return one.phase == "sweep"; });
  const auto open = std::ranges::count_if(kernels_, [this](const State& one) { return left_to_do(one) > 0; });
  const std::size_t left = search.evaluations() - std::min(search.evaluations(), records.size());
  if (open > 0) announce(kernels_, static_cast<double>(left) / static_cast<double>(open));
  for (std::vector<State> states = search.next(records); !states.empty(); states = search.next(records)) {
    run_phase(states);
    for (const State& state : states)
      records.push_back(
          results::Journal::at(journal_.path(), recorded_.at(record_key(state, state.repetition))));
  }
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

void Worker::announce(const std::vector<State>& states, double share) {
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
    if (const auto [left, seconds] = some; left > 0 && share > 0)
      planned.push_back({{"pace", pace},
                         {"states", static_cast<int>(std::ceil(share * left))},
                         {"typical_s", seconds / left}});
  tell_({{"planned", std::move(planned)}});
}

void Worker::run_phase(const std::vector<State>& states) {
  std::vector<State> left;
  std::copy_if(states.begin(), states.end(), std::back_inserter(left),
               [this](const State& state) { return left_to_do(state) > 0; });
  run_states(left, [this](const State& state) { return measure(state); });
}

Record Worker::measure(const State& state) {
  const std::string key = record_key(state, state.repetition);
  if (const auto found = recorded_.find(key); found != recorded_.end())
    return results::Journal::at(journal_.path(), found->second);
  const json begin = {{"begin", results::to_json(Measurer::blank(state))}, {"name", names_.of(state.key)}};
  tell_(begin);
  Record record = measurer_.measure(state, found_);
  if (is_refuted(record)) {
    look_again(record);
    tell_(begin);  // probes began and ended since
  }
  if (record.kind == "kernel" && record.ceiling.value && cards_.any())
    name_source(record, ceiling_of(record, own_, available_cpus()), cards_.card_of(record.state.device));
  recorded_[key] = journal_.append(record);
  names_.learn(record);
  tell_(end_message(record));
  if (record.kind == "probe") probe_records_.push_back(record);
  if (record.status == Status::failed) measurer_.check_device(state);
  return record;
}

std::vector<State> Worker::check_cards(const std::vector<State>& needed) {
  if (run_.invocation.probes_only) return needed;
  cards_.begin(needed, config_, recorded_.empty(),
               [this](const std::string& device) -> const json& { return measurer_.describe(device); });
  for (int look = 0; look < kMostChecks; ++look) {
    const std::vector<State> states = cards_.to_check(needed, probe_records_, look, flags_.repetitions);
    // At another time: who disturbs a point is gone in a moment, or stays for the whole run.
    if (look > 0 && any_left(states)) std::this_thread::sleep_for(kBetweenLooks);
    announce(states);
    run_phase(states);
  }
  for (const std::string& line : cards_.decide(probe_records_, flags_.repetitions, config_))
    tell_({{"say", line}});
  return cards_.to_measure(needed);
}

void Worker::settle_probes() {
  found_ = probe_results(cards_.with(probe_records_));
  own_ = cards_.any() ? probe_results(cards_.own(probe_records_, flags_.repetitions)) : ProbeResults();
}

void Worker::look_again(Record& refuted) {
  const std::vector<State> again = passes_of_another_look(probes_behind(refuted, all_probes_));
  if (again.empty()) return;
  announce(again);
  for (const State& probe : again) measure(probe);
  settle_probes();
  settle_ceiling(refuted, ceiling_of(refuted, found_, available_cpus()));
}

int Worker::first_look() const {
  return (config_.sampling.probe_passes + kMorePasses) * flags_.repetitions;
}

std::vector<State> Worker::passes_of_another_look(const std::vector<State>& states) const {
  std::vector<State> passes;
  for (const State& state : states)
    for (int look = 0; look < kMostLooks; ++look) {
      State next = state;
      next.repetition = first_look() + look * kPassesOfALook * flags_.repetitions;
      if (recorded_.contains(record_key(next, next.repetition))) continue;
      for (int n = 0; n < kPassesOfALook; ++n, next.repetition += flags_.repetitions) passes.push_back(next);
      break;
    }
  return passes;
}

void Worker::run_probes(const std::vector<State>& states) {
  run_phase(in_passes(states, config_, flags_.repetitions));
  const int passes = config_.sampling.probe_passes;
  for (int n = passes; n < passes + kMorePasses; ++n) {
    const std::vector<State> more = pass_of(disturbed(states, n), n, config_, flags_.repetitions);
    announce(more);
    run_phase(more);
  }
}

std::vector<State> Worker::disturbed(const std::vector<State>& states, int passes) const {
  std::set<std::string> keys;
  for (const State& state : states) keys.insert(state.key.to_string());
  std::vector<Record> records;
  std::ranges::copy_if(probe_records_, std::back_inserter(records), [&](const Record& record) {
    return keys.contains(record.state.to_string()) && record.repetition < passes * flags_.repetitions;
  });
  std::set<std::string> found;
  for (const Curve& curve : curves_of(records))
    for (const Curve::At& at : curve.disturbed) found.insert(at.state);
  std::vector<State> left;
  std::ranges::copy_if(states, std::back_inserter(left),
                       [&](const State& state) { return found.contains(state.key.to_string()); });
  return left;
}

std::vector<State> Worker::refinement(std::vector<State>& accepted) const {
  std::set<std::string> keys;
  std::map<std::string, const State*> like;
  for (const State& state : accepted) {
    keys.insert(state.key.to_string());
    if (wants_refinement(config_, state.key.family)) like.emplace(curve_id(state.key), &state);
  }
  // Only what earlier rounds planned counts, not what else the journal may hold: so a resumed run asks for
  // the same footprints as the run that died.
  std::map<std::string, std::vector<Record>> by_curve;
  for (const Record& record : probe_records_)
    if (record.repetition < first_look() && keys.contains(record.state.to_string()) &&
        like.contains(curve_id(record.state)))
      by_curve[curve_id(record.state)].push_back(record);

  std::vector<State> more;
  for (const auto& [id, records] : by_curve)
    for (const Curve& curve : curves_of(records)) {
      const std::vector<probes::Knee> knees = knees_of(curve, config_.seed);
      std::vector<double> footprints =
          probes::refine_footprints(knee_input(curve), knees, kFootprintsPerKnee);
      for (double& bytes : footprints) bytes = std::floor(bytes / kFootprintGrain) * kFootprintGrain;
      for (State& state : at_footprints(*like.at(id), footprints)) {
        state.phase = "refine";
        if (keys.insert(state.key.to_string()).second) more.push_back(std::move(state));
      }
    }
  accepted.insert(accepted.end(), more.begin(), more.end());
  return more;
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

std::vector<State> Worker::again() const {
  if (config_.tune.remeasure == 0) return {};
  const auto planned = planned_kernels();
  std::vector<std::vector<State>> groups;  // by family and problem, which are costly to change
  std::map<std::string, std::size_t> places;
  for (const results::StateKey& key : to_remeasure(kernel_records(), config_.tune)) {
    const auto found = planned.find(key.to_string());
    if (found == planned.end()) continue;
    const auto [place, is_new] = places.emplace(problem_key(key), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(*found->second);
    groups[place->second].back().phase = "tune";
  }
  // In turn, so that a slow moment of the machine does not fall on one candidate alone.
  std::vector<State> states;
  for (const auto& group : groups)
    for (int round = 0; round < config_.tune.rounds; ++round)
      for (State state : group) {
        state.repetition = round * flags_.repetitions;
        states.push_back(std::move(state));
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
  for (const Contest& contest : contests(records, config_.tune.objectives, config_.tune.max_bytes)) {
    if (!contest.ranking.empty()) add(contest.ranking.front());
    if (contest.without_limit) add(*contest.without_limit);
  }
  return states;
}

}  // namespace gpuseq::bench
