#include <gtest/gtest.h>

#include <set>

#include "kernels/exact_match/cuda/policy.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::exact_match {
namespace {

using namespace std::string_literals;

MatchPoint at(const CudaTraversal& variant, const Point& partial) {
  return variant.at(variant.space().complete(partial));
}

std::string why_not(const CudaTraversal& variant, const Point& partial) {
  try {
    variant.space().complete(partial);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(MatchPoint, TakesEveryAxis) {
  const MatchPoint texture = at(kTreeGpu, {{"memory", "texture_2d"s},
                                           {"text_order", "space_filling"s},
                                           {"lanes", 8},
                                           {"query_order", "sorted"s},
                                           {"threads_per_block", 256},
                                           {"result", "matches"s}});
  EXPECT_FALSE(texture.policy.computed);
  EXPECT_FALSE(texture.policy.leaf_nodes);
  EXPECT_FALSE(texture.policy.compared_ends);
  EXPECT_TRUE(at(kTreeGpu, {{"edge_ends", "compared"s}}).policy.compared_ends);
  EXPECT_TRUE(at(kTreeGpu, {{"leaves", "nodes"s}}).policy.leaf_nodes);
  EXPECT_TRUE(at(kTreeGpu, {{"reverse_complements", "computed"s}}).policy.computed);
  EXPECT_EQ(texture.policy.memory, MemoryPath::texture_2d);
  EXPECT_TRUE(texture.policy.text_2d);
  EXPECT_FALSE(texture.policy.words);
  EXPECT_TRUE(texture.policy.listed);
  EXPECT_EQ(texture.policy.lanes, 8u);
  EXPECT_EQ(texture.policy.threads, 256u);
  EXPECT_TRUE(texture.sorted);
  EXPECT_FALSE(texture.ahead_of_time);
  EXPECT_EQ(texture.letters.prefix + texture.letters.filter, 0u);

  const MatchPoint words = at(kTreeWordsGpu, {{"prefix_letters", 12}});
  EXPECT_EQ(words.policy.memory, MemoryPath::global);
  EXPECT_FALSE(words.policy.text_2d);
  EXPECT_TRUE(words.policy.words);
  EXPECT_TRUE(words.policy.listed);
  EXPECT_FALSE(words.sorted);
  EXPECT_EQ(words.letters.prefix, 12u);
  EXPECT_EQ(words.letters.filter, 13u);
}

TEST(MatchPoint, ATextInA2DTextureHasNoOtherOrder) {
  expect_text(why_not(kTreeGpu, {{"memory", "texture_2d"s}}));
  EXPECT_EQ(why_not(kTreeGpu, {{"memory", "texture_linear"s}}), "");
  EXPECT_EQ(why_not(kTreeGpu, {{"memory", "global"s}, {"text_order", "space_filling"s}}), "");
}

TEST(MatchPoint, OfLeavesThatAreNodesTheHostLists) {
  expect_text(why_not(kTreeGpu, {{"leaves", "nodes"s}, {"result", "matches"s}}));
  EXPECT_EQ(why_not(kTreeGpu, {{"leaves", "nodes"s}, {"query_order", "sorted"s}}), "");
}

TEST(MatchPoint, WithinABudgetOfMemoryTheHostLists) {
  EXPECT_EQ(at(kTreeGpu, {}).memory_bytes, 0u);
  EXPECT_EQ(at(kTreeGpu, {{"memory_mib", 3}}).memory_bytes, 3u << 20);
  expect_text(why_not(kTreeGpu, {{"memory_mib", 3}, {"result", "matches"s}}));
}

TEST(MatchPoint, StrandsThatTheHostSortsItMakes) {
  expect_text(why_not(kTreeGpu, {{"reverse_complements", "computed"s}, {"query_order", "sorted"s}}));
  EXPECT_EQ(why_not(kTreeGpu, {{"reverse_complements", "computed"s}, {"lanes", 8}}), "");
}

TEST(MatchPoint, NvccHasTheDefaultsAndEachMemory) {
  const Point nvcc{{"compiled_by", "nvcc"s}};
  EXPECT_TRUE(at(kTreeGpu, nvcc).ahead_of_time);
  EXPECT_TRUE(at(kTreeWordsGpu, nvcc).ahead_of_time);
  for (const char* memory : {"global", "texture_linear", "texture_2d"}) {
    Point point = nvcc;
    point.set("memory", std::string(memory));
    point.set("text_order", memory == "texture_2d"s ? "space_filling"s : "plain"s);
    point.set("result", "matches"s);
    EXPECT_EQ(why_not(kTreeGpu, point), "") << memory;
  }
  expect_text(why_not(kTreeGpu, {{"compiled_by", "nvcc"s}, {"lanes", 2}}));
}

TEST(MatchKernels, HaveANameForEveryPolicyAndTheirParametersInTheirText) {
  std::set<std::string> names;
  std::set<std::string> texts;
  for (const CudaTraversal* variant : {&kTreeGpu, &kTreeWordsGpu})
    for (const Point& point : variant->space().all_points()) {
      const MatchPolicy policy = variant->at(point).policy;
      if (!names.insert(match_kernels().name(policy)).second) continue;
      const std::string text = match_kernels().text({&policy, 1});
      EXPECT_NE(text.find(match_kernels().name(policy) + "("), std::string::npos);
      texts.insert(text.substr(text.find("value{")));
    }
  // Slots and matches of 5 memories with their orders, each with both ends and reverse complements, and of
  // words; slots of the former with leaves as nodes; each with all lanes and threads.
  EXPECT_EQ(names.size(), (2u * (5 * 4 + 1) + 5 * 4) * 9 * 4);
  EXPECT_EQ(texts.size(), names.size());
}

}  // namespace
}  // namespace gpuseq::exact_match
