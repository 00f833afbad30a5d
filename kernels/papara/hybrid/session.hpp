#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/papara/scorers.hpp"

namespace gpuseq::papara {

/// A GPU that takes part. The scorer is destroyed before the device that it uses.
struct HybridGpu {
  std::string id;  // "cuda:0"
  std::unique_ptr<Device> device;
  std::unique_ptr<CudaScorer> scorer;
};

/// The workers and their devices.
struct HybridParts {
  std::unique_ptr<CpuScorer> cpu;
  Device* cpu_device = nullptr;  // must outlive the session
  int cpu_threads = 0;           // may be 0 if there are GPUs
  u32 queries_per_item = 8;      // most queries that a CPU thread takes at a time
  std::vector<HybridGpu> gpus;
  u64 least_gpu_pairs = 0;  // least pairs that a GPU takes at a time; 0: as many as occupy it
  std::vector<std::string> notes;
};

/// CPU threads and one worker per GPU take from one queue. The first launch shares the work by the speeds
/// that it measures; verify() then finds the fastest plan (plan.hpp), which later launches use. Scores of
/// GPUs stay in GPU memory until scores() is called.
/// @throws ResourceError if there is no worker
std::unique_ptr<ScoringSession> make_hybrid(PaparaProblem& problem, HybridParts parts);

/// @param gpus  make_scorer is not called if there are no GPUs
Variant hybrid_variant(const CudaPart& gpus);

}  // namespace gpuseq::papara
