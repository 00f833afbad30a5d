#include "bench/run/supervisor.hpp"

#include <new>

#include "bench/phases/search/search.hpp"
#include "bench/run/phases/at_once.hpp"
#include "bench/run/phases/kernel_phases.hpp"
#include "bench/tools/prepare.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/folders/scratch_folder.hpp"
#include "runtime/io/program_name.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

void run_phases(const RunInputs& inputs, Sweep& sweep, Recorder& recorder, const std::filesystem::path& dir,
                RunOutcome& outcome) {
  outcome.gpus_at_once = measure_gpus_at_once(inputs, sweep, recorder);
  ProbePhase probes(inputs, std::move(sweep.probes), recorder, dir);
  SizePhase sizes(inputs, probes.listed(), recorder);
  recorder.complete_by([&](results::Record& record) {
    sizes.set_filling(record);
    probes.set_bound(record);
  });
  recorder.announce(sweep.controls);
  recorder.run(sweep.controls);
  if (Search::takes_all(inputs.config.tune)) recorder.announce(sweep.kernels);
  // Probes that bounds need are measured among the listed ones, unless the kernels are not known yet or a
  // budget may cut probes: then those come first, or last for the few best of a search's many first points.
  const bool all_known = sweep.sized.empty() && inputs.budget.end_s == kNoBudget;
  const bool needed_last = needs_probes_last(inputs.config);
  if (all_known || inputs.invocation.probes_only) {
    probes.measure_listed(sweep.needed);
  } else {
    sizes.find(sweep.sized, sweep.kernels);
    if (!needed_last) probes.measure_needed(sweep.kernels);
    probes.measure_listed({});
  }
  probes.settle();
  KernelPhases kernels(inputs, std::move(sweep.kernels), std::move(sweep.sampled), sizes, probes, recorder);
  kernels.do_not_race(std::move(sweep.divided));
  kernels.sweep_or_search();
  if (needed_last) {
    probes.measure_needed(kernels.best());
    probes.settle();
  }
  kernels.race();
  kernels.measure_winners();
}

}  // namespace

RunOutcome supervise(const LockedFolder& folder, const BegunRun& run, const SuiteConfig& config, Sweep sweep,
                     BudgetUse use, const Registry& registry, Progress& progress) {
  const InterruptGuard guard;
  RunOutcome outcome;
  const auto stopped = [&](const std::exception& error, RunEnd end) {
    say(stderr, "{}: {}\n", kProgramName, error.what());
    outcome.end = end;
  };
  try {
    const BenchmarkFlags flags = flags_of(run.invocation);
    use.probes_alone = run.invocation.probes_only || (sweep.kernels.empty() && sweep.sized.empty());
    use.needed_last = needs_probes_last(config);
    const RunInputs inputs{config, flags, run.invocation, registry,
                           parts_of(budget_s(config, run.invocation.devices), use)};
    Recorder recorder(folder, config, flags, sweep.probes, inputs.budget.end_s, progress);
    progress.set_budget(budget_s(config, run.invocation.devices) - recorder.spending().spent_s());
    try {
      for (const DeviceInfo& device : run.invocation.devices)
        outcome.devices[device.id] = recorder.measurer().describe(device.id);
      run_phases(inputs, sweep, recorder, folder.folder.dir, outcome);
    } catch (const RunEnded& ended) {
      outcome.end = ended.end;
      outcome.reason = ended.reason;
    }
    outcome.cuts = recorder.cuts();
  } catch (const UsageError& error) {
    stopped(error, RunEnd::usage);
  } catch (const ResourceError& error) {
    stopped(error, RunEnd::resource);
  } catch (const std::bad_alloc&) {
    stopped(ResourceError("the host has not enough memory"), RunEnd::resource);
  }
  // A worker that was stopped while a tool built its index has left it half built.
  if (!config.cache_dir.empty()) remove_abandoned_scratch(tools_folder(config.cache_dir));
  results::flush_file(folder.folder.records());
  return outcome;
}

}  // namespace gpuseq::bench
