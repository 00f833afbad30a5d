#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/fm_index/problem.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/kernels/fm_index/cache_file.hpp"
#include "tests/runtime/planted_files.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Whoever can write a file can give it right checksums. What is read from a cache is nevertheless never the
// cause of a crash or of a wrong answer.

namespace gpuseq::fm_index {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

class ForgedCache : public ::testing::Test {
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
  /// What a search and the oracle find, as text.
  std::string answers(FmProblem& problem) {
    std::string text;
    const auto append = [&](std::span<const Interval<u64>> intervals) {
      for (const auto& found : intervals)
        text += std::to_string(found.l) + "-" + std::to_string(found.h) + " ";
    };
    const auto variants = cpu_variants();
    for (const Variant& one : {variants.front(), variants.back()})
      append(prepare_as<SearchSession>(problem, one, one.space.complete(Point({{"threads", 1}})), device_)
                 ->answers());
    append(problem.expected());
    return text;
  }
  fs::path cache_file() const { return *fs::directory_iterator(cache_); }
  /// A cache with the file of the problem in it.
  fs::path sound() const {
    load(cache_);
    return cache_file();
  }

  CpuDevice device_;
  TemporaryFolder folder_;
  fs::path cache_ = folder_.path() / "cache";
};

TEST_F(ForgedCache, NeverCrashesAndNeverMakesAnAnswerWrong) {
  const std::string right = answers(*load({}));
  const std::string good = read_file(sound());
  ASSERT_EQ(testing::CacheFile(good).sealed(), good) << "the format has changed";
  int refused = 0;
  constexpr int kForgeries = 50;
  for (int seed = 0; seed < kForgeries; ++seed) {
    Random random(static_cast<u64>(seed));
    testing::CacheFile file(good);
    testing::forge(random, file);
    write_file_atomically(cache_file(), file.sealed());
    fs::permissions(cache_file(), fs::perms(0600));
    const auto problem = load(cache_);
    ASSERT_EQ(answers(*problem), right) << "forgery " << seed;
    refused += problem->notes().empty() ? 0 : 1;
  }
  EXPECT_GT(refused, kForgeries * 3 / 4);  // what changes nothing is no forgery
}

TEST_F(ForgedCache, IsNotReadWhereAnotherUserMayHaveMadeIt) {
  gpuseq::testing::expect_refused([&] { return sound(); },
                                  [&] {
                                    const auto problem = load(cache_);
                                    const auto notes = problem->notes();
                                    EXPECT_EQ(problem->describe()["from_cache"], false);
                                    return notes.empty() ? "" : notes.front();
                                  });
}

TEST_F(ForgedCache, IsTakenWhereItIsSound) {
  sound();
  const auto problem = load(cache_);
  EXPECT_EQ(problem->describe()["from_cache"], true);
  EXPECT_THAT(problem->notes(), IsEmpty());
}

}  // namespace
}  // namespace gpuseq::fm_index
