#include "kernels/exact_match/problem.hpp"
#include "kernels/exact_match/word_tables.hpp"
#include "runtime/axes.hpp"

namespace gpuseq::exact_match {
namespace {

using namespace std::string_literals;

std::vector<Axis> traversal_axes(std::int64_t in_flight) {
  return {listed_axis("node_order", {"depth_first"s, "breadth_first"s, "hybrid"s}, "breadth_first"s,
                      "order of the tree's nodes in memory"),
          integer_axis("in_flight", {1, 4, 8, 16, 32}, in_flight,
                       "strands that take turns on a thread, each prefetching what it reads next", 1, 256),
          listed_axis("result", {"slots"s, "matches"s}, "slots"s,
                      "slots: node and length at every position, matches listed afterwards and not timed, as "
                      "the paper's kernel; matches: listed at once"),
          integer_axis("trees", {1, 2, 4, 8}, 1,
                       "overlapping parts of the reference with a tree each, searched one after the other", 1,
                       64),
          threads_axis()};
}

std::vector<Axis> with_words(std::vector<Axis> axes) {
  axes.push_back(integer_axis("prefix_letters", {0, 8, 10, 11, 12}, 10,
                              "first letters of a descent that a table answers; 0: none", 0,
                              kMostPrefixLetters));
  axes.push_back(integer_axis("filter_letters", {11, 12, 13, 14}, 13,
                              "letters of the words that must occur where a match is to begin; matches that "
                              "are shorter are looked for with words of their length",
                              1, kMostWordLetters));
  return axes;
}

}  // namespace

std::vector<Variant> cpu_variants() {
  return {{"tree", DeviceKind::cpu, "suffix tree with suffix links, every position of a query",
           SearchSpace(traversal_axes(1))},
          {"tree_words", DeviceKind::cpu,
           "suffix tree with suffix links, positions passed over where a word does not occur",
           SearchSpace(with_words(traversal_axes(16)))}};
}

}  // namespace gpuseq::exact_match
