#pragma once

#include <CLI/App.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/run/run.hpp"

namespace gpuseq::bench {

/// The action of a subcommand once the command line is parsed; it holds the values of the options.
using Action = std::function<ExitCode()>;

/// `report`: plots and report.html of run folders.
Action add_report(CLI::App& app, const Registry& registry);

/// `query`: SQL over the records of run folders.
Action add_query(CLI::App& app);

/// `merge`: the shards of a run become one run folder.
Action add_merge(CLI::App& app, const Registry& registry);
Action add_migrate(CLI::App& app);

/// `compare`: the cases that are slower on one side than on another.
Action add_compare(CLI::App& app);

/// `history`: steps of times over commits.
Action add_history(CLI::App& app);

/// `gate`: two builds of the program, measured in turn and compared. `flags` are those of every process.
Action add_gate(CLI::App& app, const BenchmarkFlags& flags);

/// `machine`: probes the machine and makes its profile.
Action add_machine(CLI::App& app, const BenchmarkFlags& flags, const Registry& registry);

/// `tune FAMILY`: searches the whole space of a family for the best point.
Action add_tune(CLI::App& app, const BenchmarkFlags& flags, const Registry& registry);

/// `choose`: the fastest FM-index of a reference within a limit of memory.
Action add_choose(CLI::App& app, const Registry& registry);
/// Whether `choose` began a folder. @param folder  of --resume; may be empty
bool holds_choice(const std::filesystem::path& folder);
/// Continues it, and prints its screen. @param options  with --resume
ExitCode resume_choice(RunOptions options, const Registry& registry);

/// `reproduce FIGURE`: measures the data of a figure and draws it over the committed one.
Action add_reproduce(CLI::App& app, const BenchmarkFlags& flags);

/// `slurm`: the shards of a run as a job array of Slurm. `flags` are those of every shard.
Action add_slurm(CLI::App& app, const BenchmarkFlags& flags);

/// `doctor`: the parts that this machine lacks for measuring, with remedies.
Action add_doctor(CLI::App& app);

/// `selftest`: every variant and probe on a small problem, on each device.
Action add_selftest(CLI::App& app, const Registry& registry);

/// `cache`: lists the entries of the cache, and clears it.
Action add_cache(CLI::App& app);

/// `plan`: the states that would run, their number, and their time.
struct PlanOptions {
  bool all_states = false, json = false;
  std::filesystem::path machine = {};  // folder of a run on the machine that is planned for; empty: this one
};
ExitCode plan_command(const RunOptions& options, const PlanOptions& plan, const Registry& registry);

/// `list [families|variants|axes|probes|devices]`; an empty topic is everything.
ExitCode list_command(const std::string& topic, bool json, const Registry& registry);

/// `list tools`: the other programs that a file describes (empty: configs/tools/tools.json), and whether they
/// are installed. @throws UsageError for a file that is not valid
ExitCode list_tools_command(const std::filesystem::path& file, bool json);

/// The registry with the tools of a file among its variants; itself where none is given.
Registry registry_with_tools(const Registry& registry, const std::filesystem::path& file);
/// The registry with the plugins of libraries among its variants. @throws UsageError
Registry registry_with_plugins(const Registry& registry, const std::vector<std::string>& libraries);

/// `validate`: checks the config (when one is chosen or nothing else is), its data, and run folders or
/// journals.
ExitCode validate_command(const ConfigChoice& config, const std::vector<std::filesystem::path>& runs,
                          const Registry& registry);

/// `exec FAMILY`: runs one variant at one point on files and writes its answers. A subcommand for each
/// family, with its own roles, options, variants and axes.
Action add_exec(CLI::App& app, const Registry& registry);

/// `export FAMILY`: writes a variant at one point as a library that is built without this program.
Action add_export(CLI::App& app, const Registry& registry);

/// `compile`: compiles the kernels of every CUDA point of a config for architectures ("sm_90"), which fills
/// the cache, and prints registers and spills. @returns failed if one spills that must not, or does not
/// compile
ExitCode compile_command(const ConfigChoice& config, const std::vector<std::string>& architectures,
                         const Registry& registry);

}  // namespace gpuseq::bench
