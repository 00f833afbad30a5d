#pragma once

#include <filesystem>

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "bench/measure/google_benchmark.hpp"

// The process that measures. Its supervisor sends requests, one JSON object per line:
//   {"describe": device}
//   {"compile": [state], "device": device}     into the cache, ahead of the states' measurement
//   {"measure": state}                         {"record": a record without numbers, "most_seconds": s}
// The worker replies, one JSON object per line:
//   {"begun": true}                            to each request, before anything that may fail
//   {"stage": "verify"}                        progress within a request
//   {"done": {...}}                            description and provenance of the device, or the record

namespace gpuseq::bench {

/// Exit codes by which a worker tells its supervisor how it ended.
enum class WorkerExit : int { done = 0, usage = 2, resource = 3, device_lost = 75 };

/// The descriptors that a worker process inherits.
struct InheritedDescriptors {
  int messages = -1;  // of requests and replies
  int lock = -1;      // kept open and not used: the run's lock lasts as long as the worker; -1: no lock
};

/// A config with the values that flags of Google Benchmark replace.
SuiteConfig with_flags(SuiteConfig config, const BenchmarkFlags& flags);

/// The whole of a worker process.
int run_worker(const std::filesystem::path& dir, InheritedDescriptors inherited, const Registry& registry);

}  // namespace gpuseq::bench
