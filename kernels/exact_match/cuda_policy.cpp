#include "kernels/exact_match/cuda_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/exact_match/word_tables.hpp"
#include "runtime/axes.hpp"
#include "runtime/errors.hpp"
#include "runtime/tunable.hpp"

namespace gpuseq::exact_match {
namespace {

using namespace std::string_literals;

/// In the order of MemoryPath, and as C++ has them.
constexpr std::array kMemories{"global", "texture_linear", "texture_2d"};

/// In the order of MatchPolicy's members; `memory` is before them.
constexpr std::array<Tunable<MatchPolicy>, 5> kFields{{
    {.axis = "text_order",
     .field = "text_2d",
     .member = &MatchPolicy::text_2d,
     .letter = "",
     .words = {"plain", "space_filling"},
     .meaning = "letters one after the other, or four down a column, columns from left to right"},
    {.axis = "",
     .field = "words",
     .member = &MatchPolicy::words,
     .letter = "",
     .words = {"tree", "words"},
     .meaning = ""},
    {.axis = "result",
     .field = "listed",
     .member = &MatchPolicy::listed,
     .letter = "",
     .words = {"slots", "matches"},
     .meaning = "slots: node and length at every position, matches listed afterwards by the host, as the "
                "paper's kernel; matches: listed at once"},
    {.axis = "lanes",
     .field = "lanes",
     .member = &MatchPolicy::lanes,
     .letter = "l",
     .meaning = "threads that share a strand, each with a part of its positions"},
    {.axis = "threads_per_block",
     .field = "threads",
     .member = &MatchPolicy::threads,
     .letter = "t",
     .meaning = "threads of a block"},
}};

std::string meaning_of(std::string_view axis) {
  const auto found = std::ranges::find(kFields, axis, &Tunable<MatchPolicy>::axis);
  return std::string(found->meaning);
}

bool has_words(std::string_view variant) {
  if (variant == kTreeGpu) return false;
  if (variant == kTreeWordsGpu) return true;
  throw UsageError(
      fmt::format("exact_match: no CUDA variant '{}'; there are {}, {}", variant, kTreeGpu, kTreeWordsGpu));
}

std::vector<AxisValue> node_orders() {
  std::vector<AxisValue> orders;
  for (const std::string_view name : kNodeOrderNames) orders.emplace_back(std::string(name));
  return orders;
}

std::vector<Axis> memory_axes() {
  return {listed_axis("memory", {"global"s, "texture_linear"s, "texture_2d"s}, "global"s,
                      "how nodes and text are read: read-only loads, textures of linear memory, or "
                      "two-dimensional textures (the paper)"),
          listed_axis("text_order", {"plain"s, "space_filling"s}, "plain"s, meaning_of("text_order"))};
}

std::vector<Axis> word_axes() {
  return {integer_axis("prefix_letters", {0, 8, 10, 11, 12}, 10,
                       "first letters of a descent that a table answers; 0: none", 0, kMostPrefixLetters),
          integer_axis("filter_letters", {11, 12, 13, 14}, 13,
                       "letters of the words that must occur where a match is to begin; matches that are "
                       "shorter are looked for with words of their length",
                       1, kMostWordLetters)};
}

std::vector<Constraint> constraints_of(std::string_view variant) {
  std::vector<Constraint> constraints;
  if (!has_words(variant))
    constraints.push_back(
        {"order_of_2d_text", "memory = texture_2d has the text in 2D order; name text_order = space_filling",
         [](const Point& point) {
           return point.word("memory") != "texture_2d" || point.word("text_order") == "space_filling";
         }});
  constraints.push_back(
      {"compiled_ahead_of_time",
       "unsupported: compiled_by = nvcc has only the points that were compiled when the program was built "
       "(the defaults, each memory and result); use compiled_by = nvrtc",
       [variant = std::string(variant)](const Point& point) {
         const MatchPoint at = match_point(variant, point);
         return !at.ahead_of_time || is_ahead_of_time(at.policy);
       }});
  return constraints;
}

}  // namespace

SearchSpace match_space(std::string_view variant) {
  std::vector<Axis> axes = has_words(variant) ? word_axes() : memory_axes();
  axes.push_back(
      listed_axis("node_order", node_orders(), "breadth_first"s, "order of the tree's nodes in memory"));
  axes.push_back(
      listed_axis("lanes", axis_integers({1, 2, 4, 8, 16, 32, 64, 128, 256}), 1, meaning_of("lanes")));
  axes.push_back(listed_axis("query_order", {"as_given"s, "sorted"s}, "as_given"s,
                             "order in which threads take strands; sorted: by their first letters"));
  axes.push_back(listed_axis("threads_per_block", axis_integers({64, 128, 256, 512}), 128,
                             meaning_of("threads_per_block")));
  // The paper's kernel leaves slots; the faster variant is for whoever wants matches.
  axes.push_back(listed_axis("result", {"slots"s, "matches"s}, has_words(variant) ? "matches"s : "slots"s,
                             meaning_of("result")));
  axes.push_back(listed_axis("compiled_by", {"nvrtc"s, "nvcc"s}, "nvrtc"s, "at run time, or ahead of time"));
  return {std::move(axes), constraints_of(variant)};
}

MatchPoint match_point(std::string_view variant, const Point& point) {
  MatchPoint at;
  at.policy.words = has_words(variant);
  for (const auto& field : kFields)
    if (point.has(field.axis)) field.assign(at.policy, point);
  if (at.policy.words) {
    at.prefix_letters = static_cast<u32>(point.integer("prefix_letters"));
    at.filter_letters = static_cast<u32>(point.integer("filter_letters"));
  } else {
    const auto memory = std::ranges::find(kMemories, point.word("memory"));
    at.policy.memory = static_cast<MemoryPath>(memory - kMemories.begin());
  }
  const auto order = std::ranges::find(kNodeOrderNames, point.word("node_order"));
  at.order = static_cast<NodeOrder>(order - kNodeOrderNames.begin());
  at.sorted = point.word("query_order") == "sorted";
  at.ahead_of_time = point.word("compiled_by") == "nvcc";
  return at;
}

std::string kernel_name(const MatchPolicy& policy) {
  std::string name = fmt::format("exact_match_{}", kMemories[static_cast<u32>(policy.memory)]);
  for (const auto& field : kFields) name += fmt::format("_{}{}", field.letter, field.text(policy, true));
  return name;
}

std::string kernel_text(std::span<const MatchPolicy> policies) {
  std::string text = "#include \"kernels/exact_match/match_kernel.cuh\"\n";
  for (const MatchPolicy& policy : policies) {
    std::string fields = fmt::format(".memory = gpuseq::exact_match::MemoryPath::{}",
                                     kMemories[static_cast<u32>(policy.memory)]);
    for (const auto& field : kFields)
      fields += fmt::format(", .{} = {}", field.field, field.text(policy, false));
    // Asked for one block a multiprocessor, ptxas does not spill to have more of those that list resident;
    // those that leave slots fit all the threads there can be.
    text += fmt::format(
        "\nstruct {0}_tuned {{\n"
        "  static constexpr gpuseq::exact_match::MatchPolicy value{{{1}}};\n"
        "}};\n"
        "extern \"C\" __global__ void __launch_bounds__({2}{3})\n"
        "{0}(const __grid_constant__ gpuseq::exact_match::MatchArguments arguments) {{\n"
        "  gpuseq::exact_match::match_kernel<{0}_tuned>(arguments);\n"
        "}}\n",
        kernel_name(policy), fields, policy.threads, policy.listed ? ", 1" : "");
  }
  return text;
}

std::vector<MatchPolicy> ahead_of_time_policies() {
  std::vector<MatchPolicy> policies;
  for (const bool listed : {false, true}) {
    policies.push_back({.listed = listed});
    policies.push_back({.memory = MemoryPath::texture_linear, .listed = listed});
    policies.push_back({.memory = MemoryPath::texture_2d, .text_2d = true, .listed = listed});
    policies.push_back({.words = true, .listed = listed});
  }
  return policies;
}

bool is_ahead_of_time(const MatchPolicy& policy) {
  return std::ranges::any_of(ahead_of_time_policies(), [name = kernel_name(policy)](const auto& built) {
    return kernel_name(built) == name;
  });
}

}  // namespace gpuseq::exact_match
