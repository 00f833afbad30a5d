#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/config/sampling_options.hpp"
#include "runtime/contract/device.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::bench {

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
