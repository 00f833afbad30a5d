#pragma once

#include <vector>

#include "kernels/exact_match/data/suffix_tree.hpp"
#include "kernels/exact_match/data/word_tables.hpp"
#include "runtime/contract/axes.hpp"

// Axes that variants on CPUs and GPUs share. Inline: kernel policies are also compiled without the
// rest of the family.

namespace gpuseq::exact_match {

inline Axis node_order_axis() {
  std::vector<AxisValue> orders;
  orders.reserve(kNodeOrderNames.size());
  for (const std::string_view name : kNodeOrderNames) orders.emplace_back(std::string(name));
  return listed_axis("node_order", orders, std::string("breadth_first"),
                     "order of the tree's nodes in memory");
}

inline std::vector<Axis> word_axes() {
  return {integer_axis("prefix_letters", {0, 8, 10, 11, 12}, 10,
                       "first letters of a descent that one look-up in a table answers; 0: none", 0,
                       kMostPrefixLetters),
          integer_axis(
              "filter_letters", {11, 12, 13, 14}, 13,
              "length k of the k-mers that must occur where a match begins; min_length if that is smaller", 1,
              kMostWordLetters)};
}

/// @param point  complete, with word_axes()
inline WordLetters word_letters(const Point& point) {
  return {.prefix = static_cast<u32>(point.integer("prefix_letters")),
          .filter = static_cast<u32>(point.integer("filter_letters"))};
}

}  // namespace gpuseq::exact_match
