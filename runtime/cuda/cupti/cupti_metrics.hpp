#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/cuda/cupti/cupti_api.hpp"

namespace gpuseq::cuda {

/// A chip's counters, and the computation of metrics from raw counters: CUPTI's Host API, which needs no GPU.
class MetricTable {
 public:
  /// @param availability of the device; empty: the chip's in general
  /// @throws CuptiError with the supported chips if CUPTI does not support `chip`
  MetricTable(const std::string& chip, const std::vector<std::uint8_t>& availability);
  ~MetricTable();
  MetricTable(const MetricTable&) = delete;
  MetricTable& operator=(const MetricTable&) = delete;

  /// Schedules the metrics. Call once per table, as CUPTI can only add metrics.
  /// @throws CuptiError if one is invalid
  void add(const std::vector<std::string>& metrics);
  /// The hardware configuration for the added metrics.
  std::vector<std::uint8_t> config_image() const;
  /// The value of an added metric in the first range of a decoded counter data image.
  double value(const std::vector<std::uint8_t>& counter_data, const std::string& metric) const;

 private:
  CUpti_Profiler_Host_Object* host_ = nullptr;
};

/// Number of runs of the work for an image of MetricTable::config_image().
std::size_t passes_of(std::vector<std::uint8_t>& config_image);

/// Why `metric` is not available; empty if it is.
std::string why_metric_invalid(const std::string& chip, const std::vector<std::uint8_t>& availability,
                               const std::string& metric);

/// The pointers of C strings, valid until `names` is changed.
std::vector<const char*> pointers(const std::vector<std::string>& names);

}  // namespace gpuseq::cuda
