#include "kernels/fm_mismatch/data/searches.cuh"

#include <gtest/gtest.h>

#include "kernels/fm_mismatch/cpu/line_in_memory.hpp"
#include "tests/kernels/fm_mismatch/small_texts.hpp"

namespace gpuseq::fm_mismatch {
namespace {

using testing::SmallText;

/// The bytes behind the nodes that may wait, after all queries were searched.
template <u32 mismatches>
u32 behind_waiting(const SmallText& text) {
  constexpr u32 kUnwritten = 0x77777777;
  Node waiting[waiting_nodes(mismatches) + 1];
  waiting[waiting_nodes(mismatches)] = {kUnwritten, kUnwritten, kUnwritten, kUnwritten};
  Searches<mismatches> searches(text.index.view, waiting, 1);
  for (u32 query = 0; query < text.words.size(); ++query)
    for (bool more = searches.start(text.view(), query, false, nullptr); more;)
      more = searches.template advance<true>();
  return waiting[waiting_nodes(mismatches)].state - kUnwritten;
}

TEST(MismatchSearches, NoMoreNodesWaitThanThereIsRoomFor) {
  const SmallText text(fm_index::testing::random_letters(5000, 2), 200, 12);
  EXPECT_EQ(behind_waiting<0>(text), 0u);
  EXPECT_EQ(behind_waiting<1>(text), 0u);
  EXPECT_EQ(behind_waiting<2>(text), 0u);
}

/// At every row, against the transform that the lines are made of.
template <class LineOf>
void expect_lf_of_every_symbol() {
  for (const std::string& letters : testing::small_texts()) {
    const SmallText text(letters, 0, 0);
    for (u32 row = 0; row <= text.index.view.rows; ++row) {
      const SideView& side = text.index.view.forward;
      const LineOf line = LineOf::template load<true>(side, row);
      const OfSymbols lf = line.lf(side, row);
      for (u32 symbol = 0; symbol < 4; ++symbol) {
        const u32 expected = static_cast<u32>(text.rank.lf(symbol, row));
        ASSERT_EQ(of_symbol(lf, symbol), expected) << letters.substr(0, 20) << " " << row;
        ASSERT_EQ(line.lf(side, row, symbol), expected) << letters.substr(0, 20) << " " << row;
      }
      if (row < text.index.view.rows) {
        ASSERT_EQ(line.symbol(row), text.rank.symbol(row)) << letters.substr(0, 20) << " " << row;
      }
      for (const u32 other : {0u, row / 2, row + 1, row + kLineRows})
        ASSERT_EQ(line.holds(other, row), other / kLineRows == row / kLineRows) << row << " " << other;
    }
  }
}

TEST(MismatchSearches, ALineTellsLfOfEverySymbol) {
  expect_lf_of_every_symbol<Line>();
  expect_lf_of_every_symbol<LineInMemory>();
}

TEST(MismatchSearches, ALineInMemoryTellsHowManyRowsHaveSmallerSymbols) {
  for (const std::string& letters : testing::small_texts()) {
    const SmallText text(letters, 0, 0);
    const SideView& side = text.index.view.forward;
    for (u32 symbol = 0; symbol < 4; ++symbol) {
      const u32 shared = LineInMemory::load<true>(side, 0).smaller(0, symbol);
      u32 expected = 0;
      for (u32 row = 0; row < text.index.view.rows; ++row) {
        ASSERT_EQ(LineInMemory::load<true>(side, row).smaller(row, symbol) - shared, expected)
            << letters.substr(0, 20) << " " << row << " " << symbol;
        expected += text.rank.symbol(row) < symbol ? 1 : 0;
      }
    }
  }
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
