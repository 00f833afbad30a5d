#include "bench/run/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "bench/config/config_file.hpp"
#include "bench/config/json_file.hpp"
#include "bench/config/problem_files.hpp"
#include "bench/config/provenance.hpp"
#include "bench/export/kernel_tuner.hpp"
#include "bench/phases/search/search.hpp"
#include "bench/phases/winners/keep_winners.hpp"
#include "bench/plan/axis_defaults.hpp"
#include "bench/plan/budget.hpp"
#include "bench/plan/own_data.hpp"
#include "bench/plan/problem_data.hpp"
#include "bench/plan/sizes/sizes_json.hpp"
#include "bench/plugin/family.hpp"
#include "bench/profile/store/fill_profiles.hpp"
#include "bench/profile/store/run_profiles.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/run/run_report.hpp"
#include "bench/run/same_devices.hpp"
#include "bench/run/steps.hpp"
#include "bench/run/summary.hpp"
#include "bench/run/supervisor.hpp"
#include "bench/run/terminal/progress.hpp"
#include "bench/run/terminal/summary_text.hpp"
#include "bench/run/worker/worker.hpp"
#include "bench/tools/family.hpp"
#include "probes/probes.hpp"
#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/number_text.hpp"
#include "runtime/io/program_name.hpp"
#include "runtime/io/say.hpp"
#include "runtime/system/host_load.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/proc_files.hpp"
#include "runtime/system/seconds_since.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using results::Record;

struct PreparedRun {
  LockedFolder locked;
  BegunRun run;
  SuiteConfig config;  // with the flags of Google Benchmark applied
  Sweep sweep;
};

/// @throws UsageError for a run that began with another program, unless that is allowed; says so then
void check_program(const BegunRun& run, const RunOptions& options) {
  const nlohmann::json begun = run.summary.value("program", nlohmann::json()), here = program_json();
  if (!is_other_program(begun, here)) return;
  const std::string text =
      fmt::format("the run began with program {}, this is {}", program_text(begun), program_text(here));
  if (!options.on_other_program)
    throw UsageError(
        fmt::format("--resume {}: {}; their rates may differ. --on-other-program goes on all the same, and "
                    "each record names "
                    "its own program",
                    options.resume.string(), text));
  say(stderr, "{}\n", text);
}

/// Compares the data with those that the run began with: its files or, where an
/// older run has no record of their content, the problems of its records. Generated
/// data may differ between programs. From here on run.json has the files.
/// @throws UsageError naming the file that changed
void check_begun_data(BegunRun& run, const RunFolder& folder, const RunOptions& options,
                      const Registry& registry) {
  check_data(run.config);
  const DataContents now = run.invocation.probes_only ? DataContents() : data_contents(run.config);
  if (const auto changed = changed_data(run.config, run.data.value_or(DataContents()), now); !changed.empty())
    throw UsageError(
        fmt::format("--resume {}: data changed: {}; allowed: the data that the run began with, or a new run",
                    options.resume.string(), fmt::join(changed, "; ")));
  const bool other_program = is_other_program(run.summary.value("program", nlohmann::json()), program_json());
  const auto names_data = [&](const Point& problem) {
    return std::ranges::any_of(run.config.data,
                               [&](const auto& entry) { return is_named(problem, entry.first); });
  };
  if (fs::exists(folder.records()) && (!run.data || other_program))
    check_recorded_data(folder.records(), run.config, registry,
                        [&](const Point& problem) { return other_program || names_data(problem); });
  if (run.data) return;
  run.data = now;
  run.summary["data"] = data_json(now, run.config);
  write_json(folder.summary(), run.summary);
}

/// Said before anything is measured: processor time that a control group takes away looks like a slow
/// machine.
void say_quota() {
  const std::optional<CpuQuota> quota = least_cpu_quota();
  if (!quota || quota->cpus >= static_cast<double>(usable_cpus().size())) return;
  say(stderr, "CPU quota: {:.3g} of {} processors ({}); all threads means {} here\n", quota->cpus,
      usable_cpus().size(), quota->file.string(), available_cpus());
}

/// The run to go on with, checked against the command line.
PreparedRun resumed(const RunOptions& options, const Registry& registry) {
  LockedFolder locked = lock_run_folder(options.resume);
  BegunRun run = read_start(locked.folder);
  const auto mismatch = [&](const std::string& what) {
    throw UsageError(fmt::format("--resume {}: {}", options.resume.string(), what));
  };
  if (run.config.hash() != run.summary.value("config_hash", ""))
    mismatch("the config in its run.json is not the one that it began with (config_hash differs)");
  if (!options.config.path.empty()) {
    const SuiteConfig given = load_chosen(options.config, registry);
    const SuiteConfig begun = without_winners(run.config, run.invocation.of_winners);
    if (given.hash() != begun.hash())
      mismatch(fmt::format("the config {} is not that of the run; they differ in {}", given.source,
                           fmt::join(differences(begun, given), ", ")));
  } else if (options.config.changes()) {
    mismatch(
        "--set, --device, --max-bytes, --device-memory, --plugin and --data would change the run; it goes on "
        "with its own config and devices");
  }
  if (options.config.budget_s) {
    run.config.budget_s = run.config.budget_with_gpu_s = *options.config.budget_s;
    run.summary["config"]["budget_s"] = *options.config.budget_s;
  }
  if (!options.config.bounds_from.empty())
    mismatch("--bounds-from would change the run; it continues with the bounds that it began with");
  if (!options.shard.whole()) mismatch("--shard would change the run; it goes on with its own shard");
  if (!options.output.empty()) mismatch("--output would move the run; it goes on in its own folder");
  if (fs::exists(locked.folder.records()))
    for (const std::string& said : results::drop_doubled_failures(locked.folder.records()))
      say(stderr, "{}\n", said);
  const std::vector<std::string> others =
      other_devices(locked.folder.records(), run.invocation.devices,
                    [](const std::string& id) { return open_device(id)->describe(); });
  if (!others.empty() && !options.on_other_devices)
    mismatch(fmt::format(
        "{}; probes of the one say nothing of the other. --on-other-devices goes on all the same, "
        "and each record names its own; parts of a run for several machines are --shard's",
        fmt::join(others, ", ")));
  for (const std::string& other : others) say(stderr, "{}\n", other);
  check_program(run, options);
  check_begun_data(run, locked.folder, options, registry);
  if (!options.flags.given.empty()) run.invocation.benchmark_flags = options.flags.given;
  const SuiteConfig config = with_flags(run.config, flags_of(run.invocation));
  Sweep sweep = invoked_sweep(config, run.invocation, registry);
  return {std::move(locked), std::move(run), config, std::move(sweep)};
}

/// All states that are known before the run begins.
std::vector<State> states_of(const Sweep& sweep) {
  std::vector<State> states = sweep.probes;
  for (const SizedStates& sized : sweep.sized) std::ranges::copy(sized, std::back_inserter(states));
  for (const auto* more : {&sweep.needed.states, &sweep.kernels})
    std::ranges::copy(*more, std::back_inserter(states));
  return states;
}

Invocation invocation_of(const RunOptions& options, const std::vector<DeviceInfo>& devices,
                         const std::vector<std::string>& of_winners = {}) {
  return {.devices = devices,
          .benchmark_flags = options.flags.given,
          .probes_only = options.probes_only,
          .shard = options.shard,
          .overrides = options.config.overrides,
          .data = options.config.data,
          .of_winners = of_winners,
          .command = options.command,
          .host_free_bytes = free_host_bytes()};
}

PreparedRun begun(const RunOptions& options, const TakenWinners& taken,
                  const std::vector<DeviceInfo>& devices, SuiteConfig with_flags, Sweep sweep) {
  const SuiteConfig& config = taken.config;
  fs::path output = options.output.empty() ? config.output : options.output;
  if (output.empty()) output = default_output(config.name);
  const DataContents data = options.probes_only ? DataContents() : data_contents(config);
  LockedFolder locked = make_run_folder(output);
  write_start(locked.folder, config, invocation_of(options, devices, taken.variants),
              defaults_of(states_of(sweep)), data);
  BegunRun run = read_start(locked.folder);
  return {std::move(locked), std::move(run), std::move(with_flags), std::move(sweep)};
}

/// Plans, so that every mistake of the config shows before anything is measured, and prints omitted parts.
Sweep planned_sweep(const SuiteConfig& config, const Registry& registry,
                    const std::vector<DeviceInfo>& devices, const RunOptions& options) {
  if (!options.shard.whole() && !Search::takes_all(config.tune))
    throw UsageError(
        fmt::format("--shard: {}: /tune: a search chooses its next point from all measured points; allowed: "
                    "the strategy exhaustive, without evaluations",
                    config.source));
  Sweep sweep = invoked_sweep(config, invocation_of(options, devices), registry);
  for (const std::string& remark : sweep.remarks) say(stderr, "{}\n", remark);
  if (!states_of(sweep).empty() || !options.shard.whole()) return sweep;
  const Sweep all = plan(config, with_tools_of(config, registry), devices);
  std::size_t planned = all.probes.size() + (options.probes_only ? 0 : all.kernels.size());
  for (const SizedStates& sized : all.sized) planned += options.probes_only ? 0 : sized.size();
  std::vector<std::string> ids;
  ids.reserve(devices.size());
  for (const DeviceInfo& device : devices) ids.push_back(device.id);
  throw UsageError(planned == 0
                       ? fmt::format("{}: nothing to measure on {}, here: {}", config.source, config.devices,
                                     fmt::join(ids, ", "))
                       : fmt::format("{}: none of the {} states that {} can do passes --benchmark_filter={}",
                                     config.source, planned, fmt::join(ids, ", "), options.flags.filter));
}

void print_end(const RunOutcome& outcome, const RunFolder& folder) {
  const std::string dir = folder.dir.string();
  if (outcome.end == RunEnd::complete) return;
  if (outcome.end == RunEnd::interrupted) say(stderr, "\ninterrupted; every finished state is kept\n");
  if (outcome.end == RunEnd::resource) say(stderr, "\nstopped; every finished state is kept\n");
  if (outcome.end == RunEnd::gave_up) say(stderr, "\ngave up: {}\n", outcome.reason);
  say(stderr, "go on with: gpuseq-bench --resume {}\n", dir);
}

ExitCode exit_code(const RunOutcome& outcome, const std::vector<Record>& records) {
  switch (outcome.end) {
    case RunEnd::interrupted:
      return ExitCode::interrupted;
    case RunEnd::usage:
      return ExitCode::usage;
    case RunEnd::resource:
    case RunEnd::gave_up:
      return ExitCode::failed;
    case RunEnd::complete:
      break;
  }
  return any_failed(records) ? ExitCode::failed : ExitCode::fine;
}

void print_summary(const nlohmann::ordered_json& summary, const std::vector<Record>& records,
                   const Terminal& terminal, const RunFolder& folder) {
  say(terminal.out(), "{}{}records: {}\n", Lines{summary_text(summary, records, terminal)},
      Lines{profiles_text(summary["profiles"])}, folder.records().string());
}

/// tuned.json, and the part of it that the cache keeps.
void write_winners(const nlohmann::ordered_json& summary, const SuiteConfig& config, const Registry& registry,
                   const std::vector<Record>& records, const RunFolder& folder) {
  const nlohmann::ordered_json tuned = tuned_json(summary, records, config, registry);
  write_json(folder.tuned(), tuned);
  for (const std::string& remark : keep_winners(tuned, records, config, registry))
    say(stderr, "{}\n", remark);
}

/// Everything that is derived from the journal.
ExitCode finish(const PreparedRun& prepared, const RunOutcome& outcome, const RunOptions& options,
                const Registry& registry, nlohmann::ordered_json host_load) {
  const BenchmarkFlags& flags = options.flags;
  const RunFolder& folder = prepared.locked.folder;
  std::vector<Record> records;
  if (fs::exists(folder.records())) records = results::Journal::load(folder.records());
  SuiteConfig config = prepared.run.config;
  config.tune.repetitions = flags_of(prepared.run.invocation).repetitions;
  auto summary =
      summarise_run(prepared.run.summary, outcome.devices, records, config, outcome.end == RunEnd::complete);
  summary["host_load"] = std::move(host_load);
  summary["profiles"] = profiles_of_run(folder.dir);
  summary["sizes"] = sizes_json(records);
  if (!outcome.gpus_at_once.is_null()) summary["gpus_at_once"] = outcome.gpus_at_once;
  const double budget = budget_s(prepared.run.config, prepared.run.invocation.devices);
  if (budget != kNoBudget) summary["budget"] = budget_json(budget, records, outcome.cuts);
  const ExitCode code = exit_code(outcome, records);
  print_end(outcome, folder);
  write_json(folder.summary(), summary);
  Steps steps;
  if (outcome.end == RunEnd::complete && !summary["tuned"].empty())
    steps.take([&] { write_winners(summary, prepared.run.config, registry, records, folder); });
  if (!options.exported.empty())
    steps.take([&] {
      for (const fs::path& file : export_spaces(records, options.exported))
        say(stderr, "{}\n", file.string());
    });
  if (outcome.end != RunEnd::usage)
    steps.take([&] {
      for (const std::string& remark :
           fill_profiles(folder.dir, prepared.run.config, prepared.run.invocation.devices, records,
                         flags_of(prepared.run.invocation).repetitions, options.renew_profiles))
        say(stderr, "{}\n", remark);
    });
  steps.take([&] { write_benchmark_files(records, folder, flags); });
  const bool library_format = !flags.format.empty();
  if (library_format)
    steps.take([&] {
      std::ostringstream text;
      write_benchmark_report(records, flags.format, text);
      say("{}", Lines{text.str()});
    });
  if (options.summary)
    steps.take([&] {
      print_summary(summary, records, {library_format ? stderr : stdout, options.colour}, folder);
    });
  if (outcome.end == RunEnd::complete && options.report)
    steps.take([&] {
      write_report_of(folder.dir, registry, library_format ? stderr : stdout,
                      page_end_s(budget) - seconds_since(options.begun));
    });
  steps.end();
  return code;
}

}  // namespace

SuiteConfig load_chosen(const ConfigChoice& choice) {
  const auto json_text = [](const std::string& word) {
    return nlohmann::json(word).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  std::vector<std::string> overrides = choice.overrides;
  if (!choice.device.empty()) overrides.push_back("devices=" + json_text(choice.device));
  if (!choice.bounds_from.empty()) overrides.push_back("bounds_from=" + json_text(choice.bounds_from));
  const auto override_bytes = [&](const char* option, const std::string& text, const char* key) {
    if (text.empty()) return;
    try {
      overrides.push_back(fmt::format("{}={}", key, parse_bytes(text)));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", option, error.what()));
    }
  };
  if (choice.budget_s) overrides.push_back("budget_s=" + nlohmann::json(*choice.budget_s).dump());
  override_bytes("--max-bytes", choice.max_bytes, "limits.max_bytes");
  override_bytes("--index-bytes", choice.index_bytes, "limits.max_index_bytes");
  override_bytes("--device-memory", choice.device_memory, "device_memory");
  return load_with_plugins(
      choice.path.empty() ? source_root() / "configs" / "quick.json" : config_file(choice.path), overrides,
      choice.edit, choice.plugins);
}

SuiteConfig load_chosen(const ConfigChoice& choice, const Registry& registry) {
  return with_own_data(load_chosen(choice), choice.data, registry);
}

std::vector<DeviceInfo> devices_of(const SuiteConfig& config) {
  std::vector<DeviceInfo> devices;
  for (const std::string& id : resolve_devices(config.devices)) {
    const auto device = open_device(id);
    if (config.device_memory) device->limit_memory(*config.device_memory);
    devices.push_back({.id = id,
                       .kind = device->kind(),
                       .free_bytes = probes::largest_footprint(*device),
                       .l2_bytes = device->describe().value("l2_bytes", std::size_t{0})});
  }
  return devices;
}

TakenWinners take_winners(const SuiteConfig& config, const RunOptions& options,
                          std::span<const DeviceInfo> devices, const Registry& registry) {
  // Parts of a run would each have those of its own machine.
  if (options.default_points || !options.shard.whole()) return {.config = config, .variants = {}, .said = {}};
  TakenWinners taken = with_winners(config, registry, devices);
  for (const std::string& line : taken.said) say(stderr, "{}\n", line);
  return taken;
}

ExitCode run_suite(const RunOptions& options, const Registry& registry) {
  for (const std::string& flag : options.flags.given)
    if (!is_utf8(flag))
      throw UsageError(
          fmt::format("{}: is not UTF-8; allowed: UTF-8, in which run.json records it", printable(flag)));
  initialise_benchmark(options.flags, kProgramName);
  std::optional<PreparedRun> prepared;
  if (!options.resume.empty()) {
    prepared.emplace(resumed(options, registry));
  } else {
    const SuiteConfig chosen = load_chosen(options.config, registry);
    const std::vector<DeviceInfo> devices = devices_of(chosen);
    const TakenWinners taken = take_winners(chosen, options, devices, registry);
    const SuiteConfig& config = taken.config;
    const SuiteConfig flagged = with_flags(config, flags_of(invocation_of(options, devices)));
    Sweep sweep = planned_sweep(flagged, registry, devices, options);
    if (options.flags.list_tests) {
      for (const State& state : states_of(sweep)) say("{}\n", state.key.to_string());
      return ExitCode::fine;
    }
    check_data(config);
    prepared.emplace(begun(options, taken, devices, flagged, std::move(sweep)));
  }
  say(stderr, "results: {}\n", prepared->locked.folder.dir.string());
  say_quota();
  RunOutcome outcome;
  const Maybe<HostLoad> before = host_load();
  {
    Progress progress({stderr, options.colour}, options.verbose);
    outcome = supervise(prepared->locked, prepared->run, prepared->config, std::move(prepared->sweep),
                        {.used_s = seconds_since(options.begun), .page = options.report}, registry, progress);
  }
  return finish(*prepared, outcome, options, registry, host_load_json(before, host_load()));
}

}  // namespace gpuseq::bench
