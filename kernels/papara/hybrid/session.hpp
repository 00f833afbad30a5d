#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/papara/scorers.hpp"

namespace gpuseq::papara {

/// A GPU that takes part; the scorer goes before the device that it stands on.
struct HybridGpu {
  std::string id;  // "cuda:0"
  std::unique_ptr<Device> device;
  std::unique_ptr<CudaScorer> scorer;
};

/// Who shares the work.
struct HybridParts {
  std::unique_ptr<CpuScorer> cpu;
  int cpu_threads = 0;       // may be 0 where there are GPUs
  u32 queries_per_item = 8;  // the most that a CPU thread takes at a time
  std::vector<HybridGpu> gpus;
  u64 least_gpu_pairs = 0;  // the least that a GPU takes at a time; 0: what occupies it
  std::vector<std::string> notes;
};

/// CPU threads and a worker for each GPU, taking from one queue.
/// @throws ResourceError if nobody takes part
std::unique_ptr<ScoringSession> make_hybrid(PaparaProblem& problem, HybridParts parts);

/// @param make_scorer  of the GPUs that are found; not called where there are none
Variant hybrid_variant(MakeCudaScorer make_scorer);

}  // namespace gpuseq::papara
