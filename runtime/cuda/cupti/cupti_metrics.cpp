#include "runtime/cuda/cupti/cupti_metrics.hpp"

#include <algorithm>

#include "runtime/cuda/cupti/cupti.hpp"

namespace gpuseq::cuda {

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> result(names.size());
  std::ranges::transform(names, result.begin(), &std::string::c_str);
  return result;
}

std::vector<std::string> known_chips() {
  auto get = sized<CUpti_Profiler_Host_GetSupportedChips_Params>(
      CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE);
  check(cupti().host_get_supported_chips(&get), "cuptiProfilerHostGetSupportedChips");
  return {get.ppChipNames, get.ppChipNames + get.numChips};
}

MetricTable::MetricTable(const std::string& chip, const std::vector<std::uint8_t>& availability) {
  const std::vector<std::string> chips = known_chips();
  if (std::find(chips.begin(), chips.end(), chip) == chips.end()) {
    std::string known;
    for (const std::string& name : chips) known += " " + name;
    throw CuptiError("CUPTI does not know the chip '" + chip + "'; it knows" + known);
  }
  auto initialize =
      sized<CUpti_Profiler_Host_Initialize_Params>(CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
  initialize.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  initialize.pChipName = chip.c_str();
  initialize.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
  check(cupti().host_initialize(&initialize), "cuptiProfilerHostInitialize");
  host_ = initialize.pHostObject;
}

MetricTable::~MetricTable() {
  auto deinitialize =
      sized<CUpti_Profiler_Host_Deinitialize_Params>(CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
  deinitialize.pHostObject = host_;
  cupti().host_deinitialize(&deinitialize);
}

void MetricTable::add(const std::vector<std::string>& metrics) {
  std::vector<const char*> names = pointers(metrics);
  auto add = sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
      CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
  add.pHostObject = host_;
  add.ppMetricNames = names.data();
  add.numMetrics = names.size();
  check(cupti().host_config_add_metrics(&add), "cuptiProfilerHostConfigAddMetrics");
}

std::vector<std::uint8_t> MetricTable::config_image() const {
  auto size = sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(
      CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
  size.pHostObject = host_;
  check(cupti().host_get_config_image_size(&size), "cuptiProfilerHostGetConfigImageSize");
  std::vector<std::uint8_t> image(size.configImageSize);
  auto get =
      sized<CUpti_Profiler_Host_GetConfigImage_Params>(CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
  get.pHostObject = host_;
  get.configImageSize = image.size();
  get.pConfigImage = image.data();
  check(cupti().host_get_config_image(&get), "cuptiProfilerHostGetConfigImage");
  return image;
}

double MetricTable::value(const std::vector<std::uint8_t>& counter_data, const std::string& metric) const {
  const char* name = metric.c_str();
  double result = 0;
  auto evaluate = sized<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
      CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
  evaluate.pHostObject = host_;
  evaluate.pCounterDataImage = counter_data.data();
  evaluate.counterDataImageSize = counter_data.size();
  evaluate.rangeIndex = 0;
  evaluate.ppMetricNames = &name;
  evaluate.numMetrics = 1;
  evaluate.pMetricValues = &result;
  check(cupti().host_evaluate(&evaluate), "cuptiProfilerHostEvaluateToGpuValues");
  return result;
}

std::size_t passes_of(std::vector<std::uint8_t>& config_image) {
  auto get =
      sized<CUpti_Profiler_Host_GetNumOfPasses_Params>(CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
  get.configImageSize = config_image.size();
  get.pConfigImage = config_image.data();
  check(cupti().host_get_num_of_passes(&get), "cuptiProfilerHostGetNumOfPasses");
  return get.numOfPasses;
}

std::string why_metric_invalid(const std::string& chip, const std::vector<std::uint8_t>& availability,
                               const std::string& metric) {
  MetricTable table(chip, availability);
  try {
    table.add({metric});
    return {};
  } catch (const CuptiError& error) {
    return "no metric '" + metric + "' on " + chip + " (" + error.what() + ")";
  }
}

std::string why_metric_invalid(const std::string& chip, const std::string& metric) {
  return why_metric_invalid(chip, {}, metric);
}

std::size_t counting_passes(const std::string& chip, const std::vector<std::string>& metrics) {
  MetricTable table(chip, {});
  table.add(metrics);
  std::vector<std::uint8_t> image = table.config_image();
  return passes_of(image);
}

}  // namespace gpuseq::cuda
