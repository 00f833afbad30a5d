#include "kernels/fm_index/data/cache.hpp"

#include <gtest/gtest.h>

#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

namespace fs = std::filesystem;

class Cache : public ::testing::Test {
 protected:
  std::string read() const {
    std::ifstream in(cache_.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& content) const { std::ofstream(cache_.path(), std::ios::binary) << content; }
  BwtCache fresh() const { return {folder_.path() / "new" / "cache", text_}; }
  /// Note of a cache whose file holds `content`; "column" or "suffixes" are appended where they load.
  std::string outcome(const std::string& content) {
    write(content);
    BwtCache cache = fresh();
    std::string result;
    if (cache.load_bwt(pool_)) result += "column ";
    if (cache.load_suffixes()) result += "suffixes ";
    return result + cache.note();
  }

  TemporaryFolder folder_;
  ThreadPool pool_{1};
  std::vector<u8> text_ = testing::codes(testing::random_letters(1000, 1));
  SuffixArray suffixes_ = sort_by_divsufsort(text_);
  Bwt bwt_ = bwt_of(text_, suffixes_, pool_);
  BwtCache cache_ = fresh();
};

TEST_F(Cache, GivesBackWhatWasStored) {
  EXPECT_FALSE(cache_.load_bwt(pool_));
  EXPECT_EQ(cache_.note(), "");
  ASSERT_TRUE(cache_.store(bwt_, suffixes_)) << cache_.note();
  const auto bwt = cache_.load_bwt(pool_);
  ASSERT_TRUE(bwt);
  EXPECT_EQ(bwt->rows, bwt_.rows);
  EXPECT_EQ(bwt->first, bwt_.first);
  EXPECT_EQ(bwt->columns[0].planes, bwt_.columns[0].planes);
  EXPECT_EQ(bwt->columns[0].dollar_row, bwt_.columns[0].dollar_row);
  EXPECT_EQ(cache_.load_suffixes(), suffixes_);
  EXPECT_EQ(cache_.note(), "");
}

TEST_F(Cache, GivesBackTextsOfAnyFewBases) {
  for (u32 bases = 1; bases <= 130; ++bases) {
    text_ = testing::codes(testing::random_letters(bases, bases));
    suffixes_ = sort_by_divsufsort(text_);
    bwt_ = bwt_of(text_, suffixes_, pool_);
    ASSERT_TRUE(fresh().store(bwt_, suffixes_));
    BwtCache cache = fresh();
    ASSERT_TRUE(cache.load_bwt(pool_)) << bases << ": " << cache.note();
    ASSERT_TRUE(cache.load_suffixes()) << bases << ": " << cache.note();
  }
}

TEST_F(Cache, NeverTrustsAFileOfWhichAnyByteChanged) {
  ASSERT_TRUE(cache_.store(bwt_, suffixes_));
  const std::string good = read();
  const std::size_t column_bytes = bwt_.columns[0].planes.size() * 8, suffix_bytes = text_.size() * 4;
  const std::size_t header_bytes = good.size() - column_bytes - suffix_bytes;
  ASSERT_EQ(outcome(good), "column suffixes ");
  for (std::size_t at = 0; at < good.size(); at += at < header_bytes ? 1 : 97) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    const std::string found = outcome(bad);
    if (at < header_bytes)
      EXPECT_EQ(found.find("column "), found.npos) << "byte " << at << ": " << found;
    else if (at < header_bytes + column_bytes)
      EXPECT_TRUE(found.starts_with("suffixes ") && found.ends_with("damaged column; rebuilt"))
          << at << found;
    else
      EXPECT_TRUE(found.ends_with("damaged suffix array; rebuilt")) << at << found;
  }
}

TEST_F(Cache, NeverTrustsAFileThatIsTruncatedOrHasATail) {
  ASSERT_TRUE(cache_.store(bwt_, suffixes_));
  const std::string good = read();
  for (std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{100}, good.size() / 2, good.size() - 1})
    expect_text(outcome(good.substr(0, size)));
  expect_text(outcome(good + "x"));
}

TEST_F(Cache, SaysWhichFileIsOfAnotherVersionOrText) {
  ASSERT_TRUE(cache_.store(bwt_, suffixes_));
  std::string old = read();
  old[8] = 0;
  expect_text(outcome(old));
  ASSERT_TRUE(cache_.store(bwt_, suffixes_));
  const std::vector<u8> reversed(text_.rbegin(), text_.rend());
  BwtCache other(cache_.path().parent_path(), reversed);
  fs::copy_file(cache_.path(), other.path());
  EXPECT_FALSE(other.load_bwt(pool_));
  expect_text(other.note());
}

TEST_F(Cache, IsReplacedWhole) {
  ASSERT_TRUE(cache_.store(bwt_, suffixes_));
  write("damaged");
  ASSERT_TRUE(cache_.store(bwt_, suffixes_));
  EXPECT_TRUE(cache_.load_bwt(pool_));
  EXPECT_EQ(std::distance(fs::directory_iterator(cache_.path().parent_path()), fs::directory_iterator()), 1);
}

TEST_F(Cache, ThatCannotBeWrittenIsANoteAndNoError) {
  const auto file = folder_.write("file", "not a folder");
  BwtCache cache(file / "cache", text_);
  EXPECT_FALSE(cache.store(bwt_, suffixes_));
  expect_text(cache.note());
  BwtCache none("", text_);
  EXPECT_FALSE(none.store(bwt_, suffixes_));
  EXPECT_FALSE(none.load_bwt(pool_));
  EXPECT_EQ(none.note(), "");
}

}  // namespace
}  // namespace gpuseq::fm_index
