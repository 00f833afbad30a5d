#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probes/cuda/instruction_operands.cuh"
#include "runtime/contract/device.hpp"

// The operations of the probe instruction_throughput.

namespace gpuseq::probes {

/// An operation and its execution unit.
struct Operation {
  std::string name;  // "viaddmin_s16x2"
  std::string pipe;  // the units that it shares with the pipe's other operations ("alu")
  /// Whether a scheduler can issue one in every clock: additions of halves on sm_80, of floats on sm_90.
  bool fills_issue_slots = false;
};

/// nullptr for a name that this kind of device does not have, and for a pair.
const Operation* find_operation(DeviceKind kind, std::string_view name);
/// Empty for a kind without a bound by issue slots.
std::vector<std::string> operations_that_fill_issue_slots(DeviceKind kind);
/// Every operation, then pairs that show which operations share a pipe ("prmt+viaddmin_s16x2").
std::vector<std::string> operation_names(DeviceKind kind);
/// Both names of a pair; for a single operation its name twice.
std::pair<std::string, std::string> operations_of(std::string_view name);

/// "alu"; for a pair "alu" or "alu, fma".
std::string pipes_of(DeviceKind kind, std::string_view name);

/// A CUDA operation on 32-bit registers.
struct CudaOperation {
  /// A thread's values before the operation; `partner` is x of the lane whose number differs in the last bit.
  struct Values {
    u32 x = 0, y = 0, z = 0, partner = 0;
  };
  /// The threads that execute it together. A chain is a register of a thread, or the registers to which
  /// matrix products of a warp or four warps are added.
  enum class Of { thread, warp, four_warps };

  Operation operation;
  std::string code;  // an expression of x, y and z; for products a statement that changes the array x
  std::vector<std::string> on_sm90;  // its instructions on sm_90
  u32 (*expected)(const Values& values) = nullptr;
  Operands operands = Operands::words;
  u32 chains = 8;                     // even, or 1 for four warps; fewer if results take many registers
  u32 instructions = 1;               // on sm_90; more than 1: it is emulated by these
  int least_architecture = 75;        // 80: needs compute capability 8.0
  std::string own_architecture = {};  // "sm_90a": only this architecture has it
  Of of = Of::thread;
  u32 words = 1;     // registers of a chain
  u32 at_once = 1;   // operations of a chain in one execution of the code
  u32 products = 0;  // matrix products: the number of products in the sum of a chain's register
};

const std::vector<CudaOperation>& cuda_operations();

/// One CUDA operation, or two alternately, and the loop of a kernel over them.
struct CudaLoop {
  /// @throws UsageError if there is no such operation
  explicit CudaLoop(std::string_view name);
  const CudaOperation *first, *second;
  u32 chains;
  u32 steps;  // steps of every chain between two branches
  /// Whether each operation is one instruction.
  bool single_instructions() const { return first->instructions == 1 && second->instructions == 1; }
  /// Whether blocks of this many threads consist of whole groups of cooperating warps and
  /// have enough registers.
  bool takes(std::int64_t threads_per_block) const;
  /// The final values of the first warp's threads.
  std::vector<u32> expected_results(u32 rounds) const;
};

}  // namespace gpuseq::probes
