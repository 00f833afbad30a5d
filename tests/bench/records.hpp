#pragma once

#include <string>
#include <vector>

#include "results/record.hpp"
#include "results/statistics/statistics.hpp"

// Records made by hand, for tests of the values derived from them.

namespace gpuseq::bench::testing {

inline results::Record ok_record(results::StateKey state, std::string kind, std::string phase, Work work,
                                 std::vector<double> samples_s) {
  results::Record record;
  record.state = std::move(state);
  record.kind = std::move(kind);
  record.phase = std::move(phase);
  record.work = std::move(work);
  record.samples_s = std::move(samples_s);
  record.statistics = results::summarise(record.samples_s, record.work, 0.95, "sample limit");
  record.verification = Verification{true, 1, ""};
  record.counters.reason = record.energy.reason = record.bound.reason = "not asked for";
  return record;
}

/// The record, taken on a device of such a description next to 8 processors.
inline results::Record with_device(results::Record record, const nlohmann::json& device) {
  record.provenance = nlohmann::json{{"device", device}, {"host", {{"available_cpus", 8}}}};
  return record;
}

/// A probe record of so many bytes/s.
inline results::Record bandwidth_record(std::int64_t footprint, std::int64_t block, double bytes_per_s,
                                        std::string device = "cpu", std::string access = "independent",
                                        std::int64_t in_flight = 4, std::int64_t threads = 1) {
  Point point{{"footprint_bytes", footprint},
              {"block_bytes", block},
              {"access", access},
              {"in_flight", in_flight},
              {"threads", threads}};
  const double seconds = 1e6 / bytes_per_s;
  return ok_record({"random_access", "probe", {}, point, std::move(device)}, "probe", "probe", {1e6, "bytes"},
                   {seconds, seconds, seconds});
}

inline results::Record kernel_record(std::string variant, std::int64_t k, std::vector<double> samples_s,
                                     std::string phase = "sweep", int repetition = 0) {
  auto record = ok_record({"toy", std::move(variant), {{"size", std::int64_t{1}}}, {{"k", k}}, "cpu"},
                          "kernel", std::move(phase), {100, "toys"}, std::move(samples_s));
  record.repetition = repetition;
  return record;
}

}  // namespace gpuseq::bench::testing
