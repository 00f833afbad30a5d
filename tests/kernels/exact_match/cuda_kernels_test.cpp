#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernels/exact_match/oracle.hpp"
#include "tests/kernels/exact_match/cuda_launch.hpp"
#include "tests/kernels/exact_match/loaded_inputs.hpp"

namespace gpuseq::exact_match {
namespace {

using testing::all_data;
using testing::Data;
using testing::HostKernel;

/// Tables of words, as far as a kernel uses them.
struct Words {
  u32 prefix_letters = 0, filter_letters = 0;
};
const std::vector<Words> kWords{{0, 0}, {6, 0}, {0, 1}, {5, 9}};
const std::vector<Words> kLargerWords{{9, 0}, {3, 11}};

class CudaKernels : public ::testing::Test {
 protected:
  /// Calls `check` for every length, mode, kernel and table with the arguments of a launch and the oracle's
  /// matches.
  template <typename Check>
  void for_all(const Data& data, const std::vector<Mode>& modes, const std::vector<HostKernel>& kernels,
               const Check& check) {
    SuffixTree tree = build_tree(data.reference.text, pool_);
    order_nodes(tree, data.name.size() % 2 == 0 ? NodeOrder::breadth_first : NodeOrder::hybrid);
    const testing::HostTree host_tree(tree, pool_);
    host_tree_ = &host_tree;
    for (const u32 min_length : data.min_lengths)
      for (const Mode mode : modes) {
        const Search search{.min_length = min_length, .mode = mode, .both_strands = min_length % 3 != 0};
        const MatchList expected = oracles_matches(data, search);
        const testing::HostStrands strands(data.queries, search, pool_);
        MatchArguments arguments{};
        for (const HostKernel& kernel : kernels) {
          strands.set(arguments, search, kernel.policy, min_length % 2 == 0);
          SCOPED_TRACE(fmt::format("{}, length {}, mode {}, {}", data.name, min_length,
                                   static_cast<int>(mode), match_kernels().name(kernel.policy)));
          host_tree.set(arguments, kernel.policy);
          if (!kernel.policy.words)
            check(tree, search, kernel, arguments, expected);
          else
            with_words(tree, search, arguments, [&] { check(tree, search, kernel, arguments, expected); });
        }
      }
  }

  template <typename Check>
  void with_words(const SuffixTree& tree, const Search& search, MatchArguments& arguments,
                  const Check& check) {
    // Larger tables take the time that smaller texts do not.
    std::vector<Words> all = kWords;
    if (tree.nodes.size() > 5000) all.insert(all.end(), kLargerWords.begin(), kLargerWords.end());
    for (const Words& words : all) {
      SCOPED_TRACE(fmt::format("prefix {}, filter {}", words.prefix_letters, words.filter_letters));
      const PrefixTable prefixes = make_prefix_table(tree.view(), words.prefix_letters, pool_);
      const WordFilter filter = make_word_filter({tree.text.data(), tree.text.size()},
                                                 std::min(words.filter_letters, search.min_length), pool_);
      arguments.prefixes = prefixes.slots.data();
      arguments.prefix_letters = prefixes.letters;
      arguments.filter = filter.words.data();
      arguments.filter_letters = filter.letters;
      check();
    }
  }

  MatchList oracles_matches(const Data& data, const Search& search) {
    std::vector<u64> all(data.queries.count());
    std::iota(all.begin(), all.end(), u64{0});
    return Oracle(data.reference, search).find(data.queries, all, pool_);
  }

  ThreadPool pool_{1};
  const testing::HostTree* host_tree_ = nullptr;  // of the launch that is checked
};

TEST_F(CudaKernels, LeaveSlotsFromWhichTheOraclesMatchesAreListed) {
  for (const Data& data : all_data(7))
    for_all(data, {Mode::maxmatch, Mode::mumreference}, testing::host_kernels<false>(),
            [&](const SuffixTree& tree, const Search& search, const HostKernel& kernel,
                const MatchArguments& arguments, const MatchList& expected) {
              std::vector<Slot> slots = testing::launch_for_slots(kernel, arguments);
              host_tree_->name(slots, kernel.policy, pool_);
              EXPECT_TRUE(list_all(tree.view(), search, data.queries, 0, data.queries.count(), slots,
                                   slot_begins(data.queries, search)) == expected);
              for (const Slot& slot : slots)
                EXPECT_TRUE(slot.node == kNoNode ? slot.length == 0 : slot.length >= search.min_length);
            });
}

TEST_F(CudaKernels, ListTheOraclesMatchesWhateverIsKeptOfATask) {
  for (const Data& data : all_data(7)) {
    u64 matches = 0;
    for_all(data, {Mode::maxmatch, Mode::mum}, testing::host_kernels<true>(),
            [&](const SuffixTree&, const Search& search, const HostKernel& kernel,
                const MatchArguments& arguments, const MatchList& expected) {
              const u32 kept = 1 + matches % 5;
              EXPECT_TRUE(testing::launch_for_matches(kernel, arguments, search, kept, 0, pool_) == expected);
              matches += expected.matches.size();
            });
    EXPECT_GT(matches, 0u) << data.name;
  }
}

TEST_F(CudaKernels, ListOnlyMatchesThatBeginAtOwnPositions) {
  const Data data = all_data(0).back();
  for_all(data, {Mode::maxmatch, Mode::mumreference}, testing::host_kernels<true>(),
          [&](const SuffixTree&, const Search& search, const HostKernel& kernel, MatchArguments arguments,
              const MatchList& expected) {
            std::vector<u32> places;  // bounds at which matches begin
            for (const Match& match : expected.matches) places.push_back(match.reference);
            std::ranges::sort(places);
            arguments.own_begin = places[places.size() / 3];
            arguments.own_end = places[places.size() / 3 * 2];
            MatchList own;
            for (u64 strand = 0; strand < expected.end.size(); ++strand) {
              std::ranges::copy_if(
                  expected.of(strand), std::back_inserter(own.matches), [&](const Match& match) {
                    return match.reference >= arguments.own_begin && match.reference < arguments.own_end;
                  });
              own.end.push_back(own.matches.size());
            }
            EXPECT_LT(own.matches.size(), expected.matches.size());
            EXPECT_TRUE(testing::launch_for_matches(kernel, arguments, search, 2, 0, pool_) == own);
            // Positions of the tree's text are less than those of the reference's where it is a part.
            for (Match& match : own.matches) match.reference += 1000;
            EXPECT_TRUE(testing::launch_for_matches(kernel, arguments, search, 2, 1000, pool_) == own);
          });
}

TEST_F(CudaKernels, PassOverPositionsByWordsOfAsManyLettersAsThereCanBe) {
  const Data data = all_data(0).back();
  const SuffixTree tree = build_tree(data.reference.text, pool_);
  const testing::HostTree host_tree(tree, pool_);
  const Search search{.min_length = 17};
  const testing::HostStrands strands(data.queries, search, pool_);
  const MatchList expected = oracles_matches(data, search);
  const WordFilter filter = make_word_filter(data.reference.text, kMostWordLetters, pool_);
  const PrefixTable prefixes = make_prefix_table(tree.view(), 9, pool_);
  MatchArguments arguments{};
  arguments.filter = filter.words.data();
  arguments.filter_letters = filter.letters;
  arguments.prefixes = prefixes.slots.data();
  arguments.prefix_letters = prefixes.letters;
  for (const HostKernel& kernel : testing::host_kernels<true>()) {
    if (!kernel.policy.words) continue;
    strands.set(arguments, search, kernel.policy, false);
    host_tree.set(arguments, kernel.policy);
    EXPECT_TRUE(testing::launch_for_matches(kernel, arguments, search, 3, 0, pool_) == expected);
  }
}

TEST_F(CudaKernels, LanesWriteTheSlotsOfTheirPartAndNoOthers) {
  const Data data = all_data(0).back();
  const SuffixTree tree = build_tree(data.reference.text, pool_);
  const testing::HostTree host_tree(tree, pool_);
  const Search search{.min_length = 400};
  const testing::HostStrands strands(data.queries, search, pool_);
  for (const HostKernel& kernel : testing::host_kernels<false>()) {
    if (kernel.policy.lanes != 4) continue;
    SCOPED_TRACE(match_kernels().name(kernel.policy));
    MatchArguments arguments{};
    strands.set(arguments, search, kernel.policy, false);
    host_tree.set(arguments, kernel.policy);
    const std::vector<Slot> all = testing::launch_for_slots(kernel, arguments);
    for (u32 task = 0; task < 16; ++task) {
      std::vector<Slot> slots(all.size(), testing::kUnwritten);
      arguments.slots = slots.data();
      kernel.thread(arguments, {task % kernel.policy.threads, task / kernel.policy.threads, 1});
      const u64 first = strands.layout.slot_begin[task / 4], of_strand = 2601;
      for (u64 i = 0; i < slots.size(); ++i) {
        const bool mine =
            i >= first + of_strand * (task % 4) / 4 && i < first + of_strand * (task % 4 + 1) / 4;
        const Slot wanted = mine ? all[i] : testing::kUnwritten;
        ASSERT_TRUE(slots[i].node == wanted.node && slots[i].length == wanted.length) << task << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace gpuseq::exact_match
