#include "bench/commands/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "bench/commands/allocator.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/help.hpp"
#include "bench/commands/manual.hpp"
#include "bench/commands/meant.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/standard_streams.hpp"
#include "bench/config/provenance.hpp"
#include "bench/plugin/description.hpp"
#include "bench/run/profile_case.hpp"
#include "bench/run/worker/worker.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/io/json_text.hpp"
#include "runtime/io/program_name.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

constexpr const char* kFooter =
    "Without a subcommand: run. Google Benchmark's flags (--benchmark_filter=REGEX, --benchmark_list_tests, "
    "--benchmark_repetitions=N, --benchmark_min_time=0.5, --benchmark_out=FILE, --benchmark_out_format, "
    "--benchmark_format=console|json|csv) work with run, probe and plan.\n"
    "Exit codes: 0 fine; 1 a case failed (wrong result, crash, timeout, error) or the run could not be "
    "finished; 2 wrong arguments, config or data, too little memory, or a standard output that cannot be "
    "written; 130 interrupted. Cases that do not fit a device or are not supported by it are skipped, which "
    "is "
    "fine.";

/// All options of the command line; subcommands share the common ones.
struct CommandLine {
  RunOptions run;
  std::string topic;
  std::filesystem::path tools;  // of list
  bool json = false;
  PlanOptions plan;
  std::vector<std::filesystem::path> runs;
  std::vector<std::string> architectures{"sm_90"};
  std::string profiled;  // of run
  std::filesystem::path worker_dir;
  std::filesystem::path library, described;  // of describe-plugins
  InheritedDescriptors inherited;
  std::map<std::string, Action> actions;  // of the subcommands that bring their own
};

void add_bounds_option(CLI::App& command, ConfigChoice& config) {
  command
      .add_option(
          "--bounds-from", config.bounds_from,
          "Probes that bounds need: run measures them; profile takes them from this machine's profile, which "
          "a spot check must agree with; auto: from the profile where there is one, the default")
      ->check(CLI::IsMember({"auto", "run", "profile"}));
}

void add_default_points_option(CLI::App& command, RunOptions& options) {
  command
      .add_flag("--default-points", options.default_points,
                "Variants without axes in the config run at their defaults, not at the points of this "
                "machine's winners")
      ->envname(kDefaultPointsVariable);
}

void add_shard_option(CLI::App& command, Shard& shard) {
  command.add_option_function<std::string>(
      "--shard", [&shard](const std::string& text) { shard = parse_shard(text); },
      "i/N: only the i-th of N parts of about equal cost; `merge` puts them together");
}

void add_run_options(CLI::App& command, RunOptions& options) {
  add_config_options(command, options.config);
  add_bounds_option(command, options.config);
  add_default_points_option(command, options);
  command.add_option("-o,--output,--out", options.output,
                     "Folder of the results; default runs/<name>-<UTC time>");
  command.add_option("--resume", options.resume,
                     "Go on with the run in this folder; nothing is measured twice");
  command.add_flag("--on-other-devices", options.on_other_devices,
                   "With --resume: go on although a device is another than the one that the run began on");
  command.add_flag(
      "--on-other-program", options.on_other_program,
      "With --resume: go on although the run began with another version or commit of the program");
  command.add_flag("!--no-report", options.report, "Write records only, no plots and no page");
  command.add_flag("-v,--verbose", options.verbose, "A line for each state that is measured");
  add_color_option(command, options.colour);
  add_shard_option(command, options.shard);
}

ExitCode print(const std::string& text) {
  say(stdout, "{}", Lines{text});
  return ExitCode::fine;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

void add_subcommands(CLI::App& app, CommandLine& line, const Registry& registry) {
  CLI::App* run = app.add_subcommand("run", "Probe, sweep, tune and report (the default)");
  add_run_options(*run, line.run);
  run->add_option(
         "--profile", line.profiled,
         "Launch one case once in this process, for ncu and perf: nothing is warmed up, checked, timed "
         "or recorded. CASE is a name as --benchmark_list_tests prints it; axes at their defaults may be "
         "left out")
      ->type_name("CASE")
      ->excludes("--resume", "--output", "--shard");
  add_run_options(*app.add_subcommand("probe", "Only the probes of the config, and the levels of memory"),
                  line.run);
  CLI::App* plan = app.add_subcommand("plan", "Print the cases of a config, their number and their time");
  add_config_options(*plan, line.run.config);
  add_bounds_option(*plan, line.run.config);
  add_default_points_option(*plan, line.run);
  add_shard_option(*plan, line.run.shard);
  plan->add_option("--machine", line.plan.machine,
                   "Folder of a run: plan for the devices and processors that it ran on");
  plan->add_flag("--states", line.plan.all_states, "Name every state");
  plan->add_flag("--json", line.plan.json, "Print numbers of states, expected seconds and remarks as JSON");
  CLI::App* list = app.add_subcommand("list", "List families, variants, axes, probes, devices");
  list->add_option("topic", line.topic, "One of these; default: all")
      ->check(CLI::IsMember({"families", "variants", "axes", "probes", "devices", "tools"}));
  list->add_option(
      "--tools", line.tools,
      "File of other programs that run as variants; default of \"list tools\": configs/tools/tools.json");
  list->add_option("--plugin", line.run.config.plugins, "Shared library with kernels of yours")
      ->allow_extra_args(false);
  list->add_flag("--json", line.json, "As JSON");
  line.actions["report"] = add_report(app, registry);
  line.actions["query"] = add_query(app);
  line.actions["compare"] = add_compare(app);
  line.actions["gate"] = add_gate(app, line.run.flags);
  line.actions["history"] = add_history(app);
  line.actions["merge"] = add_merge(app, registry);
  line.actions["migrate"] = add_migrate(app);
  line.actions["machine"] = add_machine(app, line.run.flags, registry);
  line.actions["tune"] = add_tune(app, line.run.flags, registry);
  line.actions["choose"] = add_choose(app, registry);
  line.actions["reproduce"] = add_reproduce(app, line.run.flags);
  line.actions["slurm"] = add_slurm(app, line.run.flags);
  line.actions["doctor"] = add_doctor(app);
  line.actions["selftest"] = add_selftest(app, registry);
  line.actions["cache"] = add_cache(app);
  CLI::App* validate =
      app.add_subcommand("validate", "Check a config and read its data, or check the records of runs");
  add_config_options(*validate, line.run.config);
  validate->add_option("runs", line.runs, "Run folders or journals (records.jsonl)");
  line.actions["exec"] = add_exec(app, registry);
  line.actions["export"] = add_export(app, registry);
  CLI::App* compile = app.add_subcommand("compile",
                                         "Compile every CUDA point of a config; needs no GPU. Exit code 1 "
                                         "if one does not compile, or spills and must not");
  add_config_options(*compile, line.run.config);
  compile->add_option("--arch", line.architectures, "Architectures, e.g. sm_80,sm_90")->delimiter(',');
  CLI::App* help = app.add_subcommand("help", "Print the purpose of a command and its options, as --help");
  help->add_option("command", line.topic, "Default: the program")->check(CLI::IsMember(command_names(app)));
  app.add_subcommand("manual", "The manual page, for man -l");
  app.add_subcommand("completion", "Completion of this command line, for bash's source");
  line.actions["manual"] = [&app] { return print(manual_page(app, build_info().version)); };
  line.actions["completion"] = [&app] { return print(completion_script(app)); };
  CLI::App* worker = app.add_subcommand("worker", "")->group("");  // hidden: the supervisor's own
  worker->add_option("dir", line.worker_dir)->required();
  worker->add_option("--messages", line.inherited.messages)->required();
  worker->add_option("--lock", line.inherited.lock)->required();
  CLI::App* plugins = app.add_subcommand("describe-plugins", "")->group("");  // hidden: describe_plugins()
  plugins->add_option("library", line.library)->required();
  plugins->add_option("out", line.described)->required();
  for (CLI::App* command : app.get_subcommands({}))
    if (command->get_name() != "run" && command->get_name() != "probe" && command->get_footer() == kFooter)
      command->footer("");  // the program's own, which commands take over where they bring none
}

/// A run whose reader went away (`run | head`) measures on; its output is lost, its records are not.
void outlive_readers(const std::string& command) {
  static constexpr std::array kMeasure{"run",  "probe",   "tune",      "choose",
                                       "gate", "machine", "reproduce", "worker"};
  if (std::ranges::find(kMeasure, command) != kMeasure.end()) std::signal(SIGPIPE, SIG_IGN);
}

/// A command that reads many records holds them all: 100 000 take a fifth less memory so.
void spare_memory(const std::string& command) {
  static constexpr std::array kReadRecords{"compare", "merge", "validate", "history"};
  if (std::ranges::find(kReadRecords, command) != kReadRecords.end()) return_freed_memory();
}

ExitCode dispatch(const CLI::App& app, CommandLine& line, const Registry& registry) {
  const std::string command = app.get_subcommands().front()->get_name();
  static constexpr std::array kTakeFlags{"run",  "probe",   "tune",      "plan",
                                         "gate", "machine", "reproduce", "slurm"};
  if (!line.run.flags.given.empty() && std::ranges::find(kTakeFlags, command) == kTakeFlags.end())
    throw UsageError(
        fmt::format("{}: {} takes no flags of Google Benchmark", line.run.flags.given.front(), command));
  outlive_readers(command);
  spare_memory(command);
  if (command == "worker")
    return static_cast<ExitCode>(run_worker(line.worker_dir, line.inherited, registry));
  if (command == "describe-plugins") {
    write_descriptions(line.library, line.described);
    return ExitCode::fine;
  }
  if (const auto action = line.actions.find(command); action != line.actions.end()) return action->second();
  if (command == "plan") return plan_command(line.run, line.plan, registry);
  if (command == "list" && line.topic == "tools") return list_tools_command(line.tools, line.json);
  if (command == "list")
    return list_command(
        line.topic, line.json,
        registry_with_tools(registry_with_plugins(registry, line.run.config.plugins), line.tools));
  if (command == "validate") return validate_command(line.run.config, line.runs, registry);
  if (command == "compile") return compile_command(line.run.config, line.architectures, registry);
  if (command == "run" && !line.profiled.empty()) return profile_case(line.run, line.profiled, registry);
  if (command == "run" && holds_choice(line.run.resume)) return resume_choice(line.run, registry);
  line.run.probes_only = command == "probe";
  return run_suite(line.run, registry);
}

/// `gpuseq-bench --config X` is `gpuseq-bench run --config X`.
void insert_default_command(std::vector<std::string>& arguments) {
  if (!arguments.empty()) {
    const std::string& first = arguments.front();
    if (first == "-h" || first == "--help" || first == "-V" || first == "--version") return;
    if (!first.starts_with("-")) return;
  }
  arguments.insert(arguments.begin(), "run");
}

/// `help exec papara` is `exec papara --help`. Other words are left to the parser.
void turn_help_around(std::vector<std::string>& arguments, const CLI::App& app) {
  if (arguments.empty() || arguments.front() != "help") return;
  const CLI::App* command = &app;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    command = find_command(*command, arguments[i]);
    if (command == nullptr) return;
  }
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
}

std::string of_file_system(const std::filesystem::filesystem_error& error) {
  const std::string second = error.path2().empty() ? "" : " and " + error.path2().string();
  return fmt::format("{}{}: {}", error.path1().string(), second, error.code().message());
}

/// Prints help, or the error of the arguments, which may be in the words. @returns the exit code
int say_outcome(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, err;
  const int code = app.exit(error, out, err);
  say(stdout, "{}", Lines{out.str()});
  std::string words = err.str();
  if (const std::string_view what = error.what(); words.starts_with(what))
    words.replace(0, what.size(), printable(what));
  say(stderr, "{}", Lines{words});
  return code;
}

int parse_and_dispatch(std::vector<std::string> arguments, const Registry& registry) {
  CommandLine line;
  line.run.flags = take_benchmark_flags(arguments);
  CLI::App app(
      "Benchmarks sequence-analysis kernels on CPU and GPU against the bounds that memory probes show "
      "in the same run.",
      kProgramName);
  app.set_version_flag("-V,--version", build_info().version + " (" + build_info().commit + ")");
  app.require_subcommand(1);
  app.footer(kFooter);
  app.formatter(help_formatter());
  add_subcommands(app, line, registry);
  turn_help_around(arguments, app);
  insert_default_command(arguments);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    if (say_outcome(app, error) == 0) return 0;
    if (const std::string meant = what_was_meant(app, arguments, registry); !meant.empty())
      say(stderr, "{}\n", meant);
    return static_cast<int>(ExitCode::usage);
  }
  return static_cast<int>(dispatch(app, line, registry));
}

/// The program with every exception turned into words and an exit code.
int guarded_program(std::vector<std::string> arguments, const Registry& registry) {
  const auto fail = [](std::string_view what, ExitCode code) {
    say(stderr, "{}: {}\n", kProgramName, what);
    return static_cast<int>(code);
  };
  try {
    return parse_and_dispatch(std::move(arguments), registry);
  } catch (const UsageError& error) {
    return fail(error.what(), ExitCode::usage);
  } catch (const nlohmann::json::exception& error) {
    return fail(fmt::format("a JSON value is not of the expected form ({})", reason_of(error)),
                ExitCode::usage);
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(of_file_system(error), ExitCode::usage);
  } catch (const DoesNotFit& error) {
    return fail(error.what(), ExitCode::usage);
  } catch (const Unsupported& error) {
    return fail(error.what(), ExitCode::usage);
  } catch (const std::bad_alloc&) {
    return fail("not enough memory for this request", ExitCode::usage);
  } catch (const std::length_error&) {
    return fail("the request is larger than the memory", ExitCode::usage);
  } catch (const std::exception& error) {
    return fail(error.what(), ExitCode::failed);
  }
}

}  // namespace

int run_program(int argc, char** argv, const Registry& registry) {
  occupy_standard_descriptors();
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is then an error of write(), like a full disk
  const int code = guarded_program(std::vector<std::string>(argv + 1, argv + argc), registry);
  const std::string lost = unprinted();
  if (lost.empty()) return code;
  say(stderr, "{}: standard output cannot be written: {}\n", kProgramName, lost);
  return code == static_cast<int>(ExitCode::fine) ? static_cast<int>(ExitCode::usage) : code;
}

}  // namespace gpuseq::bench
