#include "kernels/fm_index/cuda/policy.hpp"

#include <array>
#include <stdexcept>

#include "kernels/fm_index/axes.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr std::int64_t kMaxD = 2048;  // a warp sums two counts of rows in 16 bits each

constexpr auto kSchemes = enum_words<Scheme>({{Scheme::task_parallel, "task_parallel"},
                                              {Scheme::task_parallel_16b, "task_parallel_16b"},
                                              {Scheme::task_parallel_split, "task_parallel_split"},
                                              {Scheme::memory_cooperative, "memory_cooperative"},
                                              {Scheme::full_cooperative, "full_cooperative"},
                                              {Scheme::full_cooperative_split, "full_cooperative_split"},
                                              {Scheme::one_hot, "one_hot"},
                                              {Scheme::psi, "psi"},
                                              {Scheme::psi_lines, "psi_lines"},
                                              {Scheme::verify, "verify"},
                                              {Scheme::elias_fano, "elias_fano"},
                                              {Scheme::one_hot_routed, "one_hot_routed"}});
constexpr auto kSearches = enum_words<PsiSearch>({{PsiSearch::linear, "linear"},
                                                  {PsiSearch::binary, "binary"},
                                                  {PsiSearch::interpolation, "interpolation"}});
constexpr std::array<std::string_view, 2> kCountersAre{"full", "alternate"}, kLoadsAre{"streamed", "cached"},
    kWidths{"", "wide"}, kDivisions{"", "divided"}, kExitsAre{"none", "leading_word"},
    kReadsAre{"merged", "separate"}, kChunksAre{"needed", "whole"};

constexpr auto kK = tunable<&Policy::k>({.axis = "k", .letter = "k", .meaning = "bases per step"});
constexpr auto kD = tunable<&Policy::d>(
    {.axis = "d",
     .letter = "d",
     .meaning = "rows of the BWT per entry (one-hot: per block; Elias-Fano: per line, at most)",
     .names_first = false});
constexpr auto kCounters =
    tunable<&Policy::alternate>({.axis = "counters",
                                 .words = kCountersAre,
                                 .meaning = "full: each entry has the counters of all k-mers; alternate: "
                                            "even entries have one half of them, odd entries the other"});
constexpr auto kThreads = tunable<&Policy::threads_per_block>(
    {.axis = "threads_per_block", .letter = "t", .meaning = "threads per block"});
constexpr auto kLanes = tunable<&Policy::lanes_per_query>(
    {.axis = "lanes_per_query", .letter = "l", .meaning = "neighbouring lanes per query"});
constexpr auto kInFlight = tunable<&Policy::queries_in_flight>(
    {.axis = "queries_in_flight", .letter = "q", .meaning = "queries that the lanes of a query interleave"});
constexpr auto kLoads = tunable<&Policy::entries_in_l1>(
    {.axis = "entry_loads",
     .words = kLoadsAre,
     .meaning = "loads of the index; cached: they allocate in L1; streamed: they bypass it"});
constexpr auto kSearch = tunable<&Policy::search>({.axis = "search",
                                                   .words = kSearches.words,
                                                   .enumeration = "gpuseq::fm_index::PsiSearch",
                                                   .meaning = "search method among the entries of a k-mer",
                                                   .names_first = false});
constexpr auto kLineBytes = tunable<&Policy::line_bytes>(
    {.axis = "line_bytes",
     .letter = "b",
     .meaning = "bytes of the line of a k-mer, which has a start row or counter, and entries",
     .names_first = false});
constexpr auto kRowBytes =
    tunable<&Policy::row_bytes>({.axis = "row_bytes",
                                 .letter = "r",
                                 .meaning = "bytes per row of the suffix array: 4 have the position of the "
                                            "suffix, 8 also its 16 bases after the first k",
                                 .names_first = false});
constexpr auto kEarlyExit =
    tunable<&Policy::early_exit>({.axis = "early_exit",
                                  .words = kExitsAre,
                                  .meaning = "leading_word: the first k bases of a query are looked up "
                                             "first; if they do not occur, the search ends",
                                  .names_first = false});
constexpr auto kEntryReads = tunable<&Policy::separate_entries>(
    {.axis = "entry_reads",
     .words = kReadsAre,
     .meaning =
         "merged: an entry that l and h share is read once; separate: each of the two LF mappings reads it",
     .names_first = false});
constexpr auto kChunks = tunable<&Policy::whole_entries>(
    {.axis = "chunks",
     .words = kChunksAre,
     .meaning = "rows of an entry that a step reads; needed: those up to its position; whole: all",
     .names_first = false});
constexpr auto kEntryLanes =
    tunable<&Policy::lanes_per_entry>({.axis = "lanes_per_entry",
                                       .letter = "e",
                                       .meaning = "neighbouring lanes that read and count an entry",
                                       .names_first = false});

/// In the order of Policy's members.
constexpr auto kFields = every_member<Policy>(
    {tunable<&Policy::scheme>({.words = kSchemes.words, .enumeration = "gpuseq::fm_index::Scheme"}), kK, kD,
     kCounters, tunable<&Policy::wide>({.words = kWidths}), kThreads, kLanes, kInFlight, kLoads, kSearch,
     kLineBytes, kRowBytes, kEarlyExit, kEntryReads, kChunks, kEntryLanes,
     tunable<&Policy::divided>({.words = kDivisions})});

/// Host-side facts of a scheme.
struct SchemeFacts {
  TunableAxes<Policy> axes;
  u32 (*pieces)(const Policy&);  // 16-byte registers that a lane loads ahead of counting, for a query
  bool (*wants_registers)(const Policy&);  // where positions have 32 bits and one query is in flight
};

constexpr auto per_lane = [](u32 pieces, u32 lanes) { return (pieces + lanes - 1) / lanes; };
constexpr auto none = [](const Policy&) { return 0u; };
constexpr auto of_entry = [](const Policy& p) { return p.layout().entry_bytes() / (16 * p.lanes_per_query); };
constexpr auto always = [](const Policy&) { return true; };
constexpr auto never = [](const Policy&) { return false; };
constexpr auto in_large_entries = [](const Policy& p) { return p.k > 2 || p.layout().chunks() > 1; };

SchemeFacts make_facts(Scheme scheme) {
  const auto k = [](std::int64_t usual) { return axis_of(kK, {1, 2, 3, 4}, usual); };
  const auto long_words = axis_of(kK, {8, 9, 10, 11, 12, 13, 14, 15, 16}, 8);
  const auto middle_words = axis_of(kK, {3, 4, 5}, 4), long_line_bytes = axis_of(kLineBytes, {64, 128}, 64);
  const TunableAxis<Policy> line_rows{kD, elias_fano_rows_axis(std::string(kD.meaning))};
  // Any multiple of the bits of a word.
  const TunableAxis<Policy> rows{
      kD, integer_axis("d", {64, 128, 192, 256, 320, 384, 448}, 64, std::string(kD.meaning), 64, kMaxD, 64)};
  const auto blocks = axis_of(kD, {224, 480}, 224), full = axis_of(kCounters, {"full"}, "full");
  const auto counters = axis_of(kCounters, {"full", "alternate"}, "full");
  const auto threads = axis_of(kThreads, {64, 128, 256, 512}, 128);
  const auto one_lane = axis_of(kLanes, {1}, 1), two_lanes = axis_of(kLanes, {2}, 2);
  const auto few_lanes = axis_of(kLanes, {1, 2, 4}, 2), many_lanes = axis_of(kLanes, {2, 4, 8, 16, 32}, 4);
  const auto line_lanes = axis_of(kLanes, {1, 2, 4, 8}, 1);
  const auto entry_lanes = axis_of(kEntryLanes, {2, 4, 8, 16, 32}, 2);
  const auto in_flight = axis_of(kInFlight, {1, 2, 4}, 1), one_in_flight = axis_of(kInFlight, {1}, 1);
  const auto loads = axis_of(kLoads, {"cached", "streamed"}, "cached");
  const auto search = axis_of(kSearch, {"linear", "binary", "interpolation"}, "binary");
  const auto line_bytes = axis_of(kLineBytes, {16, 32, 64, 128}, 32),
             row_bytes = axis_of(kRowBytes, {4, 8}, 8);
  const auto exit = axis_of(kEarlyExit, {"none", "leading_word"}, "none");
  const auto reads = axis_of(kEntryReads, {"merged", "separate"}, "merged");
  const auto chunks = [](const char* usual) { return axis_of(kChunks, {"needed", "whole"}, usual); };
  switch (scheme) {
    case Scheme::task_parallel:
    case Scheme::task_parallel_16b:
      return {{k(1), rows, counters, threads, one_lane, in_flight, loads, reads, chunks("needed")},
              [](const Policy& p) { return 2 * p.k; },
              in_large_entries};
    case Scheme::task_parallel_split:
      return {{k(1), rows, counters, threads, two_lanes, in_flight, loads, chunks("needed")},
              [](const Policy& p) { return p.k; },
              in_large_entries};
    case Scheme::memory_cooperative:
      return {{k(1), rows, counters, threads, two_lanes, in_flight, loads, reads}, none, always};
    case Scheme::full_cooperative:
      return {{k(2), rows, counters, threads, many_lanes, in_flight, loads},
              [](const Policy& p) { return 2 * per_lane(slots_of(p), p.lanes_per_query); },
              in_large_entries};
    case Scheme::full_cooperative_split:  // as published
      return {{k(1), rows, counters, threads, two_lanes, one_in_flight, loads, chunks("whole"), entry_lanes},
              [](const Policy& p) { return per_lane(slots_of(p), p.lanes_per_entry); },
              in_large_entries};
    case Scheme::one_hot:
    case Scheme::one_hot_routed:
      // Routing pays for an index that is large for its k.
      return {{k(scheme == Scheme::one_hot ? 2 : 4), blocks, full, threads, few_lanes, in_flight, loads},
              [](const Policy& p) { return 2 * of_entry(p); },
              [](const Policy& p) {
                return p.scheme == Scheme::one_hot_routed || p.d > 224 || p.lanes_per_query == 1;
              }};
    case Scheme::psi:
      return {{long_words, threads, one_lane, in_flight, loads, search, exit}, none, never};
    case Scheme::psi_lines:
      return {{long_words, threads, line_lanes, in_flight, loads, line_bytes, exit},
              of_entry,
              [](const Policy& p) { return p.line_bytes > 32 * p.lanes_per_query; }};
    case Scheme::verify:
      return {{long_words, threads, one_lane, one_in_flight, loads, row_bytes}, none, never};
    case Scheme::elias_fano:
      return {{middle_words, line_rows, threads, line_lanes, in_flight, loads, long_line_bytes},
              [](const Policy& p) { return p.has_slots() ? 0 : of_entry(p); },
              [](const Policy& p) { return p.line_bytes > 64 && p.lanes_per_query < 4; }};
  }
  throw std::logic_error("no such scheme");
}

const SchemeFacts& facts_of(Scheme scheme) {
  static const auto all = [] {
    std::array<SchemeFacts, kSchemes.words.size()> made;
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = make_facts(static_cast<Scheme>(i));
    return made;
  }();
  return all[static_cast<std::size_t>(scheme)];
}

/// ptxas spills a few registers of the larger kernels to reach a higher occupancy; told that one block
/// suffices it does not. The small ones fit, and are faster with the occupancy that it chooses (by up to 17 %
/// on an H200).
u32 resident_blocks(const Policy& p) {
  return p.wide || p.queries_in_flight > 1 || facts_of(p.scheme).wants_registers(p) ? 1 : 0;
}

/// Every variant's default point and the usual winners.
std::vector<Policy> ahead_of_time_policies() {
  std::vector<Policy> policies;
  const auto add = [&policies](Scheme scheme, const char* point) {
    policies.push_back(search_point(scheme, search_space(scheme).complete(Point::parse(point))).policy);
  };
  for (std::size_t i = 0; i < kSchemes.words.size(); ++i) add(static_cast<Scheme>(i), "");
  add(Scheme::full_cooperative, "k=1,lanes_per_query=2");
  for (const char* point : {"k=1", "k=3", "k=4"}) add(Scheme::one_hot, point);
  for (const Scheme scheme : {Scheme::psi, Scheme::psi_lines, Scheme::verify})
    for (const char* point : {"k=13", "k=15"}) add(scheme, point);
  for (const char* k : {"8", "13", "15"}) add(Scheme::verify, fmt::format("k={},row_bytes=4", k).c_str());
  return policies;
}

}  // namespace

const TunableAxes<Policy>& tunables_of(Scheme scheme) {
  return facts_of(scheme).axes;
}

std::string_view name_of(Scheme scheme) {
  return kSchemes[scheme];
}

const TunedKernel<Policy>& search_kernels() {
  static const TunedKernel<Policy> kernels{
      .prefix = "fm",
      .scope = "gpuseq::fm_index",
      .policy = "Policy",
      .arguments = "SearchArguments",
      .entry = "search_kernel",
      .header = "kernels/fm_index/cuda/search.cuh",
      .fields = kFields,
      .threads = [](const Policy& policy) { return policy.threads_per_block; },
      .resident_blocks = resident_blocks,
      .may_spill = [](const Policy&) { return false; },
      .ahead_of_time = ahead_of_time_policies};
  return kernels;
}

std::string ahead_of_time_text() {
  return search_kernels().ahead_of_time_text();
}

u32 columns_of(const Policy& policy) {
  return policy.k == 3 ? 4 : policy.k;
}
u32 slots_of(const Policy& policy) {
  return columns_of(policy) * policy.layout().chunks() + (policy.k == 3 ? 0 : 1);
}

u32 pieces_in_flight(const Policy& policy) {
  return facts_of(policy.scheme).pieces(policy) * policy.queries_in_flight;
}

}  // namespace gpuseq::fm_index
