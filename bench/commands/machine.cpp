#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <sstream>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/profile/compare_profiles.hpp"
#include "bench/config/json_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/profile/machine_profile.hpp"
#include "bench/profile/profile_file.hpp"
#include "bench/profile/sm_groups.hpp"
#include "bench/profile/store/profile_store.hpp"
#include "bench/profile/store/run_profiles.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/run/terminal/terminal.hpp"
#include "bench/run/terminal/wrapped_rows.hpp"
#include "bench/tools/chart_files.hpp"
#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/say.hpp"
#include "runtime/text/printable.hpp"
#include "runtime/time/utc_date.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kComparison = "machines";

struct MachineCommand {
  std::string effort = "quick";
  std::vector<fs::path> paths;  // a run that is finished, a profile, or several profiles; empty: probe now
  bool show = false;            // print the profiles in the cache, measure nothing
  RunOptions options;
};

/// Writes "sm-groups-cuda-0.hpp", which other programs may include.
void write_header(const fs::path& dir, std::string id, const nlohmann::ordered_json& device) {
  std::ranges::replace(id, ':', '-');
  const fs::path header = dir / fmt::format("sm-groups-{}.hpp", id);
  write_file_atomically(header, sm_groups_header(device));
  say(stdout, "groups of multiprocessors: {}\n", header.string());
}

/// The profile of a run, of its records.
nlohmann::ordered_json profile_of_run(const fs::path& dir) {
  const RunFolder folder{dir};
  if (!fs::exists(folder.records()))
    throw UsageError(fmt::format(
        "machine {}: has no records.jsonl; allowed: the folder of a run, a profile (machine.json)",
        dir.string()));
  const nlohmann::json summary =
      fs::exists(folder.summary()) ? read_json(folder.summary(), Texts::printable) : nlohmann::json::object();
  require_utc_dates(summary, {"started", "finished"}, folder.summary().string());
  const std::vector<results::Record> records = results::Journal::load(folder.records());
  try {
    return machine_profile(summary, records);
  } catch (const nlohmann::json::exception& error) {
    throw UsageError(fmt::format("{}: is not of the form that a run writes: {}", folder.summary().string(),
                                 reason_of(error)));
  }
}

/// The text of a profile, its lines broken between words where they are longer than the terminal.
std::string fitting_text(const nlohmann::ordered_json& profile) {
  constexpr std::size_t kFirstColumn = 13;
  const std::size_t width = Terminal(stdout, ColourChoice::never).width();
  std::istringstream lines(profile_text(profile));
  std::string text;
  for (std::string line; std::getline(lines, line); text += '\n')
    text += line.size() <= width
                ? line
                : line.substr(0, kFirstColumn) + wrapped_text(line.substr(kFirstColumn), width, kFirstColumn);
  return text;
}

/// Makes the profile of a run, prints it and writes it to a folder, if one is given.
void make_profile(const fs::path& run, const fs::path& output) {
  const nlohmann::ordered_json profile = profile_of_run(run);
  say(stdout, "{}", Lines{fitting_text(profile)});
  if (output.empty()) return;
  fs::create_directories(output);
  // A pipe of that name would be written to, and wait for a reader.
  if (fs::exists(fs::symlink_status(output / kProfileFile))) open_regular_file(output / kProfileFile);
  write_json(output / kProfileFile, profile);
  say(stdout, "\nprofile: {}\n", (output / kProfileFile).string());
  for (const auto& [id, device] : profile["devices"].items())
    if (has_sm_groups(device)) write_header(output, id, device);
}

/// Notes that the output about a run leaves out records of the profiles that its bounds use.
void say_what_is_of_profiles(const fs::path& dir) {
  const std::size_t records = profile_records_of_run(dir).size();
  if (records > 0)
    say(stderr,
        "{} more records, of profiles of this machine, are in {}: this run did not measure them, and the "
        "following output leaves them out\n",
        records, (dir / kProfileRecordsFile).string());
}

/// Prints the profiles of this machine's devices that the cache has.
ExitCode show_profiles(const RunOptions& options) {
  const SuiteConfig config = load_chosen(options.config);
  const ProfileStore store(config.cache_dir);
  nlohmann::json devices = nlohmann::json::object();
  std::vector<results::Record> records;
  std::string where, missing;
  for (const std::string& id : resolve_devices(config.devices)) {
    const nlohmann::json description = open_device(id)->describe();
    const ProfileKey key = profile_key(description);
    std::string remark;
    const std::optional<KeptProfile> profile = store.find(key, id, remark);
    if (!profile) {
      missing += fmt::format(
          "{}: {}\n", id,
          remark.empty()
              ? "the cache has no profile of it in its present state; `gpuseq-bench machine` makes one"
              : printable(remark));
      continue;
    }
    devices[id] = description;
    std::ranges::copy(profile->records, std::back_inserter(records));
    where += fmt::format("profile of {}: {}, made {}, last added to {}\n", id,
                         printable(store.folder_of(key).string()), profile->made, profile->added);
  }
  if (!records.empty())
    say(stdout, "{}\n{}", Lines{fitting_text(machine_profile({{"devices", devices}}, records))},
        Lines{where});
  say(stderr, "{}", Lines{missing});
  return missing.empty() ? ExitCode::fine : ExitCode::failed;
}

/// "h200" of results/h200/machine.json and of its folder, "titan" of titan.json.
std::string name_of(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  if (whole.filename() == kProfileFile) return whole.parent_path().filename().string();
  return whole.has_filename() ? whole.stem().string() : whole.parent_path().filename().string();
}

bool is_profile(const fs::path& path) {
  return path.extension() == ".json" && !fs::is_directory(path);
}

/// Prints the profiles side by side and draws them over each other.
ExitCode compare_profiles(const std::vector<fs::path>& paths, fs::path output) {
  std::vector<NamedProfile> profiles;
  profiles.reserve(paths.size());
  for (const fs::path& path : paths) {
    const bool has_profile = is_profile(path) || fs::exists(path / kProfileFile);
    profiles.push_back({printable(name_of(path)), has_profile ? read_profile(path) : profile_of_run(path)});
  }
  const std::vector<ComparedDevice> devices = devices_of(profiles);
  say(stdout, "{}", Lines{comparison_text(devices)});
  const chart::LineChart chart = comparison_chart(devices);
  if (chart.panels.empty()) return ExitCode::fine;
  if (output.empty()) output = default_output(kComparison);
  fs::create_directories(output);
  say(stdout, "\n");
  write_chart(chart, output, kComparison);
  return ExitCode::fine;
}

/// @throws UsageError for an option that has no meaning for the given arguments
void check_options(const MachineCommand& command) {
  const RunOptions& options = command.options;
  const auto refuse = [](const char* given, const char* why) {
    throw UsageError(fmt::format("machine: {}: {}", given, why));
  };
  if (!command.paths.empty()) {
    constexpr const char* kNoPath = "is about this machine; allowed: without a path";
    if (command.show) refuse("--show", kNoPath);
    if (options.renew_profiles) refuse("--renew", kNoPath);
    if (!options.config.device.empty()) refuse("--device", kNoPath);
    if (!options.config.overrides.empty()) refuse("--set", kNoPath);
  }
  const bool prints = command.show || (command.paths.size() == 1 && is_profile(command.paths.front()));
  if (prints && !options.output.empty())
    refuse("--output",
           "a profile is printed and nothing is written; allowed: with a run, several profiles or none");
}

ExitCode machine_command(MachineCommand command, const BenchmarkFlags& flags, const Registry& registry) {
  ExitCode code = ExitCode::fine;
  check_options(command);
  if (command.paths.size() > 1) return compare_profiles(command.paths, command.options.output);
  if (!command.paths.empty() && is_profile(command.paths.front())) {
    say(stdout, "{}", Lines{fitting_text(read_profile(command.paths.front()))});
    return code;
  }
  if (!command.paths.empty()) say_what_is_of_profiles(command.paths.front());
  if (command.paths.empty()) {
    RunOptions& options = command.options;
    options.config.path = source_root() / "configs" / "machine" / (command.effort + ".json");
    if (command.show) return show_profiles(options);
    if (options.output.empty()) options.output = default_output("machine-" + command.effort);
    options.probes_only = true;
    options.report = options.summary = false;
    options.flags = flags;
    code = run_suite(options, registry);
    if (code != ExitCode::fine && code != ExitCode::failed) return code;
    command.paths = {options.output};
  }
  make_profile(command.paths.front(), command.options.output);
  return code;
}

}  // namespace

Action add_machine(CLI::App& app, const BenchmarkFlags& flags, const Registry& registry) {
  auto command = std::make_shared<MachineCommand>();
  CLI::App* machine = app.add_subcommand(
      "machine", "Profile this machine: levels of memory, bandwidths, latencies, instructions");
  machine->add_option(
      "paths", command->paths,
      "Folder of a run with probes, or a machine.json, whose profile is printed; or several of these, "
      "which are compared; default: probe now");
  CLI::Option* renew = machine->add_flag("--renew", command->options.renew_profiles,
                                         "Probe, and delete the cached profile of this machine");
  machine
      ->add_flag(
          "--show", command->show,
          "Print the cached profile of this machine and measure nothing; exit code 1 if there is none of "
          "its present state")
      ->excludes(renew);
  machine->add_option("--effort", command->effort, "quick (a minute), normal (five) or thorough")
      ->check(CLI::IsMember({"quick", "normal", "thorough"}));
  machine->add_option("--device", command->options.config.device,
                      "cpu, cuda:N, all, auto or a comma-separated list");
  machine->add_flag("-v,--verbose", command->options.verbose, "A line for each state that is measured");
  add_color_option(*machine, command->options.colour);
  machine->add_option("--set", command->options.config.overrides, "Override a.b.c=JSON of the config");
  machine->add_option("-o,--output,--out", command->options.output,
                      "Folder of the records and machine.json, or of the comparison; default "
                      "runs/machine-<effort>-<UTC time>, runs/machines-<UTC time>; of a run that is given, "
                      "machine.json is written there only");
  return [command, &flags, &registry] { return machine_command(*command, flags, registry); };
}

}  // namespace gpuseq::bench
