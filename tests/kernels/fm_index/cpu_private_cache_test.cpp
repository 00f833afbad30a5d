#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/fm_index/problem.hpp"
#include "tests/runtime/planted_files.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

using namespace std::string_literals;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

class PrivateCache : public ::testing::Test {
 protected:
  /// @param cache  empty: none
  std::unique_ptr<FmProblem> load(const fs::path& cache) const {
    return load_problem({.point = Point({{"reference", "random"s},
                                         {"reference_bases", 2000},
                                         {"query_count", 60},
                                         {"query_bases", 14},
                                         {"occurring_percent", 60}}),
                         .files = {},
                         .seed = 3,
                         .cache_dir = cache,
                         .threads = 1});
  }
  fs::path cache_file() const { return *fs::directory_iterator(cache_); }
  /// A cache with the file of the problem in it.
  fs::path sound() const {
    load(cache_);
    return cache_file();
  }

  TemporaryFolder folder_;
  fs::path cache_ = folder_.path() / "cache";
};

TEST_F(PrivateCache, IsNotReadWhereAnotherUserMayHaveMadeIt) {
  gpuseq::testing::expect_refused([&] { return sound(); },
                                  [&] {
                                    const auto problem = load(cache_);
                                    const auto notes = problem->notes();
                                    EXPECT_EQ(problem->describe()["from_cache"], false);
                                    return notes.empty() ? "" : notes.front();
                                  });
}

TEST_F(PrivateCache, IsTakenWhereItIsSound) {
  sound();
  const auto problem = load(cache_);
  EXPECT_EQ(problem->describe()["from_cache"], true);
  EXPECT_THAT(problem->notes(), IsEmpty());
}

}  // namespace
}  // namespace gpuseq::fm_index
