#include <gtest/gtest.h>

#include <functional>

#include "kernels/fm_index/data/layout_members.hpp"
#include "kernels/fm_index/data/psi.hpp"
#include "kernels/fm_index/library/index_file.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/kernels/fm_index/psi_cases.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr u32 kPrefixSymbols = 3;

ThreadPool& pool() {
  static ThreadPool threads(2);
  return threads;
}

std::vector<Layout> layouts() {
  std::vector<Layout> result;
  for (u32 k = 1; k <= kMaxK; ++k) {
    for (const u32 d : {64u, 192u})
      for (const LayoutKind kind : {LayoutKind::full, LayoutKind::alternate})
        result.push_back({.kind = kind, .k = k, .d = d});
    for (const u32 d : {224u, 480u}) result.push_back({.kind = LayoutKind::one_hot, .k = k, .d = d});
  }
  for (const u32 line_bytes : {0u, 16u, 32u, 64u, 128u})
    for (const u32 k : {1u, 4u}) result.push_back(testing::psi_layout(k, line_bytes));
  return result;
}

std::vector<std::string> texts() {
  std::vector<std::string> texts{"A", "GATTACA", std::string(224, 'T')};
  for (const std::size_t bases : {64, 1000}) texts.push_back(testing::random_letters(bases, bases));
  return texts;
}

class IndexFileTest : public ::testing::Test {
 protected:
  Index index_of(const std::string& text, const Layout& layout) {
    return build_index(testing::bwt_of_letters(text, pool()), layout, kPrefixSymbols, 1);
  }
  /// The message with which an index is refused; empty if it is not. Checksums are right, whatever it holds.
  std::string refusal(const Index& index) {
    write_index(path_, index);
    try {
      IndexFile(path_, index.layout, kPrefixSymbols).check_content(pool());
      return {};
    } catch (const library::RefusedFile& error) {
      return error.what();
    }
  }
  static u32* words(Index& index) { return reinterpret_cast<u32*>(index.entries.data()); }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "index";
};

TEST_F(IndexFileTest, EveryLayoutOfEveryTextComesBackAsItWasWritten) {
  for (const Layout& layout : layouts())
    for (const std::string& text : texts()) {
      const Index index = index_of(text, layout);
      ASSERT_EQ(refusal(index), "") << text_of(layout) << ", " << text.size() << " bases";
      const IndexFile file(path_, layout, kPrefixSymbols);
      ASSERT_EQ(file.entries().size(), index.entries.size());
      EXPECT_EQ(std::memcmp(file.entries().data(), index.entries.data(), index.entries.size()), 0)
          << text_of(layout);
      ASSERT_EQ(file.prefix().size(), index.prefix.size());
      EXPECT_EQ(std::memcmp(file.prefix().data(), index.prefix.data(), index.prefix.size()), 0)
          << text_of(layout);
      EXPECT_EQ(file.view().rows, index.view.rows);
      EXPECT_EQ(file.view().blocks_per_word, index.view.blocks_per_word);
      for (u32 j = 0; j < kMaxK && !layout.psi() && !layout.one_hot(); ++j) {
        EXPECT_EQ(file.view().dollar.row[j], index.view.dollar.row[j]);
        EXPECT_EQ(file.view().dollar.word[j], index.view.dollar.word[j]);
      }
      EXPECT_EQ(file.view().short_rows.count, index.view.short_rows.count);
    }
}

TEST_F(IndexFileTest, AnIndexOfAnotherLayoutIsRefusedWithWhatIsAllowed) {
  write_index(path_, index_of("GATTACAGATTACA", {.k = 2, .d = 64}));
  const auto refused = [&](const Layout& layout, u32 prefix_symbols) -> std::string {
    try {
      const IndexFile file(path_, layout, prefix_symbols);
      return "";
    } catch (const library::RefusedFile& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refused({.k = 2, .d = 64}, kPrefixSymbols), "");
  expect_text(refused({.k = 1, .d = 64}, kPrefixSymbols));
  expect_text(refused({.k = 2, .d = 128}, kPrefixSymbols));
  expect_text(refused({.kind = LayoutKind::alternate, .k = 2, .d = 64}, kPrefixSymbols));
  expect_text(refused({.k = 2, .d = 64}, 4));
}

TEST_F(IndexFileTest, NumbersThatLeadOutOfTheIndexAreRefusedThoughTheChecksumsAreRight) {
  const std::string text = testing::random_letters(3000, 5);
  const auto with = [&](const Layout& layout, const std::function<void(Index&)>& change) {
    Index index = index_of(text, layout);
    change(index);
    return refusal(index);
  };
  const auto prefix_high = [](Index& index) { reinterpret_cast<u32*>(index.prefix.data())[3] = 1u << 31; };
  for (const Layout& layout : layouts()) expect_text(with(layout, prefix_high));

  for (const LayoutKind kind : {LayoutKind::full, LayoutKind::alternate}) {
    const Layout sampled{.kind = kind, .k = 2, .d = 64};
    const u32 entry = sampled.entry_bytes() / 4;
    expect_text(with(sampled, [&](Index& index) { words(index)[5 * entry + 3] += 1; }));
    expect_text(
        with(sampled, [&](Index& index) { words(index)[7 * entry + sampled.bitmap_offset() / 4] ^= 4; }));
    // All counters of a word by as much: consistent, and out of the text.
    expect_text(with(sampled, [&](Index& index) {
      for (u64 e = 0; e < index.entries.size() / sampled.entry_bytes(); ++e)
        for (u32 slot = 0; slot < sampled.counters(); ++slot) words(index)[e * entry + slot] += 3000;
    }));
    expect_text(with(sampled, [](Index& index) { index.view.dollar.word[0] ^= 1; }));
    expect_text(with(sampled, [](Index& index) { index.view.dollar.row[1] = 3001; }));
  }
  const Layout one_hot{.kind = LayoutKind::one_hot, .k = 1, .d = 224};
  expect_text(with(one_hot, [](Index& index) { words(index)[8] += 1; }));
  expect_text(with(one_hot, [](Index& index) { words(index)[17] ^= 1; }));

  const Layout table{.kind = LayoutKind::psi, .k = 4};
  expect_text(with(table, [](Index& index) { words(index)[100] = 4000; }));
  expect_text(with(table, [](Index& index) { index.view.short_rows.word[2] = 256; }));
  const Layout lines{.kind = LayoutKind::psi_lines, .k = 4, .line_bytes = 16};
  expect_text(with(lines, [](Index& index) { words(index)[7 * 4] = 3001; }));
  expect_text(with(lines, [](Index& index) {
    for (u32 word = 0; word < 256; ++word)
      if (u32* slot = words(index) + 4 * word + 1; slot[0] > slot[1]) slot[2] = 0x7fffffff;
  }));
}

}  // namespace
}  // namespace gpuseq::fm_index
