#include "kernels/exact_match/budget.hpp"

#include <gtest/gtest.h>

#include "kernels/exact_match/data/strands.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/exact_match/small_inputs.hpp"

namespace gpuseq::exact_match {
namespace {

Queries some_queries(u64 count) {
  Random random(count);
  Queries queries = empty_queries();
  for (u64 i = 0; i < count; ++i)
    append(queries, "q" + std::to_string(i), testing::random_letters(random, random.below(60), "ACGTN"));
  return queries;
}

u64 device_bytes(const StrandLayout& layout) {
  return layout.begin.back() + layout.strands() * sizeof(u64) + layout.slots() * sizeof(Slot) +
         (layout.begin.size() - 1) * sizeof(u64) + layout.strands() * sizeof(u32);
}

TEST(Budget, BlocksOfQueriesAreAsManyAsFitAndAllOfThem) {
  for (const bool computed : {false, true})
    for (const u64 count : {0, 1, 500}) {
      const Queries queries = some_queries(count);
      const Search search{.min_length = 8, .both_strands = true};
      constexpr u64 kRoom = 3000;
      const auto ranges = query_ranges(queries, search, computed ? 1 : 2, kRoom);
      EXPECT_EQ(ranges.empty(), count == 0);
      u64 next = 0;
      for (const QueryRange& range : ranges) {
        EXPECT_EQ(range.first, next);
        next += range.count;
        constexpr u64 kFront = kTextPadding;  // where nothing is but letters that match nothing
        EXPECT_LE(device_bytes(strand_layout(some_of(queries, range), search, computed)), kRoom + kFront);
        if (next < count) {  // one more would not fit
          EXPECT_GT(
              device_bytes(strand_layout(some_of(queries, {range.first, range.count + 1}), search, computed)),
              kRoom);
        }
      }
      EXPECT_EQ(next, count);
    }
}

TEST(Budget, AQueryThatDoesNotFitIsNamed) {
  Queries queries = some_queries(3);
  append(queries, "long", std::string(500, 'A'));
  expect_error_text<DoesNotFit>([&] { query_ranges(queries, {.min_length = 8}, 1, 2000); });
}

TEST(Budget, SomeQueriesAreThoseOfTheirOwn) {
  const Queries queries = some_queries(50);
  for (const QueryRange range :
       {QueryRange{0, 50}, QueryRange{0, 1}, QueryRange{7, 20}, QueryRange{49, 1}, QueryRange{10, 0}}) {
    const Queries some = some_of(queries, range);
    ASSERT_EQ(some.count(), range.count);
    Queries expected = empty_queries();
    for (u64 query = range.first; query < range.first + range.count; ++query)
      append(expected, queries.names[query], letters_of(queries.codes(query)));
    EXPECT_EQ(some.names, expected.names);
    EXPECT_EQ(some.letters, expected.letters);
    EXPECT_EQ(some.begin, expected.begin);
    EXPECT_EQ(some.longest, expected.longest);
  }
}

TEST(Budget, TreesTakeAThirdEach) {
  EXPECT_EQ(trees_within(1000, 100, 36, 3 * 36 * 1000), 1u);
  const u64 trees = trees_within(100'000, 100, 36, 3 * 36 * 10'000);
  EXPECT_GT(trees, 9u);
  for (const PartRange& range : split_text(100'000, trees, 100))
    EXPECT_LE(range.end - range.begin + 2, 10'000u);
  expect_error_text<DoesNotFit>([] { trees_within(100'000, 100, 36, 3 * 36 * 102); });
}

}  // namespace
}  // namespace gpuseq::exact_match
