#pragma once

#include <deque>
#include <span>
#include <vector>

#include "kernels/papara/data/alignment_data.hpp"

namespace gpuseq::papara {

/// The pairs of a problem for distribution to workers: queries, and units of references.
struct WorkGrid {
  std::vector<u64> before;  // for each query, cells of all queries before it against one reference; one more
                            // entry than queries
  u32 references = 0;
  u32 unit = 1;  // parts begin at multiples of the unit

  /// @param unit  a common multiple of the workers' units
  static WorkGrid of(const Queries& queries, const References& references, u32 unit);

  Rectangle all() const { return {{0, static_cast<u32>(before.size() - 1)}, {0, references}}; }
  u64 cells(Range queries) const { return before[queries.end] - before[queries.begin]; }
  u64 cells(const Rectangle& part) const { return cells(part.queries) * part.references.size(); }
  u32 units(const Rectangle& part) const { return (part.references.size() + unit - 1) / unit; }

  /// The corner of `part` at its first query and first reference with the most cells up to `wanted`, but at
  /// least one query and one unit. Ties go to the corner with the most references.
  Rectangle corner(const Rectangle& part, double wanted) const;

  /// Cuts `part` into strips of these shares, by queries or, if there are fewer queries than units, by units
  /// of references. Strips may be empty.
  std::vector<Rectangle> strips(const Rectangle& part, std::span<const double> shares) const;
};

/// The part of a grid that is not taken yet.
class Area {
 public:
  explicit Area(const WorkGrid& grid);

  bool empty() const { return parts_.empty(); }
  u64 cells() const;
  u64 pairs() const;
  /// The part from which take_front() takes. @pre not empty
  const Rectangle& front() const { return parts_.front(); }
  const Rectangle& back() const { return parts_.back(); }

  /// Takes a corner of the first part. @pre not empty
  Rectangle take_front(double wanted);
  /// Takes, of the last part, its last `queries` queries and the last references: up to `wanted` cells, but
  /// at least one unit. @pre not empty
  Rectangle take_back(u32 queries, double wanted);
  void give_back(const Rectangle& part);

 private:
  const WorkGrid& grid_;
  std::deque<Rectangle> parts_;  // no part is empty
};

}  // namespace gpuseq::papara
