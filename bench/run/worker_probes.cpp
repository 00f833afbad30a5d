#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "bench/bound/device_levels.hpp"
#include "bench/measure/compile_ahead.hpp"
#include "bench/measure/violated.hpp"
#include "bench/plan/passes.hpp"
#include "bench/profile/store/spot_check.hpp"
#include "bench/run/invocation.hpp"
#include "bench/run/worker.hpp"
#include "runtime/system/threads.hpp"

// A worker's probes: those that the config lists, those that bounds need, and this machine's profiles.

namespace gpuseq::bench {
namespace {

using results::Record;

constexpr int kRefinements = 2;  // each looks for the levels again, with the footprints of the last
constexpr int kFootprintsPerEnd = 3;
constexpr int kMorePasses = 2;     // over points that the others do not agree on
constexpr int kMostLooks = 3;      // at the probes behind bounds that are violated
constexpr int kPassesOfALook = 2;  // which can agree on what none before them did
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

void Worker::probe_listed(const std::vector<State>& needed) {
  std::vector<State> measured = probes_;
  std::ranges::move(check_profiles(needed), std::back_inserter(measured));
  announce(in_passes(measured, config_, flags_.repetitions));
  run_listed(measured);
  std::ranges::copy(needed, std::back_inserter(all_probes_));
  std::vector<State> accepted = probes_;
  for (int i = 0; i < kRefinements; ++i) {
    const std::vector<State> more = refinement(accepted);
    announce(in_passes(more, config_, flags_.repetitions));
    run_listed(more);
    std::ranges::copy(more, std::back_inserter(all_probes_));
  }
}

void Worker::run_listed(const std::vector<State>& states) {
  if (budget_.end_s == kNoBudget) return run_probes(states);
  std::size_t left = run_.invocation.devices.size();
  for (const DeviceInfo& device : in_probing_order(run_.invocation.devices)) {
    std::vector<State> of_device;
    std::ranges::copy_if(states, std::back_inserter(of_device),
                         [&](const State& state) { return state.key.device == device.id; });
    deadline_s_ = share_end_s(spending_.spent_before("probes " + device.id), budget_.probes_end_s, left--);
    run_probes(of_device, "probes of " + device.id);
  }
}

void Worker::compile_ahead_for(const std::vector<State>& states) {
  std::map<std::string, std::vector<State>> by_device;
  for (const State& state : states)
    if (state.variant->device == DeviceKind::cuda && left_to_do(state) > 0)
      by_device[state.key.device].push_back(state);
  for (const auto& [device, of_device] : by_device) {
    alive("compile");
    compile_ahead(of_device, measurer_.describe(device).at("architecture").get<std::string>(),
                  config_.cache_dir);
  }
}

void Worker::probe_needed() {
  const std::vector<State> needed =
      needed_within_budget(kernels_, probes_, config_, registry_, run_.invocation.devices).states;
  deadline_s_ = kNoBudget;  // a check of profiles is a part of what they spare
  const std::vector<State> lacking = check_profiles(needed);
  announce(in_passes(lacking, config_, flags_.repetitions));
  deadline_s_ = spending_.spent_before("needed") + budget_.needed_s;
  run_probes(lacking, "probes that bounds need");
  std::ranges::copy(needed, std::back_inserter(all_probes_));
}

std::vector<State> Worker::check_profiles(const std::vector<State>& needed) {
  if (run_.invocation.probes_only) return needed;
  const bool none_measured = std::ranges::none_of(
      needed, [this](const State& one) { return recorded_.contains(record_key(one, 0)); });
  profiles_.begin(needed, config_, none_measured, [this](const std::string& device) -> const nlohmann::json& {
    return measurer_.describe(device);
  });
  for (int look = 0; look < kMostChecks; ++look) {
    const std::vector<State> states = profiles_.to_check(needed, probe_records_, look, flags_.repetitions);
    // At another time: who disturbs a point is gone in a moment, or stays for the whole run.
    if (look > 0 && any_left(states)) std::this_thread::sleep_for(kBetweenLooks);
    announce(states);
    run_phase(states);
  }
  for (const std::string& line : profiles_.decide(probe_records_, flags_.repetitions, config_))
    tell_({{"say", line}});
  return profiles_.to_measure(needed);
}

void Worker::settle_probes() {
  found_ = probe_results(profiles_.with(probe_records_));
  own_ = profiles_.any() ? probe_results(profiles_.own(probe_records_, flags_.repetitions)) : ProbeResults();
}

void Worker::look_again(Record& violated) {
  const std::vector<State> again = passes_of_another_look(probes_behind(violated, all_probes_));
  if (again.empty()) return;
  announce(again);
  for (const State& probe : again) measure(probe);
  settle_probes();
  settle_bound(violated, bound_of(violated, found_, available_cpus()));
}

int Worker::first_look() const {
  // Behind the looks at a profile's points as well.
  return std::max(config_.sampling.probe_passes + kMorePasses, kMostChecks) * flags_.repetitions;
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

void Worker::run_probes(const std::vector<State>& states, const std::string& what) {
  compile_ahead_for(states);
  if (!run_phase(in_passes(states, config_, flags_.repetitions), what)) return;
  const int passes = config_.sampling.probe_passes;
  for (int n = passes; n < passes + kMorePasses; ++n) {
    const std::vector<State> more = pass_of(disturbed(states, n), n, config_, flags_.repetitions);
    announce(more);
    if (!run_phase(more, what)) return;
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
  std::map<std::string, std::vector<Record>> by_curve, by_device;
  for (const Record& record : probe_records_) {
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
