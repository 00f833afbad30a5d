#include "runtime/cuda/cupti/cupti.hpp"

#include <cmath>
#include <utility>

#include "runtime/cuda/cupti/cupti_metrics.hpp"
#include "runtime/cuda/cupti/cupti_range.hpp"

namespace gpuseq::cuda {

/// Properties of the device, queried once.
struct Counters::Session {
  std::string chip;
  std::vector<std::uint8_t> availability;
};

Counters::Counters(CUcontext context, int ordinal) : context_(context), ordinal_(ordinal) {}
Counters::~Counters() = default;

Counters::Session& Counters::session() {
  if (session_ != nullptr) return *session_;
  auto session = std::make_unique<Session>();
  auto initialize = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
  check(cupti().profiler_initialize(&initialize), "cuptiProfilerInitialize");

  auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
  chip.deviceIndex = static_cast<std::size_t>(ordinal_);
  check(cupti().device_get_chip_name(&chip), "cuptiDeviceGetChipName");
  session->chip = chip.pChipName;

  // Two calls: the first, without a buffer, returns the size.
  auto availability = sized<CUpti_Profiler_GetCounterAvailability_Params>(
      CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
  availability.ctx = context_;
  check(cupti().get_counter_availability(&availability), "cuptiProfilerGetCounterAvailability");
  session->availability.resize(availability.counterAvailabilityImageSize);
  availability.pCounterAvailabilityImage = session->availability.data();
  check(cupti().get_counter_availability(&availability), "cuptiProfilerGetCounterAvailability");

  session_ = std::move(session);
  return *session_;
}

Maybe<std::map<std::string, double>> Counters::count(const std::vector<std::string>& metrics,
                                                     const std::function<void()>& work,
                                                     const std::function<void()>& wait) {
  if (metrics.empty()) return {std::map<std::string, double>{}, {}};
  try {
    const Session& device = session();
    for (const std::string& metric : metrics)
      if (const std::string why = why_metric_invalid(device.chip, device.availability, metric); !why.empty())
        return {std::nullopt, why};
    MetricTable table(device.chip, device.availability);
    table.add(metrics);
    std::vector<std::uint8_t> config = table.config_image();
    const std::size_t passes = passes_of(config);
    const auto counter_data = RangeProfiler(context_).count(config, passes, metrics, work, wait);

    Maybe<std::map<std::string, double>> result{std::map<std::string, double>{}, {}};
    for (const std::string& metric : metrics) {
      const double value = table.value(counter_data, metric);
      if (std::isfinite(value))
        result.value->emplace(metric, value);
      else
        result.reason += (result.reason.empty() ? "no number for " : ", ") + metric;
    }
    if (result.value->empty()) result.value.reset();
    return result;
  } catch (const CuptiError& error) {
    return {std::nullopt, error.what()};
  }
}

std::vector<std::string> Counters::available(const std::vector<std::string>& metrics) {
  std::vector<std::string> result;
  try {
    const Session& device = session();
    for (const std::string& metric : metrics)
      if (why_metric_invalid(device.chip, device.availability, metric).empty()) result.push_back(metric);
  } catch (const CuptiError&) {
    // count() reports the reason.
  }
  return result;
}

}  // namespace gpuseq::cuda
