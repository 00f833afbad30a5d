#include "kernels/fm_index/cuda/policy.hpp"

#include <array>

namespace gpuseq::fm_index {
namespace {

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
constexpr std::array<std::string_view, 2> kCounters{"full", "alternate"}, kLoads{"streamed", "cached"},
    kWidths{"", "wide"}, kDivisions{"", "divided"}, kExits{"none", "leading_word"},
    kEntryReads{"merged", "separate"}, kChunks{"needed", "whole"};

/// In the order of Policy's members.
constexpr std::array kFields{
    tunable<&Policy::scheme>(
        {.field = "scheme", .words = kSchemes.words, .enumeration = "gpuseq::fm_index::Scheme"}),
    tunable<&Policy::k>({.field = "k", .axis = "k", .letter = "k", .meaning = "bases of a step"}),
    tunable<&Policy::d>({.field = "d",
                         .axis = "d",
                         .letter = "d",
                         .meaning = "rows of an entry (one-hot: of a block; Elias-Fano: of a line, at most)",
                         .names_first = false}),
    tunable<&Policy::alternate>(
        {.field = "alternate",
         .axis = "counters",
         .words = kCounters,
         .meaning = "an entry has the counters of all words, or of half of them in turn"}),
    tunable<&Policy::wide>({.field = "wide", .words = kWidths}),
    tunable<&Policy::threads_per_block>({.field = "threads_per_block",
                                         .axis = "threads_per_block",
                                         .letter = "t",
                                         .meaning = "threads of a block"}),
    tunable<&Policy::lanes_per_query>({.field = "lanes_per_query",
                                       .axis = "lanes_per_query",
                                       .letter = "l",
                                       .meaning = "neighbouring threads that follow one query"}),
    tunable<&Policy::queries_in_flight>({.field = "queries_in_flight",
                                         .axis = "queries_in_flight",
                                         .letter = "q",
                                         .meaning = "queries that these threads interleave"}),
    tunable<&Policy::entries_in_l1>(
        {.field = "entries_in_l1",
         .axis = "entry_loads",
         .words = kLoads,
         .meaning = "loads of the index allocate in L1 (cached) or pass it by (streamed)"}),
    tunable<&Policy::search>({.field = "search",
                              .axis = "search",
                              .words = kSearches.words,
                              .enumeration = "gpuseq::fm_index::PsiSearch",
                              .meaning = "how the entries of a word are searched",
                              .names_first = false}),
    tunable<&Policy::line_bytes>({.field = "line_bytes",
                                  .axis = "line_bytes",
                                  .letter = "b",
                                  .meaning = "bytes of a word's line: a start or counter, and entries",
                                  .names_first = false}),
    tunable<&Policy::row_bytes>(
        {.field = "row_bytes",
         .axis = "row_bytes",
         .letter = "r",
         .meaning = "bytes of a row: where its suffix is; with the 16 bases behind its first k",
         .names_first = false}),
    tunable<&Policy::early_exit>({.field = "early_exit",
                                  .axis = "early_exit",
                                  .words = kExits,
                                  .meaning =
                                      "leading_word: a query's first k bases are looked up first; where "
                                      "they do not occur, it is done",
                                  .names_first = false}),
    tunable<&Policy::separate_entries>(
        {.field = "separate_entries",
         .axis = "entry_reads",
         .words = kEntryReads,
         .meaning =
             "an entry that l and h share is read once (merged), or by each of two LF mappings (separate)",
         .names_first = false}),
    tunable<&Policy::whole_entries>(
        {.field = "whole_entries",
         .axis = "chunks",
         .words = kChunks,
         .meaning = "of an entry the rows up to a position are read (needed), or all (whole)",
         .names_first = false}),
    tunable<&Policy::lanes_per_entry>({.field = "lanes_per_entry",
                                       .axis = "lanes_per_entry",
                                       .letter = "e",
                                       .meaning = "neighbouring threads that read and count an entry",
                                       .names_first = false}),
    tunable<&Policy::divided>({.field = "divided", .words = kDivisions})};

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
  if (policy.is_one_hot()) return policy.d > 224 || policy.lanes_per_query == 1;
  return policy.k > 2 || policy.layout().chunks() > 1;
}

std::vector<Policy> ahead_of_time_policies() {
  std::vector<Policy> policies;
  const auto add = [&policies](Scheme scheme, u32 k, u32 lanes) {
    Policy policy{.scheme = scheme, .k = k, .lanes_per_query = lanes};
    if (policy.is_one_hot()) policy.d = 224;
    if (policy.has_long_words()) policy.d = 0;
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
