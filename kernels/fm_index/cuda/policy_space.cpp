#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/data/elias_fano.hpp"
#include "runtime/contract/axes.hpp"

// Axes and constraints of the CUDA variants, and their configurations.

namespace gpuseq::fm_index {
namespace {

constexpr std::int64_t kSortBases = 12;      // 4^12 words: as many as queries that fill a GPU
constexpr u32 kMaxSharedBytes = 160 * 1024;  // of a block, on sm_80

bool has_lines(Scheme scheme) {
  return scheme == Scheme::psi_lines || scheme == Scheme::elias_fano;
}

bool is_full_cooperative(Scheme scheme) {
  return scheme == Scheme::full_cooperative || scheme == Scheme::full_cooperative_split;
}

/// Whether queries are searched one after the other, so that an order of theirs is one of the search.
bool has_order(Scheme scheme) {
  return scheme != Scheme::one_hot_routed;
}

struct Rule {
  std::string_view name;
  std::string_view reason;
  bool (*holds)(const Policy&);
};

constexpr std::array<Rule, 7> kRules{{
    {"columns_in_lanes",
     "full_cooperative: lanes_per_query must be at least k (4 for k = 3), so that each column "
     "of a chunk has a lane; full_cooperative_split: so must lanes_per_entry",
     [](const Policy& p) {
       return !is_full_cooperative(p.scheme) || p.cooperating_lanes() >= columns_of(p);
     }},
    {"lanes_in_use",
     "full_cooperative: at most half of lanes_per_query may be without a 16-byte piece of the entry; "
     "full_cooperative_split: nor of lanes_per_entry",
     [](const Policy& p) {
       return !is_full_cooperative(p.scheme) || p.cooperating_lanes() < 2 * slots_of(p);
     }},
    {"lanes_in_block",
     "one_hot: lanes_per_query must be at most 2 for d = 224 and 4 for d = 480 (16 bytes per lane)",
     [](const Policy& p) {
       return !p.layout().one_hot() || p.lanes_per_query * 16 <= p.layout().entry_bytes();
     }},
    {"lanes_in_line", "lanes_per_query must be at most line_bytes / 16 (16 bytes per lane)",
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
     "memory_cooperative, and elias_fano by one lane: the entries or lines of a block, one for each "
     "thread and query in flight, must fit 160 KiB of shared memory",
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
  if (has_order(scheme))
    constraints.push_back(
        {"sort_bases_of_a_sort",
         fmt::format("sort_bases must be {} where device_order = as_given sorts nothing", kSortBases),
         [](const Point& point) {
           return point.word("device_order") != "as_given" || point.integer("sort_bases") == kSortBases;
         }});
  if (scheme == Scheme::one_hot)
    constraints.push_back(
        {"order_on_one_device",
         "device_order must be as_given where index_on is not one, as a device sorts its own "
         "queries only",
         [](const Point& point) {
           return point.word("index_on") == "one" || point.word("device_order") == "as_given";
         }});
  constraints.push_back(ahead_of_time_constraint(
      search_kernels(), [scheme](const Point& point) { return search_point(scheme, point).policy; }));
  return constraints;
}

/// For all variants that take queries one after the other; the sort takes eight bits per pass.
std::vector<Axis> order_axes() {
  return {listed_axis("device_order", {"as_given", "sorted", "sorted_reversed"}, "as_given",
                      "order of the search, into which the device sorts the queries in each launch; sorted: "
                      "by their first bases; sorted_reversed: by their last bases, from the end"),
          integer_axis("sort_bases", axis_integers({4, 8, 12, 16}), kSortBases,
                       "bases of a query in the device's sort key, 2 bits each", 1, 16)};
}

/// The axes that one_hot_routed adds to those of one_hot.
std::vector<Axis> routing_axes() {
  return {
      listed_axis("windows", axis_integers({1, 2, 3, 4}), 2,
                  "windows of the index; a multiprocessor reads one of them"),
      listed_axis("assigned_by", {"sm_group", "sm_number"}, "sm_group",
                  "multiprocessors with the same window; sm_group: those that share a TLB; sm_number: those "
                  "with neighbouring numbers"),
      integer_axis(
          "streams", axis_integers({1, 2}), 1,
          "streams of the launches; with several, as many batches of the queries take their steps at the "
          "same time",
          1, 16)};
}

bool has_index_on(Scheme scheme) {
  return Policy{.scheme = scheme}.layout().one_hot();
}

/// The devices that a value of index_on names.
struct Sharing {
  IndexOn on = IndexOn::one;
  u32 gpus = 1;
};

/// "copies" are on 2 devices, "copies_3" on 3. @returns nullopt for a word that a scheme does not have
std::optional<Sharing> sharing_of(std::string_view value, Scheme scheme) {
  if (value == "one") return Sharing();
  std::vector<std::pair<std::string_view, IndexOn>> shared{{"copies", IndexOn::copies}};
  if (scheme == Scheme::one_hot_routed) shared.emplace_back("parts", IndexOn::parts);
  for (const auto& [word, on] : shared)
    for (u32 gpus = 2; gpus <= kMostDevices; ++gpus)
      if (value == (gpus == 2 ? std::string(word) : fmt::format("{}_{}", word, gpus)))
        return Sharing{on, gpus};
  return std::nullopt;
}

/// Only the value of one device is listed: a search over all of a space finds the best point of one.
Axis index_on_axis(Scheme scheme) {
  const bool routed = scheme == Scheme::one_hot_routed;
  Axis axis = listed_axis(
      "index_on", {"one"}, "one",
      fmt::format(
          "devices that search. one: that of the case; copies: also its peer. Each has all of the index and "
          "searches a part of the queries.{} copies_3: three devices, and so on",
          routed ? " parts: each has a part of the words in its memory and takes their steps, with as many "
                   "windows each."
                 : ""));
  axis.accepts = [scheme](const AxisValue& value) {
    const std::string* word = std::get_if<std::string>(&value);
    return word != nullptr && sharing_of(*word, scheme).has_value();
  };
  axis.allowed = fmt::format("one, copies, copies_3 to copies_{}{}", kMostDevices,
                             routed ? fmt::format(", parts, parts_3 to parts_{}", kMostDevices) : "");
  return axis;
}

}  // namespace

SearchPoint search_point(Scheme scheme, const Point& point) {
  SearchPoint result;
  result.policy.scheme = scheme;
  assign(result.policy, point, tunables_of(scheme));
  if (scheme != Scheme::verify) result.prefix_symbols = static_cast<u32>(point.integer("prefix_symbols"));
  result.active_threads = static_cast<u32>(point.integer("active_threads"));
  if (has_order(scheme) && point.word("device_order") != "as_given")
    result.order = OrderKey{.bases = static_cast<u32>(point.integer("sort_bases")),
                            .from_end = point.word("device_order") == "sorted_reversed"};
  if (has_index_on(scheme)) {
    const Sharing sharing = sharing_of(point.word("index_on"), scheme).value();
    result.index_on = sharing.on;
    result.gpus = sharing.gpus;
  }
  if (scheme == Scheme::one_hot_routed) {
    result.policy.divided = result.index_on == IndexOn::parts;
    result.windows = static_cast<u32>(point.integer("windows"));
    result.by_sm_group = point.word("assigned_by") == "sm_group";
    result.streams = static_cast<u32>(point.integer("streams"));
  }
  result.ahead_of_time = is_ahead_of_time(point);
  return result;
}

SearchSpace search_space(Scheme scheme) {
  std::vector<Axis> axes = axes_of(tunables_of(scheme));
  std::vector<AxisValue> symbols(15);
  for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i] = static_cast<std::int64_t>(i);
  if (scheme != Scheme::verify)
    axes.push_back({"prefix_symbols",
                    symbols,
                    10,
                    "bases of a query that one look-up in the prefix table replaces; 0: none",
                    {},
                    {}});
  axes.push_back({"active_threads",
                  axis_integers({0, 64, 128, 256, 512, 1024, 1536, 2048}),
                  0,
                  "resident threads per multiprocessor, limited by the grid size (each thread takes further "
                  "queries); 0: as many as fit",
                  {},
                  {}});
  if (has_order(scheme)) std::ranges::move(order_axes(), std::back_inserter(axes));
  if (has_index_on(scheme)) axes.push_back(index_on_axis(scheme));
  if (scheme == Scheme::one_hot_routed) std::ranges::move(routing_axes(), std::back_inserter(axes));
  axes.push_back(compiled_by_axis());
  return {std::move(axes), constraints_of(scheme)};
}

}  // namespace gpuseq::fm_index
