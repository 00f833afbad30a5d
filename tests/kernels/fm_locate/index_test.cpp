#include "kernels/fm_locate/data/index.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/fm_locate/small_texts.hpp"

namespace gpuseq::fm_locate {
namespace {

using testing::SmallText;

/// LF of a row, read off the suffix array.
u32 lf_of(const std::vector<u32>& suffixes, u32 row) {
  const u32 bases = static_cast<u32>(suffixes.size());
  const u32 at = row == 0 ? bases : static_cast<u32>(suffixes[row - 1]);
  for (u32 other = 0; other <= bases; ++other)
    if ((other == 0 ? bases : static_cast<u32>(suffixes[other - 1])) + 1 == at) return other;
  return ~0u;
}

template <bool marked>
void expect_lf_of_every_row(SmallText& text) {
  const Index index = text.index({.rate = 4, .in_text_order = marked});
  const auto& suffixes = std::get<std::vector<u32>>(text.suffixes);
  for (u32 row = 0; row < index.view.rows; ++row) {
    if (row == index.view.dollar_row) continue;
    const auto line = Line<marked>::template load<true>(index.view, row);
    ASSERT_EQ(line.lf(index.view, row), lf_of(suffixes, row)) << text.text.substr(0, 20) << ", row " << row;
  }
}

TEST(LocateIndex, LfOfEveryRowIsTheSuffixThatIsOneBaseLonger) {
  for (const std::string& letters : testing::small_texts()) {
    SmallText text(letters, 0, 0);
    expect_lf_of_every_row<true>(text);
    expect_lf_of_every_row<false>(text);
  }
}

TEST(LocateIndex, ARowIsMarkedIfItsSuffixBeginsAtAMultipleOfTheRate) {
  for (const std::string& letters : testing::small_texts()) {
    SmallText text(letters, 0, 0);
    const auto& suffixes = std::get<std::vector<u32>>(text.suffixes);
    for (const u32 rate : {2u, 8u, 128u}) {
      const Index index = text.index({.rate = rate, .in_text_order = true});
      for (u32 row = 1; row < index.view.rows; ++row) {
        const u32 at = static_cast<u32>(suffixes[row - 1]);
        const auto line = Line<true>::load<true>(index.view, row);
        ASSERT_EQ(line.has_sample(row), at % rate == 0);
        if (at % rate == 0) {
          ASSERT_EQ(index.view.samples[line.sample(row)], at);
        }
      }
    }
  }
}

TEST(LocateIndex, SamplesInTheOrderOfRowsAreThoseOfEachSoManiethRow) {
  SmallText text(fm_index::testing::random_letters(1000, 1), 0, 0);
  const auto& suffixes = std::get<std::vector<u32>>(text.suffixes);
  const Index index = text.index({.rate = 8, .in_text_order = false});
  EXPECT_EQ(index.samples.size(), 126 * sizeof(u32));
  EXPECT_EQ(index.view.samples[0], 1000u);
  for (u32 i = 1; i < 126; ++i) EXPECT_EQ(index.view.samples[i], static_cast<u32>(suffixes[8 * i - 1]));
}

TEST(LocateIndex, ARateOfOneIsTheSuffixArrayInWhateverOrder) {
  SmallText text("GATTACA", 0, 0);
  for (const bool in_text_order : {true, false}) {
    const Index index = text.index({.rate = 1, .in_text_order = in_text_order});
    EXPECT_FALSE(index.layout.marked());
    const std::vector<u32> samples(index.view.samples, index.view.samples + 8);
    EXPECT_EQ(samples, (std::vector<u32>{7, 6, 4, 1, 5, 0, 3, 2}));
  }
}

TEST(LocateIndex, TakesAsMuchMemoryAsItSays) {
  SmallText text(fm_index::testing::random_letters(3000, 1), 0, 0);
  for (const Layout& layout : testing::layouts()) {
    const Index index = text.index(layout);
    EXPECT_EQ(index.lines.size(), bytes_of_lines(layout, 3000));
    EXPECT_EQ(index.samples.size(), bytes_of_samples(layout, 3000));
    EXPECT_EQ(index.bytes(), index.lines.size() + index.samples.size());
  }
  const Index index = text.index({.rate = 32, .in_text_order = true});
  EXPECT_NEAR(index.bits_per_base(), 4 + 32 / 32, 0.3);  // half a byte in lines, four for each 32nd base
}

}  // namespace
}  // namespace gpuseq::fm_locate
