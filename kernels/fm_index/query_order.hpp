#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/fm_index/data/queries.hpp"

namespace gpuseq::fm_index {

/// The order in which queries are searched. A backward search takes a query from
/// its last base, and the taken bases are the first bases of the rows that it
/// has come to: neighbours that end alike take the same steps until they differ.
enum class QueryOrder : u8 {
  as_given,         // as they are drawn, or as in their file
  sorted,           // lexicographic: neighbours begin alike, as verify looks them up and last steps end
  sorted_reversed,  // lexicographic from the last base: neighbours end alike, and share their first steps
  by_rows           // by their last kLastWordBases bases, in the order of the rows that begin with these
};

/// As many as the prefix table answers that GPUs are searched fast with.
inline constexpr u32 kLastWordBases = 12;

/// The values of the axis `query_order`, in the order of the enumeration.
inline const std::array<std::string, 4> kQueryOrders{"as_given", "sorted", "sorted_reversed", "by_rows"};
/// @param word  one of them
QueryOrder query_order(std::string_view word);
/// The words of an order in a label: "sorted reversed".
std::string_view words_of(QueryOrder order);

/// The packed queries, a permutation: in this order they are searched. Those that the order does not tell
/// apart stay as they are given.
std::vector<u32> in_order(const Queries& queries, QueryOrder order, ThreadPool& pool);

/// The same queries, packed in that order; `source` says where each comes from.
/// @throws DoesNotFit if the host's memory does not hold both
Queries reordered(const Queries& queries, QueryOrder order, ThreadPool& pool);

}  // namespace gpuseq::fm_index
