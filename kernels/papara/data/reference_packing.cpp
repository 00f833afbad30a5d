#include "kernels/papara/data/reference_packing.hpp"

#include <bit>

namespace gpuseq::papara {

std::vector<u32> pack_queries(const Queries& queries) {
  std::vector<u32> words;
  words.reserve(queries.codes.size() + queries.count());
  for (u32 query = 0; query < queries.count(); ++query) {
    for (const u8 code : queries.row(query))
      words.push_back(std::has_single_bit(code) ? static_cast<u32>(std::countr_zero(code))
                                                : kAmbiguous | code);
    words.push_back(0);  // kernels read one word past a query
  }
  return words;
}

QueryEntry query_entry(const Queries& queries, u32 query) {
  return {static_cast<u32>(queries.begin[query]) + query, queries.bases[query], query};
}

u32 threads_for(const Policy& policy, u32 references) {
  return (references + policy.warp_references() - 1) / policy.warp_references() * kWarpThreads;
}

u64 packed_words(const Policy& policy, u32 sites, u32 references) {
  const u64 packs = (sites + policy.pack_sites() - 1) / policy.pack_sites();
  return packs * policy.pack_words() * threads_for(policy, references);
}

std::vector<u32> pack_references(const Policy& policy, const References& references, Range range) {
  const u64 threads = threads_for(policy, range.size());
  std::vector<u32> words(packed_words(policy, references.sites, range.size()));
  for (u32 r = 0; r < range.size(); ++r) {
    const u32 group = r / policy.warp_references(), in_warp = r % policy.warp_references();
    const u64 thread = u64{group} * kWarpThreads + in_warp % kWarpThreads;
    const u32 lane_shift = in_warp / kWarpThreads * 16;
    const std::span<const u8> codes = references.row(range.begin + r);
    for (u32 site = 0; site < references.sites; ++site) {
      const u32 pack = site / policy.pack_sites(), in_pack = site % policy.pack_sites();
      const u64 word = u64{pack} * policy.pack_words() + in_pack / policy.word_sites();
      words[word * threads + thread] |= u32{codes[site]}
                                        << (lane_shift + in_pack % policy.word_sites() * kElementBits);
    }
  }
  return words;
}

}  // namespace gpuseq::papara
