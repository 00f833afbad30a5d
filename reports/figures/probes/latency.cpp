#include "reports/figures/probes/curves.hpp"
#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports::probes {

Rate seconds_per_access(const Entry& entry) {
  const Rate rate = rate_of(entry);
  return {1 / rate.value, rate.high > 0 ? 1 / rate.high : 0, rate.low > 0 ? 1 / rate.low : 0};
}

namespace {

Drawing draw_latency(const Figure& figure, const ReportData& data, const Published&) {
  return curves(figure, data, "latency",
                {.quantity = {.title = "time of one dependent access", .unit = Unit::seconds},
                 .of = seconds_per_access,
                 .smaller_is_better = true});
}

}  // namespace

Figure latency() {
  return {"latency", "Latency of dependent accesses over footprint", kHeading,
          "Time of one access whose address depends on the one before.", draw_latency};
}

}  // namespace gpuseq::reports::probes
