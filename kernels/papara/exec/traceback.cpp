#include "kernels/papara/exec/traceback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "runtime/contract/errors.hpp"

namespace gpuseq::papara {
namespace {

constexpr i32 kInfinite = std::numeric_limits<i32>::max() / 2;
// The step that gave a cell its least cost.
enum Step : u8 { kOntoSite = 0, kInsertion = 1, kDeletion = 2, kStepMask = 3, kExtended = 4 };

/// The band of a query and a reference, row by row: cell k of row j is site j + k.
class Band {
 public:
  Band(const SiteRow& sites, std::span<const u8> bases, const Penalties& penalties)
      : letters_(letters_of(sites.alphabet())),
        sites_(words_of(sites)),
        bases_(sets_of(sites.alphabet(), bases)),
        penalties_(penalties),
        width_(sites.size() - bases.size() + 1) {}

  u64 width() const { return width_; }
  u64 rows() const { return bases_.size(); }

  /// The row above the first.
  std::vector<i32> first_row() const {
    std::vector<i32> row(width_ + 1, 0);
    row[width_] = kInfinite;  // never overwritten, so that the last cell of a row is no special case
    return row;
  }

  /// Replaces row j - 1 by row j, up to its cell `last`; stores the steps of the cells if kKeep is set.
  template <bool kKeep>
  void advance(std::vector<i32>& row, u64 j, u64 last, u8* steps) const {
    const u32 base = bases_[j];
    const std::array<i32, 2> cgap{0, penalties_.cgap};
    const std::array<i32, 2> open{penalties_.gap_open, 0}, extend{penalties_.gap_extend, 0};
    i32 left = kInfinite, deletion = kInfinite;
    for (u64 k = 0; k <= last; ++k) {
      const u32 site = sites_[j + k], flag = site >> letters_;
      const i32 opened = left + open[flag], extended = deletion + extend[flag];
      deletion = std::min(opened, extended);
      const i32 onto = row[k] + cgap[flag] + ((site & base) != 0 ? 0 : penalties_.mismatch);
      const i32 inserted = row[k + 1] + penalties_.insertion;
      left = std::min({onto, inserted, deletion});
      row[k] = left;
      if constexpr (kKeep)
        steps[k] = static_cast<u8>((left == onto       ? kOntoSite
                                    : left == inserted ? kInsertion
                                                       : kDeletion) |
                                   (extended <= opened ? kExtended : 0));
    }
  }

 private:
  u32 letters_;
  std::vector<u32> sites_, bases_;
  const Penalties& penalties_;
  u64 width_;
};

/// Number of rows whose steps are stored at a time. One row per piece is kept as a starting point.
u64 rows_at_once(const Band& band, u64 cells_at_once) {
  const u64 rows = band.rows();
  const u64 at_once = rows * band.width() <= cells_at_once
                          ? rows
                          : static_cast<u64>(std::ceil(2 * std::sqrt(static_cast<double>(rows))));
  const u64 kept = (rows + at_once - 1) / at_once;
  const u64 bytes = band.width() * (at_once + (kept + 1) * sizeof(i32));
  if (bytes > kMostTracebackBytes)
    throw DoesNotFit(fmt::format("the traceback of a query of {} bases on {} sites needs {} MiB, allowed: {}",
                                 rows, band.width() + rows - 1, bytes >> 20, kMostTracebackBytes >> 20));
  return std::min(at_once, rows);
}

/// Follows the steps of the rows [first, first + count) from cell k of the last row; returns the cell reached
/// in the row above the first.
u64 follow(const std::vector<u8>& steps, u64 width, u64 first, u64 count, u64 k,
           std::vector<PlacedBase>& bases) {
  for (u64 row = count; row-- > 0;) {
    const u8* step = steps.data() + row * width;
    while ((step[k] & kStepMask) == kDeletion) {
      while ((step[k] & kExtended) != 0) --k;
      --k;
    }
    const bool inserted = (step[k] & kStepMask) == kInsertion;
    bases[first + row] = {.site = static_cast<u32>(first + row + k), .inserted = inserted};
    k += inserted;
  }
  return k;
}

}  // namespace

Alignment align(const SiteRow& sites, std::span<const u8> bases, const Penalties& penalties,
                u64 cells_at_once) {
  const Band band(sites, bases, penalties);
  const u64 at_once = rows_at_once(band, cells_at_once);
  std::vector<std::vector<i32>> kept;  // the rows above 0, at_once, 2 at_once ...
  std::vector<i32> row = band.first_row();
  for (u64 j = 0; j < band.rows(); ++j) {
    if (j % at_once == 0) kept.push_back(row);
    if (at_once < band.rows()) band.advance<false>(row, j, band.width() - 1, nullptr);
  }
  Alignment alignment;
  alignment.bases.resize(band.rows());
  std::vector<u8> steps(at_once * band.width());
  u64 last = band.width() - 1;  // upper limit of the cell in which the alignment leaves the piece
  for (u64 piece = kept.size(); piece-- > 0;) {
    const u64 first = piece * at_once, count = std::min(at_once, band.rows() - first);
    row = std::move(kept[piece]);
    for (u64 j = 0; j < count; ++j)  // a step to the row above moves at most one cell to the right
      band.advance<true>(row, first + j, std::min(band.width() - 1, last + count - 1 - j),
                         steps.data() + j * band.width());
    if (piece + 1 == kept.size()) {
      const auto end = std::min_element(row.begin(), row.end() - 1);
      alignment.score = *end;
      last = static_cast<u64>(end - row.begin());
    }
    last = follow(steps, band.width(), first, count, last, alignment.bases);
  }
  return alignment;
}

Best best_of(std::span<const i32> scores) {
  const auto least = std::min_element(scores.begin(), scores.end());
  return {.reference = static_cast<u32>(least - scores.begin()),
          .score = *least,
          .ties = static_cast<u32>(std::count(least, scores.end(), *least))};
}

}  // namespace gpuseq::papara
