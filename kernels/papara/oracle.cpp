#include "kernels/papara/oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace gpuseq::papara {
namespace {

// Above every score, and small enough that adding costs does not overflow.
constexpr i32 kInfinite = std::numeric_limits<i32>::max() / 2;

/// A row of S; infinite until assigned, and everywhere outside the band.
class Row {
 public:
  explicit Row(std::ptrdiff_t sites) : cells_(static_cast<std::size_t>(sites) + 1, kInfinite) {}
  /// @param i  site, from -1
  i32& at(std::ptrdiff_t i) { return cells_[static_cast<std::size_t>(i + 1)]; }

 private:
  std::vector<i32> cells_;
};

}  // namespace

i32 oracle_score(const SiteRow& row_of_sites, std::span<const u8> codes, const Penalties& penalties) {
  const std::vector<u32> sites = words_of(row_of_sites), bases = sets_of(row_of_sites.alphabet(), codes);
  const u32 cgap_bit = row_of_sites.alphabet() == Alphabet::dna ? 4 : 20;
  const auto n = static_cast<std::ptrdiff_t>(sites.size());
  const auto m = static_cast<std::ptrdiff_t>(bases.size());
  // Two rows of the matrix are enough: a row needs only the row above. Values from two rows above are
  // overwritten or, left of the band, not read again; right of the band no row has written yet.
  Row above(n), row(n);
  for (std::ptrdiff_t i = -1; i <= n - m - 1; ++i) above.at(i) = 0;
  for (std::ptrdiff_t j = 0; j < m; ++j) {
    const u32 base = bases[static_cast<std::size_t>(j)];
    i32 left = kInfinite;      // S(i-1, j)
    i32 deletion = kInfinite;  // D(i, j)
    for (std::ptrdiff_t i = j; i <= j + n - m; ++i) {
      const u32 site = sites[static_cast<std::size_t>(i)];
      const bool cgap = (site >> cgap_bit & 1) != 0;
      const i32 mismatch = (site & base) != 0 ? 0 : penalties.mismatch;
      const i32 cg = cgap ? penalties.cgap : 0;
      const i32 gap_open = cgap ? 0 : penalties.gap_open;
      const i32 gap_extend = cgap ? 0 : penalties.gap_extend;
      deletion = std::min(left + gap_open, deletion + gap_extend);
      const i32 insertion = above.at(i) + penalties.insertion;
      left = std::min({above.at(i - 1) + mismatch + cg, deletion, insertion});
      row.at(i) = left;
    }
    std::swap(above, row);
  }
  i32 score = kInfinite;
  for (std::ptrdiff_t i = m - 1; i <= n - 1; ++i) score = std::min(score, above.at(i));
  return score;
}

}  // namespace gpuseq::papara
