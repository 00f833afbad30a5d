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
