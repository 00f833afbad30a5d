#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "bench/commands/commands.hpp"
#include "bench/config/selection.hpp"
#include "bench/config/units.hpp"
#include "bench/plan/axis_defaults.hpp"
#include "bench/plan/budget.hpp"
#include "bench/plan/estimate.hpp"
#include "bench/plan/memory_fit.hpp"
#include "bench/plan/not_compiled.hpp"
#include "bench/plan/problem_data.hpp"
#include "bench/plan/run_time.hpp"
#include "bench/plan/sizes/sizes.hpp"
#include "bench/profile/store/run_profiles.hpp"
#include "bench/run/invocation.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/tools/family.hpp"
#include "results/journal.hpp"
#include "results/names/short_names.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

/// "fm_index/prefetch on cpu: 24" for runs of states that have these in common.
void print_groups(const std::vector<State>& states, const results::ShortNames& names, const Sweep& sweep) {
  std::vector<std::pair<std::string, double>> groups;
  std::unordered_map<std::string, std::size_t> places;
  for (const State& state : states) {
    const std::string problem = state.kind != "probe" ? names.problem(state.key) : "";
    const std::string name = fmt::format("{}/{}{} on {}", state.key.family, state.key.variant,
                                         problem.empty() ? "" : " (" + problem + ")", state.key.device);
    const auto [place, is_new] = places.emplace(name, groups.size());
    const auto space = sweep.sampled.find(fmt::format("{}/{}", state.key.family, state.key.variant));
    const bool sampled = space != sweep.sampled.end();
    if (is_new && sampled)
      groups.emplace_back(name + ", combinations of values; the search begins with a sample",
                          space->second->combinations());
    if (is_new && !sampled) groups.emplace_back(name, 0);
    if (!sampled) ++groups[place->second].second;
  }
  for (const auto& [name, count] : groups) say("{:>6}  {}\n", count_text(count), name);
}

/// The number of samples per state, and the states with too few for an interval of 95 %.
std::string samples_text(const SamplingOptions& sampling) {
  if (sampling.max_samples < static_cast<int>(results::kFewestSamples))
    return fmt::format("at most {} samples per state: no interval of 95 %, which takes {}",
                       sampling.max_samples, results::kFewestSamples);
  return fmt::format(
      "at least {} samples per state; a launch of more than {:.3g} s has fewer, and its record says so",
      std::max<std::size_t>(static_cast<std::size_t>(sampling.min_samples), results::kFewestSamples),
      sampling.six_samples_seconds / static_cast<double>(results::kFewestSamples));
}

void print_states(const std::vector<State>& states, const results::ShortNames& names, const Sweep& sweep,
                  bool each) {
  if (!each) print_groups(states, names, sweep);
  if (each)
    for (const State& state : states) say("{}\n", state.key.to_string());
}

/// Names as they are known before anything is measured: no problem has its label yet.
results::ShortNames names_of(const Sweep& sweep) {
  std::vector<results::LabelledState> named;
  results::AxisDefaults defaults;
  const auto add = [&](std::span<const State> states) {
    defaults.update(defaults_of(states));
    for (const State& state : states) named.push_back({&state.key});
  };
  for (const auto* states : {&sweep.probes, &sweep.needed.states, &sweep.kernels, &sweep.controls})
    add(*states);
  for (const SizedStates& states : sweep.sized) add(states);
  return results::ShortNames(named, defaults);
}

/// The programs and files that a run would lack. Nothing is installed or made here.
void print_missing(const SuiteConfig& config, const Sweep& sweep) {
  for (const std::string& data : missing_data(config)) say("data missing: {}\n", data);
  std::map<std::string, int> skipped;  // states by why their variant cannot run
  const std::vector<State> sized = at_first_size(sweep.sized);
  const auto bytes = data_bytes(config);
  for (const auto* states : {&sweep.kernels, &sized})
    for (const State& state : *states) {
      const std::string why =
          !state.variant->missing.empty()
              ? state.variant->missing
              : why_not_compiled(*state.variant, {state.key.point, state.key.problem, bytes});
      if (!why.empty()) ++skipped[fmt::format("{}/{}: {}", state.key.family, state.key.variant, why)];
    }
  for (const auto& [reason, count] : skipped)
    say("{} {} will be skipped: {}\n", count, count == 1 ? "state" : "states", reason);
}

/// Readers leave a last line without an end out, so a run that was killed can be compared and resumed.
void warn_of_torn_line(const fs::path& journal) {
  std::uintmax_t whole_bytes = 0;
  std::size_t lines = 0;
  results::read_raw_lines(journal, [&](std::string_view line, std::size_t number) {
    whole_bytes += line.size() + 1;
    lines = number;
  });
  if (fs::file_size(journal) != whole_bytes)
    say(stderr,
        "warning: {}:{}: found a line without its end, which a killed or running run leaves; "
        "the line is left out\n",
        journal.string(), lines + 1);
}

/// @throws UsageError for a journal that is not one, has a record twice, or a folder without one
void validate_run(const fs::path& path) {
  const fs::path journal = fs::is_directory(path) ? path / results::kRecordsFile : path;
  std::size_t records = 0;
  results::OnceOnly once;
  results::Journal::read(journal, [&](const results::Record& record) { once.check(record, ++records); });
  say("{}: {} valid records\n", journal.string(), records);
  warn_of_torn_line(journal);
  if (!fs::is_directory(path) || !fs::exists(path / kProfileRecordsFile)) return;
  std::size_t of_profiles = 0;
  results::Journal::read(path / kProfileRecordsFile, [&](const results::Record&) { ++of_profiles; });
  say("{}: {} valid records of profiles\n", (path / kProfileRecordsFile).string(), of_profiles);
  warn_of_torn_line(path / kProfileRecordsFile);
}

/// A plan for other programs. Times are without the budget; null: no budget.
void print_json(const Sweep& sweep, const Expected& time, double budget) {
  const std::size_t probes = sweep.probes.size() + sweep.needed.states.size();
  nlohmann::ordered_json plan{{"states", static_cast<double>(probes) + state_count(sweep)},
                              {"probes", probes},
                              {"typical_s", time.typical_s},
                              {"most_s", time.most_s},
                              {"budget_s", nullptr},
                              {"remarks", sweep.remarks}};
  if (budget != kNoBudget) plan["budget_s"] = budget;
  say("{}\n", Lines{plan.dump(1, ' ', false, nlohmann::json::error_handler_t::replace)});
}

struct PlannedMachine {
  std::vector<DeviceInfo> devices;
  int cpus = 1;
};

/// The devices of a run that a config asks for. @throws UsageError for a folder without a run, or none
PlannedMachine machine_of_run(const fs::path& dir, const SuiteConfig& config) {
  const BegunRun run = read_start({fs::absolute(dir).lexically_normal()});
  const nlohmann::json devices = run.summary.value("devices", nlohmann::json::object());
  PlannedMachine machine{.devices = {}, .cpus = available_cpus()};
  if (const auto cpu = devices.find("cpu"); cpu != devices.end())
    machine.cpus = cpu->value("threads", machine.cpus);
  const bool all = config.devices == "auto" || config.devices == "all";
  for (DeviceInfo device : run.invocation.devices) {
    if (!all && ("," + config.devices + ",").find("," + device.id + ",") == std::string::npos) continue;
    if (const auto found = devices.find(device.id); found != devices.end() && device.l2_bytes == 0)
      device.l2_bytes = found->value("l2_bytes", std::size_t{0});
    machine.devices.push_back(std::move(device));
  }
  if (machine.devices.empty())
    throw UsageError(fmt::format("--machine {}: its run has no device of \"{}\", which the config asks for",
                                 dir.string(), config.devices));
  return machine;
}

}  // namespace

ExitCode plan_command(const RunOptions& options, const PlanOptions& wanted, const Registry& registry) {
  const SuiteConfig chosen = load_chosen(options.config, registry);
  const bool elsewhere = !wanted.machine.empty();
  const auto [devices, cpus] = elsewhere ? machine_of_run(wanted.machine, chosen)
                                         : PlannedMachine{devices_of(chosen), available_cpus()};
  const SuiteConfig config = elsewhere ? chosen : take_winners(chosen, options, devices, registry).config;
  Sweep sweep = invoked_sweep(
      config, {.devices = devices, .benchmark_flags = options.flags.given, .shard = options.shard}, registry);
  for (std::string& remark : too_large_remarks(config, sweep, devices))
    sweep.remarks.push_back(std::move(remark));
  const double budget = budget_s(config, devices);
  const Expected time =
      RunTime(config, elsewhere ? RunTime::kBusy : busy_now(), cpus).of_run(sweep, options.flags.repetitions);
  if (wanted.json) {
    print_json(sweep, time, budget);
    return ExitCode::fine;
  }
  const results::ShortNames names = names_of(sweep);
  if (!sweep.controls.empty()) say("controls, which each shard measures first:\n");
  print_states(sweep.controls, names, sweep, wanted.all_states);
  if (!sweep.controls.empty()) say("states of this shard:\n");
  print_states(sweep.probes, names, sweep, wanted.all_states);
  if (!sweep.needed.states.empty())
    say("needed for bounds, at most about {} of the {} that probe_budget_s allows each device:\n",
        duration_text(estimated_s(std::span(sweep.needed.states), config, cpus)),
        duration_text(config.probe_budget_s));
  print_states(sweep.needed.states, names, sweep, wanted.all_states);
  if (!elsewhere) say("{}", Lines{profiles_preview(sweep.needed.states, config)});
  if (!sweep.needed.states.empty() && !sweep.kernels.empty()) say("kernels:\n");
  print_states(sweep.kernels, names, sweep, wanted.all_states);
  for (const SizedStates& states : sweep.sized) {
    const Growth& growth = *states.front().growth;
    say("at a size that the run finds, from {} {} on:\n", growth.from, growth.noun);
    print_states(states, names, sweep, wanted.all_states);
  }
  for (const std::string& remark : sweep.remarks) say("{}\n", remark);
  const std::size_t probes = sweep.probes.size() + sweep.needed.states.size();
  const double kernels = state_count(sweep);
  say("{} states ({} of probes, {} of kernels{}): about {} on a quiet machine, at most {} on a busy one{}\n",
      count_text(static_cast<double>(probes) + kernels), probes, count_text(kernels),
      config.tune.evaluations > 0
          ? fmt::format(", of which a search measures {} of each problem and device at most",
                        config.tune.evaluations)
          : "",
      duration_text(std::min(budget, time.typical_s)), duration_text(std::min(budget, time.most_s)),
      budget == kNoBudget ? "" : "; the budget leaves out the rest");
  const bool refined = std::any_of(sweep.probes.begin(), sweep.probes.end(),
                                   [&](const State& s) { return wants_refinement(config, s.key.family); });
  if (refined) say("more states follow where levels of memory end\n");
  say("{}\n", samples_text(config.sampling));
  print_missing(config, sweep);
  return ExitCode::fine;
}

ExitCode validate_command(const ConfigChoice& choice, const std::vector<fs::path>& runs,
                          const Registry& registry) {
  for (const fs::path& run : runs) validate_run(run);
  if (!runs.empty() && choice.path.empty()) return ExitCode::fine;
  const SuiteConfig config = load_chosen(choice, registry);
  const std::vector<DeviceInfo> devices = devices_of(config);
  const Sweep sweep = plan(config, with_tools_of(config, registry), devices);
  check_data(config);
  for (const std::string& remark : sweep.remarks) say("{}\n", remark);
  const double states = static_cast<double>(sweep.probes.size()) + state_count(sweep);
  const ReadData read = read_data(config, sweep);
  for (const std::string& remark : read.remarks) say("{}\n", remark);
  say("{}: valid, {} states; problems whose data was read: {}\n", config.source, count_text(states),
      read.problems);
  return ExitCode::fine;
}

}  // namespace gpuseq::bench
