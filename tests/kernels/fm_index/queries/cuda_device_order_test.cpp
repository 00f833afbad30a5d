#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "kernels/fm_index/cuda/device_order.hpp"
#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/exported_library.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/cuda_covering.hpp"
#include "tests/kernels/fm_index/queries/ordered_queries.hpp"

// The work of a device around its sort, run on the CPU with a sort of the standard library in its place.

namespace gpuseq::fm_index {
namespace {

constexpr OrderKey kKeys[] = {{1, false}, {8, false}, {12, true}, {16, false}, {16, true}};

/// A launch as sessions make it: @returns for each query the one that
/// the search was given at the place from which its answer came.
template <typename Position>
std::vector<std::string> letters_searched(const Queries& queries, OrderKey key) {
  const auto count = static_cast<u32>(queries.begin.size());
  const OrderArguments arguments{queries.view(), key, even_units(queries)};
  std::vector<u32> keys(count), numbers(count), sorted(count), begin(count), bases(queries.bases);
  for (u32 i = 0; i < count; ++i) write_key(arguments, i, keys.data(), numbers.data());
  sorted = numbers;
  std::ranges::stable_sort(sorted, {}, [&](u32 number) { return keys[number]; });
  EXPECT_EQ(sorted, testing::order_by_letters(queries, key));
  for (u32 at = 0; at < count; ++at) write_place(arguments, at, sorted.data(), begin.data(), bases.data());
  Queries searched;
  searched.packed = queries.packed;
  searched.begin = begin;
  searched.bases = bases;
  std::vector<AlignedInterval<Position>> found(count), intervals(count);
  for (u32 at = 0; at < count; ++at) found[at] = {at, Position{at} + 1};
  for (u32 at = 0; at < count; ++at) give_back(at, sorted.data(), found.data(), intervals.data());
  std::vector<std::string> letters;
  for (const auto& interval : intervals) letters.push_back(searched.letters(static_cast<u32>(interval.l)));
  return letters;
}

TEST(DeviceOrder, SearchesEachQueryAndGivesItsAnswerToIt) {
  for (const bool even : {true, false}) {
    const Queries queries = testing::random_queries(500, even);
    std::vector<std::string> letters;
    for (u32 i = 0; i < 500; ++i) letters.push_back(queries.letters(i));
    for (const OrderKey& key : kKeys) {
      EXPECT_EQ(letters_searched<u32>(queries, key), letters) << even << key.bases << key.from_end;
      EXPECT_EQ(letters_searched<u64>(queries, key), letters) << even << key.bases << key.from_end;
    }
  }
}

TEST(DeviceOrder, TellsQueriesThatAreEquallyLongFromOthers) {
  EXPECT_EQ(even_units({}), 0u);
  EXPECT_EQ(even_units(testing::random_queries(3, true)), 2u);  // 100 bases: two units of 64
  EXPECT_EQ(even_units(testing::random_queries(3, false)), 0u);
  Queries queries = testing::random_queries(3, true);
  std::swap(queries.begin[1], queries.begin[2]);  // equally long, but not one behind the other
  EXPECT_EQ(even_units(queries), 0u);
  Queries empty;
  empty.add("");
  EXPECT_EQ(even_units(empty), 0u);
}

std::string why_refused(Scheme scheme, const Point& point) {
  try {
    search_space(scheme).complete(point);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceOrderPolicy, APointHasAnOrderThatItsKernelDoesNotKnow) {
  for (const Variant& variant : cuda_variants()) {
    const Scheme scheme = testing::scheme_named(variant.name);
    if (scheme == Scheme::one_hot_routed) continue;
    const auto at = [&](const char* point) {
      return search_point(scheme, variant.space.complete(Point::parse(point)));
    };
    EXPECT_FALSE(at("").order) << variant.name;
    EXPECT_FALSE(at("device_order=as_given").order) << variant.name;
    const SearchPoint sorted = at("device_order=sorted"),
                      reversed = at("device_order=sorted_reversed,sort_bases=8");
    ASSERT_TRUE(sorted.order && reversed.order) << variant.name;
    EXPECT_EQ(sorted.order->bases, 12u);
    EXPECT_FALSE(sorted.order->from_end);
    EXPECT_EQ(reversed.order->bases, 8u);
    EXPECT_TRUE(reversed.order->from_end);
    EXPECT_EQ(search_kernels().name(reversed.policy), search_kernels().name(at("").policy));
  }
}

TEST(DeviceOrderPolicy, WhatDoesNotSortRefusesIt) {
  expect_text(why_refused(Scheme::one_hot_routed, Point::parse("device_order=sorted")));
  expect_text(why_refused(Scheme::one_hot_routed, Point::parse("sort_bases=8")));
  expect_text(why_refused(Scheme::verify, Point::parse("sort_bases=8")));
  expect_text(why_refused(Scheme::verify, Point::parse("device_order=by_rows")));
  expect_text(why_refused(Scheme::verify, Point::parse("device_order=sorted,sort_bases=17")));
  EXPECT_EQ(why_refused(Scheme::verify, Point::parse("device_order=sorted,sort_bases=10")), "");
}

TEST(DeviceOrderPolicy, SortedQueriesHaveNoBound) {
  std::set<std::string> reasons;
  const Point problem = problem_space().complete({});
  for (const Variant& variant : cuda_variants()) {
    if (variant.name == "one_hot_routed") continue;
    for (const bool sorted : {false, true}) {
      const Point point =
          variant.space.complete(Point::parse(sorted ? "device_order=sorted" : "device_order=as_given"));
      const Cost estimate = variant.cost({point, problem, {}});
      EXPECT_EQ(estimate.traffic.has_value(), !sorted) << variant.name;
      if (sorted) reasons.insert(estimate.why_no_bound);
    }
  }
  expect_text({reasons.begin(), reasons.end()});
}

TEST(DeviceOrderPolicy, LibrariesDoNotSort) {
  for (const Variant& variant : cuda_variants()) {
    if (!variant.exported) continue;
    const Point point = variant.space.complete(Point::parse("device_order=sorted"));
    EXPECT_THROW(variant.exported(point), UsageError) << variant.name;
    EXPECT_NO_THROW(variant.exported(variant.space.complete({}))) << variant.name;
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
