#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "kernels/exact_match/library/gpuseq_exact_match.h"
#include "kernels/exact_match/library/tree_file.hpp"
#include "kernels/exact_match/oracle.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/system/random.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/exact_match/records_alike.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::exact_match {
namespace {

std::string random_letters(std::size_t count, Random& random) {
  std::string letters;
  for (std::size_t i = 0; i < count; ++i) letters += "ACGT"[random.below(4)];
  return letters;
}

/// Sequences as the functions take them.
struct Letters {
  std::string letters;
  std::vector<uint64_t> begin{0};
  explicit Letters(const std::vector<std::string>& sequences) {
    for (const std::string& sequence : sequences) {
      letters += sequence;
      begin.push_back(letters.size());
    }
  }
  std::size_t count() const { return begin.size() - 1; }
};

using Line = std::array<u64, 6>;  // query, strand, sequence, place in it, place in the strand, length

class ExactMatchLibrary : public ::testing::Test {
 protected:
  void SetUp() override {
    Random random(3);
    for (const std::size_t bases : {900, 400, 30}) reference_.push_back(random_letters(bases, random));
    reference_[1].replace(100, 4, "NNNN");
    reference_[0].replace(500, 60, reference_[0].substr(100, 60));  // a repeat
    for (std::size_t i = 0; i < 60; ++i) queries_.push_back(reference_[i % 2].substr(i * 5, 5 + i));
    queries_.insert(queries_.end(), {"", "ACG", random_letters(200, random), std::string(50, 'N'),
                                     reference_[0] + "N" + reference_[1]});
    for (std::size_t i = 0; i < queries_.size(); i += 3)
      if (queries_[i].size() > 20) queries_[i][10] = 'T';
    const Letters given(reference_);
    ASSERT_EQ(
        gpuseq_exact_match_build(given.letters.data(), given.begin.data(), given.count(), path_.c_str(), 2),
        GPUSEQ_EXACT_MATCH_OK)
        << gpuseq_exact_match_message();
  }
  ~ExactMatchLibrary() override { gpuseq_exact_match_close(index_); }

  std::vector<Line> search(const gpuseq_exact_match_options* options) {
    gpuseq_exact_match_close(index_);
    EXPECT_EQ(gpuseq_exact_match_open(path_.c_str(), options, &index_), GPUSEQ_EXACT_MATCH_OK)
        << gpuseq_exact_match_message();
    const Letters given(queries_);
    gpuseq_exact_match_found* found = nullptr;
    uint64_t count = 0;
    EXPECT_EQ(gpuseq_exact_match_search(index_, given.letters.data(), given.begin.data(), given.count(),
                                        &found, &count),
              GPUSEQ_EXACT_MATCH_OK)
        << gpuseq_exact_match_message();
    std::vector<Line> lines;
    for (uint64_t i = 0; i < count; ++i)
      lines.push_back({found[i].query, found[i].strand, found[i].sequence, found[i].sequence_position,
                       found[i].query_position, found[i].length});
    gpuseq_exact_match_free(found);
    return lines;
  }

  std::vector<Line> expected(const Search& search) {
    Reference reference = empty_reference();
    for (const std::string& sequence : reference_) append(reference, "", sequence);
    Queries queries = empty_queries();
    for (const std::string& query : queries_) append(queries, "", query);
    std::vector<Line> lines;
    const Oracle oracle(reference, search);
    for (u64 query = 0; query < queries.count(); ++query)
      for (u32 strand = 0; strand < search.strands(); ++strand)
        for (const Match& match : oracle.find(strand_of(queries, query, strand))) {
          const u32 sequence = reference.sequence_at(match.reference);
          lines.push_back({query, strand, sequence, match.reference - reference.begin[sequence], match.query,
                           match.length});
        }
    return lines;
  }
  static std::vector<u8> strand_of(const Queries& queries, u64 query, u32 strand) {
    const std::span<const u8> codes = queries.codes(query);
    std::vector<u8> letters(codes.begin(), codes.end());
    if (strand == 1) reverse_complement(codes, letters);
    return letters;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path() / "index";
  std::vector<std::string> reference_, queries_;
  gpuseq_exact_match* index_ = nullptr;
};

TEST_F(ExactMatchLibrary, ListsWhatTheOracleFinds) {
  for (const u32 min_length : {1u, 7u, 20u})
    for (const auto mode :
         {GPUSEQ_EXACT_MATCH_ALL, GPUSEQ_EXACT_MATCH_UNIQUE_REFERENCE, GPUSEQ_EXACT_MATCH_UNIQUE})
      for (const int both_strands : {0, 1}) {
        const gpuseq_exact_match_options options{.threads = 2,
                                                 .device = 0,
                                                 .trusted = both_strands,
                                                 .min_length = min_length,
                                                 .mode = mode,
                                                 .both_strands = both_strands};
        const auto lines = expected(
            {.min_length = min_length, .mode = static_cast<Mode>(mode), .both_strands = both_strands != 0});
        EXPECT_FALSE(lines.empty());
        EXPECT_EQ(search(&options), lines) << min_length << ' ' << mode << ' ' << both_strands;
      }
  EXPECT_EQ(search(nullptr), expected({}));
}

/// On both sides of the sizes from which threads sort a text in buckets and share queries.
TEST_F(ExactMatchLibrary, TreesOfRecordsThatEndAlikeAreRightWithAnyThreads) {
  for (const std::size_t letters : {500, 130'000})
    for (const auto& input : testing::records_alike(letters)) {
      if (input.records.size() < 100 || input.records.front().size() < 20) continue;
      reference_ = input.records;
      queries_.assign(input.records.begin(), input.records.begin() + 100);
      for (std::size_t i = 0; i < letters / 500; ++i) queries_.push_back(std::string(100, "CT"[i % 2]));
      const Letters given(reference_);
      std::string first;
      for (const int threads : {1, 2, 3}) {
        ASSERT_EQ(gpuseq_exact_match_build(given.letters.data(), given.begin.data(), given.count(),
                                           path_.c_str(), threads),
                  GPUSEQ_EXACT_MATCH_OK)
            << gpuseq_exact_match_message();
        const std::string file = read_file(path_);
        if (threads == 1) first = file;
        EXPECT_TRUE(file == first) << input.name << ", " << threads << " threads";
      }
      const gpuseq_exact_match_options options{.threads = 3,
                                               .device = 0,
                                               .trusted = 0,
                                               .min_length = 22,
                                               .mode = GPUSEQ_EXACT_MATCH_ALL,
                                               .both_strands = 0};
      EXPECT_EQ(search(&options), expected({.min_length = 22, .both_strands = false})) << input.name;
    }
}

/// Queries are searched in batches of 64 MiB of letters.
TEST_F(ExactMatchLibrary, QueriesOfSeveralBatchesHaveTheirOwnMatches) {
  constexpr std::size_t kBatch = std::size_t{64} << 20;
  const std::string other(8 << 20, 'N'), some = reference_[0].substr(40, 30);
  queries_.clear();
  for (std::size_t letters = 0, i = 0; letters < 2 * kBatch; letters += queries_.back().size(), ++i)
    queries_.push_back(i % 2 == 0 ? some : other.substr(i % 3));
  const gpuseq_exact_match_options options{.threads = 2,
                                           .device = 0,
                                           .trusted = 0,
                                           .min_length = 30,
                                           .mode = GPUSEQ_EXACT_MATCH_ALL,
                                           .both_strands = 0};
  std::vector<Line> lines;
  for (u64 query = 0; query < queries_.size(); query += 2) lines.push_back({query, 0, 0, 40, 0, 30});
  EXPECT_EQ(search(&options), lines);
}

TEST_F(ExactMatchLibrary, TreesOfEveryOrderOfNodesComeBack) {
  ThreadPool pool(2);
  Reference reference = empty_reference();
  for (const std::string& sequence : reference_) append(reference, "", sequence);
  for (const NodeOrder order : {NodeOrder::depth_first, NodeOrder::breadth_first, NodeOrder::hybrid}) {
    SuffixTree tree = build_tree(reference.text, pool);
    order_nodes(tree, order);
    write_tree(path_, reference, tree, order);
    const TreeFile file(path_, order);
    file.check_content(pool);
    EXPECT_EQ(file.tree().view().node_count, tree.view().node_count);
    EXPECT_TRUE(std::ranges::equal(file.begins(), reference.begin));
    EXPECT_THROW(TreeFile(path_, order == NodeOrder::hybrid ? NodeOrder::depth_first : NodeOrder::hybrid),
                 library::RefusedFile);
  }
}

TEST_F(ExactMatchLibrary, RefusesTreesThatAreNotThoseOfTheirTexts) {
  ThreadPool pool(1);
  Reference reference = empty_reference();
  for (const std::string& sequence : reference_) append(reference, "", sequence);
  const auto refusal = [&](const auto& change) -> std::string {
    SuffixTree tree = build_tree(reference.text, pool);
    Reference own = reference;
    change(tree, own);
    write_tree(path_, own, tree, NodeOrder::depth_first);  // with right checksums
    try {
      TreeFile(path_, NodeOrder::depth_first).check_content(pool);
      return "";
    } catch (const library::RefusedFile& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refusal([](SuffixTree&, Reference&) {}), "");
  expect_text(refusal([](SuffixTree& tree, Reference&) { tree.nodes[7].suffix_link = 1u << 30; }));
  expect_text(refusal([](SuffixTree& tree, Reference&) { tree.leaves[7] = 1u << 30; }));
  expect_text(refusal([](SuffixTree& tree, Reference&) { tree.text[5] = 9; }));
  expect_text(refusal([](SuffixTree& tree, Reference&) { tree.text[5] = 4; }));
  expect_text(refusal([](SuffixTree& tree, Reference&) { tree.text[tree.text.size() - 1] = 0; }));
  expect_text(refusal([](SuffixTree&, Reference& own) { own.begin[1] = 3; }));
  expect_text(refusal([](SuffixTree&, Reference& own) { own.begin.back() = 1u << 30; }));
}

TEST_F(ExactMatchLibrary, SaysWhichArgumentIsWrong) {
  const std::vector<uint64_t> begin{0, 3}, descending{0, 3, 2};
  gpuseq_exact_match_found* found = nullptr;
  uint64_t count = 0;
  const auto expect = [](gpuseq_exact_match_status status) {
    EXPECT_EQ(status, GPUSEQ_EXACT_MATCH_WRONG_ARGUMENT);
    expect_text(gpuseq_exact_match_message());
  };
  expect(gpuseq_exact_match_build("ACG", begin.data(), 0, path_.c_str(), 0));
  expect(gpuseq_exact_match_build("ACG", nullptr, 1, path_.c_str(), 0));
  expect(gpuseq_exact_match_build(nullptr, begin.data(), 1, path_.c_str(), 0));
  expect(gpuseq_exact_match_build("NNN", begin.data(), 1, path_.c_str(), 0));
  expect(gpuseq_exact_match_build("ACG", descending.data(), 2, path_.c_str(), 0));
  expect(gpuseq_exact_match_build("ACG", begin.data(), 1, "", 0));
  const gpuseq_exact_match_options wrong{.threads = 1,
                                         .device = 0,
                                         .trusted = 0,
                                         .min_length = 1,
                                         .mode = static_cast<gpuseq_exact_match_mode>(3),
                                         .both_strands = 0};
  expect(gpuseq_exact_match_open(path_.c_str(), &wrong, &index_));
  ASSERT_EQ(gpuseq_exact_match_open(path_.c_str(), nullptr, &index_), GPUSEQ_EXACT_MATCH_OK);
  expect(gpuseq_exact_match_search(nullptr, "ACG", begin.data(), 1, &found, &count));
  expect(gpuseq_exact_match_search(index_, "ACG", begin.data(), 1, nullptr, &count));
  expect(gpuseq_exact_match_search(index_, "ACG", begin.data(), 1, &found, nullptr));
  EXPECT_EQ(gpuseq_exact_match_search(index_, "ACG", begin.data(), 1, &found, &count), GPUSEQ_EXACT_MATCH_OK);
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(count, 0u);
  gpuseq_exact_match_free(nullptr);
}

}  // namespace
}  // namespace gpuseq::exact_match
