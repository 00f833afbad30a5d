#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <string>
#include <vector>

#include "kernels/fm_index/data/queries.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_mismatch/data/index.hpp"
#include "kernels/fm_mismatch/data/prefix_table.hpp"
#include "kernels/fm_mismatch/data/searches.cuh"
#include "tests/kernels/fm_index/brute_force.hpp"

namespace gpuseq::fm_mismatch::testing {

struct Place {
  u32 position, mismatches;
  friend auto operator<=>(const Place&, const Place&) = default;
};

inline std::string complement_of(const std::string& query) {
  std::string result;
  for (auto letter = query.rbegin(); letter != query.rend(); ++letter)
    result += "TGCA"[std::string_view("ACGT").find(*letter)];
  return result;
}

/// Every place at which a query begins in a text with so many letters that differ, by trying each.
inline std::vector<Place> places_of(const std::string& text, const std::string& query, u32 most) {
  std::vector<Place> places;
  for (u32 at = 0; !query.empty() && at + query.size() <= text.size(); ++at) {
    u32 differ = 0;
    for (std::size_t i = 0; i < query.size(); ++i) differ += text[at + i] != query[i] ? 1 : 0;
    if (differ <= most) places.push_back({at, differ});
  }
  return places;
}

/// A text with queries of 0 ... `longest` bases, of which two in three are pieces of it with up to three
/// letters changed, wherever these are.
struct SmallText {
  SmallText(std::string letters, u32 count, u32 longest)
      : text(std::move(letters)),
        codes(fm_index::testing::codes(text)),
        suffixes(fm_index::sort_by_divsufsort(codes)),
        bwt(fm_index::bwt_of(codes, suffixes, pool)),
        rank(bwt, pool),
        index(build_index(codes, bwt, rank, {}, pool)) {
    Random random(text.size() + longest);
    for (u32 i = 0; i < count; ++i) {
      const u32 length = i % (longest + 1);
      std::string query = fm_index::testing::random_letters(length, random());
      if (i % 3 != 0 && length <= text.size())
        query = text.substr(random.below(text.size() - length + 1), length);
      for (u32 changed = 0; length > 0 && changed < i / 2 % 4; ++changed)
        query[random.below(length)] = "ACGT"[random.below(4)];
      if (i % 5 == 0) query = complement_of(query);
      queries.add(query);
      words.push_back(std::move(query));
    }
  }

  QueriesView view() const { return {queries.packed.data(), queries.begin.data(), queries.bases.data()}; }

  /// The places in answers and hits of one strand of a query, ascending.
  /// @throws std::logic_error if they do not agree
  std::vector<Place> places(const Answer& answer, const Hit* hits) const {
    std::vector<Place> found;
    std::array<u32, kMostMismatches + 1> counts{};
    for (const Hit& hit : std::span(hits, answer.hits))
      for (u32 row = hit.first_row; row < hit.first_row + hit.rows; ++row) {
        found.push_back({static_cast<u32>(std::get<0>(suffixes)[row - 1]), hit.mismatches});
        ++counts[hit.mismatches];
      }
    if (!std::ranges::equal(counts, answer.occurrences))
      throw std::logic_error("hits are not what is counted");
    std::ranges::sort(found);
    return found;
  }
  std::vector<Place> expected(u64 place, u32 strands, u32 most) const {
    const std::string& word = words[place / strands];
    return places_of(text, place % strands == 0 ? word : complement_of(word), most);
  }

  /// The index with a prefix table of words of so many bases.
  IndexView with_prefix(u32 symbols) const {
    if (!tables.contains(symbols)) tables.emplace(symbols, build_prefix_table(index.view, symbols, pool));
    return with_table(index.view, tables.at(symbols));
  }

  mutable ThreadPool pool{1};
  std::string text;
  std::vector<u8> codes;
  fm_index::SuffixArray suffixes;
  fm_index::Bwt bwt;
  fm_index::ColumnRank rank;
  Index index;
  mutable std::map<u32, PrefixTable> tables;
  fm_index::Queries queries;
  std::vector<std::string> words;
};

inline const std::vector<std::string>& small_texts() {
  static const std::vector<std::string> texts{"A",
                                              "GATTACA",
                                              "CAAACATAT",
                                              std::string(250, 'A') + "C" + std::string(180, 'A'),
                                              std::string(191, 'T'),  // 192 rows: a whole line
                                              [] {
                                                std::string repeated;
                                                for (int i = 0; i < 60; ++i) repeated += "ACGTTGCA";
                                                return repeated;
                                              }(),
                                              fm_index::testing::random_letters(383, 3),
                                              fm_index::testing::random_letters(2000, 5)};
  return texts;
}

}  // namespace gpuseq::fm_mismatch::testing
