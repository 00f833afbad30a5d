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

constexpr auto kK = tunable<&Policy::k>({.axis = "k", .letter = "k", .meaning = "bases of a step"});
constexpr auto kD =
    tunable<&Policy::d>({.axis = "d",
                         .letter = "d",
                         .meaning = "rows of an entry (one-hot: of a block; Elias-Fano: of a line, at most)",
                         .names_first = false});
constexpr auto kCounters = tunable<&Policy::alternate>(
    {.axis = "counters",
     .words = kCountersAre,
     .meaning = "an entry has the counters of all words, or of half of them in turn"});
constexpr auto kThreads = tunable<&Policy::threads_per_block>(
    {.axis = "threads_per_block", .letter = "t", .meaning = "threads of a block"});
constexpr auto kLanes = tunable<&Policy::lanes_per_query>(
    {.axis = "lanes_per_query", .letter = "l", .meaning = "neighbouring threads that follow one query"});
constexpr auto kInFlight = tunable<&Policy::queries_in_flight>(
    {.axis = "queries_in_flight", .letter = "q", .meaning = "queries that these threads interleave"});
constexpr auto kLoads = tunable<&Policy::entries_in_l1>(
    {.axis = "entry_loads",
     .words = kLoadsAre,
     .meaning = "loads of the index allocate in L1 (cached) or pass it by (streamed)"});
constexpr auto kSearch = tunable<&Policy::search>({.axis = "search",
                                                   .words = kSearches.words,
                                                   .enumeration = "gpuseq::fm_index::PsiSearch",
                                                   .meaning = "how the entries of a word are searched",
                                                   .names_first = false});
constexpr auto kLineBytes =
    tunable<&Policy::line_bytes>({.axis = "line_bytes",
                                  .letter = "b",
                                  .meaning = "bytes of a word's line: a start or counter, and entries",
                                  .names_first = false});
constexpr auto kRowBytes = tunable<&Policy::row_bytes>(
    {.axis = "row_bytes",
     .letter = "r",
     .meaning = "bytes of a row: where its suffix is; with the 16 bases behind its first k",
     .names_first = false});
constexpr auto kEarlyExit = tunable<&Policy::early_exit>(
    {.axis = "early_exit",
     .words = kExitsAre,
     .meaning = "leading_word: a query's first k bases are looked up first; where "
                "they do not occur, it is done",
     .names_first = false});
constexpr auto kEntryReads = tunable<&Policy::separate_entries>(
    {.axis = "entry_reads",
     .words = kReadsAre,
     .meaning = "an entry that l and h share is read once (merged), or by each of two LF mappings (separate)",
     .names_first = false});
constexpr auto kChunks = tunable<&Policy::whole_entries>(
    {.axis = "chunks",
     .words = kChunksAre,
     .meaning = "of an entry the rows up to a position are read (needed), or all (whole)",
     .names_first = false});
constexpr auto kEntryLanes =
    tunable<&Policy::lanes_per_entry>({.axis = "lanes_per_entry",
                                       .letter = "e",
                                       .meaning = "neighbouring threads that read and count an entry",
                                       .names_first = false});

/// In the order of Policy's members.
constexpr auto kFields = every_member<Policy>(
    {tunable<&Policy::scheme>({.words = kSchemes.words, .enumeration = "gpuseq::fm_index::Scheme"}), kK, kD,
     kCounters, tunable<&Policy::wide>({.words = kWidths}), kThreads, kLanes, kInFlight, kLoads, kSearch,
     kLineBytes, kRowBytes, kEarlyExit, kEntryReads, kChunks, kEntryLanes,
     tunable<&Policy::divided>({.words = kDivisions})});

TunableAxis<Policy> words_of_entries(std::int64_t usual) {
  return axis_of(kK, {1, 2, 3, 4}, usual);
}

/// Any multiple of the bits of a word.
TunableAxis<Policy> rows_of_entries() {
  return {kD,
          integer_axis("d", {64, 128, 192, 256, 320, 384, 448}, 64, std::string(kD.meaning), 64, kMaxD, 64)};
}

TunableAxes<Policy> make_tunables(Scheme scheme) {
  const auto long_words = axis_of(kK, {8, 9, 10, 11, 12, 13, 14, 15, 16}, 8);
  const auto counters = axis_of(kCounters, {"full", "alternate"}, "full");
  const auto threads = axis_of(kThreads, {64, 128, 256, 512}, 128);
  const auto one_lane = axis_of(kLanes, {1}, 1), two_lanes = axis_of(kLanes, {2}, 2);
  const auto line_lanes = axis_of(kLanes, {1, 2, 4, 8}, 1);
  const auto in_flight = axis_of(kInFlight, {1, 2, 4}, 1), one_in_flight = axis_of(kInFlight, {1}, 1);
  const auto loads = axis_of(kLoads, {"cached", "streamed"}, "cached");
  const auto exit = axis_of(kEarlyExit, {"none", "leading_word"}, "none");
  const auto reads = axis_of(kEntryReads, {"merged", "separate"}, "merged");
  const auto chunks = axis_of(kChunks, {"needed", "whole"}, "needed");
  switch (scheme) {
    case Scheme::task_parallel:
    case Scheme::task_parallel_16b:
      return {words_of_entries(1),
              rows_of_entries(),
              counters,
              threads,
              one_lane,
              in_flight,
              loads,
              reads,
              chunks};
    case Scheme::task_parallel_split:
      return {words_of_entries(1), rows_of_entries(), counters, threads, two_lanes, in_flight, loads, chunks};
    case Scheme::memory_cooperative:
      return {words_of_entries(1), rows_of_entries(), counters, threads, two_lanes, in_flight, loads, reads};
    case Scheme::full_cooperative:
      return {words_of_entries(2),
              rows_of_entries(),
              counters,
              threads,
              axis_of(kLanes, {2, 4, 8, 16, 32}, 4),
              in_flight,
              loads};
    case Scheme::full_cooperative_split:  // as published
      return {words_of_entries(1),
              rows_of_entries(),
              counters,
              threads,
              two_lanes,
              one_in_flight,
              loads,
              axis_of(kChunks, {"needed", "whole"}, "whole"),
              axis_of(kEntryLanes, {2, 4, 8, 16, 32}, 2)};
    case Scheme::one_hot:
    case Scheme::one_hot_routed:
      // What needs routing is an index that is large for its k.
      return {words_of_entries(scheme == Scheme::one_hot ? 2 : 4),
              axis_of(kD, {224, 480}, 224),
              axis_of(kCounters, {"full"}, "full"),
              threads,
              axis_of(kLanes, {1, 2, 4}, 2),
              in_flight,
              loads};
    case Scheme::psi:
      return {long_words, threads, one_lane,
              in_flight,  loads,   axis_of(kSearch, {"linear", "binary", "interpolation"}, "binary"),
              exit};
    case Scheme::psi_lines:
      return {long_words, threads, line_lanes, in_flight, loads, axis_of(kLineBytes, {16, 32, 64, 128}, 32),
              exit};
    case Scheme::verify:
      return {long_words, threads, one_lane, one_in_flight, loads, axis_of(kRowBytes, {4, 8}, 8)};
    case Scheme::elias_fano:
      return {axis_of(kK, {3, 4, 5}, 4),
              {kD, elias_fano_rows_axis(std::string(kD.meaning))},
              threads,
              line_lanes,
              in_flight,
              loads,
              axis_of(kLineBytes, {64, 128}, 64)};
  }
  throw std::logic_error("no such scheme");
}

/// ptxas spills a few registers of the larger kernels to reach a higher occupancy; told that one block
/// suffices it does not. The small ones fit, and are faster with the occupancy that it chooses (by up to 17 %
/// on an H200).
bool wants_registers(const Policy& policy) {
  if (policy.wide || policy.queries_in_flight > 1 || policy.scheme == Scheme::memory_cooperative ||
      policy.scheme == Scheme::one_hot_routed)
    return true;
  if (policy.scheme == Scheme::psi || policy.scheme == Scheme::verify) return false;
  if (policy.scheme == Scheme::elias_fano) return policy.line_bytes > 64 && policy.lanes_per_query < 4;
  if (policy.scheme == Scheme::psi_lines) return policy.line_bytes > 32 * policy.lanes_per_query;
  if (policy.layout().one_hot()) return policy.d > 224 || policy.lanes_per_query == 1;
  return policy.k > 2 || policy.layout().chunks() > 1;
}

std::vector<Policy> ahead_of_time_policies() {
  std::vector<Policy> policies;
  const auto add = [&policies](Scheme scheme, u32 k, u32 lanes) {
    Policy policy{.scheme = scheme, .k = k, .lanes_per_query = lanes};
    if (policy.layout().may_be_wide()) policy.d = policy.layout().one_hot() ? 224 : 64;
    policies.push_back(policy);
  };
  add(Scheme::elias_fano, 4, 1);
  policies.back().d = 10240;
  policies.back().line_bytes = 64;
  add(Scheme::task_parallel, 1, 1);
  add(Scheme::task_parallel_16b, 1, 1);
  add(Scheme::task_parallel_split, 1, 2);
  add(Scheme::memory_cooperative, 1, 2);
  add(Scheme::full_cooperative, 1, 2);
  add(Scheme::full_cooperative, 2, 4);
  for (u32 k = 1; k <= kMaxK; ++k) add(Scheme::one_hot, k, 2);
  add(Scheme::one_hot_routed, 4, 2);
  add(Scheme::full_cooperative_split, 1, 2);
  policies.back().whole_entries = true;
  policies.back().lanes_per_entry = 2;
  for (const u32 k : {8u, 13u, 15u}) {
    add(Scheme::psi, k, 1);
    policies.back().search = PsiSearch::binary;
    add(Scheme::psi_lines, k, 1);
    policies.back().line_bytes = 32;
    for (const u32 row_bytes : {4u, 8u}) {
      add(Scheme::verify, k, 1);
      policies.back().row_bytes = row_bytes;
    }
  }
  return policies;
}

}  // namespace

const TunableAxes<Policy>& tunables_of(Scheme scheme) {
  static const auto tables = [] {
    std::array<TunableAxes<Policy>, kSchemes.words.size()> made;
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = make_tunables(static_cast<Scheme>(i));
    return made;
  }();
  return tables[static_cast<std::size_t>(scheme)];
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
      .resident_blocks = [](const Policy& policy) { return wants_registers(policy) ? 1u : 0u; },
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
  if (policy.has_slots()) return 0;  // they go to shared memory
  const Layout layout = policy.layout();
  u32 pieces = 0;
  switch (policy.scheme) {
    case Scheme::task_parallel:
    case Scheme::task_parallel_16b:
      pieces = 2 * policy.k;
      break;
    case Scheme::task_parallel_split:
      pieces = policy.k;
      break;
    case Scheme::full_cooperative:
      pieces = 2 * ((slots_of(policy) + policy.lanes_per_query - 1) / policy.lanes_per_query);
      break;
    case Scheme::full_cooperative_split:
      pieces = (slots_of(policy) + policy.lanes_per_entry - 1) / policy.lanes_per_entry;
      break;
    case Scheme::one_hot:
    case Scheme::one_hot_routed:
      pieces = 2 * (layout.entry_bytes() / (16 * policy.lanes_per_query));
      break;
    case Scheme::memory_cooperative:  // has slots
    case Scheme::psi:                 // a pair of starts
    case Scheme::verify:
      break;
    case Scheme::psi_lines:
    case Scheme::elias_fano:
      pieces = layout.entry_bytes() / (16 * policy.lanes_per_query);
      break;
  }
  return pieces * policy.queries_in_flight;
}

}  // namespace gpuseq::fm_index
