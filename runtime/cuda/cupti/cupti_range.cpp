#include "runtime/cuda/cupti/cupti_range.hpp"

#include <fmt/core.h>

#include "runtime/cuda/cupti/cupti_metrics.hpp"

namespace gpuseq::cuda {

RangeProfiler::RangeProfiler(CUcontext context) {
  auto enable = sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
  enable.ctx = context;
  check(cupti().range_enable(&enable), "cuptiRangeProfilerEnable");
  profiler_ = enable.pRangeProfilerObject;
}

/// Also called after an exception during a pass. Errors are ignored, as a destructor cannot report them.
RangeProfiler::~RangeProfiler() {
  if (pushed_) {
    auto pop = sized<CUpti_RangeProfiler_PopRange_Params>(CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE);
    pop.pRangeProfilerObject = profiler_;
    cupti().range_pop(&pop);
  }
  if (started_) {
    auto stop = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
    stop.pRangeProfilerObject = profiler_;
    cupti().range_stop(&stop);
  }
  auto disable = sized<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
  disable.pRangeProfilerObject = profiler_;
  cupti().range_disable(&disable);
}

std::vector<std::uint8_t> RangeProfiler::count(const std::vector<std::uint8_t>& config, std::size_t passes,
                                               const std::vector<std::string>& metrics,
                                               const std::function<void()>& work,
                                               const std::function<void()>& wait) {
  std::vector<std::uint8_t> counter_data = empty_counter_data(metrics);
  configure(config, counter_data);
  bool complete = false;
  for (std::size_t pass = 0; pass < passes && !complete; ++pass) {
    begin_pass();
    work();
    wait();
    complete = end_pass();
  }
  if (!complete) throw CuptiError(fmt::format("CUPTI wants more than the {} passes it announced", passes));
  decode(counter_data);
  return counter_data;
}

std::vector<std::uint8_t> RangeProfiler::empty_counter_data(const std::vector<std::string>& metrics) const {
  std::vector<const char*> names = pointers(metrics);
  auto size = sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(
      CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
  size.pRangeProfilerObject = profiler_;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = 1;
  size.maxNumRangeTreeNodes = 1;
  check(cupti().range_get_counter_data_size(&size), "cuptiRangeProfilerGetCounterDataSize");
  std::vector<std::uint8_t> image(size.counterDataSize);
  auto initialize = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
  initialize.pRangeProfilerObject = profiler_;
  initialize.counterDataSize = image.size();
  initialize.pCounterData = image.data();
  check(cupti().range_initialize_counter_data(&initialize), "cuptiRangeProfilerCounterDataImageInitialize");
  return image;
}

void RangeProfiler::configure(const std::vector<std::uint8_t>& config,
                              std::vector<std::uint8_t>& counter_data) {
  auto set = sized<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
  set.pRangeProfilerObject = profiler_;
  set.configSize = config.size();
  set.pConfig = config.data();
  set.counterDataImageSize = counter_data.size();
  set.pCounterDataImage = counter_data.data();
  set.range = CUPTI_UserRange;
  // Kernel replay would save and restore all memory that a kernel writes, up to the whole device.
  set.replayMode = CUPTI_UserReplay;
  set.maxRangesPerPass = 1;
  set.numNestingLevels = 1;
  set.minNestingLevel = 1;
  set.passIndex = 0;
  set.targetNestingLevel = 1;
  check(cupti().range_set_config(&set), "cuptiRangeProfilerSetConfig");
}

void RangeProfiler::begin_pass() {
  auto start = sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
  start.pRangeProfilerObject = profiler_;
  check(cupti().range_start(&start), "cuptiRangeProfilerStart");
  started_ = true;
  auto push = sized<CUpti_RangeProfiler_PushRange_Params>(CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE);
  push.pRangeProfilerObject = profiler_;
  push.pRangeName = "work";
  check(cupti().range_push(&push), "cuptiRangeProfilerPushRange");
  pushed_ = true;
}

bool RangeProfiler::end_pass() {
  auto pop = sized<CUpti_RangeProfiler_PopRange_Params>(CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE);
  pop.pRangeProfilerObject = profiler_;
  pushed_ = false;
  check(cupti().range_pop(&pop), "cuptiRangeProfilerPopRange");
  auto stop = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
  stop.pRangeProfilerObject = profiler_;
  started_ = false;
  check(cupti().range_stop(&stop), "cuptiRangeProfilerStop");
  return stop.isAllPassSubmitted != 0;
}

void RangeProfiler::decode(const std::vector<std::uint8_t>& counter_data) {
  auto decode =
      sized<CUpti_RangeProfiler_DecodeData_Params>(CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
  decode.pRangeProfilerObject = profiler_;
  check(cupti().range_decode(&decode), "cuptiRangeProfilerDecodeData");
  auto info = sized<CUpti_RangeProfiler_GetCounterDataInfo_Params>(
      CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
  info.pCounterDataImage = counter_data.data();
  info.counterDataImageSize = counter_data.size();
  check(cupti().range_get_counter_data_info(&info), "cuptiRangeProfilerGetCounterDataInfo");
  if (decode.numOfRangeDropped != 0 || info.numTotalRanges != 1)
    throw CuptiError(fmt::format("CUPTI decoded {} ranges and dropped {}, where 1 was counted",
                                 info.numTotalRanges, decode.numOfRangeDropped));
}

}  // namespace gpuseq::cuda
