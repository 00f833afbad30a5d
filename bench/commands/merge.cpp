#include "bench/run/merge.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/config/json_file.hpp"
#include "bench/profile/store/run_profiles.hpp"
#include "bench/run/run_report.hpp"
#include "bench/run/summary.hpp"
#include "bench/run/terminal/summary_text.hpp"
#include "results/reading/provenances.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/folders/staged_folder.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

struct MergeArguments {
  std::vector<fs::path> dirs;
  fs::path output;
  MergeOptions merge;
  bool allow_program = false;  // the older name of on_other_program
  bool report = true;
  ColourChoice colour = ColourChoice::automatic;
};

/// Shards with the node, the devices and the number of records of each.
ordered_json nodes_json(const std::vector<MergeInput>& inputs) {
  ordered_json nodes = ordered_json::array();
  for (const MergeInput& input : inputs) {
    const json host = input.records.empty() ? json::object()
                                            : input.records.front().provenance.value("host", json::object());
    const Shard shard = input.run.invocation.shard;
    nodes.push_back({{"shard", {shard.index, shard.count}},
                     {"host", host.contains("name") ? ordered_json(host["name"]) : ordered_json(nullptr)},
                     {"started", input.run.summary.value("started", json())},
                     {"finished", input.run.summary.value("finished", json())},
                     {"records", input.records.size()},
                     {"profiles", input.profiles},
                     {"devices", input.run.summary.value("devices", json::object())}});
  }
  return nodes;
}

/// run.json of the whole: as the first shard began, with all shards' devices and times.
json start_of(const std::vector<MergeInput>& inputs) {
  json start = inputs.front().run.summary;
  start["invocation"]["shard"] = {1, 1};
  results::AxisDefaults defaults;
  for (const MergeInput& input : inputs) {
    const json& summary = input.run.summary;
    const json started = summary.value("started", json()), finished = summary.value("finished", json());
    if (started < start["started"]) start["started"] = started;
    if (finished > start["finished"]) start["finished"] = finished;  // null is least
    start["devices"].update(summary.value("devices", json::object()));
    defaults.update(results::AxisDefaults::from_json(summary.value("defaults", json())));
  }
  start["defaults"] = defaults.to_json();
  return start;
}

ExitCode merge_command(MergeArguments options, const Registry& registry) {
  if (options.allow_program) say(stderr, "--allow-program is now called --on-other-program\n");
  options.merge.on_other_program |= options.allow_program;
  std::vector<MergeInput> inputs;
  for (const fs::path& dir : options.dirs) inputs.push_back(read_merge_input(dir));
  const Merged merged = merge(inputs, registry, options.merge);
  const LockedFolder locked = make_run_folder(options.output);
  StagedFolder staged(locked.folder.dir, RunLock::file_name);
  const RunFolder folder{staged.path()};
  const SuiteConfig& config = inputs.front().run.config;
  const json start = start_of(inputs);
  ordered_json summary = summarise_run(start, start["devices"], merged.records, config, merged.complete);
  summary["finished"] = start["finished"];
  summary["nodes"] = nodes_json(inputs);
  write_file_atomically(folder.records(), results::lines_of(merged.records));
  if (!merged.profile_records.empty())
    write_file_atomically(folder.dir / kProfileRecordsFile, results::lines_of(merged.profile_records));
  write_json(folder.summary(), summary);
  write_benchmark_files(merged.records, folder, {});
  staged.publish();
  for (const std::string& remark : merged.remarks) say(stderr, "{}\n", remark);
  say("{}records: {}\n", Lines{summary_text(summary, merged.records, {stdout, options.colour})},
      locked.folder.records().string());
  if (options.report) write_report_of(locked.folder.dir, registry, stdout);
  return any_failed(merged.records) ? ExitCode::failed : ExitCode::fine;
}

}  // namespace

Action add_merge(CLI::App& app, const Registry& registry) {
  auto options = std::make_shared<MergeArguments>();
  CLI::App* merge = app.add_subcommand("merge", "Put the shards of one run (--shard i/N) together");
  merge->add_option("dirs", options->dirs, "Run folders of the shards")->required();
  merge->add_option("-o,--output,--out", options->output, "Folder of the merged run")->required();
  merge->add_flag("--allow-gaps", options->merge.allow_gaps, "Merge although states or shards are missing");
  merge->add_flag("--on-other-program", options->merge.on_other_program,
                  "Merge shards of different versions or commits of the program");
  merge->add_flag("--allow-program", options->allow_program)->group("");  // hidden
  merge->add_flag("!--no-report", options->report, "Write records only, no plots and no page");
  add_color_option(*merge, options->colour);
  return [options, &registry] { return merge_command(*options, registry); };
}

}  // namespace gpuseq::bench
