#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_locate/data/index.hpp"
#include "kernels/fm_locate/data/occurrences.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"

namespace gpuseq::fm_locate::testing {

/// Every place at which a query begins in a text, by trying each.
inline std::vector<u32> places_of(const std::string& text, const std::string& query) {
  std::vector<u32> places;
  if (query.empty()) return places;
  for (std::size_t at = 0; at + query.size() <= text.size(); ++at)
    if (text.compare(at, query.size(), query) == 0) places.push_back(static_cast<u32>(at));
  return places;
}

/// A text with queries of 0 ... `longest` bases, of which two in three occur, and all their rows.
struct SmallText {
  SmallText(std::string letters, u32 count, u32 longest, u64 most_hits = 0,
            Strands strands = Strands::forward)
      : text(std::move(letters)),
        codes(fm_index::testing::codes(text)),
        suffixes(fm_index::sort_by_divsufsort(codes)),
        bwt(fm_index::bwt_of(codes, suffixes, pool)),
        rank(bwt, pool) {
    Random random(text.size());
    for (u32 i = 0; i < count; ++i) {
      const u32 length = i % (longest + 1);
      std::string query = fm_index::testing::random_letters(length, random());
      if (i % 3 != 0 && length <= text.size())
        query = text.substr(random.below(text.size() - length + 1), length);
      queries.add(query);
      words.push_back(std::move(query));
    }
    occurrences = find_occurrences(rank, queries, strands, most_hits, pool);
  }

  Index index(const Layout& layout) { return build_index(layout, bwt, rank, suffixes, pool); }

  /// The positions of each query, ascending, that were located on one strand.
  std::vector<std::vector<u32>> by_query(const std::vector<u32>& positions) const {
    std::vector<std::vector<u32>> result(words.size());
    for (std::size_t entry = 0; entry < occurrences.query.size(); ++entry) {
      const auto found = occurrences.of(entry, positions);
      std::vector<u32>& sorted = result[occurrences.query[entry]];
      sorted.assign(found.begin(), found.end());
      std::ranges::sort(sorted);
    }
    return result;
  }
  std::vector<std::vector<u32>> expected() const {
    std::vector<std::vector<u32>> result;
    for (const std::string& query : words) result.push_back(places_of(text, query));
    return result;
  }

  ThreadPool pool{1};
  std::string text;
  std::vector<u8> codes;
  fm_index::SuffixArray suffixes;
  fm_index::Bwt bwt;
  fm_index::ColumnRank rank;
  fm_index::Queries queries;
  std::vector<std::string> words;
  Occurrences occurrences;
};

inline const std::vector<std::string>& small_texts() {
  static const std::vector<std::string> texts{
      "A",
      "T",
      "GATTACA",
      "CAAACATAT",
      std::string(300, 'A') + "C" + std::string(280, 'A'),  // walks go on through one repeat
      std::string(400, 'T'),
      [] {
        std::string repeated;
        for (int i = 0; i < 60; ++i) repeated += "ACGTTGCA";
        return repeated;
      }(),
      fm_index::testing::random_letters(127, 3),  // 128 rows: whole lines
      fm_index::testing::random_letters(191, 4),
      fm_index::testing::random_letters(2000, 5)};
  return texts;
}

/// Every layout that an axis offers.
inline std::vector<Layout> layouts() {
  std::vector<Layout> all;
  for (const u32 rate : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u})
    for (const bool in_text_order : {true, false}) all.push_back({rate, in_text_order});
  return all;
}

}  // namespace gpuseq::fm_locate::testing
