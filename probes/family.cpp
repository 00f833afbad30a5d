#include <fmt/format.h>

#include "probes/cpu_probes.hpp"
#include "probes/memory.hpp"
#include "probes/probes.hpp"
#include "probes/spaces.hpp"
#include "runtime/errors.hpp"
#if defined(GPUSEQ_HAVE_CUDA)
#include "probes/cuda_probes.hpp"
#endif

namespace gpuseq::probes {
namespace {

using Prepare = std::unique_ptr<Session> (*)(ProbeProblem&, const Point&, Device&);
using Sources = std::vector<KernelSource> (*)(const Point&);

/// How a probe runs on one kind of device.
struct Implementation {
  Variant variant;
  Prepare prepare = nullptr;
  Sources sources = nullptr;
};

class Probe final : public Family {
 public:
  Probe(std::string name, std::string summary, std::vector<Implementation> implementations)
      : name_(std::move(name)), summary_(std::move(summary)), implementations_(std::move(implementations)) {
    for (const Implementation& implementation : implementations_) variants_.push_back(implementation.variant);
  }

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return summary_; }
  const SearchSpace& problem_space() const override { return no_axes_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override {
    return std::make_unique<ProbeProblem>(name_, spec.seed, spec.cache_dir);
  }
  std::unique_ptr<Session> prepare(Problem& problem, const Variant& variant, const Point& point,
                                   Device& device) const override {
    return implementation(variant).prepare(dynamic_cast<ProbeProblem&>(problem),
                                           variant.space.complete(point), device);
  }
  std::vector<KernelSource> sources(const Variant& variant, const Point& point, const Point&) const override {
    const Sources sources = implementation(variant).sources;
    return sources ? sources(variant.space.complete(point)) : std::vector<KernelSource>{};
  }

 private:
  const Implementation& implementation(const Variant& variant) const {
    for (const Implementation& one : implementations_)
      if (one.variant.name == variant.name) return one;
    throw UsageError(fmt::format("probe {} has no variant {}", name_, variant.name));
  }

  std::string name_, summary_;
  SearchSpace no_axes_;
  std::vector<Implementation> implementations_;
  std::vector<Variant> variants_;
};

Implementation on_cpu(SearchSpace (*space)(DeviceKind), std::string summary, Prepare prepare) {
  return {{"cpu", DeviceKind::cpu, std::move(summary), space(DeviceKind::cpu)}, prepare, nullptr};
}

#if defined(GPUSEQ_HAVE_CUDA)
Implementation on_cuda(SearchSpace (*space)(DeviceKind), std::string summary, Prepare prepare,
                       Sources sources) {
  return {{"cuda", DeviceKind::cuda, std::move(summary), space(DeviceKind::cuda)}, prepare, sources};
}
#endif

}  // namespace

std::vector<std::unique_ptr<Family>> make_probes() {
  std::vector<Implementation> random{
      on_cpu(random_access_space, "vector loads, batches with software prefetch", prepare_cpu_random_access)};
  std::vector<Implementation> latency{
      on_cpu(latency_space, "one thread follows pointers", prepare_cpu_latency)};
  std::vector<Implementation> sequential{on_cpu(sequential_space,
                                                "vector loads and stores, past the caches non-temporal ones",
                                                prepare_cpu_sequential)};
  std::vector<Implementation> instructions{on_cpu(instruction_throughput_space,
                                                  "independent chains of vector registers",
                                                  prepare_cpu_instruction_throughput)};
#if defined(GPUSEQ_HAVE_CUDA)
  random.push_back(on_cuda(random_access_space, "neighbouring lanes read a block together, 16 bytes each",
                           prepare_cuda_random_access, cuda_random_access_sources));
  latency.push_back(
      on_cuda(latency_space, "one lane follows pointers", prepare_cuda_latency, cuda_latency_sources));
  sequential.push_back(on_cuda(sequential_space, "16 bytes per lane, four in flight", prepare_cuda_sequential,
                               cuda_sequential_sources));
  instructions.push_back(on_cuda(instruction_throughput_space,
                                 "independent chains of registers in every lane",
                                 prepare_cuda_instruction_throughput, cuda_instruction_throughput_sources));
#endif
  std::vector<std::unique_ptr<Family>> probes;
  probes.push_back(std::make_unique<Probe>(
      "random_access", "bandwidth of reading aligned blocks at random places", std::move(random)));
  probes.push_back(std::make_unique<Probe>("latency", "time of an access whose address the last one brought",
                                           std::move(latency)));
  probes.push_back(std::make_unique<Probe>("sequential", "bandwidth of reading, writing and copying in order",
                                           std::move(sequential)));
  probes.push_back(std::make_unique<Probe>("instruction_throughput",
                                           "operations that a device executes in registers and near memory",
                                           std::move(instructions)));
#if defined(GPUSEQ_HAVE_CUDA)
  probes.push_back(std::make_unique<Probe>(
      "launch", "time of an empty kernel",
      std::vector{on_cuda(launch_space, "as a kernel is timed", prepare_cuda_launch, cuda_launch_sources)}));
#endif
  return probes;
}

std::size_t largest_footprint(const Device& device) {
  constexpr std::size_t kUnit = std::size_t{2} << 20;
  constexpr std::size_t kKernelsAndResults = std::size_t{128} << 20;  // loaded and allocated beside it
  const std::size_t free = device.free_bytes();
  return free > kKernelsAndResults ? (free - kKernelsAndResults) / kUnit * kUnit : 0;
}

}  // namespace gpuseq::probes
