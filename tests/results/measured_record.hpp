#pragma once

#include <string>

#include "results/record.hpp"

namespace gpuseq::results::example {

/// An ok record of three samples around the time that a rate takes.
inline Record record(const std::string& family, const std::string& variant, Point problem, Point point,
                     const std::string& device, double work, const std::string& unit, double rate) {
  Record r;
  r.state = {family, variant, std::move(problem), std::move(point), device};
  const bool kernel = family == "fm_index" || family == "fm_locate" || family == "papara" ||
                      family == "profile_hmm" || family == "pairwise_distance" || family == "exact_match";
  r.kind = kernel ? "kernel" : "probe";
  r.phase = kernel ? "sweep" : "probe";
  r.work = {work, unit};
  const double median = work / rate;
  r.samples_s = {median * 0.99, median, median * 1.015};
  r.statistics = Statistics{.samples = 3,
                            .median_s = median,
                            .low_s = median * 0.99,
                            .high_s = median * 1.015,
                            .confidence = 0.75,
                            .min_s = median * 0.99,
                            .max_s = median * 1.015,
                            .mean_s = median,
                            .stddev_s = median * 0.01,
                            .rate = rate,
                            .rate_low = rate / 1.015,
                            .rate_high = rate / 0.99,
                            .rate_unit = unit + "/s",
                            .stopped_by = "narrow interval"};
  r.counters.reason = "not counted on this device";
  r.energy.reason = "not measured";
  r.bound.reason = "none for this family";
  r.problem_hash = "0123456789abcdef";
  return r;
}

}  // namespace gpuseq::results::example
