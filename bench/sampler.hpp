#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/device.hpp"
#include "runtime/family.hpp"

namespace gpuseq::bench {

struct SamplingOptions {
  int min_samples = 5;
  int max_samples = 50;
  double max_seconds = 1.0;         // of wall time
  double min_seconds = 0;           // of sampled time, before anything but the time limit stops it
  double relative_interval = 0.02;  // of the median
  int warmup = 1;
  bool cold_cache = false;
};

struct Samples {
  std::vector<double> seconds;  // in the order in which they were taken
  int discarded_throttled = 0;
  std::string stopped_by;
  std::vector<std::string> notes;
};

/// Times launches of a session on the device's own clock until the median's interval is narrow or a limit is
/// met. Samples taken while the clock is far below its maximum are discarded and counted.
/// @param alive called before every launch, so that a watcher sees progress
/// @throws what launch() and the device throw
Samples take_samples(Device& device, Session& session, const SamplingOptions& options,
                     const std::function<void()>& alive = {});

}  // namespace gpuseq::bench
