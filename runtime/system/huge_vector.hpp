#pragma once

#include <cstddef>
#include <vector>

namespace gpuseq {

/// Advises the kernel to put unwritten memory on huge pages. If it does not, the memory is still usable.
void advise_huge_pages(void* memory, std::size_t bytes);

/// A vector of zeros, on huge pages as far as possible: for data that is accessed at random places.
template <typename T>
std::vector<T> huge_vector(std::size_t size) {
  std::vector<T> values;
  values.reserve(size);
  advise_huge_pages(values.data(), size * sizeof(T));
  values.resize(size);
  return values;
}

}  // namespace gpuseq
