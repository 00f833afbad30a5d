#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>
#include <set>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/profile/tune_elsewhere.hpp"
#include "bench/config/json_file.hpp"
#include "bench/config/problem_files.hpp"
#include "bench/phases/race/objective.hpp"
#include "bench/phases/search/strategy.hpp"
#include "bench/plan/other_devices.hpp"
#include "bench/plan/own_data.hpp"
#include "bench/plugin/family.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

struct TuneCommand {
  std::string family, objective = "throughput", strategy = "guided";
  int evaluations = 100;
  std::vector<std::string> variants;
  TuneElsewhere elsewhere;
  RunOptions options;
};

/// Every value of every axis.
json whole_space(const Variant& variant) {
  json axes = json::object();
  for (const Axis& axis : variant.space.axes()) axes[axis.name] = "all";
  return axes;
}

/// @param chosen  empty: all of the family that need no second GPU
json variants_of(const Family& family, const std::vector<std::string>& chosen) {
  json variants = json::object();
  for (const std::string& name : chosen) variants[name] = whole_space(family.variant(name));
  if (chosen.empty())
    for (const Variant& variant : family.variants())
      if (!variant.whole_process && !shares_by_default(variant))
        variants[variant.name] = whole_space(variant);
  return variants;
}

/// Data, sampling and the family's problems of a config, and instead of
/// the rest the whole space of the family's variants and its search.
void make_search(json& document, const TuneCommand& command, const Registry& registry) {
  const std::shared_ptr<const Family> owner =
      with_plugins(registry, document.value("plugins", json::array())).shared_family(command.family);
  const Family& family = *owner;
  const std::string name(family.name());
  const json families = document.value("families", json::object());
  json problems = json::array({json::object()});
  if (families.contains(name) && families[name].contains("problems")) problems = families[name]["problems"];
  document["name"] = "tune-" + name;
  document["description"] = fmt::format("The best point of {} by {}, searched by the strategy {}.", name,
                                        command.objective, command.strategy);
  for (const char* key : {"probes", "probes_of", "tools", "published", "expects_device", "counters"})
    document.erase(key);
  json objectives = json::array();
  bool energy = false;
  for (const Objective& one : objectives_of_words(command.objective)) {
    objectives.push_back({{"metric", one.metric}, {"direction", one.maximise ? "max" : "min"}});
    energy = energy || one.metric == "work_per_joule";
  }
  document["energy"] = energy;
  document["families"] = {
      {name, {{"problems", problems}, {"variants", variants_of(family, command.variants)}}}};
  document["tune"] = {
      {"objectives", objectives}, {"strategy", command.strategy}, {"evaluations", command.evaluations}};
  for (const std::filesystem::path& run : command.elsewhere.from)
    document["tune"]["from"].push_back(std::filesystem::absolute(run).lexically_normal().string());
}

/// Takes away data that no problem of the family names: it need not be there.
/// @param overrides  follow, and may name some
void drop_unnamed_data(json& document, const std::vector<std::string>& overrides) {
  if (!document.contains("data") || !document["data"].is_object()) return;
  json named = document;
  for (const std::string& text : overrides) apply_override(named, text);
  const std::set<std::string> words = named_words(named);
  json& data = document["data"];
  for (auto entry = data.begin(); entry != data.end();)
    entry = words.contains(entry.key()) ? std::next(entry) : data.erase(entry);
}

ExitCode tune_command(TuneCommand command, const BenchmarkFlags& flags, const Registry& registry) {
  registry.family(command.family);  // must exist
  command.options.flags = flags;
  command.options.command = {"tune", command.family};
  command.options.config.edit = [&command, &registry](json& document) {
    make_search(document, command, registry);
    drop_unnamed_data(document, command.options.config.overrides);
  };
  if (!command.elsewhere.machine.empty()) {
    command.elsewhere.family = command.family;
    command.elsewhere.output = command.options.output;
    return tune_elsewhere(command.elsewhere, command.options.config, registry);
  }
  if (command.elsewhere.from.empty()) return run_suite(command.options, registry);
  for (const std::filesystem::path& run : command.elsewhere.from) require_run(run);
  if (command.options.output.empty()) command.options.output = default_output("tune-" + command.family);
  const std::filesystem::path output = command.options.output;
  const ExitCode code = run_suite(command.options, registry);
  if (code == ExitCode::fine || code == ExitCode::failed)
    tune_elsewhere({.family = command.family,
                    .machine = output,
                    .from = command.elsewhere.from,
                    .against = {output},
                    .output = output},
                   command.options.config, registry);
  return code;
}

}  // namespace

Action add_tune(CLI::App& app, const BenchmarkFlags& flags, const Registry& registry) {
  auto command = std::make_shared<TuneCommand>();
  CLI::App* tune =
      app.add_subcommand("tune", "Search the whole space of a family's variants for the best point");
  tune->add_option("family", command->family, "One of `list families`")->required();
  add_config_options(*tune, command->options.config);
  tune->add_option("--variants", command->variants,
                   "Only these variants; default all that need no second GPU")
      ->delimiter(',');
  tune->add_option(
      "--objective", command->objective,
      fmt::format("{}, or two of them as a:b; default throughput", fmt::join(objective_words(), ", ")));
  std::vector<std::string> names;
  for (const NamedStrategy& one : strategies()) names.emplace_back(one.name);
  tune->add_option("--strategy", command->strategy, "How points are chosen; default guided")
      ->check(CLI::IsMember(names));
  tune->add_option("--evaluations", command->evaluations,
                   "Points of each problem and device that are measured at most; default 100")
      ->check(CLI::Range(1, 10'000'000));
  tune->add_option("-o,--output,--out", command->options.output,
                   "Folder of the results; default runs/tune-<family>-<UTC time>");
  tune->add_option("--export", command->options.exported,
                   "Folder of the measurements in Kernel Tuner's formats (cache and T4), in addition");
  CLI::Option* machine =
      tune->add_option("--machine", command->elsewhere.machine,
                       "Measure nothing: predict the rates on another machine of the points measured in "
                       "--from. PATH is the folder of that machine's `machine` or of a run there. Or PATH "
                       "is a profile with levels and no probes: print the level that holds the bytes which "
                       "each point of the config reads at random");
  tune->add_option("--from", command->elsewhere.from,
                   "Runs of this or any machine, with probes and kernels of the family. Their rates, carried "
                   "over to this machine, are the expectation of the strategy guided");
  tune->add_option("--against", command->elsewhere.against,
                   "Runs on that machine: compare the predictions with their rates")
      ->needs(machine);
  tune->add_flag("!--no-report", command->options.report, "Write records only, no plots and no page");
  return [command, &flags, &registry] { return tune_command(*command, flags, registry); };
}

}  // namespace gpuseq::bench
