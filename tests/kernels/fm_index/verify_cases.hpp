#pragma once

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/data/verify.hpp"
#include "tests/kernels/fm_index/psi_cases.hpp"

namespace gpuseq::fm_index::testing {

inline Layout verify_layout(u32 k, u32 row_bytes) {
  return {.kind = LayoutKind::verify, .k = k, .row_bytes = row_bytes};
}

/// A text sorted once, of which layouts are made.
class SortedText {
 public:
  explicit SortedText(const std::string& letters)
      : text_(codes(letters)),
        suffixes_(sort_by_divsufsort(text_)),
        bwt_(bwt_of(text_, suffixes_, pool_)),
        rank_(bwt_, pool_) {}

  Index index(u32 k, u32 row_bytes) {
    return build_verify_index(verify_layout(k, row_bytes), text_, suffixes_, rank_, pool_);
  }
  const std::vector<u8>& text() const { return text_; }

 private:
  ThreadPool pool_{1};
  std::vector<u8> text_;
  SuffixArray suffixes_;
  Bwt bwt_;
  ColumnRank rank_;
};

/// Texts whose words have many rows: random, of long repeats, and two copies of one piece.
inline std::vector<std::string> repetitive_texts() {
  const std::string piece = random_letters(700, 21);
  return {random_letters(4000, 2), repeated("A", 1500) + "C" + repeated("TA", 900), piece + piece,
          piece + "A" + piece + "C" + piece.substr(100)};
}

}  // namespace gpuseq::fm_index::testing
