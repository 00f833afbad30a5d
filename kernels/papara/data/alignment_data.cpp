#include "kernels/papara/data/alignment_data.hpp"

#include <algorithm>

namespace gpuseq::papara {

std::vector<u32> words_of(const SiteRow& sites) {
  std::vector<u32> words(sites.size());
  for (std::size_t site = 0; site < words.size(); ++site) words[site] = sites[site];
  return words;
}

std::vector<u32> sets_of(Alphabet alphabet, std::span<const u8> codes) {
  std::vector<u32> sets(codes.size());
  std::transform(codes.begin(), codes.end(), sets.begin(),
                 [&of = sets_of(alphabet)](u8 code) { return of[code]; });
  return sets;
}

}  // namespace gpuseq::papara
