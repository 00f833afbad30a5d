#pragma once

#include <optional>
#include <string_view>

namespace gpuseq {

/// The resource that binds a state: `bound_by` in a record's bound.
enum class BindingResource {
  l1,
  l2,
  l3,
  dram,
  memory,  // an unknown level: the device does not describe its caches
  alu,
  fma,
  tensor,
  shared_memory,
  issue,
  latency,
  launch,
  host_transfer
};

/// A kernel above this fraction of its bound violates it; the margin is for errors of both measurements.
inline constexpr double kViolatedFraction = 1.02;

/// "L1", "DRAM", "shared memory"
std::string_view word(BindingResource bound);

/// Parses a word, or the text in records of schema_version 1: "random access" is memory, "instructions (alu
/// pipe)" the execution unit. nullopt for anything else.
std::optional<BindingResource> parse_bound(std::string_view text);

/// Whether it is a level of memory.
bool is_memory(BindingResource bound);
/// Whether it executes or issues instructions.
bool is_execution(BindingResource bound);

/// The resource of a pipe of the probe instruction_throughput; operations of several
/// instructions count as ALU.
BindingResource bound_of_pipe(std::string_view pipe);

}  // namespace gpuseq
