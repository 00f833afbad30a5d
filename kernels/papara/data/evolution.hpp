#pragma once

#include "kernels/papara/data/reference_alignment.hpp"
#include "kernels/papara/data/tree.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {

/// How sequences evolve along an edge. With these rates, from 10 tips to 7000, 17 to 27 % of an alignment's
/// letters are gaps, 13 to 22 % of the sites of its ancestral vectors have their CGAP flag set, and 3 to 5 %
/// of them are sets of several bases.
struct Evolution {
  u32 tips = 34;
  u32 sites = 1000;
  u64 seed = 1;
  Alphabet alphabet = Alphabet::dna;
  double edge_length = 0.04;     // mean of an exponential: substitutions a site, by any other letter alike
                                 // (Jukes and Cantor 1969, of as many letters as there are)
  double inserted_share = 0.15;  // of the columns: only what descends from one edge has them
  double deletion_rate = 0.05;   // deletions a site for each substitution a site
  double mean_indel_sites = 4;   // of a run, inserted or deleted; geometric
};

struct EvolvedAlignment {
  Tree tree;
  ReferenceAlignment alignment;  // tips t1, t2 ... in the order of the nodes; no column is all gaps
};

/// A tree made by joining random pairs until three are left, and an alignment of exactly `sites` columns
/// evolved along it from a random sequence. The same arguments give the same result whatever the pool.
/// @throws UsageError for fewer than two tips
EvolvedAlignment evolve(const Evolution& evolution, ThreadPool& pool);

/// Tips that a tree needs to have so many edges.
constexpr u32 tips_for_edges(u32 edges) {
  return edges <= 1 ? 2 : (edges + 4) / 2;
}

}  // namespace gpuseq::papara
