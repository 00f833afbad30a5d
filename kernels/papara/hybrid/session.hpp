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
  Device* cpu_device = nullptr;  // must outlive the session
  int cpu_threads = 0;           // may be 0 where there are GPUs
  u32 queries_per_item = 8;      // the most that a CPU thread takes at a time
  std::vector<HybridGpu> gpus;
  u64 least_gpu_pairs = 0;  // the least that a GPU takes at a time; 0: what occupies it
  std::vector<std::string> notes;
};

/// CPU threads and a worker for each GPU, taking from one queue. The first launch shares as speeds say that
/// it measures itself; verify() then tries what is fastest (plan.hpp), and later launches do that. Scores of
/// GPUs stay in their memory until scores() asks for them.
/// @throws ResourceError if nobody takes part
std::unique_ptr<ScoringSession> make_hybrid(PaparaProblem& problem, HybridParts parts);

/// @param gpus  make_scorer is not called where there are none
Variant hybrid_variant(const CudaPart& gpus);

}  // namespace gpuseq::papara
