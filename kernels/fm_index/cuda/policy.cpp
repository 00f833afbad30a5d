#include "kernels/fm_index/cuda/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/fm_index/axes.hpp"
#include "kernels/fm_index/data/elias_fano.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr auto kSchemes = enum_words<Scheme>({{Scheme::task_parallel, "task_parallel"},
                                              {Scheme::task_parallel_16b, "task_parallel_16b"},
                                              {Scheme::task_parallel_split, "task_parallel_split"},
                                              {Scheme::memory_cooperative, "memory_cooperative"},
                                              {Scheme::full_cooperative, "full_cooperative"},
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
    kWidths{"", "wide"}, kExits{"none", "leading_word"};

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
                                  .names_first = false})};

constexpr u32 kMaxD = 2048;                  // a warp sums two counts of rows in 16 bits each
constexpr u32 kMaxSharedBytes = 160 * 1024;  // of a block, on sm_80

bool is_psi(Scheme scheme) {
  return Policy{.scheme = scheme}.is_psi();
}

/// Whether words of a scheme are longer than those that counters are of.
bool has_long_words(Scheme scheme) {
  return is_psi(scheme) || scheme == Scheme::verify;
}

bool has_lines(Scheme scheme) {
  return scheme == Scheme::psi_lines || scheme == Scheme::elias_fano;
}

/// Whether a scheme has an axis; where not, the policy has what a Policy has by itself.
bool has_axis(Scheme scheme, std::string_view axis) {
  if (axis == "counters" && scheme == Scheme::elias_fano) return false;
  if (axis == "d" || axis == "counters") return !has_long_words(scheme);
  if (axis == "row_bytes") return scheme == Scheme::verify;
  if (axis == "early_exit") return is_psi(scheme);
  if (axis == "search") return scheme == Scheme::psi;
  if (axis == "line_bytes") return has_lines(scheme);
  return !axis.empty();
}

bool is_one_hot(Scheme scheme) {
  return Policy{.scheme = scheme}.is_one_hot();
}

/// Values and default of a tunable for a variant.
std::pair<std::vector<AxisValue>, AxisValue> values_of(Scheme scheme, std::string_view axis) {
  const bool one_hot = is_one_hot(scheme);
  if (axis == "k" && has_long_words(scheme)) return {axis_integers({8, 9, 10, 11, 12, 13, 14, 15, 16}), 8};
  if (scheme == Scheme::elias_fano) {
    if (axis == "k") return {axis_integers({3, 4, 5}), 4};
    if (axis == "line_bytes") return {axis_integers({64, 128}), 64};
    if (axis == "lanes_per_query") return {axis_integers({1, 2, 4, 8}), 2};
  }
  if (axis == "search") return {{"linear", "binary", "interpolation"}, "binary"};
  if (axis == "line_bytes") return {axis_integers({16, 32, 64, 128}), 32};
  if (axis == "lanes_per_query" && scheme == Scheme::psi_lines) return {axis_integers({1, 2, 4, 8}), 1};
  if (axis == "row_bytes") return {axis_integers({4, 8}), 8};
  if (axis == "early_exit") return {{"none", "leading_word"}, "none"};
  if (axis == "queries_in_flight" && scheme == Scheme::verify) return {axis_integers({1}), 1};
  if (axis == "lanes_per_query" && (scheme == Scheme::psi || scheme == Scheme::verify))
    return {axis_integers({1}), 1};
  if (axis == "k") {
    // What needs routing is an index that is large for its k.
    const std::int64_t large = scheme == Scheme::one_hot_routed ? 4 : 2;
    return {axis_integers({1, 2, 3, 4}), one_hot || scheme == Scheme::full_cooperative ? large : 1};
  }
  if (axis == "d")
    return one_hot ? std::pair{axis_integers({224, 480}), AxisValue{224}}
                   : std::pair{axis_integers({64, 128, 192, 256, 320, 384, 448}), AxisValue{64}};
  if (axis == "counters") {
    if (one_hot) return {{"full"}, "full"};
    return {{"full", "alternate"}, "full"};
  }
  if (axis == "threads_per_block") return {axis_integers({64, 128, 256, 512}), 128};
  if (axis == "lanes_per_query") {
    if (one_hot) return {axis_integers({1, 2, 4}), 2};
    if (scheme == Scheme::full_cooperative) return {axis_integers({2, 4, 8, 16, 32}), 4};
    const std::int64_t lanes = scheme == Scheme::task_parallel || scheme == Scheme::task_parallel_16b ? 1 : 2;
    return {axis_integers({lanes}), lanes};
  }
  if (axis == "queries_in_flight") return {axis_integers({1, 2, 4}), 1};
  return {{"cached", "streamed"}, "cached"};
}

Axis axis_of(Scheme scheme, const Tunable<Policy>& tunable) {
  if (tunable.axis == "d" && scheme == Scheme::elias_fano)
    return elias_fano_rows_axis(std::string(tunable.meaning));
  auto [values, default_value] = values_of(scheme, tunable.axis);
  Axis axis{.name = std::string(tunable.axis),
            .values = std::move(values),
            .default_value = std::move(default_value),
            .meaning = std::string(tunable.meaning),
            .accepts = {},
            .allowed = {}};
  if (tunable.axis == "d" && !is_one_hot(scheme)) {
    axis.accepts = [](const AxisValue& value) {
      const std::int64_t* d = std::get_if<std::int64_t>(&value);
      return d != nullptr && *d > 0 && *d <= kMaxD && *d % 64 == 0;
    };
    axis.allowed = fmt::format("a multiple of 64 from 64 to {}", kMaxD);
  }
  return axis;
}

u32 columns_of(const Policy& policy) {
  return policy.k == 3 ? 4 : policy.k;
}
/// 16-byte parts of an entry that full_cooperative deals out to lanes; see search_cooperative.cuh.
u32 slots_of(const Policy& policy) {
  return columns_of(policy) * policy.layout().chunks() + (policy.k == 3 ? 0 : 1);
}

struct Rule {
  std::string_view name;
  std::string_view reason;
  bool (*holds)(const Policy&);
};

constexpr std::array<Rule, 7> kRules{{
    {"columns_in_lanes",
     "full_cooperative: lanes_per_query must be at least k (4 for k = 3), so that each column "
     "of a chunk has a lane",
     [](const Policy& p) {
       return p.scheme != Scheme::full_cooperative || p.lanes_per_query >= columns_of(p);
     }},
    {"lanes_in_use",
     "full_cooperative: at most half of lanes_per_query may be without a 16-byte piece of the entry",
     [](const Policy& p) {
       return p.scheme != Scheme::full_cooperative || p.lanes_per_query < 2 * slots_of(p);
     }},
    {"lanes_in_block",
     "one_hot: lanes_per_query must be at most 2 for d = 224 and 4 for d = 480 (16 bytes a lane)",
     [](const Policy& p) { return !p.is_one_hot() || p.lanes_per_query * 16 <= p.layout().entry_bytes(); }},
    {"lanes_in_line", "lanes_per_query must be at most line_bytes / 16 (16 bytes a lane)",
     [](const Policy& p) { return !has_lines(p.scheme) || p.lanes_per_query * 16 <= p.line_bytes; }},
    {"lines_filled", elias_fano_fill_rule(),
     [](const Policy& p) { return p.scheme != Scheme::elias_fano || is_filled(p.layout()); }},
    {"pieces_in_registers",
     "queries_in_flight above 1: the 16-byte pieces that a thread loads ahead must be at most 12, "
     "and queries_in_flight times threads_per_block at most 1024, or registers spill",
     [](const Policy& p) {
       return p.queries_in_flight == 1 ||
              (pieces_in_flight(p) <= 12 && p.queries_in_flight * p.threads_per_block <= 1024);
     }},
    {"entries_in_shared_memory",
     "memory_cooperative: the entries of a block, one for each thread and query in "
     "flight, must fit 160 KiB of shared memory",
     [](const Policy& p) { return p.shared_bytes() <= kMaxSharedBytes; }},
}};

std::vector<Constraint> constraints_of(Scheme scheme) {
  std::vector<Constraint> constraints;
  constraints.reserve(kRules.size() + 2);
  for (const Rule& rule : kRules)
    constraints.push_back(
        {std::string(rule.name), std::string(rule.reason),
         [scheme, rule](const Point& point) { return rule.holds(search_point(scheme, point).policy); }});
  constraints.push_back({"whole_blocks_resident",
                         "active_threads must be 0 or a multiple of threads_per_block",
                         [](const Point& point) {
                           return point.integer("active_threads") % point.integer("threads_per_block") == 0;
                         }});
  constraints.push_back(ahead_of_time_constraint(
      search_kernels(), [scheme](const Point& point) { return search_point(scheme, point).policy; }));
  return constraints;
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
  if (policy.is_one_hot()) return policy.d > 224 || policy.lanes_per_query == 1;
  return policy.k > 2 || policy.layout().chunks() > 1;
}

std::vector<Policy> ahead_of_time_policies() {
  std::vector<Policy> policies;
  const auto add = [&policies](Scheme scheme, u32 k, u32 lanes) {
    Policy policy{.scheme = scheme, .k = k, .lanes_per_query = lanes};
    if (is_one_hot(scheme)) policy.d = 224;
    if (has_long_words(scheme)) policy.d = 0;
    policies.push_back(policy);
  };
  add(Scheme::elias_fano, 4, 2);
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

/// Of one_hot_routed beside those of one_hot.
std::vector<Axis> routing_axes() {
  return {
      listed_axis("windows", axis_integers({1, 2, 3, 4}), 2,
                  "of the index, of which a multiprocessor reads one"),
      listed_axis("assigned_by", {"sm_group", "sm_number"}, "sm_group",
                  "multiprocessors that share a cache of translations have the same window, or neighbours "
                  "in number"),
      listed_axis("streams", axis_integers({1, 2}), 1,
                  "of launches; with two, halves of the queries take their steps beside each other")};
}

}  // namespace

SearchPoint search_point(Scheme scheme, const Point& point) {
  SearchPoint result;
  result.policy.scheme = scheme;
  if (has_long_words(scheme)) result.policy.d = 0;
  for (const Tunable<Policy>& field : kFields)
    if (has_axis(scheme, field.axis)) field.assign(result.policy, point);
  if (scheme != Scheme::verify) result.prefix_symbols = static_cast<u32>(point.integer("prefix_symbols"));
  result.active_threads = static_cast<u32>(point.integer("active_threads"));
  if (scheme == Scheme::one_hot_routed) {
    result.windows = static_cast<u32>(point.integer("windows"));
    result.by_sm_group = point.word("assigned_by") == "sm_group";
    result.streams = static_cast<u32>(point.integer("streams"));
  }
  result.ahead_of_time = is_ahead_of_time(point);
  return result;
}

SearchSpace search_space(Scheme scheme) {
  std::vector<Axis> axes;
  for (const Tunable<Policy>& field : kFields)
    if (has_axis(scheme, field.axis)) axes.push_back(axis_of(scheme, field));
  std::vector<AxisValue> symbols(15);
  for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i] = static_cast<std::int64_t>(i);
  if (scheme != Scheme::verify)
    axes.push_back({"prefix_symbols", symbols, 10, "bases answered by one look-up in a table", {}, {}});
  axes.push_back(
      {"active_threads",
       axis_integers({0, 64, 128, 256, 512, 1024, 1536, 2048}),
       0,
       "threads resident on a multiprocessor, limited by the size of the grid (the kernel's threads go "
       "on to further queries); 0: as many as fit",
       {},
       {}});
  if (scheme == Scheme::one_hot_routed) std::ranges::move(routing_axes(), std::back_inserter(axes));
  axes.push_back(compiled_by_axis());
  return {std::move(axes), constraints_of(scheme)};
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
      // Copies to shared memory that pass registers by.
      .least_architecture =
          [](const Policy& policy) { return policy.scheme == Scheme::memory_cooperative ? 80 : 75; },
      .ahead_of_time = ahead_of_time_policies};
  return kernels;
}

std::string ahead_of_time_text() {
  return search_kernels().ahead_of_time_text();
}

u32 pieces_in_flight(const Policy& policy) {
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
    case Scheme::memory_cooperative:
      break;  // they go to shared memory
    case Scheme::full_cooperative:
      pieces = 2 * ((slots_of(policy) + policy.lanes_per_query - 1) / policy.lanes_per_query);
      break;
    case Scheme::one_hot:
    case Scheme::one_hot_routed:
      pieces = 2 * (layout.entry_bytes() / (16 * policy.lanes_per_query));
      break;
    case Scheme::psi:
    case Scheme::verify:
      break;  // a pair of starts
    case Scheme::psi_lines:
    case Scheme::elias_fano:
      pieces = layout.entry_bytes() / (16 * policy.lanes_per_query);
      break;
  }
  return pieces * policy.queries_in_flight;
}

}  // namespace gpuseq::fm_index
