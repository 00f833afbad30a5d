#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "bench/commands/choose/layouts.hpp"
#include "bench/commands/choose/screen.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/config/json_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/run/phases/kernel_phases.hpp"
#include "bench/run/phases/probe_phase.hpp"
#include "bench/run/run_folder.hpp"
#include "results/journal.hpp"
#include "runtime/io/number_text.hpp"
#include "runtime/io/say.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kBudget_s = 300;
constexpr double kSearchShare = 0.8;  // of the budget, where external tools follow
constexpr int kMostEvaluations = 1000, kRacers = 6;
constexpr std::uint64_t kBasesOfCore = 4'000'000, kBasesOfGpu = 1'000'000'000;  // of queries per launch
/// Their defaults are the fastest by their meaning: all threads, the best instruction set, the usual
/// compiler.
constexpr std::array<std::string_view, 4> kKeptAxes{"threads", "target", "active_threads", "compiled_by"};
constexpr std::array kTools{std::pair{"bowtie", "bowtie"}, std::pair{"bwa_fastmap", "bwa"}};

struct ChooseCommand {
  fs::path reference;
  std::uint64_t read_length = 100;
  std::string index_bytes;
  RunOptions options;
};

/// @throws UsageError as SequenceReader does, and for a file without a base
std::uint64_t bases_of(const fs::path& path) {
  SequenceReader reader(path);
  Sequence record;
  std::uint64_t bases = 0;
  while (reader.next(record))
    bases += static_cast<std::uint64_t>(std::ranges::count_if(record.sequence, [](char letter) {
      return std::string_view("ACGTacgt").find(letter) != std::string_view::npos;
    }));
  if (bases == 0) throw UsageError(fmt::format("{}: found no base; allowed: A, C, G and T", path.string()));
  return bases;
}

/// A problem of as many reads as fill the devices. Its file comes by --data.
json problem_of(std::uint64_t read_length, std::span<const DeviceInfo> devices) {
  const bool gpu =
      std::ranges::any_of(devices, [](const DeviceInfo& one) { return one.kind == DeviceKind::cuda; });
  const std::uint64_t bases = gpu ? kBasesOfGpu : kBasesOfCore * static_cast<std::uint64_t>(available_cpus());
  return {{"reference", "random"},
          {"query_bases", read_length},
          {"query_count", std::max<std::uint64_t>(1000, bases / read_length)}};
}

/// A config that measures the layouts in their order, then the parameters of the fastest.
json document_of(const json& problem, const std::vector<Layout>& layouts, const Family& family) {
  json variants = json::object(), first = json::array();
  for (const Layout& layout : layouts) {
    json& axes = variants[layout.variant].emplace_back(json::object());
    for (const auto& [name, values] : layout.axes)
      for (const AxisValue& value : values) axes[name].push_back(to_json(value));
    Point stated;  // the search keeps these values
    for (const Axis& axis : family.variant(layout.variant).space.axes())
      if (const AxisValue& value = layout.usual.at(axis.name);
          value != axis.default_value || (axes.contains(axis.name) && axes[axis.name].size() == 1))
        stated.set(axis.name, value);
    first.push_back({{"variant", layout.variant}, {"point", json(stated.to_json())}});
  }
  return {{"name", "choose"},
          {"description", "The fastest FM-index within a limit of memory."},
          {"sampling",
           {{"min_samples", 3}, {"max_samples", 10}, {"max_seconds", 0.1}, {"six_samples_seconds", 0.3}}},
          {"families", {{"fm_index", {{"problems", json::array({problem})}, {"variants", variants}}}}},
          {"tune",
           {{"strategy", "guided"},
            {"evaluations", std::max<std::size_t>(kMostEvaluations, 2 * layouts.size())},
            {"remeasure", kRacers},
            {"first", first}}}};
}

[[noreturn]] void throw_no_layout(const ChooseCommand& command, const Layouts& layouts) {
  if (!layouts.smallest) throw UsageError("choose: no variant of fm_index runs on these devices");
  const Layout& smallest = *layouts.smallest;
  const std::string needs =
      fmt::format("the smallest index of {} has {} bytes ({} {})", command.reference.string(),
                  smallest.index_bytes, smallest.variant, smallest.usual.to_string());
  if (command.index_bytes.empty()) throw UsageError("no device has enough memory: " + needs);
  throw UsageError(fmt::format("--index-bytes {}: {}; allowed: {} or more", command.index_bytes, needs,
                               smallest.index_bytes));
}

/// The layouts within the limit, in the order in which they are measured. @throws UsageError if there is none
std::vector<Layout> layouts_for(const ChooseCommand& command, json problem, const Family& family,
                                const SuiteConfig& config) {
  const std::uint64_t bases = bases_of(command.reference);
  if (command.read_length > bases)
    throw UsageError(fmt::format("--read-length {}: {} has {} bases; allowed: 1 to {}", command.read_length,
                                 command.reference.string(), bases, bases));
  problem["reference"] = "file";
  const LayoutRequest request{.problem = family.problem_space().complete(Point::from_json(problem)),
                              .data_bytes = {{"file", bases}},
                              .index_bytes = config.tune.limits.index_bytes};
  Layouts layouts = layouts_within(family, request, devices_of(config), kKeptAxes);
  if (layouts.within.empty()) throw_no_layout(command, layouts);
  return ranked(std::move(layouts.within));
}

fs::path tools_file() {
  return source_root() / "configs" / "tools" / "tools.json";
}

/// The external tools, with the reason of each that is not installed.
std::vector<ToolResult> known_tools(const Registry& registry) {
  const Registry with = registry_with_tools(registry, tools_file());
  std::vector<ToolResult> tools;
  tools.reserve(kTools.size());
  for (const auto& [variant, name] : kTools)
    tools.push_back({name, with.family("fm_index").variant(variant).missing, {}});
  return tools;
}

bool any_runs(const std::vector<ToolResult>& tools) {
  return std::ranges::any_of(tools, [](const ToolResult& one) { return one.why_not.empty(); });
}

/// Runs the installed tools on the queries of the search, unless they were run before.
/// @param search  the run's config
ExitCode measure_tools(const json& search, const RunFolder& folder, const Registry& registry,
                       std::vector<ToolResult>& tools) {
  const double left_s = search["budget_s"].get<double>() * (1 / kSearchShare - 1);
  json variants = json::object();
  for (std::size_t i = 0; i < tools.size(); ++i)
    if (tools[i].why_not.empty()) variants[kTools[i].first] = json::object();
  RunOptions options;
  options.output = folder.dir;
  options.command = {"choose"};
  options.summary = options.report = false;
  options.config.device = "cpu";
  options.config.budget_s = left_s;
  options.config.edit = [&](json& document) {
    document = search;
    for (const char* key : {"tune", "limits"}) document.erase(key);
    document["families"]["fm_index"]["variants"] = variants;
    document["tools"] = tools_file().string();
    document["timeout_s"] = std::max(5.0, left_s / static_cast<double>(variants.size()));
  };
  const ExitCode code = fs::exists(folder.summary()) ? ExitCode::fine : run_suite(options, registry);
  if (fs::exists(folder.records()))
    for (const results::Record& record : results::Journal::load(folder.records()))
      for (std::size_t i = 0; i < tools.size(); ++i)
        if (record.kind == "tool" && record.state.variant == kTools[i].first && !tools[i].record)
          tools[i].record = record;
  for (ToolResult& tool : tools)
    if (!tool.record && tool.why_not.empty()) tool.why_not = "not measured: the run ended before";
  return code;
}

/// The choice that a finished search holds. `tuned` is empty if nothing has a rate.
Choice choice_of(const RunFolder& folder) {
  const BegunRun run = read_start(folder);
  const std::string& data = run.invocation.data.front();
  Choice choice{.reference = data.substr(data.find('=') + 1),
                .index_bytes = run.config.tune.limits.index_bytes,
                .folder = folder.dir.string(),
                .tuned = run.summary["tuned"],
                .records = results::Journal::load(folder.records()),
                .layouts = run.config.tune.first.size(),
                .measured_layouts = run.config.tune.first.size()};
  for (const results::Record& record : choice.records) {
    if (record.kind != "kernel") continue;
    choice.read_length = static_cast<std::uint64_t>(record.state.problem.integer("query_bases"));
    const json& facts = *record.facts;
    if (facts.is_object()) choice.bases = facts.value("reference_bases", choice.bases);
  }
  for (const json& cut : run.summary["budget"]["cut"]) {
    const auto states = cut["states"].get<std::size_t>();
    if (cut["what"] == kNeededProbes) choice.lacking_probes = states;
    if (cut["what"] == kFirstPoints) choice.measured_layouts -= std::min(states, choice.layouts);
  }
  return choice;
}

/// Prints the choice after its search. @param code  of the search
ExitCode finish_choice(const RunFolder& folder, ExitCode code, const Registry& registry) {
  if (code != ExitCode::fine && code != ExitCode::failed) return code;
  Choice choice = choice_of(folder);
  if (choice.tuned.empty()) {
    say(stderr, "{}\n", no_choice_text(choice));
    return ExitCode::failed;
  }
  choice.tools = known_tools(registry);
  if (any_runs(choice.tools) && measure_tools(read_json(folder.summary())["config"], {folder.dir / "tools"},
                                              registry, choice.tools) == ExitCode::interrupted)
    return ExitCode::interrupted;
  say("\n{}", Lines{choice_text(choice, registry.family("fm_index"))});
  return code;
}

ExitCode choose_command(const ChooseCommand& command, const Registry& registry) {
  const Family& family = registry.family("fm_index");
  RunOptions options = command.options;
  json document = document_of(json::object(), {}, family);
  options.config.edit = [&](json& edited) { edited = document; };
  options.config.index_bytes = command.index_bytes;
  const SuiteConfig config = load_chosen(options.config);
  const json problem = problem_of(command.read_length, devices_of(config));
  document = document_of(problem, layouts_for(command, problem, family, config), family);
  options.config.data = {"reference=" + command.reference.string()};
  options.config.budget_s =
      options.config.budget_s.value_or(kBudget_s) * (any_runs(known_tools(registry)) ? kSearchShare : 1);
  options.command = {"choose"};
  options.summary = options.report = false;
  if (options.output.empty()) options.output = default_output("choose");
  return finish_choice({options.output}, run_suite(options, registry), registry);
}

}  // namespace

bool holds_choice(const fs::path& folder) {
  const RunFolder run{folder};
  if (folder.empty() || !fs::exists(run.summary())) return false;
  json summary = read_json(run.summary());
  return summary.contains(json::json_pointer("/config/tune/first")) && summary["name"] == "choose";
}

ExitCode resume_choice(RunOptions options, const Registry& registry) {
  options.summary = options.report = false;
  return finish_choice({options.resume}, run_suite(options, registry), registry);
}

Action add_choose(CLI::App& app, const Registry& registry) {
  auto command = std::make_shared<ChooseCommand>();
  CLI::App* choose = app.add_subcommand(
      "choose", "Find the fastest FM-index of a reference within a limit of memory, on this machine");
  choose->add_option("--reference", command->reference, "FASTA or FASTQ file, gzip or plain")->required();
  choose->add_option("--read-length", command->read_length, "Bases of a read; default 100")
      ->check(CLI::Range(1, 1'000'000));
  choose->add_option("--index-bytes", command->index_bytes,
                     "Largest size of the index (200M, 1.5GiB); default: the device's memory");
  ConfigChoice& config = command->options.config;
  choose->add_option("--device", config.device, "cpu, cuda:N, all, auto or a comma-separated list");
  choose
      ->add_option("--budget", config.budget_s, "Time that the command may take (90, 2min, 1h); default 5min")
      ->transform(as_seconds());
  choose
      ->add_option("--set", config.overrides,
                   "Override a.b.c=JSON of the config, e.g. sampling.max_samples=20")
      ->allow_extra_args(false);
  choose->add_option("-o,--output,--out", command->options.output,
                     "Folder of the results; default runs/choose-<UTC time>");
  add_color_option(*choose, command->options.colour);
  return [command, &registry] { return choose_command(*command, registry); };
}

}  // namespace gpuseq::bench
