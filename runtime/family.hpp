#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device.hpp"
#include "runtime/point.hpp"

namespace gpuseq {

/// How much one launch does. The unit is the field's noun: "query bases", "bytes", "accesses", "cells".
struct Work {
  double amount = 0;
  std::string unit;
};

/// So many of a traffic's blocks lie outside the hottest `footprint_bytes` of all memory that it reads and
/// within the hottest 2 * footprint_bytes. A place is hotter than another if it is read more often. The class
/// of the least footprint also has what is hotter, that of the largest also what is colder.
struct TrafficClass {
  std::size_t footprint_bytes = 0;  // a power of two
  double blocks = 0;                // per launch
  friend bool operator==(const TrafficClass&, const TrafficClass&) = default;
};

/// The memory blocks that one launch touches, counted by the algorithm and not by hardware: what the ceiling
/// of a state is computed from. A block is an aligned piece of memory fetched at one random place.
struct Traffic {
  double blocks = 0;                   // blocks per launch
  std::size_t block_bytes = 0;         // bytes of one block
  std::size_t footprint_bytes = 0;     // memory that the blocks are spread over
  std::string access = "independent";  // or "dependent": the next address needs the last block's content
  /// How the blocks are spread, where that is not evenly: footprints ascend, the sum of all is `blocks`.
  std::vector<TrafficClass> classes = {};
};

/// The instructions that one launch executes at least, counted by the algorithm and not by hardware: the
/// ceiling of a state whose data stay in registers and caches. Names are values of the axis `operation` of
/// the probe instruction_throughput ("viaddmin_s16x2", "add_s16"); one that it lacks leaves the state without
/// this ceiling.
struct Instructions {
  /// Per launch. CUDA: lane operations, threads x instructions; CPU: vector instructions of all threads.
  std::map<std::string, double> operations;
  /// CPU: instruction set, a value of the probe's axis `target` ("avx2"). CUDA: empty.
  std::string target = {};
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

struct Verification {
  bool passed = false;
  std::uint64_t checked = 0;  // answers compared
  std::string reason;         // the first difference, when not passed
};

/// One state, ready to be timed: owns its buffers on the device. launch() may be called any number of times.
class Session {
 public:
  virtual ~Session() = default;
  virtual Work work() const = 0;
  /// Does the work once. CPU: returns when done. CUDA: enqueues on the device's stream and returns.
  virtual void launch() = 0;
  /// Compares the answers with the oracle's; runs its own launch if it needs one.
  virtual Verification verify() = 0;
  virtual std::optional<Traffic> traffic() const { return std::nullopt; }
  virtual std::optional<Instructions> instructions() const { return std::nullopt; }
  virtual std::optional<Resources> resources() const { return std::nullopt; }
  /// Named samples in seconds that are not the kernel ("upload": query upload).
  virtual std::map<std::string, std::vector<double>> side_samples_s() { return {}; }
  /// More facts for the record: {"index_bytes": ..., "bits_per_base": ...}; numbers and words only.
  virtual nlohmann::json facts() const { return nlohmann::json::object(); }
  /// Remarks for the record ("reference shortened to fit the device").
  virtual std::vector<std::string> notes() const { return {}; }
};

/// What a family needs to load a problem.
struct ProblemSpec {
  Point point;                                         // one value per problem axis
  std::map<std::string, std::filesystem::path> files;  // data name -> file, checked to exist
  std::uint64_t seed = 1;
  std::filesystem::path cache_dir;  // may not exist yet
  int threads = 0;                  // for building; 0: all cores
};

/// What another program answered: a number for each key.
using Answers = std::map<std::string, double>;

/// Loaded or generated input with its oracle's answers; shared by the sessions of every variant.
class Problem {
 public:
  virtual ~Problem() = default;
  /// Hash of the data, 16 hex digits: equal if and only if the input is.
  virtual std::string hash() const = 0;
  /// Generated so that it has a structure no real input has (then labelled in records and plots).
  virtual bool synthetic() const { return false; }
  /// Sizes and build facts: {"reference_bases": ..., "queries": ..., "build_s": ...}
  virtual nlohmann::json describe() const = 0;
  /// The input as files that other programs read, by role ("reference", "queries"); those that must be made
  /// are written to `folder`. @throws ResourceError if the input cannot be had as files
  virtual std::map<std::string, std::filesystem::path> write_files(const std::filesystem::path& folder) const;
  /// Compares another program's answers, in the words of write_files(), with the oracle's. Unchecked answers
  /// pass with 0 checked and the reason.
  virtual Verification check(const Answers& answers) const;
};

struct Variant {
  std::string name;
  DeviceKind device = DeviceKind::cpu;
  std::string summary;  // one line
  SearchSpace space;
  /// Another program, run from its start to its end: start-up, reading and writing are in its time.
  bool whole_process = false;
  std::string missing = {};  // why it cannot run on this machine; empty: it can
};

/// The text that NVRTC compiles for one point; enough to compile it without a GPU.
struct KernelSource {
  std::string name;                            // of the extern "C" entry
  std::string text;                            // includes headers by name
  std::map<std::string, std::string> headers;  // name -> text, compiled in
  std::vector<std::string> options;
  bool may_spill = false;
};

/// `exec`: run one variant at one point and write its answers.
struct ExecRequest {
  std::string variant;
  Point point;                                           // completed
  Point problem = {};                                    // axes of the problem, other than its data
  Point options = {};                                    // of the family's exec_options(), completed
  std::map<std::string, std::filesystem::path> data;     // role -> file ("reference", "queries")
  std::map<std::string, std::filesystem::path> outputs;  // "out" -> file; further roles by family
  std::filesystem::path cache_dir;
  std::uint64_t seed = 1;
};

/// A problem with its kernels; probes have the same shape.
class Family {
 public:
  virtual ~Family() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;
  /// Axes of the problem (sizes, sources of data, seeds of shape), as SearchSpace of the problem.
  virtual const SearchSpace& problem_space() const = 0;
  virtual const std::vector<Variant>& variants() const = 0;
  /// Loads or generates the input, builds or reads what all variants share.
  /// @throws UsageError for malformed files (file, record, line)
  virtual std::unique_ptr<Problem> load(const ProblemSpec& spec) const = 0;
  /// @throws DoesNotFit if the device's memory cannot hold the state
  virtual std::unique_ptr<Session> prepare(Problem& problem, const Variant& variant, const Point& point,
                                           Device& device) const = 0;
  /// Roles that exec() takes in data, and "out", with a line of meaning each.
  virtual std::vector<std::pair<std::string, std::string>> exec_roles() const { return {}; }
  /// Roles of outputs beside "out", with a line of meaning each; the command line has an option for each.
  virtual std::vector<std::pair<std::string, std::string>> exec_outputs() const { return {}; }
  /// Options of exec() that are no axis, such as the form of what it writes; the command line has an option
  /// for each, by its name with hyphens (min_length: --min-length 20). One whose values are no and yes, in
  /// this order, is a flag (--both-strands).
  virtual const SearchSpace& exec_options() const;
  /// The variant that exec() takes where none is named; empty: one must be named.
  virtual std::string_view exec_variant() const { return ""; }
  virtual void exec(const ExecRequest& request, Device& device) const;
  /// Sources of the kernels of a CUDA variant at a point; empty for CPU variants.
  /// @param problem  complete, not loaded: kernels that are made for a size take it from there, or a usual
  /// one
  virtual std::vector<KernelSource> sources(const Variant&, const Point& /*point*/,
                                            const Point& /*problem*/) const {
    return {};
  }

  /// @throws UsageError naming the variants there are
  const Variant& variant(std::string_view name) const;
};

}  // namespace gpuseq
