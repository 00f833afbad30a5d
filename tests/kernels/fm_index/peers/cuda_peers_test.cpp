#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/fm_index/cuda/peers/device_index.hpp"
#include "kernels/fm_index/cuda/peers/session.hpp"
#include "kernels/fm_index/cuda/session.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/exported_library.hpp"

// What two devices are given, told without one.

namespace gpuseq::fm_index {
namespace {

SearchPoint point_of(const char* text) {
  return search_point(Scheme::one_hot, search_space(Scheme::one_hot).complete(Point::parse(text)));
}

TEST(IndexOnTwo, IsAskedForByAnAxisWhoseDefaultIsOneDevice) {
  EXPECT_EQ(point_of("k=4").index_on, IndexOn::one);
  EXPECT_EQ(point_of("k=4,index_on=halves").index_on, IndexOn::halves);
  EXPECT_EQ(point_of("k=4,index_on=copies").index_on, IndexOn::copies);
  EXPECT_THROW(point_of("index_on=thirds"), UsageError);
  EXPECT_EQ(search_space(Scheme::one_hot).find("index_on")->values.size(), 1u);  // searches take one device
  EXPECT_EQ(search_space(Scheme::psi).find("index_on"), nullptr);
}

TEST(IndexOnTwo, SortsNoQueries) {
  EXPECT_THROW(point_of("index_on=halves,device_order=sorted"), UsageError);
  EXPECT_THROW(point_of("index_on=copies,device_order=sorted_reversed"), UsageError);
  EXPECT_NO_THROW(point_of("index_on=one,device_order=sorted"));
}

TEST(IndexOnTwo, IsNoLibrarys) {
  for (const Variant& variant : cuda_variants()) {
    if (variant.name != "one_hot") continue;
    EXPECT_THROW(variant.exported(variant.space.complete(Point::parse("index_on=halves"))), UsageError);
    EXPECT_NO_THROW(variant.exported(variant.space.complete(Point::parse("index_on=one"))));
  }
}

TEST(IndexOnTwo, HalfAnIndexOfThreeGigabasesFitsWhereTheWholeDoesNot) {
  const u64 h100_bytes = u64{80} << 30;
  const Layout layout = point_of("k=4").policy.layout();
  const u64 entries = entries_bytes(layout, 3'000'000'001), prefix = prefix_bytes(layout, 12);
  EXPECT_GT(index_bytes_on_device(IndexOn::one, entries, prefix), h100_bytes);
  EXPECT_GT(index_bytes_on_device(IndexOn::copies, entries, prefix), h100_bytes);
  EXPECT_LT(index_bytes_on_device(IndexOn::halves, entries, prefix), h100_bytes);
  EXPECT_EQ(index_bytes_on_device(IndexOn::halves, entries, prefix), entries / 2 + prefix);
}

TEST(IndexOnTwo, HasNoBoundAndSaysWhy) {
  for (const char* point : {"index_on=halves", "index_on=copies"}) {
    const SearchPoint at = point_of(point);
    const std::string reason = no_bound_on_two(at.index_on);
    StateOutline known;
    known.problem = problem_space().complete({});
    const Cost cost = search_cost(at, known);
    EXPECT_FALSE(cost.traffic) << point;
    EXPECT_EQ(cost.why_no_bound, reason);
  }
  EXPECT_NE(no_bound_on_two(IndexOn::halves), no_bound_on_two(IndexOn::copies));
}

TEST(QueriesOfDevices, AreHalvesThatFollowEachOther) {
  for (const std::size_t count : {0u, 1u, 2u, 3u, 1000u, 1001u}) {
    const QueryRange first = queries_of_device(count, 0), second = queries_of_device(count, 1);
    EXPECT_EQ(first.first, 0u);
    EXPECT_EQ(second.first, first.count);
    EXPECT_EQ(first.count + second.count, count);
    EXPECT_LE(first.count - second.count, 1u);
  }
}

Queries words(const std::vector<const char*>& letters) {
  Queries queries;
  for (const char* word : letters) queries.add(word);
  return queries;
}

TEST(RemoteShare, CountsStepsWhoseWordLiesOnTheOtherDevice) {
  Index index;
  index.layout = {.kind = LayoutKind::one_hot, .k = 2, .d = 224};
  index.view.blocks_per_word = 10;
  index.view.prefix_symbols = 1;
  const u64 word_bytes = 320, half = 8 * word_bytes;
  // A word has the base that is met first, the last one, in its low bits: those that begin with A or C are
  // below 8.
  EXPECT_EQ(remote_share(words({"AA", "CT", "GA", "TT"}), index, half), 0);
  EXPECT_EQ(remote_share(words({"GA", "TT", "AA", "CT"}), index, half), 1);
  EXPECT_EQ(remote_share(words({"AA", "TT", "AA", "TT"}), index, half), 0.5);
  EXPECT_EQ(remote_share(words({"AAAA", "AATT"}), index, half), 0.25);  // the last of four steps
  EXPECT_EQ(remote_share(words({"AA", "GG"}), index, 16 * word_bytes), 0.5);
  EXPECT_EQ(remote_share(words({}), index, half), 0);
  EXPECT_EQ(remote_share(words({"A", ""}), index, half), 0);  // the prefix table answers them
}

}  // namespace
}  // namespace gpuseq::fm_index
