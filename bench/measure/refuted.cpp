#include "bench/measure/refuted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "probes/instruction_operations.hpp"
#include "runtime/contract/bound.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

constexpr const char* kNote = "faster than its bound, which is violated: ";

std::optional<Bound> bound_of(const Record& record) {
  return record.ceiling.value ? parse_bound(record.ceiling.value->bound_by) : std::nullopt;
}

/// What a record executes on each device that works.
std::vector<DeviceInstructions> executed_by(const Record& record) {
  if (!record.instructions) return {};
  const Instructions& all = *record.instructions;
  return all.by_device.empty()
             ? std::vector{DeviceInstructions{record.state.device, all.operations, all.target}}
             : all.by_device;
}

bool executes(const DeviceInstructions& executed, const State& probe) {
  const Point& point = probe.key.point;
  if (probe.key.device != executed.device) return false;
  if (point.has("target") && point.word("target") != executed.target) return false;
  const DeviceKind kind = probe.variant->device;
  const std::vector<std::string> fillers = probes::operations_that_fill_issue_slots(kind);
  const auto is_asked = [&](const std::string& name) {
    return executed.operations.contains(name) || std::ranges::find(fillers, name) != fillers.end();
  };
  const auto [first, second] = probes::operations_of(point.word("operation"));
  return is_asked(first) && is_asked(second);
}

/// Whether a footprint is within two octaves of one of the record's.
bool touches(const Record& record, const State& probe) {
  constexpr double kNear = 4;
  const std::optional<std::int64_t> footprint = footprint_of(probe.key);
  if (!record.traffic || probe.key.device != record.state.device || !footprint) return false;
  const auto probed = static_cast<double>(*footprint);
  const auto is_near = [&](std::size_t footprint_bytes) {
    const auto bytes = static_cast<double>(footprint_bytes);
    return probed <= kNear * bytes && bytes <= kNear * probed;
  };
  const Traffic& traffic = *record.traffic;
  return is_near(traffic.footprint_bytes) ||
         std::ranges::any_of(traffic.classes,
                             [&](const TrafficClass& one) { return is_near(one.footprint_bytes); });
}

}  // namespace

bool is_refuted(const Record& record) {
  return record.kind == "kernel" && record.ceiling.value && record.ceiling.value->fraction > kRefutedFraction;
}

void settle_ceiling(Record& record, Maybe<results::Ceiling> ceiling) {
  record.ceiling = std::move(ceiling);
  std::erase_if(record.notes, [](const std::string& note) { return note.starts_with(kNote); });
  if (!is_refuted(record)) return;
  const std::optional<Bound> bound = bound_of(record);
  const char* why = bound && is_memory(*bound) ? "blocks are found in nearer caches than random ones, or "
                    : bound && is_execution(*bound) ? "fewer instructions are executed than were counted, or "
                                                    : "";
  record.notes.push_back(fmt::format("{}{}the probes were disturbed", kNote, why));
}

std::vector<State> probes_behind(const Record& record, std::span<const State> probes) {
  const std::optional<Bound> bound = bound_of(record);
  if (!bound) return {};
  const auto executed = is_execution(*bound) ? executed_by(record) : std::vector<DeviceInstructions>{};
  const bool of_memory = is_memory(*bound) || *bound == Bound::latency;
  std::vector<State> behind;
  std::ranges::copy_if(probes, std::back_inserter(behind), [&](const State& probe) {
    if (probe.key.family == "launch")
      return *bound == Bound::launch && probe.key.device == record.state.device;
    if (probe.key.family == "instruction_throughput")
      return std::ranges::any_of(executed,
                                 [&](const DeviceInstructions& one) { return executes(one, probe); });
    return of_memory && touches(record, probe);
  });
  return behind;
}

}  // namespace gpuseq::bench
