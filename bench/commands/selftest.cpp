#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/plan/axis_defaults.hpp"
#include "bench/plan/budget.hpp"
#include "bench/run/recorder.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/run/worker/worker_process.hpp"
#include "runtime/folders/scratch_folder.hpp"
#include "runtime/io/say.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;
using results::Status;

struct SelftestCommand {
  std::string devices = "auto";
  double timeout_s = 60;
  ColourChoice colour = ColourChoice::automatic;
};

/// The default point of a variant, once for each instruction set that the variant can be forced to.
std::vector<Point> points_of(const Variant& variant) {
  const Point usual = variant.space.complete({});
  const Axis* targets = variant.space.find("target");
  if (targets == nullptr) return {usual};
  std::vector<Point> points;
  for (const AxisValue& target : targets->values) {
    if (target == AxisValue("best")) continue;
    Point forced = usual;
    forced.set("target", target);
    points.push_back(std::move(forced));
  }
  return points;
}

void add_states(const Family& family, const char* kind, const DeviceInfo& device,
                std::vector<State>& states) {
  const Point problem = family.problem_space().complete(family.small_problem());
  for (const Variant& variant : family.variants()) {
    if (variant.device != device.kind) continue;
    for (Point& point : points_of(variant))
      states.push_back({.key = {.family = std::string(family.name()),
                                .variant = variant.name,
                                .problem = problem,
                                .point = std::move(point),
                                .device = device.id},
                        .kind = kind,
                        .phase = "sweep",
                        .family = &family,
                        .variant = &variant});
  }
}

/// Every variant of every family and probe on its small problem.
std::vector<State> states_of(std::span<const DeviceInfo> devices, const Registry& registry) {
  std::vector<State> states;
  for (const DeviceInfo& device : devices) {
    for (const auto& family : registry.families) add_states(*family, "kernel", device, states);
    for (const auto& probe : registry.probes) add_states(*probe, "probe", device, states);
  }
  return states;
}

/// One sample each: it is the answers that count.
SuiteConfig selftest_config(const SelftestCommand& command) {
  return config_from_json({{"name", "selftest"},
                           {"devices", command.devices},
                           {"timeout_s", command.timeout_s},
                           {"sampling",
                            {{"min_samples", 1},
                             {"max_samples", 1},
                             {"max_seconds", 0.001},
                             {"six_samples_seconds", 0.001},
                             {"short_launch_seconds", 0},
                             {"probe_passes", 1},
                             {"warmup", 0}}}},
                          "selftest", std::filesystem::current_path());
}

struct Outcome {
  int right = 0;
  std::map<std::string, int> skipped;  // by reason
  std::vector<std::string> failed;
};

void count(const Record& record, Outcome& outcome) {
  if (record.status == Status::ok) ++outcome.right;
  if (record.status == Status::skipped) ++outcome.skipped[record.failure->reason];
  if (record.status == Status::failed)
    outcome.failed.push_back(
        fmt::format("{}: {}: {}", record.state.to_string(), record.failure->kind, record.failure->reason));
}

void print(const std::string& device, const Outcome& outcome) {
  int skipped = 0;
  for (const auto& [reason, cases] : outcome.skipped) skipped += cases;
  say("{}: {} right, {} failed, {} skipped\n", device, outcome.right, outcome.failed.size(), skipped);
  for (const auto& [reason, cases] : outcome.skipped) say("  {} skipped: {}\n", cases, printable(reason));
  for (const std::string& failed : outcome.failed) say("  failed: {}\n", printable(failed));
}

ExitCode selftest_command(const SelftestCommand& command, const Registry& registry) {
  const SuiteConfig config = selftest_config(command);
  check_data(config);  // makes the cache
  const std::vector<DeviceInfo> devices = devices_of(config);
  const std::vector<State> states = states_of(devices, registry);
  const ScratchFolder scratch{std::filesystem::path()};
  const LockedFolder locked = make_run_folder(scratch.path() / "selftest");
  write_start(locked.folder, config, {.devices = devices, .benchmark_flags = {}}, defaults_of(states), {});
  std::map<std::string, Outcome> outcomes;
  try {
    const InterruptGuard interrupts;
    const BenchmarkFlags flags;
    Progress progress({stderr, command.colour}, false);
    Recorder recorder(locked, config, flags, {}, kNoBudget, progress);
    recorder.complete_by([](Record&) {});
    recorder.announce(states);
    recorder.compile_ahead(states);
    for (const State& state : states) count(recorder.measure(state), outcomes[state.key.device]);
  } catch (const RunEnded& ended) {
    if (ended.end == RunEnd::interrupted) return ExitCode::interrupted;
    say(stderr, "selftest: ended before its last case: {}\n", printable(ended.reason));
    return ExitCode::failed;
  }
  bool failed = false;
  for (const DeviceInfo& device : devices) {
    print(device.id, outcomes[device.id]);
    failed = failed || !outcomes[device.id].failed.empty();
  }
  if (const std::string reason = list_devices().reason_no_cuda; !reason.empty())
    say(stderr, "no GPU: {}\n", printable(reason));
  say("selftest: {}\n", failed ? "failed" : "passed");
  return failed ? ExitCode::failed : ExitCode::fine;
}

}  // namespace

Action add_selftest(CLI::App& app, const Registry& registry) {
  auto command = std::make_shared<SelftestCommand>();
  CLI::App* selftest = app.add_subcommand(
      "selftest",
      "Check every variant and probe on this machine: a small problem at the default point, with each "
      "instruction set, against the oracle. Exit code 1 if an answer is wrong or a case fails");
  selftest->add_option("--device", command->devices,
                       "cpu, cuda:N, all, auto or a comma-separated list; default auto");
  selftest
      ->add_option("--timeout", command->timeout_s,
                   "A case without progress for so long has failed; default 60 s")
      ->transform(as_seconds());
  add_color_option(*selftest, command->colour);
  return [command, &registry] { return selftest_command(*command, registry); };
}

}  // namespace gpuseq::bench
