#include "kernels/fm_locate/data/occurrences.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/fm_locate/small_texts.hpp"

namespace gpuseq::fm_locate {
namespace {

using testing::SmallText;

TEST(Occurrences, AreTheRowsOfEveryQueryThatOccurs) {
  for (const std::string& letters : testing::small_texts()) {
    const SmallText text(letters, 100, 12);
    const fm_index::testing::BruteForce oracle(letters);
    std::size_t entry = 0;
    u32 total = 0;
    for (u32 query = 0; query < text.words.size(); ++query) {
      const auto interval = oracle.interval(text.words[query]);
      if (text.words[query].empty() || interval.l == interval.h) continue;
      ASSERT_LT(entry, text.occurrences.query.size());
      EXPECT_EQ(text.occurrences.query[entry], query);
      EXPECT_EQ(text.occurrences.first_row[entry], interval.l) << text.words[query];
      EXPECT_EQ(text.occurrences.rows[entry], interval.h - interval.l) << text.words[query];
      EXPECT_EQ(text.occurrences.begin[entry], total);
      total += static_cast<u32>(interval.h - interval.l);
      ++entry;
    }
    EXPECT_EQ(text.occurrences.query.size(), entry);
    EXPECT_EQ(text.occurrences.total(), total);
  }
}

/// Complemented base by base, from the last to the first.
std::string on_the_other_strand(const std::string& query) {
  std::string result;
  for (const char letter : query)
    result.insert(result.begin(), "TGCA"[std::string_view("ACGT").find(letter)]);
  return result;
}

TEST(Occurrences, OfBothStrandsAreThoseOfAQueryAndOfItsReverseComplement) {
  for (const std::string& letters : testing::small_texts()) {
    const SmallText text(letters, 100, 12, 0, Strands::both);
    const fm_index::testing::BruteForce oracle(letters);
    for (u32 query = 0; query < text.words.size(); ++query) {
      const auto [first, last] = entries_of(text.occurrences, query);
      std::size_t entry = first;
      for (const Strand strand : {Strand::forward, Strand::reverse}) {
        const std::string& word = text.words[query];
        const auto interval = oracle.interval(strand == Strand::forward ? word : on_the_other_strand(word));
        if (word.empty() || interval.l == interval.h) continue;
        ASSERT_LT(entry, last) << word;
        EXPECT_EQ(text.occurrences.strand[entry], strand) << word;
        EXPECT_EQ(text.occurrences.first_row[entry], interval.l) << word;
        EXPECT_EQ(text.occurrences.rows[entry], interval.h - interval.l) << word;
        ++entry;
      }
      EXPECT_EQ(entry, last) << text.words[query];
    }
  }
}

TEST(Occurrences, OfAQueryThatIsItsOwnReverseComplementAreOnBothStrands) {
  SmallText text("TTGAATTCGG", 0, 0);
  text.queries.add("GAATTC");
  const Occurrences found = find_occurrences(text.rank, text.queries, Strands::both, 0, text.pool);
  ASSERT_EQ(found.query, (std::vector<u32>{0, 0}));
  EXPECT_EQ(found.strand, (std::vector<Strand>{Strand::forward, Strand::reverse}));
  EXPECT_EQ(found.first_row[0], found.first_row[1]);
  EXPECT_EQ(found.total(), 2u);
}

TEST(Occurrences, OfAQueryAreNoMoreThanAskedFor) {
  const SmallText all("ACACACACAC", 40, 3), few("ACACACACAC", 40, 3, 2);
  ASSERT_EQ(all.occurrences.query, few.occurrences.query);
  EXPECT_EQ(all.occurrences.rows, few.occurrences.rows);
  EXPECT_EQ(all.occurrences.first_row, few.occurrences.first_row);
  for (std::size_t i = 0; i < few.occurrences.query.size(); ++i)
    EXPECT_EQ(few.occurrences.begin[i + 1] - few.occurrences.begin[i], std::min(2u, all.occurrences.rows[i]));
}

TEST(Occurrences, OfNoQueryAreNone) {
  const SmallText text("GATTACA", 0, 0);
  EXPECT_EQ(text.occurrences.total(), 0u);
  EXPECT_EQ(text.occurrences.begin.size(), 1u);
}

}  // namespace
}  // namespace gpuseq::fm_locate
