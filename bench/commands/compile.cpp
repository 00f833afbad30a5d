#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <optional>

#include "bench/commands/commands.hpp"
#include "bench/config/cache_dir.hpp"
#include "bench/measure/compile_ahead.hpp"
#include "bench/plan/sizes/sizes.hpp"
#include "bench/tools/family.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/threads.hpp"
#ifdef GPUSEQ_HAVE_CUDA
#include "runtime/cuda/cuda.hpp"
#include "runtime/io/say.hpp"
#endif

namespace gpuseq::bench {

#ifdef GPUSEQ_HAVE_CUDA
namespace {

struct Outcome {
  std::optional<cuda::Compiled> compiled;
  std::string error;
  bool spills_against_intent(const Compilation& job) const {
    return compiled && compiled->resources.spill_bytes > 0 && !job.source.may_spill;
  }
};

/// Those of every CUDA state of the config.
std::vector<Compilation> compilations_of(const SuiteConfig& config,
                                         const std::vector<std::string>& architectures,
                                         const Registry& registry) {
  // A substitute device: compiling needs none, and no footprint matters to a source.
  const DeviceInfo device{.id = "cuda:0", .kind = DeviceKind::cuda, .free_bytes = std::size_t{1} << 40};
  Sweep sweep = plan(config, with_tools_of(config, registry), std::span(&device, 1));
  std::vector<State> states = std::move(sweep.probes);
  std::ranges::move(sweep.kernels, std::back_inserter(states));
  std::ranges::move(at_first_size(sweep.sized), std::back_inserter(states));
  return compilations(states, architectures);
}

Outcome compile_one(const Compilation& job, const std::filesystem::path& cache_dir) {
  try {
    return {cuda::compile(job.source, job.architecture, cache_dir), {}};
  } catch (const cuda::CudaError& error) {
    return {std::nullopt, error.what()};
  }
}

void print_outcome(const Compilation& job, const Outcome& outcome) {
  if (!outcome.compiled) {
    say("{:<8} does not compile: {}\n{}\n", job.architecture, job.where, Lines{outcome.error});
    return;
  }
  const Resources& used = outcome.compiled->resources;
  const char* verdict = outcome.spills_against_intent(job) ? "  MUST NOT SPILL" : "";
  say("{:<8} {:>4} {:>6} {:>7} {:>7.2f}  {} {}{}\n", job.architecture, used.registers_per_thread,
      used.spill_bytes, used.shared_bytes, used.compile_s, job.where, job.source.name, verdict);
}

}  // namespace

ExitCode compile_command(const ConfigChoice& choice, const std::vector<std::string>& architectures,
                         const Registry& registry) {
  const SuiteConfig config = load_chosen(choice, registry);
  for (const std::string& architecture : architectures)
    if (!architecture.starts_with("sm_"))
      throw UsageError(fmt::format("--arch {}: allowed: sm_90 and the like", architecture));
  if (const auto version = cuda::nvrtc_version(); !version.value)
    throw UsageError("NVRTC cannot be opened: " + version.reason);
  const std::vector<Compilation> jobs = compilations_of(config, architectures, registry);
  chosen_cache_dir(config.document.contains("cache_dir") ? config.cache_dir : std::filesystem::path(),
                   config.source + ": /cache_dir");
  if (jobs.empty()) throw UsageError(config.source + ": no CUDA variant has a source to compile");

  say("{:<8} {:>4} {:>6} {:>7} {:>7}  kernel\n", "arch", "regs", "spill", "shared", "s");
  std::mutex printing;
  int failed = 0, spilling = 0;
  ThreadPool(0, false).parallel_for(jobs.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Outcome outcome = compile_one(jobs[i], config.cache_dir);
      const std::scoped_lock lock(printing);
      failed += outcome.compiled ? 0 : 1;
      spilling += outcome.spills_against_intent(jobs[i]) ? 1 : 0;
      print_outcome(jobs[i], outcome);
    }
  });
  say("{} kernels, {} do not compile, {} spill that must not\n", jobs.size(), failed, spilling);
  return failed + spilling > 0 ? ExitCode::failed : ExitCode::fine;
}

#else

ExitCode compile_command(const ConfigChoice&, const std::vector<std::string>&, const Registry&) {
  throw UsageError("compile: this program was built without CUDA");
}

#endif

}  // namespace gpuseq::bench
