#pragma once

#include <span>
#include <vector>

#include "kernels/papara/data/alignment_data.hpp"

namespace gpuseq::papara {

/// Where a base of a query went: onto a site, or as an insertion behind it. The sites between one base's and
/// the next's are deletions.
struct PlacedBase {
  u32 site = 0;
  bool inserted = false;
  friend bool operator==(const PlacedBase&, const PlacedBase&) = default;
};

struct Alignment {
  i32 score = 0;
  std::vector<PlacedBase> bases;  // of the query, in order
};

/// The alignment phase: a best alignment of a query to a reference. Of several it takes the one that ends
/// first in the reference; seen from there to the start, a base goes onto a site rather than into an
/// insertion, and into one rather than after a deletion, and deletions are long rather than many.
/// @param sites  [n]
/// @param bases  [m] codes of letters, 1 <= m <= n
/// @param cells_at_once  a larger band is gone through piece by piece: twice the work in about 4 sqrt(m)
/// bytes a site, where else a cell of the band takes a byte
/// @throws DoesNotFit if that memory is beyond kMostTracebackBytes
Alignment align(const SiteRow& sites, std::span<const u8> bases, const Penalties& penalties,
                u64 cells_at_once = u64{1} << 26);
constexpr u64 kMostTracebackBytes = u64{8} << 30;

/// The lowest score of a query, the lowest edge that has it, and how many edges do.
struct Best {
  u32 reference = 0;
  i32 score = 0;
  u32 ties = 0;
};

/// @param scores  of one query, a reference each; not empty
Best best_of(std::span<const i32> scores);

}  // namespace gpuseq::papara
