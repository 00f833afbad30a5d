#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/tune/strategy.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

struct TuneCommand {
  std::string family, objective = "rate", strategy = "guided";
  int evaluations = 100;
  std::vector<std::string> variants;
  RunOptions options;
};

/// Every value of every axis.
json whole_space(const Variant& variant) {
  json axes = json::object();
  for (const Axis& axis : variant.space.axes()) axes[axis.name] = "all";
  return axes;
}

json variants_of(const Family& family, const std::vector<std::string>& chosen) {
  json variants = json::object();
  for (const std::string& name : chosen) variants[name] = whole_space(family.variant(name));
  if (chosen.empty())
    for (const Variant& variant : family.variants())
      if (!variant.whole_process) variants[variant.name] = whole_space(variant);
  return variants;
}

/// Of a config its data, sampling and the family's problems, and in place of the rest the whole space of the
/// family's variants and how it is searched.
void make_search(json& document, const TuneCommand& command, const Family& family) {
  const std::string name(family.name());
  const json families = document.value("families", json::object());
  json problems = json::array({json::object()});
  if (families.contains(name) && families[name].contains("problems")) problems = families[name]["problems"];
  document["name"] = "tune-" + name;
  document["description"] = fmt::format("The best point of {} by {}, searched by the strategy {}.", name,
                                        command.objective, command.strategy);
  for (const char* key : {"probes", "peers", "published", "expects_device", "counters"}) document.erase(key);
  document["energy"] = command.objective == "work_per_joule";
  document["families"] = {
      {name, {{"problems", problems}, {"variants", variants_of(family, command.variants)}}}};
  document["tune"] = {
      {"objectives", json::array({{{"metric", command.objective},
                                   {"direction", command.objective == "bits_per_base" ? "min" : "max"}}})},
      {"strategy", command.strategy},
      {"evaluations", command.evaluations},
      {"remeasure", 3},
      {"rounds", 3}};
}

ExitCode tune_command(TuneCommand command, const BenchmarkFlags& flags, const Registry& registry) {
  const std::shared_ptr<const Family> family = registry.shared_family(command.family);
  command.options.flags = flags;
  command.options.command = {"tune", command.family};
  command.options.config.edit = [&command, &family](json& document) {
    make_search(document, command, *family);
  };
  return run_suite(command.options, registry);
}

}  // namespace

Action add_tune(CLI::App& app, const BenchmarkFlags& flags, const Registry& registry) {
  auto command = std::make_shared<TuneCommand>();
  CLI::App* tune =
      app.add_subcommand("tune", "Search the whole space of a family's variants for the best point");
  tune->add_option("family", command->family, "One of `list families`")->required();
  tune->add_option("-c,--config", command->options.config.path,
                   "Where the data and the family's problems come from; default configs/quick.json");
  tune->add_option("--variants", command->variants, "Only these variants; default all")->delimiter(',');
  tune->add_option("--objective", command->objective, "rate, work_per_joule or bits_per_base")
      ->check(CLI::IsMember({"rate", "work_per_joule", "bits_per_base"}));
  std::vector<std::string> names;
  for (const NamedStrategy& one : strategies()) names.emplace_back(one.name);
  tune->add_option("--strategy", command->strategy, "How points are chosen; default guided")
      ->check(CLI::IsMember(names));
  tune->add_option("--evaluations", command->evaluations,
                   "Points of each problem and device that are measured at most; default 100")
      ->check(CLI::Range(1, 10'000'000));
  tune->add_option("--set", command->options.config.overrides,
                   "Override a.b.c=JSON of the config that is made, e.g. families.fm_index.problems=[{}]")
      ->allow_extra_args(false);
  tune->add_option("--device", command->options.config.device,
                   "cpu, cuda:N, all, auto or a comma-separated list");
  tune->add_option("-o,--output,--out", command->options.output,
                   "Folder of the results; default runs/tune-<family>-<UTC time>");
  tune->add_flag("!--no-report", command->options.report, "Write records only, no plots and no page");
  return [command, &flags, &registry] { return tune_command(*command, flags, registry); };
}

}  // namespace gpuseq::bench
