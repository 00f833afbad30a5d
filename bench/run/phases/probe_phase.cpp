#include "bench/run/phases/probe_phase.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "bench/bound/device_levels.hpp"
#include "bench/measure/violated.hpp"
#include "bench/plan/passes.hpp"
#include "bench/profile/store/spot_check.hpp"
#include "bench/run/invocation.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

constexpr int kRefinements = 2;  // each finds the levels again, with the footprints of the one before
constexpr int kFootprintsPerEnd = 3;
constexpr int kMorePasses = 2;     // over points on which the others disagree
constexpr int kMostLooks = 3;      // at the probes of violated bounds
constexpr int kPassesOfALook = 2;  // two can agree where earlier ones did not
constexpr double kFootprintGrain = 4096;
constexpr auto kBetweenLooks = std::chrono::milliseconds(500);  // at points of a profile that differ

/// The intervals in which the levels of a device's memory end, as its probes show them.
std::vector<probes::FootprintRange> ends_of_levels(std::span<const Record> records,
                                                   const std::string& device) {
  const std::vector<probes::LevelCurve> curves = level_curves(curves_of(records), device);
  std::vector<probes::FootprintRange> ends;
  for (const probes::MemoryLevel& level : probes::fit_levels(curves).levels)
    ends.push_back({level.low_bytes, level.high_bytes});
  return ends;
}

/// Devices in the order in which their probes are measured: those that have no passes first.
std::vector<DeviceInfo> in_probing_order(std::vector<DeviceInfo> devices) {
  std::stable_partition(devices.begin(), devices.end(),
                        [](const DeviceInfo& one) { return one.kind != DeviceKind::cpu; });
  return devices;
}

}  // namespace

ProbePhase::ProbePhase(const RunInputs& inputs, std::vector<State> listed, Recorder& recorder,
                       const std::filesystem::path& dir)
    : inputs_(inputs), recorder_(recorder), listed_(std::move(listed)), all_(listed_), profiles_(dir) {}

void ProbePhase::measure_listed(const NeededProbes& needed) {
  std::vector<State> measured = listed_;
  if (!needed.states.empty()) std::ranges::move(check_profiles(needed), std::back_inserter(measured));
  recorder_.announce(in_passes(measured, inputs_.config, inputs_.flags.repetitions));
  run_by_device(measured);
  std::ranges::copy(needed.states, std::back_inserter(all_));
  std::vector<State> accepted = listed_;
  for (int i = 0; i < kRefinements; ++i) {
    const std::vector<State> more = refinement(accepted);
    recorder_.announce(in_passes(more, inputs_.config, inputs_.flags.repetitions));
    run_by_device(more);
    std::ranges::copy(more, std::back_inserter(all_));
  }
}

void ProbePhase::run_by_device(const std::vector<State>& states) {
  if (inputs_.budget.end_s == kNoBudget) return run_probes(states);
  const Spending& spending = recorder_.spending();
  double left_s = inputs_.budget.probes_s - spending.spent_on("needed");
  std::size_t devices = inputs_.invocation.devices.size();
  for (const DeviceInfo& device : in_probing_order(inputs_.invocation.devices)) {
    std::vector<State> of_device;
    std::ranges::copy_if(states, std::back_inserter(of_device),
                         [&](const State& state) { return state.key.device == device.id; });
    const std::string what = "probes of " + device.id, part = "probes " + device.id;
    const double share_s = share_end_s(0, left_s, devices--);
    recorder_.set_deadline(spending.spent_s() + share_s - spending.spent_on(part));
    run_probes(of_device, what);
    left_s -= spending.spent_on(part);
  }
}

void ProbePhase::measure_needed(std::span<const State> kernels) {
  if (recorder_.is_over(true)) return;  // planning them takes time, too
  // Listed ones are among them: those that the budget cuts are measured for their own sake.
  const NeededProbes needed =
      needed_within_budget(kernels, {}, inputs_.config, inputs_.registry, inputs_.invocation.devices);
  recorder_.set_deadline(kNoBudget);  // a check of profiles is a part of the time that they save
  const std::vector<State> lacking = check_profiles(needed);
  recorder_.announce(in_passes(lacking, inputs_.config, inputs_.flags.repetitions));
  const Spending& spending = recorder_.spending();
  double spent_s = spending.spent_on("needed");
  for (const DeviceInfo& device : inputs_.invocation.devices)
    spent_s += spending.spent_on("probes " + device.id);
  recorder_.set_deadline(spending.spent_s() + inputs_.budget.probes_s - spent_s);
  run_probes(lacking, kNeededProbes);
  std::set<std::string> listed;
  for (const State& state : listed_) listed.insert(state.key.to_string());
  std::ranges::copy_if(needed.states, std::back_inserter(all_),
                       [&](const State& state) { return !listed.contains(state.key.to_string()); });
}

std::vector<State> ProbePhase::check_profiles(const NeededProbes& needed) {
  if (inputs_.invocation.probes_only) return needed.states;
  const bool none_measured = std::ranges::none_of(
      needed.states, [this](const State& one) { return recorder_.journal().has(one, 0); });
  profiles_.begin(needed, inputs_.config, none_measured,
                  [this](const std::string& device) -> const nlohmann::json& {
                    return recorder_.measurer().describe(device);
                  });
  for (int look = 0; look < kMostChecks; ++look) {
    const std::vector<State> states = profiles_.to_check(needed.states, recorder_.journal().probe_records(),
                                                         look, inputs_.flags.repetitions);
    // At another time: who disturbs a point is gone in a moment, or stays for the whole run.
    const auto open = [this](const State& state) { return recorder_.left_to_do(state) > 0; };
    if (look > 0 && std::ranges::any_of(states, open)) std::this_thread::sleep_for(kBetweenLooks);
    recorder_.announce(states);
    recorder_.run(states);
  }
  for (const std::string& line :
       profiles_.decide(recorder_.journal().probe_records(), inputs_.flags.repetitions, inputs_.config))
    recorder_.progress().say(line);
  return profiles_.to_measure(needed.states);
}

void ProbePhase::settle() {
  found_ = probe_results(profiles_.with(recorder_.journal().probe_records()));
  own_ = profiles_.any()
             ? probe_results(profiles_.own(recorder_.journal().probe_records(), inputs_.flags.repetitions))
             : ProbeResults();
}

void ProbePhase::set_bound(Record& record) {
  if (record.kind != "kernel" || record.status != results::Status::ok || record.phase == "size") return;
  Maybe<results::Bound> bound = bound_of(record, found_, available_cpus());
  if (!bound.value && !record.bound.reason.empty()) bound.reason = record.bound.reason;
  settle_bound(record, std::move(bound));
  if (is_violated(record)) look_again(record);
  if (record.bound.value && profiles_.any())
    name_source(record, bound_of(record, own_, available_cpus()), profiles_.profile_of(record.state.device));
}

void ProbePhase::look_again(Record& violated) {
  const std::vector<State> again = passes_of_another_look(probes_behind(violated, all_));
  if (again.empty()) return;
  recorder_.announce(again);
  for (const State& probe : again)
    if (!recorder_.is_over(true)) recorder_.measure(probe);
  settle();
  settle_bound(violated, bound_of(violated, found_, available_cpus()));
}

int ProbePhase::first_look() const {
  // Behind the looks at a profile's points as well.
  return std::max(inputs_.config.sampling.probe_passes + kMorePasses, kMostChecks) *
         inputs_.flags.repetitions;
}

std::vector<State> ProbePhase::passes_of_another_look(const std::vector<State>& states) const {
  std::vector<State> passes;
  for (const State& state : states)
    for (int look = 0; look < kMostLooks; ++look) {
      State next = state;
      next.repetition = first_look() + look * kPassesOfALook * inputs_.flags.repetitions;
      if (recorder_.journal().has(next, next.repetition)) continue;
      for (int n = 0; n < kPassesOfALook; ++n, next.repetition += inputs_.flags.repetitions)
        passes.push_back(next);
      break;
    }
  return passes;
}

void ProbePhase::run_probes(const std::vector<State>& states, const std::string& what) {
  recorder_.compile_ahead(states);
  if (!recorder_.run(in_passes(states, inputs_.config, inputs_.flags.repetitions), what)) return;
  const int passes = inputs_.config.sampling.probe_passes;
  for (int n = passes; n < passes + kMorePasses; ++n) {
    const std::vector<State> more =
        pass_of(disturbed(states, n), n, inputs_.config, inputs_.flags.repetitions);
    recorder_.announce(more);
    if (!recorder_.run(more, what)) return;
  }
}

std::vector<State> ProbePhase::disturbed(const std::vector<State>& states, int passes) const {
  std::set<std::string> keys;
  for (const State& state : states) keys.insert(state.key.to_string());
  std::vector<Record> records;
  std::ranges::copy_if(recorder_.journal().probe_records(), std::back_inserter(records),
                       [&](const Record& record) {
                         return keys.contains(record.state.to_string()) &&
                                record.repetition < passes * inputs_.flags.repetitions;
                       });
  std::set<std::string> found;
  for (const Curve& curve : curves_of(records))
    for (const Curve::At& at : curve.disturbed) found.insert(at.state);
  std::vector<State> left;
  std::ranges::copy_if(states, std::back_inserter(left),
                       [&](const State& state) { return found.contains(state.key.to_string()); });
  return left;
}

std::vector<State> ProbePhase::refinement(std::vector<State>& accepted) const {
  std::set<std::string> keys;
  std::map<std::string, const State*> like;
  for (const State& state : accepted) {
    keys.insert(state.key.to_string());
    if (wants_refinement(inputs_.config, state.key.family)) like.emplace(curve_id(state.key), &state);
  }
  // Only states that earlier rounds planned count, not all in the journal:
  // so a resumed run asks for the same footprints as the run that died.
  std::map<std::string, std::vector<Record>> by_curve, by_device;
  for (const Record& record : recorder_.journal().probe_records()) {
    if (record.repetition >= first_look() || !keys.contains(record.state.to_string())) continue;
    by_device[record.state.device].push_back(record);
    if (like.contains(curve_id(record.state))) by_curve[curve_id(record.state)].push_back(record);
  }
  std::map<std::string, std::vector<probes::FootprintRange>> ends;
  for (const auto& [device, records] : by_device) ends[device] = ends_of_levels(records, device);

  std::vector<State> more;
  for (const auto& [id, records] : by_curve)
    for (const Curve& curve : curves_of(records)) {
      std::vector<double> footprints =
          probes::refine_footprints(points_of(curve), ends.at(curve.device), kFootprintsPerEnd);
      for (double& bytes : footprints) bytes = std::floor(bytes / kFootprintGrain) * kFootprintGrain;
      for (State& state : at_footprints(*like.at(id), footprints)) {
        state.phase = "refine";
        if (keys.insert(state.key.to_string()).second) more.push_back(std::move(state));
      }
    }
  accepted.insert(accepted.end(), more.begin(), more.end());
  return more;
}

}  // namespace gpuseq::bench
