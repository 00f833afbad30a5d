#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/config/config_file.hpp"
#include "bench/phases/search/search.hpp"
#include "bench/plan/plan_problems.hpp"
#include "bench/run/shard.hpp"
#include "bench/tools/command_words.hpp"
#include "bench/tools/package.hpp"
#include "runtime/contract/errors.hpp"

// The Python package submits and watches the jobs. A config that has no shards is refused here.

namespace gpuseq::bench {
namespace {

constexpr std::array kOwnOptions{"--nodes",  "--partition", "--gres",   "--time",
                                 "--sbatch", "--every",     "--output", "--resume"};

constexpr const char* kSlurmFooter =
    "Each job measures a shard on a node of its own (`sbatch --exclusive`; options of --sbatch come last), "
    "in a "
    "local folder, and publishes copies of its records. Shards that end early (node failure, time limit, "
    "preemption, full disk) are submitted again and continue behind their records; after three attempts "
    "without a new record, or if they are cancelled, they are left. When all are complete they are merged "
    "into OUTPUT/merged, with its page. Ctrl-C ends the watching, not the jobs. Exit codes: 0 fine; 1 a case "
    "failed or a shard has not ended; 2 wrong arguments, or Slurm refuses the jobs; 130 interrupted.";

bool is_own(const std::string& name) {
  return std::ranges::find(kOwnOptions, name) != kOwnOptions.end();
}

/// @throws UsageError for a config whose run cannot be divided
void require_shards(const SuiteConfig& config) {
  if (finds_sizes(config))
    throw UsageError(
        fmt::format("{}: leaves sizes of problems to the run (\"auto\"), and shards would find "
                    "different ones; allowed: the sizes that run.json of a run has under "
                    "\"sizes\"",
                    config.source));
  if (!Search::takes_all(config.tune))
    throw UsageError(
        fmt::format("{}: /tune: a search cannot be divided into shards; allowed: the strategy "
                    "exhaustive, without evaluations",
                    config.source));
}

[[noreturn]] void submit(const CLI::App& slurm, const ConfigChoice& config, const BenchmarkFlags& flags) {
  std::vector<std::string> others{"--config"}, own(kOwnOptions.begin(), kOwnOptions.end());
  own.emplace_back("--config");
  for (const CLI::Option* option : slurm.get_options())
    if (!is_own(option->get_name())) others.push_back(option->get_name());
  std::vector<std::string> words = command_words(slurm, others);
  if (slurm.count("--resume") > 0) {
    if (slurm.get_options([](const CLI::Option* one) { return one->count() > 0; }).size() > 1)
      throw UsageError("slurm --resume: takes no other option; the run continues as it began");
    become_package(words);
  }
  require_shards(load_chosen(config));
  std::vector<std::string> run = command_words(slurm, own);
  words.emplace_back("--");
  words.push_back("--config=" + config_file(config.path).string());
  words.insert(words.end(), run.begin() + 1, run.end());
  words.insert(words.end(), flags.given.begin(), flags.given.end());
  become_package(words);
}

}  // namespace

Action add_slurm(CLI::App& app, const BenchmarkFlags& flags) {
  auto config = std::make_shared<ConfigChoice>();
  CLI::App* slurm =
      app.add_subcommand("slurm", "Run the shards of a config as a Slurm job array and merge them");
  add_config_options(*slurm, *config);
  slurm->add_option("--nodes", "Number of shards, each a job on one node")
      ->check(CLI::Range(1, kMostShards))
      ->type_name("N");
  slurm->add_option("--partition", "Partition of the jobs")->type_name("NAME");
  slurm->add_option("--gres", "Generic resources of each job, e.g. gpu:1")->type_name("LIST");
  slurm->add_option("--time", "Time limit of each job in Slurm's formats, e.g. 4:00:00")->type_name("TIME");
  slurm->add_option("--sbatch", "Another option of sbatch, e.g. --sbatch=--account=genomics; repeatable")
      ->allow_extra_args(false)
      ->take_all()
      ->type_name("OPTION");
  slurm->add_option("--every", "Seconds between two looks at the jobs, and two copies of records; default 15")
      ->check(CLI::PositiveNumber)
      ->type_name("SECONDS");
  slurm->add_option("-o,--output,--out", "New folder that all nodes share; default runs/slurm-<UTC time>")
      ->type_name("FOLDER");
  slurm
      ->add_option("--resume",
                   "Watch the run in this folder again, and submit its shards that have ended early")
      ->type_name("FOLDER");
  slurm->footer(kSlurmFooter);
  return [slurm, config, &flags]() -> ExitCode {
    if (slurm->count("--resume") == 0 && (slurm->count("--nodes") == 0 || config->path.empty()))
      throw UsageError(
          "slurm: found neither --resume nor both of --config and --nodes; allowed: one of them");
    submit(*slurm, *config, flags);
  };
}

}  // namespace gpuseq::bench
