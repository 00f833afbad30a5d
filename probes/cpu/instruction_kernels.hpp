#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "probes/instruction_operations.hpp"

// Loops over one vector instruction, or two alternately, for each instruction set.

namespace gpuseq::probes {

/// Memory of a loop, small enough for the first cache and aligned to kLoopAlignment.
inline constexpr std::size_t kLoopBytes = 4096, kLoopAlignment = 64;

/// Executes `rounds` rounds in chains of registers that start with the values in `memory`. Returns a sum of
/// their final and stored values.
using InstructionLoop = std::uint64_t (*)(std::byte* memory, std::uint64_t rounds);

inline constexpr const char *kVectorAlu = "vector alu", *kVectorFloat = "vector float";
inline constexpr const char* kPopcountU64 = "popcount_u64";  // missing in some instruction sets

struct CpuLoop {
  Operation operation;  // a pair has no pipe
  InstructionLoop run = nullptr;
  InstructionLoop expected = nullptr;  // the same, lane by lane
};
inline constexpr std::uint64_t kInstructionsPerRound = 96;

/// The operations of the loops for all instruction sets, independent of the CPU's; empty on
/// CPUs other than x86.
std::vector<Operation> cpu_operations();
/// @throws ResourceError if the CPU lacks the instruction set; UsageError if there is no such operation
CpuLoop cpu_loop(std::string_view target, std::string_view operation);

}  // namespace gpuseq::probes
