#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probes/cuda/instruction_operands.cuh"
#include "runtime/contract/device.hpp"

// The operations of the probe instruction_throughput.

namespace gpuseq::probes {

/// An operation, and what executes it.
struct Operation {
  std::string name;  // "viaddmin_s16x2"
  std::string pipe;  // the units that it shares with the other operations of this pipe ("alu")
  /// One of the operations of which a scheduler can issue one in every clock: additions of halves on sm_80,
  /// of floats on sm_90.
  bool fills_issue_slots = false;
};

/// nullptr for a name that this kind of device does not have, and for a pair.
const Operation* find_operation(DeviceKind kind, std::string_view name);
/// Empty for a kind whose issue slots are not a bound.
std::vector<std::string> operations_that_fill_issue_slots(DeviceKind kind);
/// Every operation, then pairs that show which of them share a pipe ("prmt+viaddmin_s16x2").
std::vector<std::string> operation_names(DeviceKind kind);
/// Both names of a pair; of a single operation its own, twice.
std::pair<std::string, std::string> operations_of(std::string_view name);

/// "alu", and of a pair "alu" or "alu, fma".
std::string pipes_of(DeviceKind kind, std::string_view name);

/// A CUDA operation on 32-bit registers.
struct CudaOperation {
  /// What a thread has before the operation; `partner` is x of the lane whose number differs in the last bit.
  struct Values {
    u32 x = 0, y = 0, z = 0, partner = 0;
  };
  /// Who executes it together. A chain is a register of a thread, or the registers that a warp's or four
  /// warps' products of matrices add to.
  enum class Of { thread, warp, four_warps };

  Operation operation;
  std::string code;  // an expression of x, y and z; of products: a statement that changes the array x
  std::vector<std::string> on_sm90;  // the instructions that it is there
  u32 (*expected)(const Values& values) = nullptr;
  Operands operands = Operands::words;
  u32 chains = 8;                     // even, or 1 of four warps; fewer where results take many registers
  u32 instructions = 1;               // on sm_90; more: it is emulated by those
  int least_architecture = 75;        // 80: needs compute capability 8.0
  std::string own_architecture = {};  // "sm_90a": no other has it
  Of of = Of::thread;
  u32 words = 1;     // registers of a chain
  u32 at_once = 1;   // operations of a chain that the code is
  u32 products = 0;  // of matrices: those that a register of a chain is the sum of
};

const std::vector<CudaOperation>& cuda_operations();

/// One CUDA operation, or two in turn, and how a kernel goes through them.
struct CudaLoop {
  /// @throws UsageError if there is no such operation
  explicit CudaLoop(std::string_view name);
  const CudaOperation *first, *second;
  u32 chains;
  u32 steps;  // of every chain between two branches
  /// Whether each operation is one instruction.
  bool single_instructions() const { return first->instructions == 1 && second->instructions == 1; }
  /// Whether blocks of so many threads are whole groups of warps that work together, and their registers
  /// suffice.
  bool takes(std::int64_t threads_per_block) const;
  /// What the threads of the first warp end with.
  std::vector<u32> expected_results(u32 rounds) const;
};

}  // namespace gpuseq::probes
