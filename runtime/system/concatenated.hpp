#pragma once

#include <iterator>
#include <utility>
#include <vector>

namespace gpuseq {

/// The elements of one list, then those of another.
template <typename T>
std::vector<T> concatenated(std::vector<T> first, std::vector<T> more) {
  first.insert(first.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return first;
}

}  // namespace gpuseq
