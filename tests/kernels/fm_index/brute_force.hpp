#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/fm_index/data/bwt.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::fm_index::testing {

/// Letters of base codes and back.
inline std::vector<u8> codes(std::string_view letters) {
  std::vector<u8> result;
  for (char letter : letters) result.push_back(static_cast<u8>(std::string_view("ACGT").find(letter)));
  return result;
}

inline std::string random_letters(std::size_t count, u64 seed) {
  Random random(seed);
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += "ACGT"[random.below(4)];
  return result;
}

/// A query packed as QueryView says.
inline std::vector<u32> packed(std::string_view query) {
  std::vector<u32> result((query.size() + 63) / 64 * 4);
  for (std::size_t i = 0; i < query.size(); ++i)
    result[i / 16] |= static_cast<u32>(std::string_view("ACGT").find(query[query.size() - 1 - i]))
                      << (2 * (i % 16));
  return result;
}

inline Bwt bwt_of_letters(std::string_view letters, ThreadPool& pool, u32 k = kMaxK) {
  const std::vector<u8> text = codes(letters);
  Bwt bwt = bwt_of(text, sort_by_divsufsort(text), pool);
  derive_columns(bwt, k, pool);
  return bwt;
}

/// The suffixes of a text with `$`, as strings, sorted.
class BruteForce {
 public:
  explicit BruteForce(const std::string& text) {
    const std::string with_end = text + "$";
    for (std::size_t i = 0; i < with_end.size(); ++i) {
      suffixes_.push_back(with_end.substr(i));
      rotations_.push_back(with_end.substr(i) + with_end.substr(0, i));
    }
    std::sort(suffixes_.begin(), suffixes_.end());
    std::sort(rotations_.begin(), rotations_.end());  // in the order of the suffixes, as `$` is unique
  }

  Interval<u64> interval(const std::string& query) const {
    Interval<u64> result{0, 0};
    for (const std::string& suffix : suffixes_) {
      const int order = suffix.compare(0, query.size(), query);
      result.l += order < 0 ? 1 : 0;
      result.h += order <= 0 ? 1 : 0;
    }
    return result;
  }
  /// R'[SA[row] - j], `$` included, indices modulo the length.
  char before(std::size_t row, u32 j) const {
    const std::string& rotation = rotations_[row];
    return rotation[(rotation.size() * kMaxK - j) % rotation.size()];
  }
  std::size_t rows() const { return suffixes_.size(); }

 private:
  std::vector<std::string> suffixes_, rotations_;
};

}  // namespace gpuseq::fm_index::testing
