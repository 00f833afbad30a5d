#include "reports/figures/profile_hmm/curves.hpp"
#include "runtime/contract/counters.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

Rate exact(double value) {
  return {value, value, value};
}

/// Counters are of the sweep; a state that was measured again has none of that phase.
std::optional<Rate> counted(const ReportData& data, const Entry& entry, const std::string& percent) {
  const std::string state = entry.record.state.to_string();
  for (const Entry& other : data.entries) {
    const auto& counters = other.record.counters.value;
    if (counters && counters->contains(percent) && other.device_fingerprint == entry.device_fingerprint &&
        other.record.state.to_string() == state)
      return exact(counters->at(percent) / 100);
  }
  return std::nullopt;
}

/// A share that the device counted in percent.
Measure hit_rate(const char* name, const char* title, std::string_view counter) {
  return {.name = name,
          .y = {.title = title, .unit = Unit::share},
          .value = [counter](const ReportData& data, const Entry& entry) {
            return counted(data, entry, std::string(counter));
          }};
}

}  // namespace

Measure gcups() {
  return {.name = "gcups",
          .y = {.title = kGcupsTitle, .unit = Unit::number, .log = true},
          .value = [](const ReportData&, const Entry& entry) {
            return std::optional(rate_of(entry, 1 / kGiga));
          }};
}

Measure registers() {
  return {.name = "registers",
          .y = {.title = "registers of a thread", .unit = Unit::number},
          .value = [](const ReportData&, const Entry& entry) -> std::optional<Rate> {
            if (!entry.record.resources) return std::nullopt;
            return exact(entry.record.resources->registers_per_thread);
          }};
}

Measure occupancy() {
  return {.name = "occupancy",
          .y = {.title = "occupancy", .unit = Unit::share},
          .value = [](const ReportData&, const Entry& entry) -> std::optional<Rate> {
            if (!entry.record.resources) return std::nullopt;
            return exact(entry.record.resources->occupancy);
          }};
}

Measure l1_hit_rate() {
  return hit_rate("l1_hit_rate", "L1 hit rate", kL1HitRate);
}

Measure read_only_hit_rate() {
  return hit_rate("read_only_hit_rate", "L1 hit rate of read-only data", kGlobalLoadHitRate);
}

Measure l2_hit_rate() {
  return hit_rate("l2_hit_rate", "L2 hit rate", kL2HitRate);
}

}  // namespace gpuseq::reports::profile_hmm
