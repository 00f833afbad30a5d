#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/papara/data/alignment_data.hpp"
#include "kernels/papara/oracle.hpp"
#include "tests/kernels/papara/codes.hpp"

// Problems that the CUDA kernels are tested on.

namespace gpuseq::papara::testing {

struct SmallProblem {
  std::string name;
  References references;
  Queries queries;
  Penalties penalties;
};

inline void add_query(Queries& queries, const std::vector<u8>& codes) {
  queries.names.push_back(fmt::format("q{}", queries.names.size()));
  queries.source.push_back(static_cast<u32>(queries.source.size()));
  queries.begin.push_back(queries.codes.size());
  queries.bases.push_back(static_cast<u32>(codes.size()));
  queries.codes.insert(queries.codes.end(), codes.begin(), codes.end());
  queries.longest = std::max(queries.longest, queries.bases.back());
}

/// Random sites and bases (sets of several bases among them), a query of each length.
inline SmallProblem random_problem(std::string name, u32 references, u32 sites,
                                   const std::vector<u32>& lengths, u64 seed, const Penalties& penalties = {},
                                   Alphabet alphabet = Alphabet::dna) {
  Random random(seed);
  SmallProblem problem{.name = std::move(name),
                       .references = {.count = references,
                                      .sites = sites,
                                      .codes = random_sites(alphabet, references, sites, random),
                                      .alphabet = alphabet},
                       .queries = {},
                       .penalties = penalties};
  for (const u32 length : lengths) {
    std::vector<u8> bases = random_bases(alphabet, length, random);
    std::replace(bases.begin(), bases.end(), u8{0}, u8{15});
    add_query(problem.queries, bases);
  }
  return problem;
}

/// Shapes in which the band meets blocks in every way, and data at the ends of their range.
inline std::vector<SmallProblem> small_problems(Alphabet alphabet = Alphabet::dna) {
  const auto of = [alphabet](std::string name, u32 references, u32 sites, const std::vector<u32>& lengths,
                             u64 seed, const Penalties& penalties = {}) {
    return random_problem(std::move(name), references, sites, lengths, seed, penalties, alphabet);
  };
  std::vector<SmallProblem> problems{
      of("band_of_many_blocks", 70, 150, {1, 2, 23, 24, 25, 40, 60, 100, 149, 150}, 1),
      of("reference_of_one_site", 3, 1, {1}, 2),
      of("reference_shorter_than_a_block", 33, 7, {1, 3, 6, 7}, 3),
      of("one_reference", 1, 64, {10, 31, 32, 33}, 4),
      of("no_query", 5, 20, {}, 5),
      of("other_penalties", 65, 90, {5, 30, 64}, 6,
         {.mismatch = 7, .cgap = 1, .gap_open = 9, .gap_extend = 4, .insertion = 5}),
      of("no_penalties", 2, 40, {12}, 7, {0, 0, 0, 0, 0}),
      of("dear_insertions", 40, 50, {20, 33}, 8,
         {.mismatch = 1, .cgap = 2, .gap_open = 3, .gap_extend = 3, .insertion = 20})};
  SmallProblem gaps = of("sites_all_cgap", 10, 60, {9, 30}, 9);
  const u32 planes = planes_of(alphabet), sites = gaps.references.sites;
  for (u32 row = 0; row < gaps.references.count; ++row)
    for (u32 site = 0; site < sites; ++site)
      gaps.references.codes[(row * planes + planes - 1) * sites + site] |= kCgapFlag;
  SmallProblem ambiguous = of("bases_all_ambiguous", 10, 60, {9, 30}, 10);
  const auto any = static_cast<u8>(code_count(alphabet) - 1);
  std::fill(ambiguous.queries.codes.begin(), ambiguous.queries.codes.end(), any);
  problems.push_back(std::move(gaps));
  problems.push_back(std::move(ambiguous));
  return problems;
}

inline i32 expected_score(const SmallProblem& problem, u32 query, u32 reference) {
  return oracle_score(problem.references.row(reference), problem.queries.row(query), problem.penalties);
}

}  // namespace gpuseq::papara::testing
