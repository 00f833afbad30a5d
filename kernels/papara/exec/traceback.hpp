#pragma once

#include <span>
#include <vector>

#include "kernels/papara/data/alignment_data.hpp"

namespace gpuseq::papara {

/// Position of a query's base: on a site, or as an insertion after it. The sites between two consecutive
/// bases are deletions.
struct PlacedBase {
  u32 site = 0;
  bool inserted = false;
  friend bool operator==(const PlacedBase&, const PlacedBase&) = default;
};

struct Alignment {
  i32 score = 0;
  std::vector<PlacedBase> bases;  // bases of the query, in order
};

/// The alignment phase: a best alignment of a query to a reference. Among equal alignments it takes the one
/// that ends first in the reference; backwards from there, a base is placed on a site rather than in an
/// insertion, in an insertion rather than after a deletion, and deletions are long rather than many.
/// @param sites  [n]
/// @param bases  [m] codes of letters, 1 <= m <= n
/// @param cells_at_once  a larger band is computed in pieces: twice the work, with about 4 sqrt(m) bytes per
/// site instead of one byte per cell of the band
/// @throws DoesNotFit if the memory exceeds kMostTracebackBytes
Alignment align(const SiteRow& sites, std::span<const u8> bases, const Penalties& penalties,
                u64 cells_at_once = u64{1} << 26);
constexpr u64 kMostTracebackBytes = u64{8} << 30;

/// The lowest score of a query, the lowest edge with that score, and the number of such edges.
struct Best {
  u32 reference = 0;
  i32 score = 0;
  u32 ties = 0;
};

/// @param scores  of one query, one per reference; not empty
Best best_of(std::span<const i32> scores);

}  // namespace gpuseq::papara
