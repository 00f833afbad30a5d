#include "kernels/exact_match/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/exact_match/data/cache.hpp"
#include "kernels/exact_match/data/generator.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/exact_match/small_inputs.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::exact_match {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<MatchProblem> problem(const std::string& point, std::filesystem::path cache_dir = {}) {
  return load_problem({.point = Point::parse(point),
                       .files = {},
                       .seed = 1,
                       .cache_dir = std::move(cache_dir),
                       .threads = 1});
}

/// A session that gives the oracle's own matches, or others.
class GivenMatches final : public MatchSession {
 public:
  GivenMatches(MatchProblem& problem, MatchList list) : MatchSession(problem), list_(std::move(list)) {}
  void launch() override {}
  HeldMemory held() const override { return {}; }
  Cost cost() const override { return {.work = work(), .held = held()}; }
  MatchList matches() override { return list_; }

 private:
  MatchList list_;
};

TEST(MatchProblem, IsTheSameForTheSameSeedAndAnotherForAnyOtherAxis) {
  const std::string base = "reference_bases=5000,query_count=50";
  const std::string hash = problem(base)->hash();
  EXPECT_EQ(problem(base)->hash(), hash);
  for (const char* more : {"repeat_percent=90", "reference_sequences=2", "query_bases=99",
                           "errors_per_1000=0", "min_length=21", "mode=mum", "both_strands=yes"})
    EXPECT_NE(problem(base + "," + more)->hash(), hash) << more;
}

TEST(MatchProblem, VerificationNamesAMatchThatIsMissingAddedOrWrong) {
  const auto loaded = problem("reference_bases=5000,query_count=50,both_strands=yes");
  const MatchList right = loaded->expected();
  ASSERT_GT(right.matches.size(), 50u);
  EXPECT_EQ(GivenMatches(*loaded, right).verify().checked, right.matches.size());
  EXPECT_TRUE(GivenMatches(*loaded, right).verify().passed);
  for (const auto change : {+[](Match& match) { ++match.length; }, +[](Match& match) { ++match.reference; },
                            +[](Match& match) { ++match.query; }}) {
    MatchList wrong = right;
    change(wrong.matches.back());
    expect_text(GivenMatches(*loaded, wrong).verify().reason);
  }
  MatchList missing = right;
  missing.matches.pop_back();
  while (missing.end.size() > 1 && missing.end[missing.end.size() - 2] == right.matches.size())
    missing.end.pop_back();
  for (u64& end : missing.end) end = std::min<u64>(end, missing.matches.size());
  missing.end.resize(right.end.size(), missing.matches.size());
  expect_text(GivenMatches(*loaded, missing).verify().reason);
  missing.end.pop_back();
  expect_text(GivenMatches(*loaded, missing).verify().reason);
}

TEST(MatchProblem, ChecksCountsOfOtherPrograms) {
  const auto loaded = problem("reference_bases=5000,query_count=5,errors_per_1000=0");
  Answers answers;
  for (u64 query = 0; query < 5; ++query)
    answers[loaded->queries().names[query]] = static_cast<double>(loaded->expected().of(query).size());
  EXPECT_TRUE(loaded->check(answers).passed);
  EXPECT_EQ(loaded->check(answers).checked, 5u);
  Answers more = answers;
  more["read4"] += 1;
  expect_text(loaded->check(more).reason);
  more = answers;
  more["read9"] = 0;
  expect_text(loaded->check(more).reason);
}

TEST(MatchProblem, GivesTheTreeInTheOrderThatIsAskedForWhileOthersHoldAnother) {
  const auto loaded = problem("reference_bases=5000,query_count=5");
  const auto first = loaded->tree(NodeOrder::breadth_first);
  const auto second = loaded->tree(NodeOrder::depth_first);
  EXPECT_NE(first, second);
  EXPECT_EQ(loaded->tree(NodeOrder::depth_first), second);
  for (u32 v = 1; v < first->nodes.size(); ++v) ASSERT_LT(first->nodes[v].parent, v);
  EXPECT_EQ(first->nodes.size(), second->nodes.size());
}

TEST(Generator, MakesReadsOfBothStrandsWithAboutSoManyErrors) {
  const Reference reference = random_reference({.bases = 50'000, .sequences = 3, .seed = 9});
  EXPECT_EQ(reference.count(), 3u);
  EXPECT_EQ(reference.letters(), 50'000u);
  const Queries exact = simulate_reads(reference, {.count = 400, .bases = 80, .seed = 1});
  const Queries wrong =
      simulate_reads(reference, {.count = 400, .bases = 80, .errors_per_1000 = 50, .seed = 1});
  const std::string text = letters_of(reference.text);
  int forward = 0, reverse = 0;
  u64 errors = 0;
  for (u64 read = 0; read < 400; ++read) {
    std::vector<u8> other(80);
    reverse_complement(exact.codes(read), other);
    const bool is_forward = text.find(letters_of(exact.codes(read))) != text.npos;
    forward += is_forward;
    reverse += !is_forward && text.find(letters_of(other)) != text.npos;
    for (u64 i = 0; i < 80; ++i) errors += wrong.codes(read)[i] != exact.codes(read)[i];
  }
  EXPECT_EQ(forward + reverse, 400);
  EXPECT_GT(forward, 150);
  EXPECT_GT(reverse, 150);
  EXPECT_NEAR(static_cast<double>(errors), 400 * 80 * 0.05, 200);
  EXPECT_THROW(simulate_reads(reference, {.count = 1, .bases = 20'000}), UsageError);
}

class CacheTest : public ::testing::Test {
 protected:
  /// The message about the cache of a reference, with this content, which is not taken.
  std::string refusal(const Reference& reference, const std::string& content) {
    TreeCache cache(folder_.path(), reference.text);
    write_file_atomically(cache.path(), content);
    EXPECT_FALSE(cache.load(pool_));
    return cache.note();
  }

  TemporaryFolder folder_;
  ThreadPool pool_{3};
  Reference reference_ = random_reference({.bases = 3000, .repeat_percent = 30});
};

TEST_F(CacheTest, KeepsATree) {
  const auto folder = folder_.path() / "new" / "cache";
  const LoadedTree built = load_tree(folder, reference_.text, NodeOrder::breadth_first, pool_);
  const LoadedTree read = load_tree(folder, reference_.text, NodeOrder::breadth_first, pool_);
  EXPECT_FALSE(built.from_cache);
  EXPECT_TRUE(read.from_cache);
  EXPECT_EQ(built.note + read.note, "");
  const auto bytes = [](const auto& array) {
    return std::string(reinterpret_cast<const char*>(array.data()), array.size() * sizeof array[0]);
  };
  EXPECT_EQ(bytes(read.tree.nodes), bytes(built.tree.nodes));
  EXPECT_EQ(bytes(read.tree.ranges), bytes(built.tree.ranges));
  EXPECT_EQ(bytes(read.tree.leaf_parent), bytes(built.tree.leaf_parent));
  EXPECT_EQ(bytes(read.tree.leaf_depth), bytes(built.tree.leaf_depth));
  EXPECT_EQ(bytes(read.tree.leaves), bytes(built.tree.leaves));
  EXPECT_EQ(bytes(read.tree.text), bytes(built.tree.text));
  reference_.text[5] ^= 1;
  EXPECT_FALSE(load_tree(folder, reference_.text, NodeOrder::breadth_first, pool_).from_cache);
}

TEST_F(CacheTest, GivesNodesInTheOrderThatIsAskedForWhereverTheTreeComesFrom) {
  for (const NodeOrder order : {NodeOrder::depth_first, NodeOrder::breadth_first, NodeOrder::hybrid}) {
    SuffixTree expected = build_tree(reference_.text, pool_);
    order_nodes(expected, order);
    const auto folder = folder_.path() / std::to_string(static_cast<int>(order));
    for (const auto& from : {folder, folder, std::filesystem::path()}) {  // built, read, built
      const LoadedTree loaded = load_tree(from, reference_.text, order, pool_);
      EXPECT_EQ(loaded.tree.order, order);
      EXPECT_TRUE(std::ranges::equal(
          loaded.tree.ranges, expected.ranges,
          [](LeafRange a, LeafRange b) { return a.first == b.first && a.count == b.count; }))
          << static_cast<int>(order) << " from '" << from.string() << "'";
    }
    EXPECT_TRUE(load_tree(folder, reference_.text, order, pool_).from_cache);
  }
}

TEST_F(CacheTest, RebuildsAFileThatIsDamagedAnywhereOrCutShort) {
  TreeCache cache(folder_.path(), reference_.text);
  SuffixTree tree = build_tree(reference_.text, pool_);
  order_nodes(tree, TreeCache::kOrder);
  ASSERT_TRUE(cache.store(tree, pool_));
  const std::string sound = read_file(cache.path());
  for (std::size_t at = 0; at < sound.size(); at += at < 120 ? 1 : sound.size() / 97) {
    std::string damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_THAT(refusal(reference_, damaged), HasSubstr("rebuilt")) << at;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{50}, sound.size() / 2, sound.size() - 1}) {
    write_file_atomically(cache.path(), sound.substr(0, size));
    EXPECT_FALSE(TreeCache(folder_.path(), reference_.text).load(pool_)) << size;
  }
  EXPECT_FALSE(load_tree(folder_.path(), reference_.text, NodeOrder::hybrid, pool_).from_cache);
  EXPECT_TRUE(load_tree(folder_.path(), reference_.text, NodeOrder::hybrid, pool_).from_cache);
}

TEST_F(CacheTest, ReadsSectionsOfSeveralPiecesAndFindsDamageInEach) {
  const Reference reference = random_reference({.bases = 400'000, .sequences = 2, .repeat_percent = 10});
  const SuffixTree built = load_tree(folder_.path(), reference.text, TreeCache::kOrder, pool_).tree;
  TreeCache cache(folder_.path(), reference.text);
  const auto loaded = cache.load(pool_);
  ASSERT_TRUE(loaded) << cache.note();
  EXPECT_EQ(std::memcmp(loaded->nodes.data(), built.nodes.data(), built.nodes.size() * sizeof(TreeNode)), 0);
  EXPECT_TRUE(std::ranges::equal(loaded->leaves, built.leaves));
  const std::string sound = read_file(cache.path());
  constexpr std::size_t kPiece = std::size_t{4} << 20;
  ASSERT_GT(built.nodes.size() * sizeof(TreeNode), kPiece);
  for (const std::size_t at : {std::size_t{4000}, kPiece, kPiece + 1000, sound.size() - 5}) {
    std::string damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    expect_text(refusal(reference, damaged));
  }
}

TEST_F(CacheTest, GoesOnWithoutAFolderThatCanBeWritten) {
  const LoadedTree built =
      load_tree(folder_.write("file", "") / "cache", reference_.text, NodeOrder::hybrid, pool_);
  EXPECT_FALSE(built.from_cache);
  expect_text(built.note);
  EXPECT_EQ(load_tree({}, reference_.text, NodeOrder::hybrid, pool_).note, "");
}

}  // namespace
}  // namespace gpuseq::exact_match
