#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/profile_hmm/data/null_model.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::profile_hmm {

/// Draws amino acids of the background composition with a precision of 2^-16, four from each random number.
class BackgroundResidues {
 public:
  BackgroundResidues() : table_(kEntries) {
    double sum = 0, below = 0;
    for (const float frequency : kBackground) sum += frequency;
    std::size_t from = 0;
    for (u32 a = 0; a < kAminoAcids; ++a) {
      below += kBackground[a];
      const auto to =
          a + 1 == kAminoAcids ? kEntries : static_cast<std::size_t>(std::lround(below / sum * kEntries));
      std::fill(table_.begin() + static_cast<std::ptrdiff_t>(from),
                table_.begin() + static_cast<std::ptrdiff_t>(to), static_cast<u8>(a));
      from = to;
    }
  }

  void fill(Random& random, u8* residues, std::size_t count) const {
    for (std::size_t i = 0; i < count; i += 4) {
      u64 bits = random();
      for (std::size_t j = i; j < std::min(i + 4, count); ++j, bits >>= 16)
        residues[j] = table_[bits & 0xffff];
    }
  }

 private:
  static constexpr std::size_t kEntries = 1 << 16;
  std::vector<u8> table_;
};

}  // namespace gpuseq::profile_hmm
