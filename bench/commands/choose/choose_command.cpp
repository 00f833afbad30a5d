#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "bench/commands/choose/layouts.hpp"
#include "bench/commands/choose/screen.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/config/json_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/run/run_folder.hpp"
#include "results/journal.hpp"
#include "runtime/io/number_text.hpp"
#include "runtime/io/say.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/seconds_since.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kBudget_s = 300;
constexpr int kMostEvaluations = 1000;
constexpr double kSearchShare = 0.8;  // of the budget, where external tools follow
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

std::optional<std::uint64_t> limit_of(const ChooseCommand& command) {
  if (command.index_bytes.empty()) return std::nullopt;
  try {
    return parse_bytes(command.index_bytes);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--index-bytes: {}", error.what()));
  }
}

/// Queries that fill the devices.
std::uint64_t query_count(std::span<const DeviceInfo> devices, std::uint64_t read_length) {
  const bool gpu =
      std::ranges::any_of(devices, [](const DeviceInfo& one) { return one.kind == DeviceKind::cuda; });
  const std::uint64_t bases = gpu ? kBasesOfGpu : kBasesOfCore * static_cast<std::uint64_t>(available_cpus());
  return std::max<std::uint64_t>(1000, bases / read_length);
}

/// A config of sampled reads; the file takes the place of "random".
json document_of(const json& problem, const json& variants) {
  return {{"name", "choose"},
          {"description", "The fastest FM-index within a limit of memory."},
          {"sampling",
           {{"min_samples", 3}, {"max_samples", 10}, {"max_seconds", 0.1}, {"six_samples_seconds", 0.3}}},
          {"families", {{"fm_index", {{"problems", json::array({problem})}, {"variants", variants}}}}}};
}

[[noreturn]] void throw_no_layout(const ChooseCommand& command, const Layouts& layouts) {
  if (!layouts.smallest) throw UsageError("choose: no variant of fm_index runs on these devices");
  const SizedPoint& smallest = *layouts.smallest;
  const std::string needs =
      fmt::format("the smallest index of {} has {} bytes ({} {})", command.reference.string(),
                  smallest.index_bytes, smallest.variant, smallest.point.to_string());
  if (command.index_bytes.empty()) throw UsageError("no device has enough memory: " + needs);
  throw UsageError(fmt::format("--index-bytes {}: {}; allowed: {} or more", command.index_bytes, needs,
                               smallest.index_bytes));
}

/// The external tools, with the reason of each that is not installed.
std::vector<ToolResult> tools_of(const Registry& registry, const fs::path& file) {
  const Registry with = registry_with_tools(registry, file);
  std::vector<ToolResult> tools;
  for (const auto& [variant, name] : kTools)
    tools.push_back({name, with.family("fm_index").variant(variant).missing, {}});
  return tools;
}

/// Runs the installed tools on the queries of the search.
ExitCode measure_tools(RunOptions options, const json& problem, const fs::path& file, double left_s,
                       std::vector<ToolResult>& tools, const Registry& registry) {
  json variants = json::object();
  for (std::size_t i = 0; i < tools.size(); ++i)
    if (tools[i].why_not.empty()) variants[kTools[i].first] = json::object();
  if (variants.empty()) return ExitCode::fine;
  options.begun = std::chrono::steady_clock::now();
  options.output /= "tools";
  options.config.device = "cpu";
  options.config.budget_s = left_s;
  options.config.edit = [&](json& document) {
    document = document_of(problem, variants);
    document["tools"] = file.string();
    document["timeout_s"] = std::max(30.0, left_s);
  };
  const ExitCode code = run_suite(options, registry);
  const fs::path records = RunFolder{options.output}.records();
  if (!fs::exists(records)) return code;
  for (results::Record& record : results::Journal::load(records))
    for (std::size_t i = 0; i < tools.size(); ++i)
      if (record.kind == "tool" && record.state.variant == kTools[i].first && !tools[i].record) {
        tools[i].record = std::move(record);
        break;
      }
  for (ToolResult& tool : tools)
    if (!tool.record && tool.why_not.empty()) tool.why_not = "not measured: the run ended before";
  return code;
}

/// The inputs of the command, checked. @throws UsageError
Choice checked(const ChooseCommand& command) {
  Choice choice{.reference = command.reference.string(),
                .bases = bases_of(command.reference),
                .read_length = command.read_length,
                .index_bytes = limit_of(command)};
  if (choice.read_length > choice.bases)
    throw UsageError(fmt::format("--read-length {}: {} has {} bases; allowed: 1 to {}", choice.read_length,
                                 choice.reference, choice.bases, choice.bases));
  return choice;
}

/// @param problem  as in a config
Layouts layouts_for(const Choice& choice, json problem, const Family& family,
                    std::span<const DeviceInfo> devices) {
  problem["reference"] = "file";
  const LayoutRequest request{.problem = family.problem_space().complete(Point::from_json(problem)),
                              .data_bytes = {{"file", choice.bases}},
                              .index_bytes = choice.index_bytes};
  return layouts_within(family, request, devices, kKeptAxes);
}

/// Searches the layouts and reads the run into the choice. `tuned` stays empty if nothing has a rate.
/// @param options  of the run, without its config
ExitCode search(RunOptions options, const ChooseCommand& command, const json& problem, const Layouts& layouts,
                const Registry& registry, Choice& choice) {
  options.config.index_bytes = command.index_bytes;
  options.config.edit = [&](json& document) {
    document = document_of(problem, layouts.variants);
    document["tune"] = {{"strategy", "guided"}, {"evaluations", kMostEvaluations}};
  };
  const ExitCode code = run_suite(options, registry);
  if (code != ExitCode::fine && code != ExitCode::failed) return code;
  const RunFolder folder{options.output};
  choice.folder = options.output.string();
  choice.points = layouts.points;
  choice.tuned = nlohmann::ordered_json(read_json(folder.summary()))["tuned"];
  choice.records = results::Journal::load(folder.records());
  if (!choice.tuned.empty()) return code;
  say(stderr, "no configuration has a rate; records: {}\n", folder.records().string());
  return ExitCode::failed;
}

ExitCode choose_command(const ChooseCommand& command, const Registry& registry) {
  const auto begin = std::chrono::steady_clock::now();
  const std::shared_ptr<const Family> family = registry.shared_family("fm_index");
  Choice choice = checked(command);
  RunOptions options = command.options;
  json problem{{"reference", "random"}, {"query_bases", choice.read_length}};
  options.config.edit = [&](json& document) { document = document_of(problem, json::object()); };
  const std::vector<DeviceInfo> devices = devices_of(load_chosen(options.config));
  problem["query_count"] = query_count(devices, choice.read_length);
  const Layouts layouts = layouts_for(choice, problem, *family, devices);
  if (layouts.variants.empty()) throw_no_layout(command, layouts);

  const fs::path tools_file = source_root() / "configs" / "tools" / "tools.json";
  choice.tools = tools_of(registry, tools_file);
  const bool any_tool =
      std::ranges::any_of(choice.tools, [](const ToolResult& one) { return one.why_not.empty(); });
  const double budget_s = options.config.budget_s.value_or(kBudget_s);
  options.command = {"choose"};
  options.summary = options.report = false;
  if (options.output.empty()) options.output = default_output("choose");
  options.config.data = {"reference=" + choice.reference};
  options.config.budget_s = any_tool ? kSearchShare * budget_s : budget_s;
  const ExitCode code = search(options, command, problem, layouts, registry, choice);
  if (choice.tuned.empty()) return code;
  const double left_s = std::max(budget_s - seconds_since(begin), (1 - kSearchShare) * budget_s);
  const ExitCode tools_code = measure_tools(options, problem, tools_file, left_s, choice.tools, registry);
  say("\n{}", Lines{choice_text(choice, *family)});
  return tools_code == ExitCode::interrupted ? tools_code : code;
}

}  // namespace

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
