#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/cuda/cupti/cupti_api.hpp"

namespace gpuseq::cuda {

/// What a chip can count, and how raw counters become metrics: CUPTI's Host API, which needs no GPU.
class MetricTable {
 public:
  /// @param availability of the device; empty: what the chip has in general
  /// @throws CuptiError naming the chips there are if CUPTI does not know `chip`
  MetricTable(const std::string& chip, const std::vector<std::uint8_t>& availability);
  ~MetricTable();
  MetricTable(const MetricTable&) = delete;
  MetricTable& operator=(const MetricTable&) = delete;

  /// Schedules the metrics. Once per table: CUPTI only ever adds.
  /// @throws CuptiError if one is invalid
  void add(const std::vector<std::string>& metrics);
  /// How to program the hardware for what was added.
  std::vector<std::uint8_t> config_image() const;
  /// The value of an added metric in the first range of a decoded counter data image.
  double value(const std::vector<std::uint8_t>& counter_data, const std::string& metric) const;

 private:
  CUpti_Profiler_Host_Object* host_ = nullptr;
};

/// How many runs of the work an image of MetricTable::config_image() takes.
std::size_t passes_of(std::vector<std::uint8_t>& config_image);

/// Why `metric` is not to be had; empty if it is.
std::string why_metric_invalid(const std::string& chip, const std::vector<std::uint8_t>& availability,
                               const std::string& metric);

/// The pointers of C strings, valid as long as `names` is not changed.
std::vector<const char*> pointers(const std::vector<std::string>& names);

}  // namespace gpuseq::cuda
