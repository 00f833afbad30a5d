#include "reports/figures/profile_hmm/curves.hpp"
#include "runtime/contract/counters.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

const std::string kHitRate(kL1HitRate);

Rate exact(double value) {
  return {value, value, value};
}

/// Counters are of the sweep; a state that was measured again has none of that phase.
std::optional<Rate> hit_rate(const ReportData& data, const Entry& entry) {
  const std::string state = entry.record.state.to_string();
  for (const Entry& other : data.entries) {
    const auto& counters = other.record.counters.value;
    if (counters && counters->contains(kHitRate) && other.device_fingerprint == entry.device_fingerprint &&
        other.record.state.to_string() == state)
      return exact(counters->at(kHitRate) / 100);
  }
  return std::nullopt;
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
  return {.name = "l1_hit_rate", .y = {.title = "L1 hit rate", .unit = Unit::share}, .value = hit_rate};
}

}  // namespace gpuseq::reports::profile_hmm
