#include "kernels/papara/data/alignment_data.hpp"

#include <algorithm>

namespace gpuseq::papara {

std::vector<u32> words_of(const SiteRow& sites) {
  std::vector<u32> words(sites.size());
  for (u32 plane = 0; plane < planes_of(sites.alphabet()); ++plane) {
    const std::span<const u8> bytes = sites.plane(plane);
    for (std::size_t site = 0; site < words.size(); ++site) words[site] |= u32{bytes[site]} << (8 * plane);
  }
  return words;
}

std::vector<u32> sets_of(Alphabet alphabet, std::span<const u8> codes) {
  std::vector<u32> sets(codes.size());
  std::transform(codes.begin(), codes.end(), sets.begin(),
                 [&of = sets_of(alphabet)](u8 code) { return of[code]; });
  return sets;
}

}  // namespace gpuseq::papara
