#include "kernels/exact_match/traffic_classes.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "kernels/exact_match/data/generator.hpp"
#include "kernels/exact_match/traffic.hpp"
#include "kernels/exact_match/traffic_heat.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u32 kBlock = 32;
constexpr double kMiB = 1 << 20;

double blocks_of(const std::vector<TrafficClass>& classes) {
  return std::accumulate(classes.begin(), classes.end(), 0.,
                         [](double sum, const TrafficClass& at) { return sum + at.blocks; });
}

double outside(const std::vector<TrafficClass>& classes, std::size_t footprint) {
  double blocks = 0;
  for (const TrafficClass& at : classes)
    if (at.footprint_bytes >= footprint) blocks += at.blocks;
  return blocks;
}

TEST(TrafficClasses, OfATableThatIsReadEvenlyAreTheSharesOfItsBytes) {
  const double reads = 1e9;
  for (const std::size_t bytes : {std::size_t{1} << 23, std::size_t{5'000'000}, std::size_t{300'000}}) {
    const auto classes = classes_of({{static_cast<double>(bytes), reads}}, kBlock);
    const std::size_t top = std::bit_floor(bytes - 1);
    EXPECT_EQ(classes.front().footprint_bytes, kLeastClassBytes);
    EXPECT_EQ(classes.back().footprint_bytes, top);
    for (const TrafficClass& at : classes) {
      const std::size_t begin = at.footprint_bytes == kLeastClassBytes ? 0 : at.footprint_bytes;
      const std::size_t end = std::min(2 * at.footprint_bytes, bytes);
      EXPECT_NEAR(at.blocks / reads, static_cast<double>(end - begin) / static_cast<double>(bytes), 1e-9);
    }
  }
  EXPECT_THAT(classes_of({{1000, 7}}, kBlock), ::testing::ElementsAre(TrafficClass{kLeastClassBytes, 7}));
  EXPECT_TRUE(classes_of({{1000, 0}}, kBlock).empty());
}

TEST(TrafficClasses, HaveHotMemoriesBeforeColdOnesWhateverTheirOrder) {
  // 1 MiB is read 3 times as often as the 3 MiB next to it, per byte 9 times.
  const std::vector<EvenMemory> memories{{3 * kMiB, 1e9}, {kMiB, 3e9}};
  const auto classes = classes_of(memories, kBlock);
  EXPECT_NEAR(outside(classes, 1 << 20), 1e9, 1);
  EXPECT_NEAR(outside(classes, 1 << 21), 1e9 * 2 / 3, 1);
  EXPECT_NEAR(outside(classes, 1 << 19), 1e9 + 1.5e9, 1);
  EXPECT_EQ(classes, classes_of({memories[1], memories[0]}, kBlock));
}

TEST(TrafficClasses, HaveOnlyTheBytesThatALaunchComesTo) {
  // 1000 blocks of a gigabyte: caches hold all 32 kB from one launch to the next.
  EXPECT_THAT(classes_of({{1e9, 1000}}, kBlock),
              ::testing::ElementsAre(TrafficClass{kLeastClassBytes, 1000}));
  // As many blocks as there are: a share of 1 - 1/e is touched.
  const auto classes = classes_of({{4 * kMiB, 4 * kMiB / kBlock}}, kBlock);
  EXPECT_EQ(classes.back().footprint_bytes, 1u << 21);
  EXPECT_NEAR(outside(classes, 1 << 21) / blocks_of(classes), 1 - 0.5 / (1 - std::exp(-1)), 1e-9);
}

TEST(TrafficClasses, AreJoinedFootprintByFootprint) {
  const std::vector<TrafficClass> a{{1 << 16, 1}, {1 << 20, 2}}, b{{1 << 18, 4}, {1 << 20, 8}};
  EXPECT_THAT(joined(a, b), ::testing::ElementsAre(TrafficClass{1 << 16, 1}, TrafficClass{1 << 18, 4},
                                                   TrafficClass{1 << 20, 10}));
  EXPECT_EQ(joined({}, b), b);
}

class TrafficOfATree : public ::testing::Test {
 protected:
  /// The largest class where all nodes of at most a depth are read, those of more leaves more often.
  std::size_t largest_class(u32 most_depth) const {
    HotNodes hot(tree_);
    for (u32 node = 0; node < tree_.node_count; ++node)
      if (tree_.nodes[node].depth <= most_depth)
        for (u32 i = 0; i < tree_.ranges[node].count; ++i) hot.read_node(node);
    std::vector<EvenMemory> memories;
    hot.nodes.append_to(memories, sizeof(TreeNode), 1000);
    return classes_of(memories, kBlock).back().footprint_bytes;
  }
  Queries reads(u64 count) {
    return simulate_reads(reference_, {.count = count, .bases = 100, .errors_per_1000 = 10});
  }

  ThreadPool pool_{1};
  Reference reference_ = random_reference({.bases = 200'000, .sequences = 1, .repeat_percent = 0});
  TreePart part_ = whole(std::make_shared<const SuffixTree>(build_tree(reference_.text, pool_)));
  TreeView tree_ = part_.tree->view();
};

TEST_F(TrafficOfATree, HasLargerClassesForDeeperNodes) {
  EXPECT_EQ(largest_class(4), kLeastClassBytes);
  std::size_t last = kLeastClassBytes;
  for (const u32 depth : {6, 7, 8}) {
    EXPECT_GT(largest_class(depth), last) << depth;
    last = largest_class(depth);
  }
  // Nodes of at most 8 letters are fewer than 4^9 / 3, and all of them are more than 4^8.
  EXPECT_EQ(last, std::size_t{2} << 20);
}

TEST_F(TrafficOfATree, HasEachNodeInACellAndCountsItThere) {
  HotNodes hot(tree_);
  EXPECT_EQ(std::accumulate(hot.nodes.places.begin(), hot.nodes.places.end(), 0.), tree_.node_count);
  EXPECT_EQ(hot.ranges.places, hot.nodes.places);
  const auto root_cell = static_cast<std::size_t>(std::bit_width(tree_.leaf_count));  // of depth 0
  hot.read_node(kRoot);
  hot.read_range(kRoot);
  for (const HotCells* cells : {&hot.nodes, &hot.ranges})
    for (std::size_t cell = 0; cell < cells->places.size(); ++cell)
      EXPECT_EQ(cells->blocks[cell], cell == root_cell ? 1 : 0);
  EXPECT_EQ(hot.nodes.places[root_cell], 1);  // no other node has no letters
}

TEST_F(TrafficOfATree, HasTheFrequentWordsOfATableInACellOfTheirOwn) {
  std::vector<u8> text(1002, 0);  // A...A, and separators around it
  text.front() = text.back() = 4;
  const SuffixTree tree = build_tree(text, pool_);
  HotWords hot(tree.view(), 6, 64, kBlock);  // 4096 entries of 8 bytes, four a block
  EXPECT_EQ(std::accumulate(hot.blocks.places.begin(), hot.blocks.places.end(), 0.), 1024);
  hot.read(0);
  hot.read(3);  // of the same block
  for (u32 word = 4; word < 4096; ++word) hot.read(word);
  EXPECT_THAT(hot.blocks.blocks[0], 4092);
  EXPECT_THAT(hot.blocks.blocks[std::bit_width(995u)], 2);  // AAAAAA has 995 places
}

TEST_F(TrafficOfATree, IsTheSumOfItsClasses) {
  for (const SearchWay& way :
       {SearchWay{}, SearchWay{.listed = true}, SearchWay{.prefix_letters = 7, .filter_letters = 10}})
    for (const u32 min_length : {12u, 40u}) {
      const std::vector<TreePart> parts(min_length == 40 ? 2 : 1, part_);
      const Traffic traffic =
          count_traffic(parts, {.min_length = min_length, .both_strands = true}, reads(3000), way);
      EXPECT_GT(traffic.blocks, 3000);
      EXPECT_NEAR(blocks_of(traffic.classes), traffic.blocks, 1e-6 * traffic.blocks);
      EXPECT_TRUE(std::ranges::is_sorted(traffic.classes, {}, &TrafficClass::footprint_bytes));
      EXPECT_LE(traffic.classes.back().footprint_bytes, traffic.footprint_bytes);
      for (const TrafficClass& at : traffic.classes) EXPECT_TRUE(std::has_single_bit(at.footprint_bytes));
    }
}

TEST_F(TrafficOfATree, IsFurtherOutWhereSuffixLinksAreFollowedThanNearTheRoot) {
  const auto share = [&](u32 min_length, const SearchWay& way = {}) {
    const Traffic traffic = count_traffic({&part_, 1}, {.min_length = min_length}, reads(20'000), way);
    return outside(traffic.classes, 1 << 20) / traffic.blocks;
  };
  EXPECT_GT(share(20), 2 * share(100));  // of 100 bases: down from the root once
  EXPECT_GT(share(20), 0.3);
}

TEST_F(TrafficOfATree, OfOneQueryStaysInTheNearestCache) {
  const Traffic traffic = count_traffic({&part_, 1}, {.min_length = 20}, reads(1), {});
  EXPECT_GT(traffic.blocks, 20);
  EXPECT_THAT(traffic.classes, ::testing::ElementsAre(TrafficClass{kLeastClassBytes, traffic.blocks}));
}

}  // namespace
}  // namespace gpuseq::exact_match
