#include "kernels/papara/data/reference_packing.hpp"

#include <bit>

namespace gpuseq::papara {
namespace {

/// Without square ends all columns are in blocks.
Ends ends_for(const Policy& policy, u32 sites, u32 longest) {
  if (policy.square_ends) return ends_of(policy.unroll, sites, longest);
  return {0, (sites + policy.pack_sites() - 1) / policy.pack_sites(), 0};
}

u64 words_of_thread(const Policy& policy, const Ends& ends) {
  return u64{ends.left} + u64{ends.blocks} * policy.pack_words() + ends.right;
}

/// Position of a site: word of its thread, and first bit in its lane.
struct Place {
  u64 word;
  u32 shift;
};

Place place_of(const Policy& policy, const Ends& ends, u32 site) {
  if (site < ends.left) return {site, 0};
  const u32 in_blocks = site - ends.left;
  const u32 pack = in_blocks / policy.pack_sites(), in_pack = in_blocks % policy.pack_sites();
  if (pack >= ends.blocks)
    return {
        ends.left + u64{ends.blocks} * policy.pack_words() + (in_blocks - ends.blocks * policy.pack_sites()),
        0};
  return {ends.left + u64{pack} * policy.pack_words() + in_pack / policy.word_sites(),
          in_pack % policy.word_sites() * kElementBits};
}

/// Adds a reference to the words of its thread, which have stride `threads`.
void pack_letters(const Policy& policy, const SiteRow& row, u32 lane, u64 threads, u32* words) {
  const u32 letter_words = words_of_letter(policy);
  for (u32 site = 0; site < row.size(); ++site) {
    const u32 pack = site / policy.pack_sites(), in_pack = site % policy.pack_sites();
    const u64 word = u64{pack} * policy.pack_words() + in_pack / policy.word_sites();
    const u32 bit = u32{1} << (16 * lane + letter_bit(policy.lanes(), in_pack % policy.word_sites()));
    for (u32 letters = row[site]; letters != 0; letters &= letters - 1)
      words[(word + u64{letter_words} * static_cast<u32>(std::countr_zero(letters))) * threads] |= bit;
  }
}

void pack_codes(const Policy& policy, const Ends& ends, const SiteRow& row, u32 lane, u64 threads,
                u32* words) {
  const std::span<const u8> codes = row.plane(0);
  for (u32 site = 0; site < codes.size(); ++site) {
    const Place place = place_of(policy, ends, site);
    words[place.word * threads] |= u32{codes[site]} << (16 * lane + place.shift);
  }
}

}  // namespace

std::vector<u32> pack_queries(Alphabet alphabet, const Queries& queries) {
  const auto& sets = sets_of(alphabet);
  std::vector<u32> words;
  words.reserve(queries.codes.size() + u64{kQueryPadding} * queries.count());
  for (u32 query = 0; query < queries.count(); ++query) {
    for (const u8 code : queries.row(query))
      words.push_back(std::has_single_bit(sets[code]) ? static_cast<u32>(std::countr_zero(sets[code]))
                                                      : kAmbiguous | sets[code]);
    words.insert(words.end(), kQueryPadding, 0);
  }
  return words;
}

QueryEntry query_entry(const Queries& queries, u32 query) {
  return {static_cast<u32>(queries.begin[query]) + kQueryPadding * query, queries.bases[query], query};
}

u32 threads_for(const Policy& policy, u32 references) {
  return (references + policy.warp_references() - 1) / policy.warp_references() * kWarpThreads;
}

u64 packed_words(const Policy& policy, u32 sites, u32 references, u32 longest) {
  return words_of_thread(policy, ends_for(policy, sites, longest)) * threads_for(policy, references);
}

std::vector<u32> pack_references(const Policy& policy, const References& references, Range range,
                                 u32 longest) {
  const u64 threads = threads_for(policy, range.size());
  const Ends ends = ends_for(policy, references.sites, longest);
  std::vector<u32> words(packed_words(policy, references.sites, range.size(), longest));
  for (u32 r = 0; r < range.size(); ++r) {
    const u32 group = r / policy.warp_references(), in_warp = r % policy.warp_references();
    const u64 thread = u64{group} * kWarpThreads + in_warp % kWarpThreads;
    const u32 lane = in_warp / kWarpThreads;
    const SiteRow row = references.row(range.begin + r);
    if (policy.by_letters())
      pack_letters(policy, row, lane, threads, words.data() + thread);
    else
      pack_codes(policy, ends, row, lane, threads, words.data() + thread);
  }
  return words;
}

}  // namespace gpuseq::papara
