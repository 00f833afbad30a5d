#pragma once

#include <cstddef>
#include <vector>

namespace gpuseq {

/// Advises the kernel to put memory on huge pages that nobody has written yet. Advice only: where it is not
/// taken the memory is as good.
void advise_huge_pages(void* memory, std::size_t bytes);

/// A vector of zeros on huge pages, as far as they lie in it: for what is read or written at random places.
template <typename T>
std::vector<T> huge_vector(std::size_t size) {
  std::vector<T> values;
  values.reserve(size);
  advise_huge_pages(values.data(), size * sizeof(T));
  values.resize(size);
  return values;
}

}  // namespace gpuseq
