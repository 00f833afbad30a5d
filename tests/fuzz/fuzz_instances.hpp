#pragma once

#include <cmath>

#include "kernels/pairwise_distance/data/instances.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace gpuseq::fuzz {

inline void check(const pairwise_distance::Instances& read) {
  require(read.count > 0 && read.attributes > 0, "no instances");
  const std::size_t values = read.is_real() ? read.reals.size() : read.codes.size();
  require(read.names.size() == read.count && values == read.count * read.attributes,
          "names and values do not agree");
  require(read.missing.empty() || read.missing.size() == values, "missing values of another size");
  require(read.alphabet <= 256, "an alphabet of another size");
  for (const float value : read.reals) require(std::isfinite(value), "a value that is no number");
  for (u64 i = 0; i < read.codes.size(); ++i) {
    require(read.codes[i] < read.alphabet, "a code beyond the alphabet");
    if (read.has_missing())
      require(read.missing[i] <= 1 && (!read.missing[i] || read.codes[i] == 0), "missing, with a value");
  }
}

inline void require_same(const pairwise_distance::Instances& a, const pairwise_distance::Instances& b) {
  require(a.count == b.count && a.attributes == b.attributes, "written, it has another size");
  require(a.codes == b.codes && a.reals == b.reals && a.missing == b.missing, "written, it has other values");
}

}  // namespace gpuseq::fuzz
