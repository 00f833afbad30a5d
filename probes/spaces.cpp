#include "probes/spaces.hpp"

#include <optional>

#include "probes/footprints.hpp"
#include "probes/instruction_operations.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::probes {
namespace {

std::vector<AxisValue> integers(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

Axis words(std::string name, std::initializer_list<const char*> values, std::string meaning) {
  Axis axis{.name = std::move(name),
            .values = {},
            .default_value = std::string(*values.begin()),
            .meaning = std::move(meaning),
            .accepts = {},
            .allowed = {}};
  for (const char* value : values) axis.values.emplace_back(std::string(value));
  return axis;
}

Axis footprint() {
  constexpr std::int64_t kMiB = 1 << 20;
  std::vector<AxisValue> values;
  for (std::size_t bytes : log_footprints(64 << 10, 1 << 30, 1))
    values.emplace_back(static_cast<std::int64_t>(bytes));
  return integer_axis("footprint_bytes", std::move(values), 64 * kMiB,
                      "memory that the accesses are spread over, bytes", 4096, std::int64_t{1} << 50, 1024);
}

Axis threads() {
  return integer_axis("threads", integers({1, 0}), 1, "threads, pinned to cores; 0: one per core", 0, 4096);
}

Axis pages() {
  return words(
      "pages", {"huge", "small", "explicit"},
      "transparent huge pages by advice, 4 KiB pages, or huge pages that are set aside (vm.nr_hugepages)");
}

std::vector<Axis> launch_axes() {
  return {{.name = "threads_per_block",
           .values = integers({64, 128, 256, 512, 1024}),
           .default_value = std::int64_t{256},
           .meaning = "threads per block",
           .accepts = {},
           .allowed = {}},
          integer_axis("blocks_per_sm", integers({1, 2, 4, 8, 16, 32}), 8,
                       "blocks per multiprocessor that the grid has", 1, 32)};
}

std::vector<Constraint> launch_constraints() {
  return {
      {"resident", "threads_per_block * blocks_per_sm must not exceed 2048, what a multiprocessor holds",
       [](const Point& p) { return p.integer("threads_per_block") * p.integer("blocks_per_sm") <= 2048; }}};
}

SearchSpace joined(std::vector<Axis> axes, std::vector<Axis> more, std::vector<Constraint> constraints = {}) {
  axes.insert(axes.end(), more.begin(), more.end());
  return {std::move(axes), std::move(constraints)};
}

}  // namespace

SearchSpace random_access_space(DeviceKind kind) {
  const bool cpu = kind == DeviceKind::cpu;
  Axis block{.name = "block_bytes",
             .values = integers({32, 64, 128, 256, 512, 1024}),
             .default_value = std::int64_t{64},
             .meaning = "size of the aligned blocks that are read whole",
             .accepts = {},
             .allowed = {}};
  Axis in_flight = cpu ? integer_axis("in_flight", integers({1, 2, 4, 8, 16, 32, 64, 128}), 16,
                                      "streams of accesses that a thread interleaves", 1, 128)
                       : Axis{.name = "in_flight",
                              .values = integers({1, 2, 4, 8, 16}),
                              .default_value = std::int64_t{4},
                              .meaning =
                                  "blocks that a group of lanes requests before it uses the first; for "
                                  "dependent accesses, chains per group",
                              .accepts = {},
                              .allowed = {}};
  std::vector<Axis> axes{footprint(), std::move(block),
                         words("access", {"independent", "dependent"},
                               "dependent: the next address needs what the last block holds"),
                         std::move(in_flight)};
  if (!cpu) return joined(std::move(axes), launch_axes(), launch_constraints());
  return joined(
      std::move(axes),
      {words("prefetch", {"software", "software_l2", "none"},
             "a block is requested in_flight accesses before it is read, to L1 or (software_l2) to L2"),
       pages(), threads()});
}

SearchSpace windows_space(DeviceKind) {
  constexpr std::int64_t kGiB = std::int64_t{1} << 30;
  Axis whole = footprint();
  whole.default_value = 64 * kGiB;
  whole.meaning = "memory that all windows make up, bytes";
  const auto axis = [](std::string name, std::initializer_list<std::int64_t> values, std::int64_t otherwise,
                       std::string meaning) {
    return Axis{.name = std::move(name),
                .values = integers(values),
                .default_value = otherwise,
                .meaning = std::move(meaning),
                .accepts = {},
                .allowed = {}};
  };
  std::vector<Axis> axes{
      std::move(whole),
      axis("block_bytes", {32, 64, 128}, 128, "size of the aligned blocks that are read whole"),
      axis("windows", {1, 2, 4}, 2, "parts of the footprint; a multiprocessor reads one of them only"),
      words(
          "assigned_by", {"sm_group", "sm_number"},
          "multiprocessors that share a cache of translations have the same window, or neighbours in number"),
      axis("in_flight", {1, 2, 4}, 4, "blocks that a group of lanes requests before it uses the first")};
  std::vector<Constraint> constraints = launch_constraints();
  constraints.push_back({"one_window", "windows = 1 needs assigned_by = sm_number", [](const Point& p) {
                           return p.integer("windows") > 1 || p.word("assigned_by") == "sm_number";
                         }});
  return joined(std::move(axes), launch_axes(), std::move(constraints));
}

SearchSpace latency_space(DeviceKind kind) {
  std::vector<Axis> axes{footprint(),
                         {.name = "stride_bytes",
                          .values = integers({64, 128, 256}),
                          .default_value = std::int64_t{128},
                          .meaning = "distance of the nodes of the chase",
                          .accepts = {},
                          .allowed = {}}};
  if (kind == DeviceKind::cpu) axes.push_back(pages());
  return SearchSpace(std::move(axes));
}

SearchSpace loaded_latency_space(DeviceKind kind) {
  constexpr std::int64_t kMiB = 1 << 20, kMost = std::int64_t{1} << 40;
  constexpr const char* kOperation = "what the others do to memory of their own, in order";
  constexpr const char* kPause = "that a loader waits after each 4 KiB, nanoseconds";
  SearchSpace latency = latency_space(kind);
  std::vector<Axis> axes = latency.axes();
  axes.front().default_value = 256 * kMiB;
  if (kind == DeviceKind::cuda)
    return joined(
        std::move(axes),
        {words("operation", {"read", "write"}, kOperation),
         integer_axis("pause_ns", integers({0, 2000, 5000, 10000, 20000, 50000, 100000}), 0, kPause, 0,
                      1'000'000),
         integer_axis("load_bytes", integers({2048 * kMiB}), 2048 * kMiB,
                      "that all loaders stream through, bytes; more than caches hold", 4096, kMost, 4096),
         launch_axes().front(),
         integer_axis("blocks_per_sm", integers({0, 1, 2, 4}), 4,
                      "blocks per multiprocessor that stream, of which each warp is a loader; 0: none does",
                      0, 16)},
        {{"registers", "threads_per_block * blocks_per_sm must not exceed 1024: loaders take more registers",
          [](const Point& p) {
            return p.integer("threads_per_block") * p.integer("blocks_per_sm") <= 1024;
          }}});
  return joined(
      std::move(axes),
      {integer_axis("threads", integers({0}), 0,
                    "threads, pinned to cores: one follows pointers, the others load memory; 0: one "
                    "per core",
                    0, 4096),
       words("operation", {"read", "write"}, kOperation),
       integer_axis("pause_ns", integers({0, 50, 100, 200, 500, 1000, 2000, 5000, 20000}), 0, kPause, 0,
                    1'000'000),
       integer_axis("load_bytes", integers({64 * kMiB}), 64 * kMiB,
                    "that each loader streams through, bytes; in all more than caches hold", 4096, kMost,
                    4096)});
}

SearchSpace numa_latency_space(DeviceKind kind) {
  const auto node = [](const char* name, const char* meaning) {
    return integer_axis(name, integers({0, 1, 2, 3, 4, 5, 6, 7}), 0, meaning, 0, 1023);
  };
  SearchSpace loaded = loaded_latency_space(kind);
  return joined(loaded.axes(),
                {node("node", "NUMA node whose processors all threads are on; threads=0: all of them"),
                 node("memory_node", "NUMA node that the memory is of")});
}

SearchSpace associativity_space(DeviceKind) {
  constexpr std::int64_t kPage = 4096;
  return SearchSpace(
      {integer_axis("stride_bytes", integers({kPage, 2 * kPage}), kPage,
                    "distance of lines: whole pages, so that all come to one set of the first cache", kPage,
                    256 * kPage, kPage),
       integer_axis("lines", integers({640}), 640, "that may be taken into the chase", 2, 65536), pages()});
}

SearchSpace sequential_space(DeviceKind kind) {
  std::vector<Axis> axes{footprint(), words("operation", {"read", "write", "copy"},
                                            "copy: from the first half of the footprint to the second")};
  if (kind == DeviceKind::cuda) return joined(std::move(axes), launch_axes(), launch_constraints());
  return joined(std::move(axes), {pages(), threads()});
}

SearchSpace zero_copy_sequential_space(DeviceKind) {
  return joined({footprint(), words("operation", {"read", "write"}, "what kernels do to the host's memory")},
                launch_axes(), launch_constraints());
}

SearchSpace instruction_throughput_space(DeviceKind kind) {
  Axis operation{.name = "operation",
                 .values = {},
                 .default_value = std::string("add_s32"),
                 .meaning = "what is executed; with a +: two operations in turn, to see what they share",
                 .accepts = {},
                 .allowed = {}};
  for (std::string& name : operation_names(kind)) operation.values.emplace_back(std::move(name));
  if (operation.values.empty()) operation.values.push_back(operation.default_value);  // a CPU without loops
  std::vector<Axis> axes{std::move(operation)};
  if (kind == DeviceKind::cuda) {
    std::vector<Constraint> constraints = launch_constraints();
    constraints.push_back(
        {"four_warps", "wgmma is of four warps, with most registers: 128 or 256 threads a block",
         [](const Point& p) { return CudaLoop(p.word("operation")).takes(p.integer("threads_per_block")); }});
    return joined(std::move(axes), launch_axes(), std::move(constraints));
  }
  return joined(std::move(axes), {words("target", {"avx2", "sse4", "avx512"}, "instruction set"), threads()});
}

SearchSpace launch_space(DeviceKind) {
  return SearchSpace({integer_axis("blocks", integers({1, 128, 4096}), 1, "blocks of the empty kernel", 1,
                                   std::int64_t{1} << 24),
                      launch_axes().front()});
}

namespace {

Axis transfer_bytes() {
  constexpr std::int64_t kKiB = 1 << 10, kMiB = 1 << 20;
  return integer_axis("transfer_bytes",
                      integers({4 * kKiB, 16 * kKiB, 64 * kKiB, 256 * kKiB, kMiB, 4 * kMiB, 16 * kMiB,
                                64 * kMiB, 256 * kMiB}),
                      64 * kMiB, "size of a copy, in each direction, bytes", 16, std::int64_t{1} << 40, 16);
}

Axis peer() {
  return integer_axis(
      "peer", integers({0, 1, 2, 3, 4, 5, 6, 7}), 1,
      "number of the CUDA device that has the memory; a config's \"others\": all that it runs on", 0, 1023);
}

}  // namespace

SearchSpace transfer_space(DeviceKind) {
  return {{transfer_bytes(), words("memory", {"pinned", "pageable"}, "the host's side of the copy"),
           words("direction", {"to_device", "to_host", "both"}, "both: two copies at the same time")},
          {{"both_pinned", "both directions at the same time need pinned memory: copies of other memory wait",
            [](const Point& p) { return p.word("direction") != "both" || p.word("memory") == "pinned"; }}}};
}

SearchSpace peer_access_space(DeviceKind kind) {
  return joined(random_access_space(kind).axes(), {peer()}, launch_constraints());
}

SearchSpace peer_access_sequential_space(DeviceKind) {
  return joined(
      {footprint(), words("operation", {"read", "write"}, "what kernels do to the peer's memory"), peer()},
      launch_axes(), launch_constraints());
}

SearchSpace peer_transfer_space(DeviceKind) {
  return SearchSpace(
      {transfer_bytes(), peer(),
       words("direction", {"to_peer", "from_peer", "both"}, "both: two copies at the same time")});
}

SearchSpace atomics_space(DeviceKind) {
  Axis whole = footprint();
  whole.default_value = std::int64_t{4} << 20;
  whole.meaning = "counters in global memory, bytes; of shared memory 4096 a block";
  return joined({std::move(whole),
                 words("memory", {"shared", "global"}, "where the counters are"),
                 words("operation", {"add", "fetch_add"}, "fetch_add: the old value is waited for and used"),
                 {.name = "conflict_lanes",
                  .values = integers({1, 2, 4, 8, 16, 32}),
                  .default_value = std::int64_t{1},
                  .meaning = "lanes of a warp that add to the same counter",
                  .accepts = {},
                  .allowed = {}}},
                launch_axes(), launch_constraints());
}

SearchSpace cluster_space(DeviceKind) {
  return SearchSpace(
      {listed_axis("cluster_blocks", integers({1, 2, 4, 8, 16}), std::int64_t{2},
                   "blocks of a cluster; each reads shared memory of the next, 1: its own"),
       listed_axis("operation", {std::string("read"), std::string("follow")}, std::string("read"),
                   "read in order by all threads, or follow a cycle by one lane"),
       listed_axis("threads_per_block", integers({256, 512, 1024}), std::int64_t{1024},
                   "threads per block")});
}

SearchSpace barrier_space(DeviceKind) {
  return {launch_axes(), launch_constraints()};
}

}  // namespace gpuseq::probes
