#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gpuseq {

/// How much one launch does. The unit is the field's noun: "query bases", "bytes", "accesses", "cells".
struct Work {
  double amount = 0;
  std::string unit = {};
};

/// So many of a traffic's blocks, which with those of all larger classes are spread over at least
/// `footprint_bytes`: places that are read about as often as each other, or what some steps of a search come
/// to.
struct TrafficClass {
  std::size_t footprint_bytes = 0;
  double blocks = 0;  // per launch
  /// The memory in which the places of these blocks lie anywhere, if that is more: it has to be translated,
  /// and no cache of translations serves some of it better. 0: no more than the footprint.
  std::size_t spread_bytes = 0;
  friend bool operator==(const TrafficClass&, const TrafficClass&) = default;
};

/// The memory blocks that one launch touches, counted by the algorithm and not by hardware: what the bound
/// of a state is computed from. A block is an aligned piece of memory fetched at one random place.
struct Traffic {
  double blocks = 0;                   // blocks per launch
  std::size_t block_bytes = 0;         // bytes of one block, the most in an estimate
  std::size_t least_block_bytes = 0;   // in an estimate that does not know the size; 0: block_bytes
  std::size_t footprint_bytes = 0;     // memory that the blocks are spread over
  std::string access = "independent";  // or "dependent": the next address needs the last block's content
  /// Of dependent blocks, how many a launch can have asked for at most before the first of them has come; 0:
  /// nobody knows.
  double in_flight = 0;
  /// How the blocks are spread, where that is not evenly: footprints ascend, the sum of all is `blocks`.
  std::vector<TrafficClass> classes = {};
};

/// What one of several devices would execute, as in Instructions; a CPU with all its threads.
struct DeviceInstructions {
  std::string device;  // "cpu", "cuda:0"
  std::map<std::string, double> operations;
  std::string target = {};
};

/// The instructions that one launch executes at least, counted by the algorithm and not by hardware: the
/// bound of a state whose data stay in registers and caches. Names are values of the axis `operation` of
/// the probe instruction_throughput ("viaddmin_s16x2", "add_s16"); one that it lacks leaves the state without
/// this bound.
struct Instructions {
  /// Per launch. CUDA: lane operations, threads x instructions; CPU: vector instructions of all threads.
  std::map<std::string, double> operations = {};
  /// CPU: instruction set, a value of the probe's axis `target` ("avx2"). CUDA: empty.
  std::string target = {};
  /// Of devices that share the work: what each would execute if it had all of it; `operations` is empty then.
  std::vector<DeviceInstructions> by_device = {};
};

/// What a compiled GPU kernel uses. Absent on the CPU.
struct Resources {
  int registers_per_thread = 0;
  int spill_bytes = 0;   // local memory that the compiler reports as spill stores + loads
  int local_bytes = 0;   // local memory per thread (stack frame included)
  int shared_bytes = 0;  // static + dynamic, per block
  int threads_per_block = 0;
  long long blocks = 0;     // grid size
  double occupancy = 0;     // resident warps per SM / maximum, from the occupancy calculator
  std::string compiled_by;  // "nvrtc" or "nvcc"
  double compile_s = 0;     // 0 when the cubin came from the cache
  bool from_cache = false;
};

/// The memory that a user must hold for a state, by what it is for ("index", "queries", "output"): all that a
/// launch reads and writes where it runs, CPU variants in the host's memory, CUDA variants in the device's,
/// one that shares its work in the memory of each, added up. Not what only the making of an index, the check
/// of answers and names take.
struct HeldMemory {
  std::map<std::string, std::uint64_t> parts = {};

  /// Adds to a part; none is made for nothing.
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

// The names of parts that families share; what they read beside is called as they call it ("references").
inline constexpr const char* kIndexPart = "index";
inline constexpr const char* kPrefixTablePart = "prefix table";
inline constexpr const char* kQueriesPart = "queries";
inline constexpr const char* kOutputPart = "output";
inline constexpr const char* kWorkspacePart = "workspace";

struct Verification {
  bool passed = false;
  std::uint64_t checked = 0;  // answers compared
  std::string reason;         // the first difference, when not passed
};

}  // namespace gpuseq
