#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/fm_index/cuda/peers/device_index.hpp"
#include "kernels/fm_index/cuda/peers/session.hpp"
#include "kernels/fm_index/cuda/session.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/exported_library.hpp"
#include "runtime/cuda/peers/group.hpp"

// The shares of several devices, without any.

namespace gpuseq::fm_index {
namespace {

SearchPoint point_of(const char* text) {
  return search_point(Scheme::one_hot, search_space(Scheme::one_hot).complete(Point::parse(text)));
}

TEST(IndexOnPeers, IsAskedForByAnAxisWhoseDefaultIsOneDevice) {
  EXPECT_EQ(point_of("k=4").index_on, IndexOn::one);
  EXPECT_EQ(point_of("k=4").gpus, 1u);
  EXPECT_EQ(point_of("k=4,index_on=copies").index_on, IndexOn::copies);
  EXPECT_EQ(point_of("k=4,index_on=copies").gpus, 2u);
  EXPECT_EQ(point_of("k=4,index_on=copies_3").gpus, 3u);
  EXPECT_EQ(point_of("k=4,index_on=copies_16").gpus, 16u);
  for (const char* wrong : {"halves", "parts", "copies_2", "copies_03", "copies_17", "copies_", "copies3"})
    EXPECT_THROW(point_of((std::string("index_on=") + wrong).c_str()), UsageError) << wrong;
  EXPECT_EQ(search_space(Scheme::one_hot).find("index_on")->values.size(), 1u);  // searches take one device
  EXPECT_EQ(search_space(Scheme::psi).find("index_on"), nullptr);
}

TEST(IndexOnPeers, SortsNoQueries) {
  EXPECT_THROW(point_of("index_on=copies_4,device_order=sorted"), UsageError);
  EXPECT_THROW(point_of("index_on=copies,device_order=sorted_reversed"), UsageError);
  EXPECT_NO_THROW(point_of("index_on=one,device_order=sorted"));
}

TEST(IndexOnPeers, IsNoLibrarys) {
  for (const Variant& variant : cuda_variants()) {
    if (variant.name != "one_hot") continue;
    EXPECT_THROW(variant.exported(variant.space.complete(Point::parse("index_on=copies"))), UsageError);
    EXPECT_NO_THROW(variant.exported(variant.space.complete(Point::parse("index_on=one"))));
  }
}

TEST(IndexOnPeers, PartOfThreeGigabasesFitsWhereTheWholeDoesNot) {
  const u64 h100_bytes = u64{80} << 30;
  const auto bytes_on_device = [](Scheme scheme, const char* where) {
    const SearchPoint at = search_point(
        scheme, search_space(scheme).complete(Point::parse(std::string("k=4,index_on=") + where)));
    return entries_bytes_on_device(at, entries_bytes(at.policy.layout(), 3'000'000'001));
  };
  const u64 all = bytes_on_device(Scheme::one_hot_routed, "one");
  EXPECT_GT(all, h100_bytes);
  EXPECT_EQ(bytes_on_device(Scheme::one_hot, "copies_4"), all);
  EXPECT_EQ(bytes_on_device(Scheme::one_hot_routed, "parts"), all / 2);
  EXPECT_LT(bytes_on_device(Scheme::one_hot_routed, "parts"), h100_bytes);
  EXPECT_EQ(bytes_on_device(Scheme::one_hot_routed, "parts_3"), all / 256 * 86);  // of 256 words
}

TEST(IndexOnPeers, HasMemoryOnEachDevice) {
  StateOutline state;
  state.problem = problem_space().complete({{"reference", "synthetic"}, {"reference_bases", 3'000'000'000}});
  const auto index_on = [&](const char* point, const std::string& device) {
    const auto parts = search_cost(point_of(point), state).held.parts;
    const auto found = parts.find("index on " + device);
    return found == parts.end() ? 0 : found->second;
  };
  const u64 copy = search_cost(point_of("k=4"), state).held.parts.at("index");
  for (const char* device : {"cuda:0", "cuda:1", "cuda:2"})
    EXPECT_EQ(index_on("k=4,index_on=copies_3", device), copy);
  EXPECT_EQ(index_on("k=4,index_on=copies_3", "cuda:3"), 0u);
}

TEST(IndexOnPeers, CopiesHaveNoBoundAndSayWhy) {
  for (const char* point : {"index_on=copies", "index_on=copies_8"}) {
    StateOutline known;
    known.problem = problem_space().complete({});
    const Cost cost = search_cost(point_of(point), known);
    EXPECT_FALSE(cost.traffic) << point;
    EXPECT_EQ(cost.why_no_bound, cuda::kNoBoundOfGpus);
  }
}

TEST(QueriesOfDevices, AreEvenPartsThatFollowEachOther) {
  for (const std::size_t count : {0u, 1u, 2u, 3u, 1000u, 1001u, 1002u})
    for (const std::size_t devices : {1u, 2u, 3u, 8u}) {
      std::size_t end = 0;
      for (std::size_t i = 0; i < devices; ++i) {
        const QueryRange range = queries_of_device(count, i, devices);
        EXPECT_EQ(range.first, end);
        EXPECT_LE(queries_of_device(count, 0, devices).count - range.count, 1u);
        end += range.count;
      }
      EXPECT_EQ(end, count);
    }
}

}  // namespace
}  // namespace gpuseq::fm_index
