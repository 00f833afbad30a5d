#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/fm_index/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/kernels/fm_index/threads/repeating_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Indexes that threads make in pieces, on both sides of each size from which there is one more: that of
// sorting in buckets, of rows a piece and a part, of lines of the rank structure. The expected intervals are
// those among suffixes that are sorted by comparing them.

namespace gpuseq::fm_index {
namespace {

class ThreadPieces : public ::testing::Test {
 protected:
  std::unique_ptr<FmProblem> problem_of(const std::string& text, int threads) {
    std::string reads;
    Random random(text.size());
    for (u32 i = 0; i < 400; ++i) {
      const u64 bases = 1 + random.below(40);
      reads += ">r\n" +
               (i % 4 == 0 ? testing::random_letters(1 + bases / 4, i)
                           : text.substr(random.below(text.size() - bases), bases)) +
               "\n";
    }
    reads += ">r\n" + text.substr(0, 70) + "\n>r\n" + text.substr(text.size() - 70) + "\n>r\n\n";
    return load_problem({.point = Point::parse("reference=text,queries=reads"),
                         .files = {{"text", folder_.write("text.fa", ">t\n" + text + "\n")},
                                   {"reads", folder_.write("reads.fa", reads)}},
                         .seed = 1,
                         .cache_dir = {},
                         .threads = threads});
  }

  TemporaryFolder folder_;
  CpuDevice device_;
};

/// Intervals of all queries.
std::vector<Interval<u64>> expected_of(const FmProblem& problem, const testing::ComparedSuffixes& sorted) {
  std::vector<Interval<u64>> result;
  for (u32 query = 0; query < problem.queries().begin.size(); ++query)
    result.push_back(sorted.interval(problem.queries().letters(query)));
  return result;
}

TEST_F(ThreadPieces, EveryVariantFindsWhatComparingSuffixesFinds) {
  for (const u64 bases : {99'999, 100'000, 131'070, 131'071, 262'144, 1'048'511, 1'048'576 + 64}) {
    const std::string text = testing::repeating_text(bases);
    const testing::ComparedSuffixes sorted(text);
    const auto problem = problem_of(text, 3);
    const auto expected = expected_of(*problem, sorted);
    for (const Variant& one : cpu_variants()) {
      const auto session =
          prepare_as<SearchSession>(*problem, one, one.space.complete(Point({{"threads", 3}})), device_);
      const auto found = session->answers();
      ASSERT_EQ(found.size(), expected.size());
      for (u32 query = 0; query < expected.size(); ++query) {
        ASSERT_EQ(found[query].l, expected[query].l)
            << one.name << ", " << bases << " bases, query " << query;
        ASSERT_EQ(found[query].h, expected[query].h)
            << one.name << ", " << bases << " bases, query " << query;
      }
    }
    SuffixArray suffixes = problem->take_suffixes();
    ASSERT_TRUE(std::get<0>(suffixes) == sorted.positions()) << bases;
  }
}

/// Points whose tables have more words than a thread takes at a time.
TEST_F(ThreadPieces, TablesOfManyWordsFindWhatComparingSuffixesFinds) {
  const std::string text = testing::repeating_text(300'000);
  const testing::ComparedSuffixes sorted(text);
  const auto problem = problem_of(text, 3);
  const auto expected = expected_of(*problem, sorted);
  for (const Variant& one : cpu_variants())
    for (const char* values : {"prefix_symbols=8", "prefix_symbols=9", "k=8", "k=9"}) {
      Point point = Point::parse(values);
      point.set("threads", std::int64_t{3});
      try {
        point = one.space.complete(point);
      } catch (const UsageError&) {
        continue;  // has no such value
      }
      const auto found = prepare_as<SearchSession>(*problem, one, point, device_)->answers();
      for (u32 query = 0; query < expected.size(); ++query)
        ASSERT_TRUE(found[query].l == expected[query].l && found[query].h == expected[query].h)
            << one.name << ", " << values << ", query " << query;
    }
}

}  // namespace
}  // namespace gpuseq::fm_index
