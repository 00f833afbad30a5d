#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gpuseq {

/// The work of one launch. The unit is the field's noun: "query bases", "bytes", "accesses", "cells".
struct Work {
  double amount = 0;
  std::string unit = {};
};

/// A number of a traffic's blocks that, together with those of all larger classes, are spread over at least
/// `footprint_bytes`: places with similar access frequency, or places that some steps of a search reach.
struct TrafficClass {
  std::size_t footprint_bytes = 0;
  double blocks = 0;  // per launch
  /// The memory over which the places of these blocks are scattered, if it is larger: all of it needs address
  /// translation, and no part of it has better TLB locality. 0: the footprint.
  std::size_t spread_bytes = 0;
  friend bool operator==(const TrafficClass&, const TrafficClass&) = default;
};

/// The memory blocks that one launch touches, counted by the algorithm, not by hardware: the input for the
/// bound of a state. A block is an aligned piece of memory fetched at one random place.
struct Traffic {
  double blocks = 0;                   // blocks per launch
  std::size_t block_bytes = 0;         // bytes per block; in an estimate the upper limit
  std::size_t least_block_bytes = 0;   // lower estimate, if the size is unknown; 0: block_bytes
  std::size_t footprint_bytes = 0;     // memory that the blocks are spread over
  std::string access = "independent";  // or "dependent": the next address depends on the last block's content
  /// Most outstanding requests of a launch for dependent blocks; 0: unknown.
  double in_flight = 0;
  /// The distribution of the blocks if it is uneven: footprints ascend, and the blocks of all classes
  /// add up to `blocks`.
  std::vector<TrafficClass> classes = {};
};

/// Instructions of one of several devices, see Instructions; a CPU with all its threads.
struct DeviceInstructions {
  std::string device;  // "cpu", "cuda:0"
  std::map<std::string, double> operations;
  std::string target = {};
};

/// The least number of instructions of one launch, counted by the algorithm, not by hardware: the bound of a
/// state whose data stay in registers and caches. Names are values of the axis `operation` of the probe
/// instruction_throughput ("viaddmin_s16x2", "add_s16"); with another name the state lacks this bound.
struct Instructions {
  /// Per launch. CUDA: lane operations, threads x instructions; CPU: vector instructions of all threads.
  std::map<std::string, double> operations = {};
  /// CPU: instruction set, a value of the probe's axis `target` ("avx2"). CUDA: empty.
  std::string target = {};
  /// For devices that share the work: the instructions of each if it had all work;
  /// `operations` is then empty.
  std::vector<DeviceInstructions> by_device = {};
};

/// Resources of a compiled GPU kernel. Absent on the CPU.
struct Resources {
  int registers_per_thread = 0;
  int spill_bytes = 0;   // local memory that the compiler reports as spill stores + loads
  int local_bytes = 0;   // local memory per thread (stack frame included)
  int shared_bytes = 0;  // static + dynamic, per block
  int threads_per_block = 0;
  long long blocks = 0;     // grid size
  double occupancy = 0;     // resident warps per SM / maximum, from the occupancy calculator
  std::string compiled_by;  // "nvrtc" or "nvcc"
  double compile_s = 0;     // 0 if the cubin is from the cache
  bool from_cache = false;
};

/// The memory that a user needs for a state, by purpose ("index", "queries", "output"): all memory that a
/// launch reads and writes, for CPU variants in host memory, for CUDA variants in device memory, and for
/// shared work in the memory of each device, added up. Excludes memory for building an index, checking
/// answers, and names.
struct HeldMemory {
  std::map<std::string, std::uint64_t> parts = {};

  /// Adds to a part; does not create a part of 0 bytes.
  HeldMemory& add(const std::string& part, std::uint64_t part_bytes) {
    if (part_bytes > 0) parts[part] += part_bytes;
    return *this;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [part, part_bytes] : parts) sum += part_bytes;
    return sum;
  }
};

// Names of parts common to families; families use their own names for other inputs ("references").
inline constexpr const char* kIndexPart = "index";
inline constexpr const char* kPrefixTablePart = "prefix table";
inline constexpr const char* kQueriesPart = "queries";
inline constexpr const char* kOutputPart = "output";
inline constexpr const char* kWorkspacePart = "workspace";

struct Verification {
  bool passed = false;
  std::uint64_t checked = 0;  // number of compared answers
  std::string reason;         // the first difference, unless passed
};

}  // namespace gpuseq
