#include "kernels/fm_index/expectation.hpp"

#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_index/psi_traffic.hpp"

namespace gpuseq::fm_index {

Maybe<Expectation> search_expectation(Layout layout, u32 prefix_symbols, RowsRead rows_read,
                                      const StateOutline& state) {
  const Point& problem = state.problem;
  if (problem.word("queries") != "sampled")
    return {std::nullopt, "how long the queries are stands in a file"};
  if (layout.verify())
    return {std::nullopt, "what verify reads depends on how often the text repeats itself"};
  if (std::string reason = why_neighbours_share(problem); !reason.empty())
    return {std::nullopt, reason + ", how much depends on them"};
  if (problem.integer("strains") > 1)
    return {std::nullopt, "what words of a pan-genome share depends on where it is mutated"};
  const Sampling sampling = sampling_of(problem, 0);
  if (sampling.least_bases() != sampling.bases)
    return {std::nullopt, "queries of mixed lengths are counted, not told"};
  const u64 bases = reference_bases(state);
  if (bases == 0) return {std::nullopt, "how long the reference is stands in a file"};
  const SampledQueries sampled = sampled_queries(problem);
  const ExpectedQueries queries{
      .count = sampled.searched,
      .bases = sampled.bases,
      .occurring_share = static_cast<double>(problem.integer("occurring_percent")) / 100};
  Expectation found{.work = {static_cast<double>(queries.count) * queries.bases, kQueryBases}};
  layout.wide = bases + 1 >= u64{1} << 32;
  found.traffic = layout.psi ? expected_psi_traffic(layout, bases, prefix_symbols, queries)
                             : expected_sampled_traffic(layout, bases, prefix_symbols, queries, rows_read);
  found.most_accesses = static_cast<double>(queries.count);
  return {found, {}};
}

}  // namespace gpuseq::fm_index
