#pragma once

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// A failed call of CUPTI, distinguished from errors of the counted work.
struct CuptiError : CudaError {
  using CudaError::CudaError;
};

/// The functions of CUPTI in use. Nearly all take one struct, whose `structSize` determines its fields.
struct CuptiApi {
  CUptiResult(CUPTIAPI* get_result_string)(CUptiResult, const char**);

  decltype(&::cuptiProfilerHostGetSupportedChips) host_get_supported_chips;
  decltype(&::cuptiProfilerHostInitialize) host_initialize;
  decltype(&::cuptiProfilerHostDeinitialize) host_deinitialize;
  decltype(&::cuptiProfilerHostConfigAddMetrics) host_config_add_metrics;
  decltype(&::cuptiProfilerHostGetConfigImageSize) host_get_config_image_size;
  decltype(&::cuptiProfilerHostGetConfigImage) host_get_config_image;
  decltype(&::cuptiProfilerHostGetNumOfPasses) host_get_num_of_passes;
  decltype(&::cuptiProfilerHostEvaluateToGpuValues) host_evaluate;

  decltype(&::cuptiProfilerInitialize) profiler_initialize;
  decltype(&::cuptiDeviceGetChipName) device_get_chip_name;
  decltype(&::cuptiProfilerGetCounterAvailability) get_counter_availability;
  decltype(&::cuptiRangeProfilerEnable) range_enable;
  decltype(&::cuptiRangeProfilerDisable) range_disable;
  decltype(&::cuptiRangeProfilerGetCounterDataSize) range_get_counter_data_size;
  decltype(&::cuptiRangeProfilerCounterDataImageInitialize) range_initialize_counter_data;
  decltype(&::cuptiRangeProfilerSetConfig) range_set_config;
  decltype(&::cuptiRangeProfilerStart) range_start;
  decltype(&::cuptiRangeProfilerStop) range_stop;
  decltype(&::cuptiRangeProfilerPushRange) range_push;
  decltype(&::cuptiRangeProfilerPopRange) range_pop;
  decltype(&::cuptiRangeProfilerDecodeData) range_decode;
  decltype(&::cuptiRangeProfilerGetCounterDataInfo) range_get_counter_data_info;
};

/// Opens CUPTI on the first call. @throws CuptiError with the searched places
const CuptiApi& cupti();

/// @throws CuptiError "<call>: <error name>", or "no permission to read GPU counters (...)", unless success
void check(CUptiResult status, const char* call);

/// A parameter struct with its size set and all else zero.
template <typename Parameters>
Parameters sized(std::size_t size) {
  Parameters parameters{};
  parameters.structSize = size;
  return parameters;
}

}  // namespace gpuseq::cuda
