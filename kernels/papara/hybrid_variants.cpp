#include <fmt/format.h>

#include <algorithm>

#include "kernels/papara/hybrid_session.hpp"
#include "runtime/axes.hpp"
#include "runtime/errors.hpp"
#include "runtime/threads.hpp"

namespace gpuseq::papara {
namespace {

constexpr std::int64_t kMostThreads = 1024, kMostGpus = 8;
constexpr std::int64_t kMostPairs = std::int64_t{1} << 40;

Variant cpu_part() {
  const std::vector<Variant> variants = cpu_variants();
  return *std::find_if(variants.begin(), variants.end(),
                       [](const Variant& one) { return one.name == "blocked"; });
}

SearchSpace hybrid_space() {
  std::vector<Axis> axes{
      integer_axis("cpu_threads", {0, -1}, 0,
                   "pinned threads; 0: one per processor that no GPU's worker needs; -1: none", -1,
                   kMostThreads),
      integer_axis("gpus", {-1, 0, 1}, -1, "GPUs from the first on; -1: all there are", -1, kMostGpus),
      integer_axis("least_gpu_pairs", {0}, 0, "the least that a GPU takes at a time; 0: what occupies it", 0,
                   kMostPairs)};
  const Variant cpu = cpu_part();
  for (const Axis& axis : cpu.space.axes())
    if (axis.name != "threads") axes.push_back(axis);
  return SearchSpace(std::move(axes));
}

std::unique_ptr<CpuScorer> make_cpu_part(const PaparaProblem& problem, const Point& point) {
  const Variant variant = cpu_part();
  Point own;
  for (const Axis& axis : variant.space.axes())
    if (point.has(axis.name)) own.set(axis.name, point.at(axis.name));
  return make_cpu_scorer(problem, variant, own);
}

#if GPUSEQ_HAVE_CUDA
/// The kernel with everything in registers, in the default arithmetic or, where that is not exact, in 32
/// bits.
std::unique_ptr<CudaScorer> make_gpu_part(const PaparaProblem& problem, Device& device) {
  const std::vector<Variant> variants = cuda_variants();
  const auto variant = std::find_if(variants.begin(), variants.end(),
                                    [](const Variant& one) { return one.name == "blocked_registers"; });
  try {
    return make_cuda_scorer(problem, *variant, {}, device);
  } catch (const DoesNotFit&) {
    throw;
  } catch (const ResourceError&) {
    return make_cuda_scorer(problem, *variant, Point({{"arithmetic", std::string("s32")}}), device);
  }
}
#endif

/// Opens `wanted` GPUs (-1: all). One that cannot take part is noted, unless it was asked for.
void open_gpus(const PaparaProblem& problem, std::int64_t wanted, HybridParts& parts) {
  if (wanted == 0) return;
  const DeviceList devices = list_devices();
  const std::int64_t found = static_cast<std::int64_t>(devices.ids.size()) - 1;
  if (wanted > found)
    throw ResourceError(
        fmt::format("gpus: found {}, asked for {}{}", found, wanted,
                    devices.reason_no_cuda.empty() ? "" : " (" + devices.reason_no_cuda + ")"));
  if (found == 0) parts.notes.push_back(fmt::format("no GPU takes part: {}", devices.reason_no_cuda));
#if GPUSEQ_HAVE_CUDA
  for (std::int64_t i = 0; i < (wanted < 0 ? found : wanted); ++i) {
    const std::string& id = devices.ids[static_cast<std::size_t>(i) + 1];
    try {
      HybridGpu gpu{.id = id, .device = open_device(id), .scorer = {}};
      gpu.scorer = make_gpu_part(problem, *gpu.device);
      parts.gpus.push_back(std::move(gpu));
    } catch (const std::exception& error) {
      if (wanted > 0) throw;
      parts.notes.push_back(fmt::format("{} takes no part: {}", id, error.what()));
    }
  }
#else
  (void)problem;
#endif
}

}  // namespace

std::vector<Variant> hybrid_variants() {
  return {{"hybrid", DeviceKind::cpu, "all processors and all GPUs share the pairs", hybrid_space()}};
}

std::unique_ptr<ScoringSession> prepare_hybrid(PaparaProblem& problem, const Variant& variant,
                                               const Point& point, Device&) {
  const Point complete = variant.space.complete(point);
  const std::int64_t threads = complete.integer("cpu_threads");
  HybridParts parts;
  parts.cpu = make_cpu_part(problem, complete);
  parts.queries_per_item = static_cast<u32>(complete.integer("queries_per_tile"));
  parts.least_gpu_pairs = static_cast<u64>(complete.integer("least_gpu_pairs"));
  open_gpus(problem, complete.integer("gpus"), parts);
  const int free_cpus = std::max(1, available_cpus() - static_cast<int>(parts.gpus.size()));
  parts.cpu_threads = threads < 0 ? 0 : threads == 0 ? free_cpus : static_cast<int>(threads);
  return make_hybrid(problem, std::move(parts));
}

}  // namespace gpuseq::papara
