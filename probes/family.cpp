#include "probes/cpu/probes.hpp"
#include "probes/memory.hpp"
#include "probes/probes.hpp"
#include "probes/spaces.hpp"
#if defined(GPUSEQ_HAVE_CUDA)
#include "probes/cuda/probes.hpp"
#endif

namespace gpuseq::probes {
namespace {

class Probe final : public Family {
 public:
  Probe(std::string name, std::string summary, std::vector<Variant> variants)
      : name_(std::move(name)), summary_(std::move(summary)), variants_(std::move(variants)) {}

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return summary_; }
  const SearchSpace& problem_space() const override { return no_axes_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override {
    return std::make_unique<ProbeProblem>(name_, spec.seed, spec.cache_dir);
  }

 private:
  std::string name_, summary_;
  SearchSpace no_axes_;
  std::vector<Variant> variants_;
};

using PrepareProbe = std::unique_ptr<Session> (*)(ProbeProblem&, const Point&, Device&);

Variant on_cpu(SearchSpace (*space)(DeviceKind), std::string summary, PrepareProbe prepare) {
  return {.name = "cpu",
          .device = DeviceKind::cpu,
          .summary = std::move(summary),
          .space = space(DeviceKind::cpu),
          .prepare = prepare_by<ProbeProblem>(prepare)};
}

#if defined(GPUSEQ_HAVE_CUDA)
Variant on_cuda(SearchSpace (*space)(DeviceKind), std::string summary, PrepareProbe prepare,
                std::vector<KernelSource> (*sources)(const Point&)) {
  return {.name = "cuda",
          .device = DeviceKind::cuda,
          .summary = std::move(summary),
          .space = space(DeviceKind::cuda),
          .prepare = prepare_by<ProbeProblem>(prepare),
          .sources = [sources](const Point& point, const Point&) { return sources(point); }};
}
#endif

}  // namespace

std::vector<std::unique_ptr<Family>> make_probes() {
  std::vector<Variant> random{
      on_cpu(random_access_space, "vector loads, batches with software prefetch", prepare_cpu_random_access)};
  std::vector<Variant> latency{on_cpu(latency_space, "one thread chases pointers", prepare_cpu_latency)};
  std::vector<Variant> loaded_latency{on_cpu(
      loaded_latency_space, "one thread chases pointers, the others stream", prepare_cpu_loaded_latency)};
  std::vector<Variant> sequential{on_cpu(
      sequential_space, "vector loads and stores, non-temporal beyond the caches", prepare_cpu_sequential)};
  std::vector<Variant> instructions{on_cpu(instruction_throughput_space,
                                           "independent chains of vector registers",
                                           prepare_cpu_instruction_throughput)};
#if defined(GPUSEQ_HAVE_CUDA)
  random.push_back(on_cuda(random_access_space, "neighbouring lanes read a block together, 16 bytes each",
                           prepare_cuda_random_access, cuda_random_access_sources));
  latency.push_back(
      on_cuda(latency_space, "one lane chases pointers", prepare_cuda_latency, cuda_latency_sources));
  loaded_latency.push_back(on_cuda(loaded_latency_space,
                                   "one lane chases pointers, the other multiprocessors stream",
                                   prepare_cuda_loaded_latency, cuda_loaded_latency_sources));
  sequential.push_back(on_cuda(sequential_space, "16 bytes per lane, four in flight", prepare_cuda_sequential,
                               cuda_sequential_sources));
  instructions.push_back(on_cuda(instruction_throughput_space,
                                 "independent chains of registers in every lane",
                                 prepare_cuda_instruction_throughput, cuda_instruction_throughput_sources));
#endif
  std::vector<std::unique_ptr<Family>> probes;
  const auto add = [&](const char* name, const char* summary, std::vector<Variant> variants) {
    probes.push_back(std::make_unique<Probe>(name, summary, std::move(variants)));
  };
  add("random_access", "bandwidth of reading aligned blocks at random places", std::move(random));
  add("latency", "latency of a pointer chase", std::move(latency));
  add("loaded_latency", "latency of a pointer chase while other threads load the memory",
      std::move(loaded_latency));
  add("numa_latency", "latency of the memory of a NUMA node, at rest and under load",
      {on_cpu(numa_latency_space, "the probe loaded_latency, bound to nodes", prepare_cpu_numa_latency)});
  add("associativity", "associativity of caches: lines per set",
      {on_cpu(associativity_space, "one thread cycles through lines until their cache set overflows",
              prepare_cpu_associativity)});
  add("sequential", "bandwidth of reading, writing and copying in order", std::move(sequential));
  add("instruction_throughput", "throughput of instructions in registers and near memory",
      std::move(instructions));
#if defined(GPUSEQ_HAVE_CUDA)
  add("windows", "random-access bandwidth if each multiprocessor reads only one window of memory",
      {on_cuda(windows_space, "neighbouring lanes read a block together, 16 bytes each", prepare_cuda_windows,
               cuda_windows_sources)});
  add("atomics", "throughput of atomic additions, by the number of lanes per counter",
      {on_cuda(atomics_space, "a warp adds to a line of 32 counters", prepare_cuda_atomics,
               cuda_atomics_sources)});
  add("barrier", "time of a barrier",
      {on_cuda(barrier_space, "barriers in sequence in every block", prepare_cuda_barrier,
               cuda_barrier_sources)});
  add("cluster", "bandwidth and latency of the shared memory of another block of the cluster",
      {on_cuda(cluster_space, "each block reads the shared memory of the next block", prepare_cuda_cluster,
               cuda_cluster_sources)});
  add("load_path", "latency of a chain of loads, by its path to memory",
      {on_cuda(load_path_space, "one lane cycles through a chain of loads", prepare_cuda_load_path,
               cuda_load_path_sources)});
  add("l2_sides", "latency of L2 lines for each multiprocessor, and whether the L2 has two partitions",
      {on_cuda(l2_sides_space, "one lane per multiprocessor, one multiprocessor at a time",
               prepare_cuda_l2_sides, cuda_l2_sides_sources)});
  add("launch", "time of an empty kernel",
      {on_cuda(launch_space, "timed like a kernel", prepare_cuda_launch, cuda_launch_sources)});
  add("zero_copy", "bandwidth of kernels that read aligned blocks of the host's memory at random places",
      {on_cuda(random_access_space, "the kernel of random_access on pinned memory", prepare_cuda_zero_copy,
               cuda_random_access_sources)});
  add("zero_copy_sequential", "bandwidth of kernels that read or write the host's memory in order",
      {on_cuda(zero_copy_sequential_space, "the kernel of sequential on pinned memory",
               prepare_cuda_zero_copy_sequential, cuda_sequential_sources)});
  add("transfer", "bandwidth of copies between the host and a device",
      {on_cuda(transfer_space, "asynchronous copies, one stream per direction", prepare_cuda_transfer,
               cuda_transfer_sources)});
  add("peer_access", "bandwidth of kernels that read aligned blocks of another GPU's memory at random places",
      {on_cuda(peer_access_space, "the kernel of random_access on a peer's memory", prepare_cuda_peer_access,
               cuda_random_access_sources)});
  add("peer_access_sequential", "bandwidth of kernels that read or write another GPU's memory in order",
      {on_cuda(peer_access_sequential_space, "the kernel of sequential on a peer's memory",
               prepare_cuda_peer_access_sequential, cuda_sequential_sources)});
  add("peer_transfer", "bandwidth of copies between two GPUs",
      {on_cuda(peer_transfer_space, "asynchronous copies, one stream per direction",
               prepare_cuda_peer_transfer, cuda_peer_transfer_sources)});
#endif
  return probes;
}

std::size_t largest_footprint(const Device& device) {
  constexpr std::size_t kUnit = std::size_t{2} << 20;
  constexpr std::size_t kKernelsAndResults = std::size_t{128} << 20;  // for the kernels and results that are
                                                                      // loaded and allocated in addition
  const std::size_t free = device.free_bytes();
  return free > kKernelsAndResults ? (free - kKernelsAndResults) / kUnit * kUnit : 0;
}

}  // namespace gpuseq::probes
