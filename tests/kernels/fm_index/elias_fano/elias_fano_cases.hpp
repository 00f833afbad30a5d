#pragma once

#include "kernels/fm_index/data/elias_fano.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "tests/kernels/fm_index/psi_cases.hpp"

namespace gpuseq::fm_index::testing {

inline Layout elias_fano_layout(u32 k, u32 d, u32 line_bytes) {
  return {.kind = LayoutKind::elias_fano, .k = k, .d = d, .line_bytes = line_bytes};
}

/// Texts of which lines are empty, filled, full to the last slot and more than full, with all entries in one
/// bucket and in the last one.
inline std::vector<std::string> elias_fano_texts() {
  std::vector<std::string> texts{"A", "T", "GATTACA", repeated("A", 700), repeated("T", 1100)};
  texts.push_back(repeated("AC", 900));
  texts.push_back(random_letters(255, 5));
  texts.push_back(random_letters(256, 6));
  texts.push_back(random_letters(3000, 7));
  texts.push_back(random_letters(900, 8) + repeated("CAAAA", 1500) + random_letters(900, 9));
  return texts;
}

/// Lines of both lengths, for few and for many entries of a word.
inline const std::vector<Layout>& elias_fano_layouts() {
  static const std::vector<Layout> all{elias_fano_layout(1, 512, 64),    elias_fano_layout(1, 1024, 128),
                                       elias_fano_layout(2, 768, 64),    elias_fano_layout(3, 2816, 64),
                                       elias_fano_layout(3, 6144, 128),  elias_fano_layout(4, 10240, 64),
                                       elias_fano_layout(4, 22528, 128), elias_fano_layout(5, 32768, 64),
                                       elias_fano_layout(5, 65280, 128), elias_fano_layout(6, 65280, 64)};
  return all;
}

/// Calls each(index) for every layout, with and without a prefix table.
template <typename Each>
void for_each_elias_fano_index(const std::string& text, const Each& each) {
  ThreadPool pool(1);
  const Bwt bwt = bwt_of_letters(text, pool, 1);
  const ColumnRank rank(bwt, pool);
  for (const Layout& layout : elias_fano_layouts())
    for (const u32 prefix : {0u, 5u}) each(build_index(bwt, rank, layout, prefix, pool));
}

}  // namespace gpuseq::fm_index::testing
