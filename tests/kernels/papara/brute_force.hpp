#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "kernels/papara/scoring.cuh"

namespace gpuseq::papara::testing {

/// The least cost over all alignments, by walking through every one of them: small sizes only.
class BruteForce {
 public:
  BruteForce(std::span<const u8> sites, std::span<const u8> bases, const Penalties& penalties)
      : sites_(sites),
        bases_(bases),
        penalties_(penalties),
        n_(static_cast<int>(sites.size())),
        m_(static_cast<int>(bases.size())) {}

  i32 score() {
    best_ = std::numeric_limits<i32>::max();
    for (int i = -1; i < n_ - m_; ++i) walk(i, -1, false, 0);
    return best_;
  }

 private:
  bool fits(int i, int j) const { return j <= i && i <= j + n_ - m_; }
  bool cgap(int i) const { return (sites_[static_cast<std::size_t>(i)] & 16) != 0; }
  bool match(int i, int j) const {
    return (sites_[static_cast<std::size_t>(i)] & bases_[static_cast<std::size_t>(j)] & 15) != 0;
  }

  /// Everything up to site i and base j is dealt with at that cost.
  void walk(int i, int j, bool deleting, i32 cost) {
    if (j == m_ - 1) best_ = std::min(best_, cost);
    if (j + 1 < m_ && i + 1 < n_ && fits(i + 1, j + 1))
      walk(i + 1, j + 1, false,
           cost + (match(i + 1, j + 1) ? 0 : penalties_.mismatch) + (cgap(i + 1) ? penalties_.cgap : 0));
    if (j + 1 < m_ && fits(i, j + 1)) walk(i, j + 1, false, cost + penalties_.insertion);
    if (j >= 0 && i + 1 < n_ && fits(i + 1, j)) {
      walk(i + 1, j, true, cost + (cgap(i + 1) ? 0 : penalties_.gap_open));
      if (deleting) walk(i + 1, j, true, cost + (cgap(i + 1) ? 0 : penalties_.gap_extend));
    }
  }

  std::span<const u8> sites_, bases_;
  Penalties penalties_;
  int n_, m_;
  i32 best_ = 0;
};

}  // namespace gpuseq::papara::testing
