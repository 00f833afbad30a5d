#include "kernels/fm_index/cuda_policy.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/errors.hpp"
#include "runtime/tunable.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr std::array kSchemes{"task_parallel",      "task_parallel_16b", "task_parallel_split",
                              "memory_cooperative", "full_cooperative",  "one_hot"};

const std::vector<Tunable<Policy>>& tunables() {
  static const std::vector<Tunable<Policy>> table{
      {.axis = "k", .field = "k", .member = &Policy::k, .letter = "k", .meaning = "bases of a step"},
      {.axis = "d",
       .field = "d",
       .member = &Policy::d,
       .letter = "d",
       .meaning = "rows of an entry (one-hot: of a block)"},
      {.axis = "counters",
       .field = "alternate",
       .member = &Policy::alternate,
       .letter = "",
       .words = {"full", "alternate"},
       .meaning = "an entry has the counters of all words, or of half of them in turn"},
      {.axis = "threads_per_block",
       .field = "threads_per_block",
       .member = &Policy::threads_per_block,
       .letter = "t",
       .meaning = "threads of a block"},
      {.axis = "lanes_per_query",
       .field = "lanes_per_query",
       .member = &Policy::lanes_per_query,
       .letter = "l",
       .meaning = "neighbouring threads that follow one query"},
      {.axis = "queries_in_flight",
       .field = "queries_in_flight",
       .member = &Policy::queries_in_flight,
       .letter = "q",
       .meaning = "queries that these threads interleave"},
      {.axis = "entry_loads",
       .field = "entries_in_l1",
       .member = &Policy::entries_in_l1,
       .letter = "",
       .words = {"streamed", "cached"},
       .meaning = "loads of the index allocate in L1 (cached) or pass it by (streamed)"}};
  return table;
}

constexpr u32 kMaxD = 2048;                  // a warp sums two counts of rows in 16 bits each
constexpr u32 kMaxSharedBytes = 160 * 1024;  // of a block, on sm_80

bool is_cooperative(Scheme scheme) {
  return scheme == Scheme::full_cooperative || scheme == Scheme::one_hot;
}

/// Values and default of a tunable for a variant.
std::pair<std::vector<AxisValue>, AxisValue> values_of(Scheme scheme, std::string_view axis) {
  const bool one_hot = scheme == Scheme::one_hot;
  if (axis == "k") return {axis_integers({1, 2, 3, 4}), is_cooperative(scheme) ? 2 : 1};
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
  auto [values, default_value] = values_of(scheme, tunable.axis);
  Axis axis{.name = std::string(tunable.axis),
            .values = std::move(values),
            .default_value = std::move(default_value),
            .meaning = std::string(tunable.meaning),
            .accepts = {},
            .allowed = {}};
  if (tunable.axis == "d" && scheme != Scheme::one_hot) {
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

constexpr std::array<Rule, 5> kRules{{
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
     [](const Policy& p) {
       return p.scheme != Scheme::one_hot || p.lanes_per_query * 16 <= p.layout().entry_bytes();
     }},
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
  for (const Rule& rule : kRules)
    constraints.push_back(
        {std::string(rule.name), std::string(rule.reason),
         [scheme, rule](const Point& point) { return rule.holds(search_point(scheme, point).policy); }});
  constraints.push_back({"whole_blocks_resident",
                         "active_threads must be 0 or a multiple of threads_per_block",
                         [](const Point& point) {
                           return point.integer("active_threads") % point.integer("threads_per_block") == 0;
                         }});
  constraints.push_back(
      {"compiled_ahead_of_time",
       "unsupported: compiled_by = nvcc has only the points that were compiled when the program "
       "was built (each variant's default, and a few more); use compiled_by = nvrtc",
       [scheme](const Point& point) {
         const SearchPoint at = search_point(scheme, point);
         return !at.ahead_of_time || is_ahead_of_time(at.policy);
       }});
  return constraints;
}

}  // namespace

SearchPoint search_point(Scheme scheme, const Point& point) {
  SearchPoint result;
  result.policy.scheme = scheme;
  for (const Tunable<Policy>& tunable : tunables()) tunable.assign(result.policy, point);
  result.prefix_symbols = static_cast<u32>(point.integer("prefix_symbols"));
  result.active_threads = static_cast<u32>(point.integer("active_threads"));
  result.ahead_of_time = point.word("compiled_by") == "nvcc";
  return result;
}

std::string scheme_name(Scheme scheme) {
  return kSchemes[static_cast<u32>(scheme)];
}

Scheme scheme_of(std::string_view variant) {
  const auto found = std::find(kSchemes.begin(), kSchemes.end(), variant);
  if (found == kSchemes.end())
    throw UsageError(
        fmt::format("fm_index: no CUDA variant '{}'; there are {}", variant, fmt::join(kSchemes, ", ")));
  return static_cast<Scheme>(found - kSchemes.begin());
}

SearchSpace search_space(Scheme scheme) {
  std::vector<Axis> axes;
  for (const Tunable<Policy>& tunable : tunables()) axes.push_back(axis_of(scheme, tunable));
  std::vector<AxisValue> symbols(15);
  for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i] = static_cast<std::int64_t>(i);
  axes.push_back({"prefix_symbols", symbols, 10, "bases answered by one look-up in a table", {}, {}});
  axes.push_back(
      {"active_threads",
       axis_integers({0, 64, 128, 256, 512, 1024, 1536, 2048}),
       0,
       "threads resident on a multiprocessor, limited by the size of the grid (the kernel's threads go "
       "on to further queries); 0: as many as fit",
       {},
       {}});
  axes.push_back({"compiled_by", {"nvrtc", "nvcc"}, "nvrtc", "at run time, or ahead of time", {}, {}});
  return {std::move(axes), constraints_of(scheme)};
}

std::string kernel_name(const Policy& policy) {
  std::string name = "fm_" + scheme_name(policy.scheme);
  for (const Tunable<Policy>& tunable : tunables())
    name += fmt::format("_{}{}", tunable.letter, tunable.text(policy, true));
  return policy.wide ? name + "_wide" : name;
}

/// ptxas spills a few registers of the larger kernels to reach a higher occupancy; told that one block
/// suffices it does not. The small ones fit, and are faster with the occupancy that it chooses (by up to 17 %
/// on an H200).
static bool wants_registers(const Policy& policy) {
  if (policy.wide || policy.queries_in_flight > 1 || policy.scheme == Scheme::memory_cooperative) return true;
  if (policy.scheme == Scheme::one_hot) return policy.d > 224 || policy.lanes_per_query == 1;
  return policy.k > 2 || policy.layout().chunks() > 1;
}

std::string kernel_text(std::span<const Policy> policies) {
  std::string text = "#include \"kernels/fm_index/search.cuh\"\n";
  for (const Policy& policy : policies) {
    const std::string name = kernel_name(policy);
    std::string fields = fmt::format(".scheme = gpuseq::fm_index::Scheme::{}", scheme_name(policy.scheme));
    // Designated initialisers follow the order of Policy's members.
    for (const Tunable<Policy>& tunable : tunables()) {
      fields += fmt::format(", .{} = {}", tunable.field, tunable.text(policy, false));
      if (tunable.field == "alternate") fields += fmt::format(", .wide = {}", policy.wide);
    }
    // Asked for one block a multiprocessor, ptxas does not spill a few registers to have more of them
    // resident.
    text += fmt::format(
        "\nstruct {0}_tuned {{\n"
        "  static constexpr gpuseq::fm_index::Policy value{{{1}}};\n"
        "}};\n"
        "extern \"C\" __global__ void __launch_bounds__({2}{3})\n"
        "{0}(const __grid_constant__ gpuseq::fm_index::SearchArguments arguments) {{\n"
        "  gpuseq::fm_index::search_kernel<{0}_tuned>(arguments);\n"
        "}}\n",
        name, fields, policy.threads_per_block, wants_registers(policy) ? ", 1" : "");
  }
  return text;
}

std::vector<Policy> ahead_of_time_policies() {
  std::vector<Policy> policies;
  const auto add = [&policies](Scheme scheme, u32 k, u32 lanes) {
    Policy policy{.scheme = scheme, .k = k, .lanes_per_query = lanes};
    if (scheme == Scheme::one_hot) policy.d = 224;
    policies.push_back(policy);
  };
  add(Scheme::task_parallel, 1, 1);
  add(Scheme::task_parallel_16b, 1, 1);
  add(Scheme::task_parallel_split, 1, 2);
  add(Scheme::memory_cooperative, 1, 2);
  add(Scheme::full_cooperative, 1, 2);
  add(Scheme::full_cooperative, 2, 4);
  for (u32 k = 1; k <= kMaxK; ++k) add(Scheme::one_hot, k, 2);
  return policies;
}

bool is_ahead_of_time(const Policy& policy) {
  const std::vector<Policy> built = ahead_of_time_policies();
  return std::any_of(built.begin(), built.end(), [name = kernel_name(policy)](const Policy& other) {
    return kernel_name(other) == name;
  });
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
      pieces = 2 * (layout.entry_bytes() / (16 * policy.lanes_per_query));
      break;
  }
  return pieces * policy.queries_in_flight;
}

}  // namespace gpuseq::fm_index
