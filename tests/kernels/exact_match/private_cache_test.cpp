#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/exact_match/data/cache.hpp"
#include "tests/kernels/exact_match/loaded_inputs.hpp"
#include "tests/runtime/planted_files.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::exact_match {
namespace {

namespace fs = std::filesystem;
using testing::Data;

class PrivateTree : public ::testing::Test {
 protected:
  fs::path cache_file() const { return *fs::directory_iterator(cache_); }
  /// A cache with the tree of a text in it.
  fs::path sound(std::span<const u8> text) {
    fs::remove_all(cache_);
    EXPECT_EQ(load_tree(cache_, text, TreeCache::kOrder, pool_).note, "");
    return cache_file();
  }
  ThreadPool pool_{1};
  TemporaryFolder folder_;
  fs::path cache_ = folder_.path() / "cache";
};

TEST_F(PrivateTree, OfOrdinaryInputsIsTakenWhereItIsSound) {
  for (const Data& data : testing::all_data(15)) {
    sound(data.reference.text);
    const LoadedTree loaded = load_tree(cache_, data.reference.text, TreeCache::kOrder, pool_);
    EXPECT_TRUE(loaded.from_cache) << data.name << ": " << loaded.note;
    EXPECT_EQ(loaded.note, "") << data.name;
  }
}

TEST_F(PrivateTree, IsNotReadWhereAnotherUserMayHaveMadeIt) {
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
