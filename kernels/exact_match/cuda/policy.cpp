#include "kernels/exact_match/cuda/policy.hpp"

#include "kernels/exact_match/traversal_axes.hpp"
#include "runtime/cuda/peers/group.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::exact_match {
namespace {

using namespace std::string_literals;

constexpr auto kMemories = enum_words<MemoryPath>({{MemoryPath::global, "global"},
                                                   {MemoryPath::texture_linear, "texture_linear"},
                                                   {MemoryPath::texture_2d, "texture_2d"}});
constexpr std::string_view kTextOrders[] = {"plain", "space_filling"}, kTraversals[] = {"tree", "words"},
                           kResults[] = {"slots", "matches"}, kLeavesAre[] = {"implicit", "nodes"},
                           kEnds[] = {"known", "compared"}, kReverses[] = {"uploaded", "computed"};

constexpr const char* kMemoryMib = "memory_mib";

constexpr auto kMemory =
    tunable<&MatchPolicy::memory>({.axis = "memory",
                                   .words = kMemories.words,
                                   .enumeration = "gpuseq::exact_match::MemoryPath",
                                   .meaning = "loads of nodes and text: read-only loads, textures of linear "
                                              "memory, or two-dimensional textures (the paper)"});
constexpr auto kTextOrder = tunable<&MatchPolicy::text_2d>(
    {.axis = "text_order",
     .words = kTextOrders,
     .meaning = "order of the letters of the text; plain: one after the other; space_filling: four down a "
                "column, columns from left to right"});
constexpr auto kResult = tunable<&MatchPolicy::listed>(
    {.axis = "result",
     .words = kResults,
     .meaning = "slots: node and length at every position, as in the paper's kernel, with matches listed "
                "afterwards by the host; matches: listed directly"});
constexpr auto kLeaves = tunable<&MatchPolicy::leaf_nodes>(
    {.axis = "leaves",
     .words = kLeavesAre,
     .meaning = "storage of leaves; implicit: positions of the text, which a traversal follows without "
                "reading nodes where a substring occurs once; nodes: like inner nodes (the paper)"});
constexpr auto kEdgeEnds = tunable<&MatchPolicy::compared_ends>(
    {.axis = "edge_ends",
     .words = kEnds,
     .meaning = "next letter where the letters known from the previous position end within an edge; known: a "
                "mismatch without a comparison; compared: read and compared (the paper)"});
constexpr auto kReverse = tunable<&MatchPolicy::computed>(
    {.axis = "reverse_complements",
     .words = kReverses,
     .meaning = "reverse complements of queries, if both strands are searched; uploaded: made by the host; "
                "computed: made by kernels that read the queries (the paper)"});
constexpr auto kLanes = tunable<&MatchPolicy::lanes>(
    {.axis = "lanes", .letter = "l", .meaning = "threads per strand, each with a part of its positions"});
constexpr auto kThreads = tunable<&MatchPolicy::threads>(
    {.axis = "threads_per_block", .letter = "t", .meaning = "threads per block"});

constexpr auto kFields =
    every_member<MatchPolicy>({kMemory, kTextOrder, tunable<&MatchPolicy::words>({.words = kTraversals}),
                               kResult, kLeaves, kEdgeEnds, kReverse, kLanes, kThreads});

constexpr TunedKernel<MatchPolicy> kKernels{
    .prefix = "exact_match",
    .scope = "gpuseq::exact_match",
    .policy = "MatchPolicy",
    .arguments = "MatchArguments",
    .entry = "match_kernel",
    .header = "kernels/exact_match/cuda/match_kernel.cuh",
    .fields = kFields,
    .threads = [](const MatchPolicy& policy) { return policy.threads; },
    // Kernels that write slots need few enough registers for nearly all possible threads.
    .resident_blocks = [](const MatchPolicy& policy) { return policy.listed || policy.leaf_nodes ? 1u : 0u; },
    .may_spill = [](const MatchPolicy&) { return false; },
    .ahead_of_time =
        [] {
          std::vector<MatchPolicy> policies;
          for (const bool listed : {false, true}) {
            policies.push_back({.listed = listed});
            policies.push_back({.memory = MemoryPath::texture_linear, .listed = listed});
            policies.push_back({.memory = MemoryPath::texture_2d, .text_2d = true, .listed = listed});
            policies.push_back({.words = true, .listed = listed});
          }
          return policies;
        }};

Axis axis_of(const Tunable<MatchPolicy>& field, AxisValue default_value, std::vector<AxisValue> values = {}) {
  for (const std::string_view word : field.words) values.emplace_back(std::string(word));
  return listed_axis(std::string(field.axis), std::move(values), std::move(default_value),
                     std::string(field.meaning));
}

/// @param own  the variant's first axes
std::vector<Axis> with_shared(std::vector<Axis> own, const std::string& result) {
  return concatenated(
      std::move(own),
      {node_order_axis(), axis_of(kLanes, 1, axis_integers({1, 2, 4, 8, 16, 32, 64, 128, 256})),
       listed_axis("query_order", {"as_given"s, "sorted"s}, "as_given"s,
                   "order in which threads take strands; sorted: by the first letters of the strands"),
       axis_of(kThreads, 128, axis_integers({64, 128, 256, 512})), axis_of(kResult, result),
       compiled_by_axis()});
}

MatchPoint shared_point(const Point& point) {
  MatchPoint at{.sorted = point.word("query_order") == "sorted", .ahead_of_time = is_ahead_of_time(point)};
  for (const auto& field : {kResult, kLanes, kThreads}) field.assign(at.policy, point);
  return at;
}

MatchPoint tree_point(const Point& point) {
  MatchPoint at = shared_point(point);
  kMemory.assign(at.policy, point);
  at.memory_bytes = static_cast<u64>(point.integer(kMemoryMib)) << 20;
  kTextOrder.assign(at.policy, point);
  kLeaves.assign(at.policy, point);
  kEdgeEnds.assign(at.policy, point);
  kReverse.assign(at.policy, point);
  return at;
}

MatchPoint tree_words_point(const Point& point) {
  MatchPoint at = shared_point(point);
  at.policy.words = true;
  at.letters = word_letters(point);
  return at;
}

/// The paper's kernel writes slots.
SearchSpace tree_space() {
  return {
      with_shared({axis_of(kMemory, "global"s), axis_of(kTextOrder, "plain"s), axis_of(kLeaves, "implicit"s),
                   axis_of(kEdgeEnds, "known"s), axis_of(kReverse, "uploaded"s),
                   integer_axis(kMemoryMib, {0, 64}, 0,
                                "limit of the device memory of a launch in MiB, with queries and slots in "
                                "host memory: overlapping trees, one at a time, take a third, blocks of "
                                "queries the rest (the paper); 0: one tree and all queries are on the device",
                                0, 1 << 20)},
                  "slots"),
      {{"order_of_2d_text", "memory = texture_2d has the text in 2D order; name text_order = space_filling",
        [](const Point& point) {
          return point.word("memory") != "texture_2d" || point.word("text_order") == "space_filling";
        }},
       {"lists_of_leaf_nodes", "leaves = nodes has matches listed by the host; name result = slots",
        [](const Point& point) {
          return point.word("leaves") != "nodes" || point.word("result") == "slots";
        }},
       {"lists_within_a_budget", "memory_mib has matches listed by the host; name result = slots",
        [](const Point& point) { return point.integer(kMemoryMib) == 0 || point.word("result") == "slots"; }},
       {"order_of_computed_strands",
        "query_order = sorted has strands sorted by the host, which makes them; name reverse_complements = "
        "uploaded",
        [](const Point& point) {
          return point.word("reverse_complements") != "computed" || point.word("query_order") != "sorted";
        }},
       ahead_of_time_constraint(kKernels, [](const Point& point) { return tree_point(point).policy; })}};
}

/// The faster variant is for users who want matches.
SearchSpace tree_words_space_with(std::vector<Axis> more) {
  return {concatenated(with_shared(word_axes(), "matches"), std::move(more)),
          {ahead_of_time_constraint(kKernels,
                                    [](const Point& point) { return tree_words_point(point).policy; })}};
}
SearchSpace tree_words_space() {
  return tree_words_space_with({});
}
SearchSpace tree_words_gpus_space() {
  return tree_words_space_with({cuda::gpus_axis()});
}

}  // namespace

constinit const CudaTraversal kTreeGpu{
    .name = "tree_gpu",
    .summary = "suffix tree with suffix links, one thread per strand or per part of a strand (the paper)",
    .space = &tree_space,
    .at = &tree_point};
constinit const CudaTraversal kTreeWordsGpu{
    .name = "tree_words_gpu",
    .summary = "as tree_gpu, without the positions whose k-mer does not occur",
    .space = &tree_words_space,
    .at = &tree_words_point};
constinit const CudaTraversal kTreeWordsGpus{
    .name = "tree_words_gpus",
    .summary = "tree_words_gpu on several GPUs, each with the tree and as many letters of the queries",
    .space = &tree_words_gpus_space,
    .at = &tree_words_point};

const TunedKernel<MatchPolicy>& match_kernels() {
  return kKernels;
}

std::string ahead_of_time_text() {
  return kKernels.ahead_of_time_text();
}

}  // namespace gpuseq::exact_match
