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

/// Most cells that the oracle computes for a problem, unless the least number of pairs has more.
constexpr double kCheckedCells = 3e8;

/// All pairs of a problem with at most `most_cells` cells, else a seeded selection of at least 16 pairs. The
/// selection has the first and the last query against the first and the last reference, then queries from
/// short to long against references in all 64 lanes of a vector.
std::vector<Pair> choose_pairs(const References& references, const Queries& queries, double most_cells);

CheckedPairs score_pairs(std::vector<Pair> pairs, const References& references, const Queries& queries,
                         const Penalties& penalties, ThreadPool& pool);

}  // namespace gpuseq::papara
