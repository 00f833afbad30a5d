#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "kernels/papara/data/alignment_data.hpp"

namespace gpuseq::papara::testing {

/// The least cost over all alignments, by walking through every one of them: small sizes only.
class BruteForce {
 public:
  BruteForce(const SiteRow& sites, std::span<const u8> bases, const Penalties& penalties)
      : letters_(sites.alphabet() == Alphabet::dna ? 4 : 20),
        sites_(words_of(sites)),
        bases_(sets_of(sites.alphabet(), bases)),
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
  bool cgap(int i) const { return sites_[static_cast<std::size_t>(i)] >> letters_ != 0; }
  bool match(int i, int j) const {
    return (sites_[static_cast<std::size_t>(i)] & bases_[static_cast<std::size_t>(j)]) != 0;
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

  u32 letters_;
  std::vector<u32> sites_, bases_;
  Penalties penalties_;
  int n_, m_;
  i32 best_ = 0;
};

}  // namespace gpuseq::papara::testing
