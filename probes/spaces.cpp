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
  return integer_axis("footprint_bytes", std::move(values), 64 * kMiB, "working set of the accesses in bytes",
                      4096, std::int64_t{1} << 50, 1024);
}

Axis threads() {
  return integer_axis("threads", integers({1, 0}), 1, "threads, pinned to cores; 0: one per core", 0, 4096);
}

Axis pages() {
  return words("pages", {"huge", "small", "explicit"},
               "huge: transparent huge pages (madvise); small: 4 KiB pages; explicit: reserved huge pages "
               "(vm.nr_hugepages)");
}

std::vector<Axis> launch_axes() {
  return {{.name = "threads_per_block",
           .values = integers({64, 128, 256, 512, 1024}),
           .default_value = std::int64_t{256},
           .meaning = "threads per block",
           .accepts = {},
           .allowed = {}},
          integer_axis("blocks_per_sm", integers({1, 2, 4, 8, 16, 32}), 8,
                       "blocks of the grid per multiprocessor", 1, 32)};
}

std::vector<Constraint> launch_constraints() {
  return {
      {"resident", "threads_per_block * blocks_per_sm must not exceed 2048, the threads of a multiprocessor",
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
             .meaning = "size of the aligned blocks, each read as a whole, in bytes",
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
                               "dependent: the next address depends on the content of the last block"),
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
  whole.meaning = "memory of all windows together in bytes";
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
      axis("block_bytes", {32, 64, 128}, 128, "size of the aligned blocks, each read as a whole, in bytes"),
      axis("windows", {1, 2, 4}, 2, "windows of the footprint; a multiprocessor reads only one of them"),
      words("assigned_by", {"sm_group", "sm_number"},
            "multiprocessors with the same window; sm_group: those that share a TLB; sm_number: those with "
            "neighbouring numbers"),
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
                          .meaning = "distance between the nodes of the pointer chase in bytes",
                          .accepts = {},
                          .allowed = {}}};
  if (kind == DeviceKind::cpu) axes.push_back(pages());
  return SearchSpace(std::move(axes));
}

SearchSpace loaded_latency_space(DeviceKind kind) {
  constexpr std::int64_t kMiB = 1 << 20, kMost = std::int64_t{1} << 40;
  constexpr const char* kOperation = "operation of the load threads, each in order on its own memory";
  constexpr const char* kPause = "pause of a load thread (or warp) after each 4 KiB in nanoseconds";
  SearchSpace latency = latency_space(kind);
  std::vector<Axis> axes = latency.axes();
  axes.front().default_value = 256 * kMiB;
  if (kind == DeviceKind::cuda)
    return joined(std::move(axes),
                  {words("operation", {"read", "write"}, kOperation),
                   integer_axis("pause_ns", integers({0, 2000, 5000, 10000, 20000, 50000, 100000}), 0, kPause,
                                0, 1'000'000),
                   integer_axis("load_bytes", integers({2048 * kMiB}), 2048 * kMiB,
                                "memory that all load warps stream through in bytes; larger than the caches",
                                4096, kMost, 4096),
                   launch_axes().front(),
                   integer_axis("blocks_per_sm", integers({0, 1, 2, 4}), 4,
                                "blocks per multiprocessor whose warps stream (load warps); 0: none", 0, 16)},
                  {{"registers",
                    "threads_per_block * blocks_per_sm must not exceed 1024: load warps take more registers",
                    [](const Point& p) {
                      return p.integer("threads_per_block") * p.integer("blocks_per_sm") <= 1024;
                    }}});
  return joined(
      std::move(axes),
      {integer_axis(
           "threads", integers({0}), 0,
           "threads, pinned to cores: one chases pointers, the others are load threads; 0: one per core", 0,
           4096),
       words("operation", {"read", "write"}, kOperation),
       integer_axis("pause_ns", integers({0, 50, 100, 200, 500, 1000, 2000, 5000, 20000}), 0, kPause, 0,
                    1'000'000),
       integer_axis("load_bytes", integers({64 * kMiB}), 64 * kMiB,
                    "memory that each load thread streams through in bytes; together larger than the caches",
                    4096, kMost, 4096)});
}

SearchSpace numa_latency_space(DeviceKind kind) {
  const auto node = [](const char* name, const char* meaning) {
    return integer_axis(name, integers({0, 1, 2, 3, 4, 5, 6, 7}), 0, meaning, 0, 1023);
  };
  SearchSpace loaded = loaded_latency_space(kind);
  return joined(loaded.axes(), {node("node", "NUMA node of all threads; threads=0: all of its CPUs"),
                                node("memory_node", "NUMA node of the memory")});
}

SearchSpace associativity_space(DeviceKind) {
  constexpr std::int64_t kPage = 4096;
  return SearchSpace(
      {integer_axis(
           "stride_bytes", integers({kPage, 2 * kPage}), kPage,
           "distance between lines in bytes: whole pages, so that all map to one set of the L1 cache", kPage,
           256 * kPage, kPage),
       integer_axis("lines", integers({640}), 640, "number of lines that the pointer chase may use", 2,
                    65536),
       pages()});
}

SearchSpace sequential_space(DeviceKind kind) {
  std::vector<Axis> axes{footprint(), words("operation", {"read", "write", "copy"},
                                            "copy: from the first half of the footprint to the second")};
  if (kind == DeviceKind::cuda) return joined(std::move(axes), launch_axes(), launch_constraints());
  return joined(std::move(axes), {pages(), threads()});
}

SearchSpace zero_copy_sequential_space(DeviceKind) {
  return joined(
      {footprint(), words("operation", {"read", "write"}, "operation of the kernels on host memory")},
      launch_axes(), launch_constraints());
}

SearchSpace instruction_throughput_space(DeviceKind kind) {
  Axis operation{.name = "operation",
                 .values = {},
                 .default_value = std::string("add_s32"),
                 .meaning =
                     "operation that is executed; with a +: two alternating operations, which shows the "
                     "units that they share",
                 .accepts = {},
                 .allowed = {}};
  for (std::string& name : operation_names(kind)) operation.values.emplace_back(std::move(name));
  if (operation.values.empty()) operation.values.push_back(operation.default_value);  // a CPU without loops
  std::vector<Axis> axes{std::move(operation)};
  if (kind == DeviceKind::cuda) {
    std::vector<Constraint> constraints = launch_constraints();
    constraints.push_back(
        {"four_warps", "wgmma needs four warps and most registers: 128 or 256 threads per block",
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
                      64 * kMiB, "size of a copy in each direction in bytes", 16, std::int64_t{1} << 40, 16);
}

Axis peer() {
  return integer_axis(
      "peer", integers({0, 1, 2, 3, 4, 5, 6, 7}), 1,
      "number of the CUDA device that has the memory; a config's \"others\": all that it runs on", 0, 1023);
}

}  // namespace

SearchSpace transfer_space(DeviceKind) {
  return {{transfer_bytes(), words("memory", {"pinned", "pageable"}, "host memory of the copy"),
           words("direction", {"to_device", "to_host", "both"}, "both: two copies at the same time")},
          {{"both_pinned", "both directions at the same time need pinned memory: copies of other memory wait",
            [](const Point& p) { return p.word("direction") != "both" || p.word("memory") == "pinned"; }}}};
}

SearchSpace peer_access_space(DeviceKind kind) {
  return joined(random_access_space(kind).axes(), {peer()}, launch_constraints());
}

SearchSpace peer_access_sequential_space(DeviceKind) {
  return joined(
      {footprint(), words("operation", {"read", "write"}, "operation of the kernels on the peer's memory"),
       peer()},
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
  whole.meaning =
      "size of the counters in global memory in bytes; in shared memory they take 4096 bytes per block";
  return joined(
      {std::move(whole),
       words("memory", {"shared", "global"}, "memory of the counters"),
       words("operation", {"add", "fetch_add"}, "fetch_add: the thread waits for the old value and uses it"),
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
                   "blocks per cluster; each reads the shared memory of the next block; 1: its own"),
       listed_axis("operation", {std::string("read"), std::string("follow")}, std::string("read"),
                   "read: all threads read in order; follow: one lane follows a cycle"),
       listed_axis("threads_per_block", integers({256, 512, 1024}), std::int64_t{1024},
                   "threads per block")});
}

SearchSpace barrier_space(DeviceKind) {
  return {launch_axes(), launch_constraints()};
}

}  // namespace gpuseq::probes
