#pragma once

#include <cuda.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/device.hpp"

namespace gpuseq::cuda {

/// Hardware counters of one context by CUPTI's Range Profiler with user replay: `work` runs once per pass.
class Counters {
 public:
  /// Opens CUPTI later. `context` must outlive this.
  Counters(CUcontext context, int ordinal);
  ~Counters();

  /// Metric name -> value over one run of `work`, or the reason why there is none: no CUPTI, no permission,
  /// or a metric that this chip lacks. A metric without a number is left out and named in the reason.
  /// Exceptions of `work` and `wait` pass through.
  /// @param wait returns when the device is idle
  Maybe<std::map<std::string, double>> count(const std::vector<std::string>& metrics,
                                             const std::function<void()>& work,
                                             const std::function<void()>& wait);
  /// The `metrics` that this chip has; empty if CUPTI is not available.
  std::vector<std::string> available(const std::vector<std::string>& metrics);

 private:
  struct Session;
  Session& session();  // @throws CudaError
  CUcontext context_;
  int ordinal_;
  std::unique_ptr<Session> session_;
};

/// Chips that CUPTI supports ("GH100"). Needs no GPU. @throws CudaError if CUPTI is not available
std::vector<std::string> known_chips();

/// Why `metric` cannot be counted on `chip`; empty if it can. Needs no GPU.
/// @throws CudaError if CUPTI is not available or does not support the chip
std::string why_metric_invalid(const std::string& chip, const std::string& metric);

/// Number of runs of the work for counting `metrics` together on `chip`. Needs no GPU.
/// @throws CudaError as above, and for an invalid metric
std::size_t counting_passes(const std::string& chip, const std::vector<std::string>& metrics);

}  // namespace gpuseq::cuda
