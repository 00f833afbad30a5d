#pragma once

#include "kernels/papara/data/reference_alignment.hpp"
#include "kernels/papara/data/tree.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {

/// Rates of evolution along an edge. With the defaults and 10 to 7000 tips, 17 to 27 % of an alignment's
/// letters are gaps; 13 to 22 % of the sites of its ancestral vectors have the CGAP flag, and 3 to 5 % are
/// sets of several bases.
struct Evolution {
  u32 tips = 34;
  u32 sites = 1000;
  u64 seed = 1;
  Alphabet alphabet = Alphabet::dna;
  double edge_length = 0.04;     // mean of an exponential distribution: substitutions per site, with equal
                                 // probability of any other letter (Jukes and Cantor 1969)
  double inserted_share = 0.15;  // share of the columns; only the descendants of one edge have them
  double deletion_rate = 0.05;   // deletions per substitution
  double mean_indel_sites = 4;   // mean length of an inserted or deleted run; geometric
};

struct EvolvedAlignment {
  Tree tree;
  ReferenceAlignment alignment;  // tips t1, t2 ... in the order of the nodes; no column is all gaps
};

/// A tree made by joining random pairs until three are left, and an alignment of exactly `sites` columns
/// evolved along it from a random sequence. The result depends on the arguments only, not on the pool.
/// @throws UsageError for fewer than two tips
EvolvedAlignment evolve(const Evolution& evolution, ThreadPool& pool);

/// Tips of a tree with at least that many edges.
constexpr u32 tips_for_edges(u32 edges) {
  return edges <= 1 ? 2 : (edges + 4) / 2;
}

}  // namespace gpuseq::papara
