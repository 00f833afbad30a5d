#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/exact_match/cpu/search.hpp"
#include "kernels/exact_match/data/cache.hpp"
#include "kernels/exact_match/oracle.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/kernels/exact_match/cache_file.hpp"
#include "tests/kernels/exact_match/loaded_inputs.hpp"
#include "tests/runtime/planted_files.hpp"

// Whoever can write a file can give it right checksums. What is read from a cache is nevertheless never the
// cause of a crash or of a wrong answer.

namespace gpuseq::exact_match {
namespace {

namespace fs = std::filesystem;
using testing::CacheFile;
using testing::Data;

class ForgedTree : public ::testing::Test {
 protected:
  MatchList find(const SuffixTree& tree, const Data& data, const Search& search) {
    const PrefixTable prefixes = make_prefix_table(tree.view(), std::min(4u, search.min_length), pool_);
    const WordFilter filter = make_word_filter(data.reference.text, 0, pool_);
    return find_matches({.tree = tree.view(),
                         .search = search,
                         .prefixes = &prefixes,
                         .filter = &filter,
                         .queries = &data.queries,
                         .begin = 0,
                         .end = data.queries.count(),
                         .in_flight = 3});
  }
  MatchList expected(const Data& data, const Search& search) {
    std::vector<u64> all(data.queries.count());
    std::iota(all.begin(), all.end(), u64{0});
    return Oracle(data.reference, search).find(data.queries, all, pool_);
  }
  fs::path cache_file() const { return *fs::directory_iterator(cache_); }
  /// A cache with the tree of a text in it.
  fs::path sound(std::span<const u8> text) {
    fs::remove_all(cache_);
    EXPECT_EQ(load_tree(cache_, text, TreeCache::kOrder, pool_).note, "");
    return cache_file();
  }
  void plant(const std::string& content) const {
    write_file_atomically(cache_file(), content, Durability::survives_crash_of_program);
    fs::permissions(cache_file(), fs::perms(0600));
  }

  ThreadPool pool_{1};
  TemporaryFolder folder_;
  fs::path cache_ = folder_.path() / "cache";
};

TEST_F(ForgedTree, NeverCrashesAndNeverMakesAnAnswerWrong) {
  constexpr int kForgeries = 40;
  int forgeries = 0, taken = 0;
  for (const Data& data : testing::all_data(6)) {
    const Search search{.min_length = data.min_lengths.front(), .mode = Mode::maxmatch, .both_strands = true};
    const MatchList right = expected(data, search);
    const std::string good = read_file(sound(data.reference.text));
    ASSERT_EQ(CacheFile(good).sealed(), good) << "the format has changed";
    const int count = good.size() > 100'000 ? kForgeries / 10 : kForgeries;
    for (int seed = 0; seed < count; ++seed, ++forgeries) {
      Random random(static_cast<u64>(seed));
      CacheFile file(good);
      testing::forge(random, file);
      plant(file.sealed());
      const NodeOrder order = seed % 2 == 0 ? NodeOrder::hybrid : NodeOrder::depth_first;
      const LoadedTree loaded = load_tree(cache_, data.reference.text, order, pool_);
      ASSERT_TRUE(find(loaded.tree, data, search) == right) << data.name << ", forgery " << seed;
      taken += loaded.from_cache;
    }
  }
  EXPECT_GT(forgeries, 400);
  EXPECT_LT(taken, forgeries / 4);  // what changes nothing is no forgery
}

TEST_F(ForgedTree, OfWhichOneFieldIsWrongIsRefused) {
  const Data data = testing::all_data(0)[5];
  const std::string good = read_file(sound(data.reference.text));
  for (const auto section : {CacheFile::nodes, CacheFile::ranges, CacheFile::leaf_parent,
                             CacheFile::leaf_depth, CacheFile::leaves})
    for (std::size_t at = 0; at < CacheFile(good).values(section); ++at) {
      CacheFile file(good);
      const u32 before = file.value(section, at);
      file.set(section, at,
               before + std::array{1u, ~0u, 0x80000000u}[at % (section == CacheFile::leaf_depth ? 2 : 3)]);
      plant(file.sealed());
      TreeCache cache(cache_, data.reference.text);
      EXPECT_FALSE(cache.load(pool_)) << section << " value " << at << ", was " << before;
      EXPECT_THAT(cache.note(), ::testing::HasSubstr("is not the tree of its text; rebuilt"));
    }
}

/// Of an empty first branch the leaf before it would be asked for: there is none.
TEST_F(ForgedTree, OfWhichABranchHasNoLeavesIsRefused) {
  const Data data = testing::all_data(0)[5];
  const std::string good = read_file(sound(data.reference.text));
  for (std::size_t node = 1; node < CacheFile(good).elements(CacheFile::nodes); ++node) {
    CacheFile file(good);
    file.set(CacheFile::ranges, 2 * node + 1, 0);
    plant(file.sealed());
    TreeCache cache(cache_, data.reference.text);
    EXPECT_FALSE(cache.load(pool_)) << node;
  }
}

TEST_F(ForgedTree, OfOrdinaryInputsIsTakenWhereItIsSound) {
  for (const Data& data : testing::all_data(15)) {
    sound(data.reference.text);
    const LoadedTree loaded = load_tree(cache_, data.reference.text, TreeCache::kOrder, pool_);
    EXPECT_TRUE(loaded.from_cache) << data.name << ": " << loaded.note;
    EXPECT_EQ(loaded.note, "") << data.name;
  }
}

TEST_F(ForgedTree, IsNotReadWhereAnotherUserMayHaveMadeIt) {
  const Data data = testing::all_data(0)[5];
  gpuseq::testing::expect_refused([&] { return sound(data.reference.text); },
                                  [&] {
                                    const LoadedTree loaded =
                                        load_tree(cache_, data.reference.text, TreeCache::kOrder, pool_);
                                    EXPECT_FALSE(loaded.from_cache);
                                    return loaded.note;
                                  });
}

}  // namespace
}  // namespace gpuseq::exact_match
