#include "bench/run/phases/at_once.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bench/config/units.hpp"
#include "bench/plan/other_devices.hpp"
#include "bench/plan/problem_data.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

constexpr double kSame = 0.02;          // of a rate; or the intervals overlap
constexpr double kControlS = 1;         // of samples
constexpr const char* kPhase = "size";  // without counters and energy

std::vector<std::string> gpus_of(const Invocation& invocation) {
  std::vector<std::string> gpus;
  for (const DeviceInfo& device : invocation.devices)
    if (device.kind == DeviceKind::cuda) gpus.push_back(device.id);
  return gpus;
}

/// The first case of each variant, of the first few, that all GPUs have: one state of each GPU.
std::vector<std::vector<State>> controls_of(const Sweep& sweep, const std::vector<std::string>& gpus) {
  constexpr std::size_t kMost = 3;  // some fail
  std::vector<std::vector<State>> controls;
  std::set<std::string> variants;
  for (const auto* states : {&sweep.kernels, &sweep.needed.states, &sweep.probes}) {
    std::map<std::string, std::map<std::string, const State*>> by_case;
    for (const State& state : *states) {
      if (state.variant->device != DeviceKind::cuda || uses_other_devices(state.key)) continue;
      results::StateKey key = state.key;
      key.device.clear();
      auto& of_case = by_case[key.to_string()];
      of_case.emplace(state.key.device, &state);
      if (of_case.size() < gpus.size() || !variants.insert(key.family + " " + key.variant).second) continue;
      for (auto& control = controls.emplace_back(); const auto& [gpu, one] : of_case) {
        control.push_back(*one);
        control.back().phase = kPhase;
        control.back().most_seconds = kControlS;
      }
      if (controls.size() == kMost) return controls;
    }
  }
  return controls;
}

/// Host memory that the largest problem takes, as far as families know it.
std::uint64_t host_bytes_of(const RunInputs& inputs, const std::vector<State>& kernels) {
  const auto bytes = data_bytes(inputs.config);
  std::set<std::string> seen;
  std::uint64_t most = 0;
  for (const State& state : kernels)
    if (state.kind == "kernel" && seen.insert(problem_key(state.key)).second)
      if (const auto cost = state.family->problem_cost({state.key.point, state.key.problem, bytes}))
        most = std::max(most, cost->host_bytes);
  return most;
}

using Rates = std::map<std::string, Record>;  // by GPU

Rates alone(Lanes& lanes, const std::vector<State>& control, const MostTime& most) {
  Rates rates;
  for (const State& state : control)
    lanes.call(state.key.device,
               [&](RemoteMeasurer& worker) { rates[state.key.device] = worker.measure(state, most); });
  return rates;
}

/// Each GPU measures the case three times without a pause. The second one counts: others measure at the same
/// time.
Rates together(Lanes& lanes, const std::vector<State>& control, const MostTime& most) {
  Rates rates;
  std::map<std::string, std::exception_ptr> errors;
  for (const State& state : control) {
    Record& record = rates[state.key.device];
    std::exception_ptr& error = errors[state.key.device];
    lanes.begin(state.key.device, [&, most](RemoteMeasurer& worker) {
      try {
        worker.measure(state, most);
        record = worker.measure(state, most);
        worker.measure(state, most);
      } catch (...) {
        error = std::current_exception();
      }
    });
  }
  const auto busy = [&](const State& state) { return !lanes.is_idle(state.key.device); };
  while (std::ranges::any_of(control, busy)) lanes.wait();
  for (const auto& [gpu, error] : errors)
    if (error) std::rethrow_exception(error);
  return rates;
}

/// Why the rates of a GPU differ; empty if they are the same.
std::string difference(const Record& alone, const Record& together) {
  for (const Record* record : {&alone, &together})
    if (!record->statistics)
      return record->failure ? record->failure->reason : "the control case has no rate";
  const results::Statistics &a = *alone.statistics, &b = *together.statistics;
  const bool overlap = a.rate_low && a.rate_high && b.rate_low && b.rate_high &&
                       *a.rate_low <= *b.rate_high && *b.rate_low <= *a.rate_high;
  if (overlap || std::abs(b.rate / a.rate - 1) <= kSame) return "";
  return fmt::format("{} {}{} alone, {}{} at the same time", alone.state.device, prefixed(a.rate),
                     a.rate_unit, prefixed(b.rate), b.rate_unit);
}

/// Why the GPUs are measured one after the other; empty if they are not.
std::string decide(const RunInputs& inputs, const Sweep& sweep, Recorder& recorder,
                   nlohmann::ordered_json& found) {
  const std::vector<std::string> gpus = found["gpus"].get<std::vector<std::string>>();
  const std::vector<std::vector<State>> controls = controls_of(sweep, gpus);
  if (controls.empty()) return "no case is planned on all of them";
  const double needed =
      static_cast<double>(gpus.size() + 1) * static_cast<double>(host_bytes_of(inputs, sweep.kernels));
  const auto free = static_cast<double>(inputs.invocation.host_free_bytes);
  if (free > 0 && needed > free)  // 0: not known
    return fmt::format("the problem of each needs {} of host memory together, {} are free",
                       bytes_text(needed), bytes_text(free));
  recorder.measurer().end_worker();  // has opened the GPUs, which may take one process each
  std::unique_ptr<Lanes> lanes = recorder.make_lanes(gpus);
  const MostTime most = recorder.most_time(false);
  Rates before, after;
  for (const std::vector<State>& control : controls) {
    results::StateKey key = control.front().key;
    key.device = "all";
    found["control"] = key.to_string();
    before = alone(*lanes, control, most);
    after = before;
    if (std::ranges::any_of(before, [](const auto& one) { return !one.second.statistics; })) continue;
    after = together(*lanes, control, most);
    break;
  }
  std::string why;
  for (const std::string& gpu : gpus) {
    const auto rate = [](const Record& record) {
      return record.statistics ? nlohmann::ordered_json(record.statistics->rate) : nlohmann::ordered_json();
    };
    found["rates"][gpu] = {{"alone", rate(before.at(gpu))}, {"at_once", rate(after.at(gpu))}};
    if (why.empty()) why = difference(before.at(gpu), after.at(gpu));
  }
  if (why.empty()) recorder.use_lanes(std::move(lanes));
  return why;
}

}  // namespace

nlohmann::ordered_json measure_gpus_at_once(const RunInputs& inputs, const Sweep& sweep, Recorder& recorder) {
  const std::vector<std::string> gpus = gpus_of(inputs.invocation);
  if (gpus.size() < 2) return nullptr;
  nlohmann::ordered_json found{
      {"gpus", gpus}, {"control", nullptr}, {"rates", nlohmann::ordered_json::object()}};
  const std::string why = decide(inputs, sweep, recorder, found);
  found["at_once"] = why.empty();
  found["reason"] = why;
  recorder.progress().say(
      why.empty() ? fmt::format("{} GPUs are measured at the same time: the control case has the same rate "
                                "alone and at the same time",
                                gpus.size())
                  : fmt::format("{} GPUs are measured one after the other: {}", gpus.size(), why));
  return found;
}

}  // namespace gpuseq::bench
