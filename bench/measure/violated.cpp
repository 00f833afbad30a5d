#include "bench/measure/violated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "probes/instruction_operations.hpp"
#include "runtime/contract/binding_resource.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

constexpr const char* kNote = "faster than its bound, which is violated: ";

std::optional<BindingResource> binding_resource_of(const Record& record) {
  return record.bound.value ? parse_bound(record.bound.value->bound_by) : std::nullopt;
}

/// The instructions of a record on each working device.
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

/// Whether the probe's footprint is within two octaves of one of the record's.
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

bool is_violated(const Record& record) {
  return record.kind == "kernel" && record.bound.value && record.bound.value->fraction > kViolatedFraction;
}

void settle_bound(Record& record, Maybe<results::Bound> bound) {
  record.bound = std::move(bound);
  std::erase_if(record.notes, [](const std::string& note) { return note.starts_with(kNote); });
  if (!is_violated(record)) return;
  const std::optional<BindingResource> binding = binding_resource_of(record);
  const char* why = binding && is_memory(*binding) ? "blocks are found in nearer caches than random ones, or "
                    : binding && is_execution(*binding)
                        ? "fewer instructions are executed than were counted, or "
                        : "";
  record.notes.push_back(fmt::format("{}{}the probes were disturbed", kNote, why));
}

std::vector<State> probes_behind(const Record& record, std::span<const State> probes) {
  const std::optional<BindingResource> binding = binding_resource_of(record);
  if (!binding) return {};
  const auto executed = is_execution(*binding) ? executed_by(record) : std::vector<DeviceInstructions>{};
  const bool of_memory = is_memory(*binding) || *binding == BindingResource::latency;
  std::vector<State> behind;
  std::ranges::copy_if(probes, std::back_inserter(behind), [&](const State& probe) {
    if (probe.key.family == "launch")
      return *binding == BindingResource::launch && probe.key.device == record.state.device;
    if (probe.key.family == "instruction_throughput")
      return std::ranges::any_of(executed,
                                 [&](const DeviceInstructions& one) { return executes(one, probe); });
    return of_memory && touches(record, probe);
  });
  return behind;
}

}  // namespace gpuseq::bench
