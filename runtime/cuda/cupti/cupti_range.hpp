#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/cuda/cupti/cupti_api.hpp"

namespace gpuseq::cuda {

/// CUPTI's Range Profiler, enabled on a context; disabled by the destructor, so that it is inactive
/// while work is timed.
class RangeProfiler {
 public:
  explicit RangeProfiler(CUcontext context);
  ~RangeProfiler();
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  /// Runs `work` once per pass as one range, and returns the decoded counter data of that range.
  /// @param config of MetricTable, for `metrics`; `passes` is its number of passes
  /// @param wait returns when the device is idle: a range must contain the complete work
  std::vector<std::uint8_t> count(const std::vector<std::uint8_t>& config, std::size_t passes,
                                  const std::vector<std::string>& metrics, const std::function<void()>& work,
                                  const std::function<void()>& wait);

 private:
  std::vector<std::uint8_t> empty_counter_data(const std::vector<std::string>& metrics) const;
  void configure(const std::vector<std::uint8_t>& config, std::vector<std::uint8_t>& counter_data);
  void begin_pass();
  bool end_pass();  // returns whether it was the last
  void decode(const std::vector<std::uint8_t>& counter_data);

  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  bool started_ = false;
  bool pushed_ = false;
};

}  // namespace gpuseq::cuda
