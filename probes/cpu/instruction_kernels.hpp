#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "probes/instruction_operations.hpp"

// Loops over one vector instruction, or two in turn, for each instruction set.

namespace gpuseq::probes {

/// Memory of a loop, small enough for the first cache and aligned to kLoopAlignment.
inline constexpr std::size_t kLoopBytes = 4096, kLoopAlignment = 64;

/// Executes `rounds` rounds in chains of registers that begin with what `memory` holds, and returns a sum of
/// what they end with and of what was stored.
using InstructionLoop = std::uint64_t (*)(std::byte* memory, std::uint64_t rounds);

inline constexpr const char *kVectorAlu = "vector alu", *kVectorFloat = "vector float";
inline constexpr const char* kPopcountU64 = "popcount_u64";  // some instruction sets have none

struct CpuLoop {
  Operation operation;  // a pair has no pipe
  InstructionLoop run = nullptr;
  InstructionLoop expected = nullptr;  // the same lane by lane
};
inline constexpr std::uint64_t kInstructionsPerRound = 96;

/// What the loops of all instruction sets are of, whichever of these the processor has; none on a processor
/// that is no x86.
std::vector<Operation> cpu_operations();
/// @throws ResourceError if the processor lacks the instruction set; UsageError if there is no such operation
CpuLoop cpu_loop(std::string_view target, std::string_view operation);

}  // namespace gpuseq::probes
