#pragma once

#include <vector>

#include "kernels/papara/problem.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {

/// Pairs with the oracle's scores.
struct CheckedPairs {
  std::vector<Pair> pairs;  // by query, then by reference
  std::vector<i32> scores;
};

/// Cells of all pairs.
double all_cells(const References& references, const Queries& queries);

/// How many cells the oracle computes of a problem, unless its fewest pairs have more.
constexpr double kCheckedCells = 3e8;

/// All pairs of a problem that has no more cells than that, else a seeded spread of at least 16 pairs: the
/// first and the last query against the first and the last reference, then queries of all lengths, short to
/// long, against references at all places of a vector of 64 lanes.
std::vector<Pair> choose_pairs(const References& references, const Queries& queries, double most_cells);

CheckedPairs score_pairs(std::vector<Pair> pairs, const References& references, const Queries& queries,
                         const Penalties& penalties, ThreadPool& pool);

}  // namespace gpuseq::papara
