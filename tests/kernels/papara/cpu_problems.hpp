#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "codes.hpp"
#include "kernels/papara/oracle.hpp"
#include "kernels/papara/problem.hpp"

namespace gpuseq::papara::testing {

/// The data of a test's problem: random codes, unless all sites or all bases shall be one.
struct ProblemShape {
  u32 references = 0;
  u32 sites = 0;
  std::vector<u32> bases;  // of the queries
  Penalties penalties = {};
  int every_site = -1;
  int every_base = -1;
  Alphabet alphabet = Alphabet::dna;
};

inline std::unique_ptr<PaparaProblem> problem_of(const ProblemShape& shape, u64 seed) {
  Random random(seed);
  References references{
      .count = shape.references, .sites = shape.sites, .codes = {}, .alphabet = shape.alphabet};
  references.codes = random_sites(shape.alphabet, shape.references, shape.sites, random);
  if (shape.every_site >= 0)
    references.codes.assign(references.codes.size(), static_cast<u8>(shape.every_site));
  Queries queries;
  for (const u32 bases : shape.bases) {
    const u32 place = queries.count();
    queries.names.push_back(std::to_string(place));
    queries.source.push_back(place);
    queries.begin.push_back(queries.codes.size());
    queries.bases.push_back(bases);
    queries.longest = std::max(queries.longest, bases);
    std::vector<u8> row = random_bases(shape.alphabet, bases, random);
    std::replace(row.begin(), row.end(), u8{0}, u8{15});
    if (shape.every_base >= 0) row.assign(bases, static_cast<u8>(shape.every_base));
    queries.codes.insert(queries.codes.end(), row.begin(), row.end());
  }
  return make_problem(std::move(references), std::move(queries), shape.penalties);
}

/// [queries][references]
inline std::vector<i32> oracle_scores(const PaparaProblem& problem) {
  std::vector<i32> scores;
  for (u32 q = 0; q < problem.queries().count(); ++q)
    for (u32 r = 0; r < problem.references().count; ++r)
      scores.push_back(
          oracle_score(problem.references().row(r), problem.queries().row(q), problem.penalties()));
  return scores;
}

inline Variant variant_named(const std::vector<Variant>& variants, std::string_view name) {
  for (const Variant& variant : variants)
    if (variant.name == name) return variant;
  throw std::invalid_argument("no such variant");
}

}  // namespace gpuseq::papara::testing
