// `sequential`: one query against one reference after the other, in 32-bit integers of plain C++. It is the
// paper's 'Seq', the baseline of the gain by vectors.
//
// Bound by: the dependency chain from a cell to its right neighbour.
//
// Source: Alachiotis, Berger and Stamatakis 2012, equation 1.

#include <algorithm>

#include "kernels/papara/cpu/kernel.hpp"

namespace gpuseq::papara {

namespace {

template <Alphabet alphabet>
u32 site_at(const ScoringJob& job, std::size_t site) {
  const u8* const at = job.codes + site * planes_of(alphabet) * job.plane_bytes;
  u32 code = *at;
  for (u32 plane = 1; plane < planes_of(alphabet); ++plane)
    code |= u32{at[plane * job.plane_bytes]} << (8 * plane);
  return code;
}

template <Alphabet alphabet>
void score_queries(const ScoringJob& job) {
  const i32 infinity = job.arithmetic.infinity;
  for (std::size_t q = 0; q < job.chosen.size(); ++q) {
    const std::span<const u8> bases = job.queries->row(job.chosen[q]);
    const u32 count = static_cast<u32>(bases.size()), width = job.sites - count;
    // S of the row above at [i - row]: a cell's diagonal neighbour is at its own index, the cell
    // above at the next.
    i32* const line = reinterpret_cast<i32*>(job.scratch->at_least(line_vectors(width) * sizeof(i32)));
    std::fill(line, line + width + 1, 0);
    line[width + 1] = infinity;
    for (u32 row = 0; row < count; ++row) {
      const u32 base = sets_of(alphabet)[bases[row]];
      i32 left = infinity, deletion = infinity;
      for (u32 k = 0; k <= width; ++k) {
        const u32 site = site_at<alphabet>(job, row + k);
        deletion = std::min(left + open_cost(job.penalties, alphabet, site),
                            deletion + extend_cost(job.penalties, alphabet, site));
        left = std::min({line[k] + align_cost(job.penalties, alphabet, site, base),
                         line[k + 1] + job.penalties.insertion, deletion});
        line[k] = left;
      }
    }
    job.scores[q] = *std::min_element(line, line + width + 1);
  }
}

}  // namespace

void score_sequentially(const ScoringJob& job) {
  job.alphabet == Alphabet::dna ? score_queries<Alphabet::dna>(job) : score_queries<Alphabet::protein>(job);
}

}  // namespace gpuseq::papara
