#include "probes/cuda/access.cuh"
#include "probes/cuda/load_path/l2_sides_arguments.cuh"
#include "probes/spaces.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::probes {
namespace {

std::vector<AxisValue> in_words(std::initializer_list<const char*> values) {
  std::vector<AxisValue> words;
  for (const char* value : values) words.emplace_back(std::string(value));
  return words;
}

/// Bytes of a chain, and of the one that may evict it.
std::int64_t chain_bytes(const Point& point) {
  return point.integer("footprint_bytes") * (point.word("evicted_by") == "nothing" ? 1 : 2);
}

bool takes(const Point& point, const char* path) {
  return point.word("path") == path || point.word("evicted_by") == path;
}

}  // namespace

SearchSpace load_path_space(DeviceKind) {
  constexpr std::int64_t kKiB = 1 << 10;
  std::vector<Axis> axes{
      integer_axis("footprint_bytes", {kKiB, 4 * kKiB, 16 * kKiB, 64 * kKiB, 256 * kKiB, 1024 * kKiB},
                   16 * kKiB, "working set of the chain in bytes", 64, kKiB * 1024 * 16, 16),
      integer_axis("stride_bytes", {std::int64_t{16}, std::int64_t{32}, std::int64_t{64}, std::int64_t{128}},
                   32, "distance between the nodes of the chain in bytes", 16, 1024 * kKiB, 16),
      listed_axis("path", in_words({"global", "l2", "read_only", "texture", "constant", "shared"}),
                  std::string("global"),
                  "kind of the loads: plain (global), past the L1 (l2), of read-only data, by a texture, of "
                  "constant memory or of shared memory"),
      listed_axis("order", in_words({"random", "ascending"}), std::string("random"),
                  "order in which the chain visits its nodes"),
      listed_axis("evicted_by", in_words({"nothing", "global", "read_only", "texture", "constant"}),
                  std::string("nothing"),
                  "path of a second chain of the same length, between two rounds of the first")};
  std::vector<Constraint> constraints{
      {"a_node", "stride_bytes must not exceed footprint_bytes",
       [](const Point& p) { return p.integer("stride_bytes") <= p.integer("footprint_bytes"); }},
      {"constant_memory",
       "with path or evicted_by = constant, footprint_bytes must not exceed 65536, or 32768 for two chains",
       [](const Point& p) { return !takes(p, "constant") || chain_bytes(p) <= kConstantNodesBytes; }},
      {"shared_memory", "path = shared needs footprint_bytes of at most 32768 and evicted_by = nothing",
       [](const Point& p) {
         return p.word("path") != "shared" ||
                (p.integer("footprint_bytes") <= kSharedNodesBytes && p.word("evicted_by") == "nothing");
       }}};
  return {std::move(axes), std::move(constraints)};
}

SearchSpace l2_sides_space(DeviceKind) {
  constexpr std::int64_t kMiB = 1 << 20;
  return {
      {integer_axis("memory_bytes", {2 * kMiB}, 2 * kMiB,
                    "memory from which lines are chosen at random in bytes; smaller than an L2 partition",
                    64 << 10, 64 * kMiB, 64 << 10),
       integer_axis("lines", {std::int64_t{128}}, 128, "lines that each multiprocessor accesses", 4, 4096),
       listed_axis("operation", in_words({"load", "atomic"}), std::string("load"),
                   "operation on a line; load: past the L1, which a copy in the near L2 partition may "
                   "answer; atomic: an addition of 0 in the L2 partition of the line")},
      {{"a_line_each", "lines of 128 B must fit into memory_bytes",
        [](const Point& p) { return p.integer("lines") * kL2LineBytes <= p.integer("memory_bytes"); }}}};
}

}  // namespace gpuseq::probes
