#include "runtime/cuda/cupti/cupti_api.hpp"

#include "runtime/cuda/shared_library.hpp"

namespace gpuseq::cuda {
namespace {

CuptiApi bind_cupti() {
#if defined(__SANITIZE_ADDRESS__)
  // CUPTI opens its libraries with RTLD_DEEPBIND, on which the sanitizer ends the process.
  throw CudaError("CUPTI cannot be used under the address sanitizer");
#else
  const SharedLibrary library(Origin::toolkit, {"libcupti.so.13", "libcupti.so.12"});
  CuptiApi api{};
  library.bind(api.get_result_string, "cuptiGetResultString");

  library.bind(api.host_get_supported_chips, "cuptiProfilerHostGetSupportedChips");
  library.bind(api.host_initialize, "cuptiProfilerHostInitialize");
  library.bind(api.host_deinitialize, "cuptiProfilerHostDeinitialize");
  library.bind(api.host_config_add_metrics, "cuptiProfilerHostConfigAddMetrics");
  library.bind(api.host_get_config_image_size, "cuptiProfilerHostGetConfigImageSize");
  library.bind(api.host_get_config_image, "cuptiProfilerHostGetConfigImage");
  library.bind(api.host_get_num_of_passes, "cuptiProfilerHostGetNumOfPasses");
  library.bind(api.host_evaluate, "cuptiProfilerHostEvaluateToGpuValues");

  library.bind(api.profiler_initialize, "cuptiProfilerInitialize");
  library.bind(api.device_get_chip_name, "cuptiDeviceGetChipName");
  library.bind(api.get_counter_availability, "cuptiProfilerGetCounterAvailability");
  library.bind(api.range_enable, "cuptiRangeProfilerEnable");
  library.bind(api.range_disable, "cuptiRangeProfilerDisable");
  library.bind(api.range_get_counter_data_size, "cuptiRangeProfilerGetCounterDataSize");
  library.bind(api.range_initialize_counter_data, "cuptiRangeProfilerCounterDataImageInitialize");
  library.bind(api.range_set_config, "cuptiRangeProfilerSetConfig");
  library.bind(api.range_start, "cuptiRangeProfilerStart");
  library.bind(api.range_stop, "cuptiRangeProfilerStop");
  library.bind(api.range_push, "cuptiRangeProfilerPushRange");
  library.bind(api.range_pop, "cuptiRangeProfilerPopRange");
  library.bind(api.range_decode, "cuptiRangeProfilerDecodeData");
  library.bind(api.range_get_counter_data_info, "cuptiRangeProfilerGetCounterDataInfo");
  return api;
#endif
}

}  // namespace

const CuptiApi& cupti() {
  try {
    static const CuptiApi api = bind_cupti();
    return api;
  } catch (const CudaError& error) {
    throw CuptiError(error.what());
  }
}

void check(CUptiResult status, const char* call) {
  if (status == CUPTI_SUCCESS) return;
  const char* name = nullptr;
  cupti().get_result_string(status, &name);
  const std::string where =
      std::string(call) + ": " + (name != nullptr ? name : "error " + std::to_string(status));
  if (status == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
    throw CuptiError("no permission to read GPU counters (" + where + ")");
  throw CuptiError(where);
}

}  // namespace gpuseq::cuda
