#pragma once

#include <optional>
#include <string_view>

namespace gpuseq {

/// What binds a state: what `bound_by` of a record's bound says.
enum class BindingResource {
  l1,
  l2,
  l3,
  dram,
  memory,  // a level that nobody knows: the device does not describe its caches
  alu,
  fma,
  tensor,
  shared_memory,
  issue,
  latency,
  launch,
  host_transfer
};

/// A kernel that is faster than so much of its bound violates it: both sides are measured.
inline constexpr double kViolatedFraction = 1.02;

/// "L1", "DRAM", "shared memory"
std::string_view word(BindingResource bound);

/// Of a word or of what records of schema_version 1 say: "random access" is memory, "instructions (alu
/// pipe)" what executes them. nullopt for anything else.
std::optional<BindingResource> parse_bound(std::string_view text);

/// A level of memory.
bool is_memory(BindingResource bound);
/// Something that executes instructions or issues them.
bool is_execution(BindingResource bound);

/// What a pipe of the probe instruction_throughput is; operations made of several count as the ALU's.
BindingResource bound_of_pipe(std::string_view pipe);

}  // namespace gpuseq
