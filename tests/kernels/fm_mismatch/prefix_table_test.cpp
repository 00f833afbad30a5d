#include "kernels/fm_mismatch/data/prefix_table.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/fm_mismatch/small_texts.hpp"

namespace gpuseq::fm_mismatch {
namespace {

using testing::SmallText;

std::string letters_of(u32 word, u32 symbols) {
  std::string letters;
  for (u32 i = symbols; i-- > 0;) letters += "ACGT"[word >> (2 * i) & 3];
  return letters;
}

/// Rows of a text's sorted suffixes, `$` with them.
struct Rows {
  u32 first, count;
};
/// By looking at every suffix.
Rows rows_of(const std::string& text, const std::string& word) {
  Rows rows{0, 0};
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const std::string suffix = text.substr(at, word.size());
    rows.first += suffix < word ? 1 : 0;
    rows.count += suffix == word ? 1 : 0;
  }
  return rows;
}

TEST(MismatchPrefixTable, HasTheRowsOfEveryWordInBothTransforms) {
  for (const std::string& letters : testing::small_texts()) {
    const SmallText text(letters, 0, 0);
    const std::string reversed(letters.rbegin(), letters.rend());
    for (const u32 symbols : {1u, 2u, 4u}) {
      ThreadPool pool(2);
      const PrefixTable table = build_prefix_table(text.index.view, symbols, pool);
      ASSERT_EQ(table.nodes.size(), prefix_bytes(symbols));
      const IndexView view = with_table(text.index.view, table);
      for (u32 word = 0; word < 1u << (2 * symbols); ++word) {
        const std::string spelt = letters_of(word, symbols), backwards(spelt.rbegin(), spelt.rend());
        const Rows rows = rows_of(letters, spelt);
        const Node node = load_entry(entry_of(view, word));
        ASSERT_EQ(node.rows, rows.count) << spelt << " in " << letters.substr(0, 20);
        ASSERT_EQ(node.state, symbols) << spelt;
        if (rows.count == 0) continue;
        ASSERT_EQ(node.row, rows.first) << spelt << " in " << letters.substr(0, 20);
        ASSERT_EQ(node.reverse_row, rows_of(reversed, backwards).first)
            << spelt << " in " << letters.substr(0, 20);
      }
    }
  }
}

TEST(MismatchPrefixTable, OfNoBasesThereIsNone) {
  const SmallText text("GATTACA", 0, 0);
  ThreadPool pool(1);
  const PrefixTable table = build_prefix_table(text.index.view, 0, pool);
  EXPECT_EQ(table.nodes.size(), 0u);
  EXPECT_EQ(prefix_bytes(0), 0u);
  EXPECT_EQ(with_table(text.index.view, table).prefix_symbols, 0u);
}

TEST(MismatchPrefixTable, AWordOfAQueryIsReadInTheOrderOfItsStrand) {
  const SmallText text(fm_index::testing::random_letters(500, 11), 400, 49);
  for (u32 query = 0; query < text.words.size(); ++query)
    for (const bool reverse_complement : {false, true}) {
      const std::string& word = text.words[query];
      const std::string strand = reverse_complement ? testing::complement_of(word) : word;
      const auto bases = static_cast<u32>(strand.size());
      for (const u32 symbols : {1u, 2u, 7u, 8u, 13u, kMostPrefixSymbols})
        for (u32 at = 0; at + symbols <= bases; ++at)
          ASSERT_EQ(letters_of(word_of(text.view().packed + u64{text.view().begin[query]} * 4, bases,
                                       reverse_complement, at, symbols),
                               symbols),
                    strand.substr(at, symbols))
              << strand << " " << at;
    }
}

/// The words that the searches of a strand look up.
template <u32 mismatches>
std::vector<std::string> looked_up(const SmallText& text, const IndexView& view, u32 query,
                                   bool reverse_complement) {
  Node waiting[waiting_nodes(mismatches)];
  Searches<mismatches> searches(view, waiting, 1);
  std::vector<std::string> words;
  searches.for_each_entry(text.view(), query, reverse_complement, [&](const u8* entry) {
    words.push_back(letters_of(static_cast<u32>((entry - view.prefix) / sizeof(Node)), view.prefix_symbols));
  });
  return words;
}

TEST(MismatchPrefixTable, SearchesLookUpTheEndOfTheirFirstPartThatTheyBeginAt) {
  SmallText text("GATTACAGATTACA", 0, 0);
  for (const char* query : {"ACCCGGTTTA", "ACGTAC", "A"}) {
    text.queries.add(query);
    text.words.emplace_back(query);
  }
  const auto found = [&]<u32 mismatches>(std::integral_constant<u32, mismatches>, u32 query, bool reverse) {
    return looked_up<mismatches>(text, text.with_prefix(3), query, reverse);
  };
  using Words = std::vector<std::string>;
  constexpr std::integral_constant<u32, 0> none;
  constexpr std::integral_constant<u32, 1> one;
  constexpr std::integral_constant<u32, 2> two;
  EXPECT_EQ(found(none, 0, false), Words{"ACC"});
  EXPECT_EQ(found(none, 0, true), Words{"TAA"});
  EXPECT_EQ(found(one, 0, false), (Words{"ACC", "TTA"}));         // ACCCG GTTTA
  EXPECT_EQ(found(two, 0, false), (Words{"ACC", "TTA", "CGG"}));  // ACC CGG TTTA
  EXPECT_EQ(found(two, 0, true), (Words{"TAA", "GGT", "ACC"}));   // TAA ACC GGGT
  EXPECT_EQ(found(one, 1, false), (Words{"ACG", "TAC"}));
  EXPECT_EQ(found(two, 1, false), Words{});  // parts of two bases
  EXPECT_EQ(found(none, 2, false), Words{});
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
