#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "kernels/fm_index/library/gpuseq_fm_index.h"
#include "runtime/io/atomic_file.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/kernels/fm_index/threads/repeating_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

/// Queries as the functions take them.
struct Letters {
  std::string letters;
  std::vector<uint64_t> begin{0};

  explicit Letters(const std::vector<std::string>& queries) {
    for (const std::string& query : queries) {
      letters += query;
      begin.push_back(letters.size());
    }
  }
  std::size_t count() const { return begin.size() - 1; }
};

class FmIndexLibrary : public ::testing::Test {
 protected:
  ~FmIndexLibrary() override { gpuseq_fm_index_close(index_); }

  void open(const std::string& text, const gpuseq_fm_index_options* options = nullptr) {
    ASSERT_EQ(gpuseq_fm_index_build(text.data(), text.size(), path_.c_str(), 1), GPUSEQ_FM_INDEX_OK)
        << gpuseq_fm_index_message();
    ASSERT_EQ(gpuseq_fm_index_open(path_.c_str(), options, &index_), GPUSEQ_FM_INDEX_OK)
        << gpuseq_fm_index_message();
  }
  std::vector<gpuseq_fm_index_interval> search(const std::vector<std::string>& queries) {
    const Letters given(queries);
    std::vector<gpuseq_fm_index_interval> found(queries.size());
    EXPECT_EQ(
        gpuseq_fm_index_search(index_, given.letters.data(), given.begin.data(), given.count(), found.data()),
        GPUSEQ_FM_INDEX_OK)
        << gpuseq_fm_index_message();
    return found;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path() / "index";
  gpuseq_fm_index* index_ = nullptr;
};

TEST_F(FmIndexLibrary, FindsWhatAllSuffixesSay) {
  const std::string text = testing::random_letters(700, 11);
  const testing::BruteForce oracle(text);
  std::vector<std::string> queries{"", "A", "ACGTACGTACGT"};
  for (std::size_t i = 0; i < 300; ++i) queries.push_back(text.substr(i * 2, i % 90));
  for (std::size_t i = 0; i < 100; ++i) queries.push_back(testing::random_letters(i % 9, i));
  for (const gpuseq_fm_index_options& options :
       {gpuseq_fm_index_options{},
        gpuseq_fm_index_options{.threads = 2, .device = 0, .trusted = 1, .in_memory = 1}}) {
    gpuseq_fm_index_close(index_);
    open(text, &options);
    EXPECT_EQ(gpuseq_fm_index_bases(index_), 700u);
    const auto found = search(queries);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const Interval<u64> expected = oracle.interval(queries[i]);
      EXPECT_EQ(found[i].low, expected.l) << queries[i];
      EXPECT_EQ(found[i].high, expected.h) << queries[i];
    }
  }
}

/// Texts on both sides of sorting in buckets, and queries of several shares.
TEST_F(FmIndexLibrary, IndexesOfSeveralThreadsAreThoseOfOneAndFindWhatSuffixesSay) {
  for (const u64 bases : {99'999, 100'000, 270'000}) {
    const std::string text = testing::repeating_text(bases);
    const testing::ComparedSuffixes sorted(text);
    std::vector<std::string> queries;
    for (std::size_t i = 0; i < 9000; ++i) queries.push_back(text.substr(i * 11, i % 40));
    const gpuseq_fm_index_options options{.threads = 3, .device = 0, .trusted = 0, .in_memory = 1};
    gpuseq_fm_index_close(index_);
    open(text, &options);
    const std::string file = read_file(path_);
    const auto found = search(queries);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const Interval<u64> expected = sorted.interval(queries[i]);
      ASSERT_TRUE(found[i].low == expected.l && found[i].high == expected.h) << bases << ": " << queries[i];
    }
    for (const int threads : {2, 3}) {
      ASSERT_EQ(gpuseq_fm_index_build(text.data(), text.size(), path_.c_str(), threads), GPUSEQ_FM_INDEX_OK);
      EXPECT_TRUE(read_file(path_) == file) << bases << " bases, " << threads << " threads";
    }
  }
}

/// Queries are searched in batches of 64 MiB of letters.
TEST_F(FmIndexLibrary, QueriesOfSeveralBatchesHaveTheirOwnAnswers) {
  constexpr std::size_t kBatch = std::size_t{64} << 20;
  open("GATTACAGATTACA");
  const std::string other(8 << 20, 'N');
  std::vector<std::string> queries;
  for (std::size_t letters = 0, i = 0; letters < 2 * kBatch; letters += queries.back().size(), ++i)
    queries.push_back(i % 2 == 0 ? "GATTACA" : other.substr(i % 3));
  const auto found = search(queries);
  for (std::size_t i = 0; i < queries.size(); ++i)
    EXPECT_EQ(found[i].high - found[i].low, i % 2 == 0 ? 2u : 0u) << i;
}

TEST_F(FmIndexLibrary, LeavesOtherLettersOutOfTextsAndFindsNoQueryThatHasThem) {
  open("gat\ntaNNca");
  EXPECT_EQ(gpuseq_fm_index_bases(index_), 7u);
  const auto found = search({"GATTACA", "tac", "NA", "A\n", "taca"});
  EXPECT_EQ(found[0].high - found[0].low, 1u);
  EXPECT_EQ(found[1].high - found[1].low, 1u);
  for (const std::size_t other : {2, 3}) {
    EXPECT_EQ(found[other].low, 0u);
    EXPECT_EQ(found[other].high, 0u);
  }
  EXPECT_EQ(found[4].high - found[4].low, 1u);
}

TEST_F(FmIndexLibrary, SeveralThreadsMaySearchOneIndex) {
  const std::string text = testing::random_letters(2000, 12);
  open(text);
  std::vector<std::string> queries;
  for (std::size_t i = 0; i < 1900; ++i) queries.push_back(text.substr(i, 30));
  std::vector<int> right(4);
  {
    std::vector<std::jthread> threads;
    for (int& count : right)
      threads.emplace_back([&] {
        for (const auto& interval : search(queries)) count += interval.high > interval.low ? 1 : 0;
      });
  }
  EXPECT_THAT(right, ::testing::Each(1900));
}

TEST_F(FmIndexLibrary, SaysWhichArgumentIsWrong) {
  open("GATTACA");
  gpuseq_fm_index_interval found{};
  const std::vector<uint64_t> descending{0, 3, 2};
  const auto expect = [](gpuseq_fm_index_status status) {
    EXPECT_EQ(status, GPUSEQ_FM_INDEX_WRONG_ARGUMENT);
    expect_text(gpuseq_fm_index_message());
  };
  expect(gpuseq_fm_index_build(nullptr, 3, path_.c_str(), 0));
  expect(gpuseq_fm_index_build("NNN", 3, path_.c_str(), 0));
  expect(gpuseq_fm_index_build("ACG", 3, "", 0));
  expect(gpuseq_fm_index_build("ACG", 3, path_.c_str(), -1));
  expect(gpuseq_fm_index_open(path_.c_str(), nullptr, nullptr));
  expect(gpuseq_fm_index_search(nullptr, "", descending.data(), 1, &found));
  expect(gpuseq_fm_index_search(index_, "ACG", nullptr, 1, &found));
  expect(gpuseq_fm_index_search(index_, nullptr, descending.data(), 1, &found));
  expect(gpuseq_fm_index_search(index_, "ACG", descending.data(), 1, nullptr));
  expect(gpuseq_fm_index_search(index_, "ACG", descending.data(), 2, &found));
  EXPECT_EQ(gpuseq_fm_index_search(index_, nullptr, nullptr, 0, nullptr), GPUSEQ_FM_INDEX_OK);
  EXPECT_STREQ(gpuseq_fm_index_message(), "");
  gpuseq_fm_index* none = index_;
  expect(gpuseq_fm_index_open((folder_.path() / "none").c_str(), nullptr, &none));
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(gpuseq_fm_index_build("ACG", 3, (folder_.path() / "no" / "folder").c_str(), 0),
            GPUSEQ_FM_INDEX_NO_RESOURCE);
}

TEST_F(FmIndexLibrary, RefusesADamagedFileUnlessItIsTrusted) {
  open(testing::random_letters(1000, 13));
  std::string content = read_file(path_);
  content[4096 + 100] = static_cast<char>(content[4096 + 100] ^ 1);
  folder_.write("damaged", content);
  const std::string damaged = folder_.path() / "damaged";
  gpuseq_fm_index* index = nullptr;
  EXPECT_EQ(gpuseq_fm_index_open(damaged.c_str(), nullptr, &index), GPUSEQ_FM_INDEX_REFUSED_FILE);
  EXPECT_EQ(index, nullptr);
  expect_text(gpuseq_fm_index_message());
  const gpuseq_fm_index_options trusted{.threads = 1, .device = 0, .trusted = 1, .in_memory = 0};
  EXPECT_EQ(gpuseq_fm_index_open(damaged.c_str(), &trusted, &index), GPUSEQ_FM_INDEX_OK);
  gpuseq_fm_index_close(index);
  content[0] = 'X';
  folder_.write("damaged", content);
  EXPECT_EQ(gpuseq_fm_index_open(damaged.c_str(), &trusted, &index), GPUSEQ_FM_INDEX_REFUSED_FILE);
  gpuseq_fm_index_close(nullptr);
}

}  // namespace
}  // namespace gpuseq::fm_index
