#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/exact_match/cpu/search.hpp"
#include "kernels/exact_match/found_matches.hpp"
#include "kernels/exact_match/oracle.hpp"
#include "tests/kernels/exact_match/loaded_inputs.hpp"

namespace gpuseq::exact_match {
namespace {

using testing::all_data;
using testing::Data;

/// One way of searching.
struct Way {
  NodeOrder order = NodeOrder::depth_first;
  u32 prefix_letters = 0, filter_letters = 0, in_flight = 1;
};

const std::vector<Way> kWays{{},
                             {.order = NodeOrder::breadth_first, .in_flight = 7},
                             {.prefix_letters = 1, .in_flight = 3},
                             {.prefix_letters = 6},
                             {.filter_letters = 1},
                             {.prefix_letters = 5, .filter_letters = 9, .in_flight = 4},
                             {.order = NodeOrder::hybrid, .prefix_letters = 7, .filter_letters = 6}};

class CpuSearch : public ::testing::Test {
 protected:
  /// Calls `check` for every way, mode and strands with a job and the oracle's matches.
  template <typename Check>
  void for_all(const Data& data, const Check& check) {
    SuffixTree tree = build_tree(data.reference.text, pool_);
    std::vector<u64> all(data.queries.count());
    std::iota(all.begin(), all.end(), u64{0});
    for (const u32 min_length : data.min_lengths)
      for (const Mode mode : {Mode::maxmatch, Mode::mumreference, Mode::mum}) {
        const Search search{.min_length = min_length, .mode = mode, .both_strands = min_length % 3 != 0};
        const MatchList expected = Oracle(data.reference, search).find(data.queries, all, pool_);
        for (const Way& way : kWays) {
          SCOPED_TRACE(fmt::format("{}, length {}, mode {}, prefix {}, filter {}, in flight {}", data.name,
                                   min_length, static_cast<int>(mode), way.prefix_letters, way.filter_letters,
                                   way.in_flight));
          order_nodes(tree, way.order);
          const PrefixTable prefixes = make_prefix_table(tree.view(), way.prefix_letters, pool_);
          const WordFilter filter =
              make_word_filter(data.reference.text, std::min(way.filter_letters, min_length), pool_);
          check(SearchJob{.tree = tree.view(),
                          .search = search,
                          .prefixes = &prefixes,
                          .filter = &filter,
                          .queries = &data.queries,
                          .begin = 0,
                          .end = data.queries.count(),
                          .in_flight = way.in_flight},
                expected);
        }
      }
  }
  ThreadPool pool_{1};
};

TEST_F(CpuSearch, FindsTheOraclesMatchesInEveryWay) {
  for (const Data& data : all_data(40)) {
    u64 matches = 0;
    for_all(data, [&](const SearchJob& job, const MatchList& expected) {
      EXPECT_TRUE(find_matches(job) == expected);
      matches += expected.matches.size();
    });
    EXPECT_GT(matches, 0u) << data.name;
  }
}

TEST_F(CpuSearch, LeavesSlotsFromWhichTheMatchesAreListed) {
  for (const Data& data : all_data(10))
    for_all(data, [&](const SearchJob& job, const MatchList& expected) {
      const std::vector<u64> begins = slot_begins(data.queries, job.search);
      std::vector<Slot> slots(begins.back(), Slot{7, 7});
      find_slots(job, begins, slots.data());
      EXPECT_TRUE(list_all(job.tree, job.search, data.queries, 0, data.queries.count(), slots, begins) ==
                  expected);
    });
}

TEST_F(CpuSearch, SearchesOnlyTheQueriesOfItsJob) {
  const Data data = all_data(0).back();
  for_all(data, [&](SearchJob job, const MatchList& expected) {
    std::vector<MatchList> pieces;
    for (const auto& [begin, end] : {std::pair{0, 1}, {1, 1}, {1, 4}}) {
      job.begin = static_cast<u64>(begin);
      job.end = static_cast<u64>(end);
      pieces.push_back(find_matches(job));
    }
    EXPECT_TRUE(joined(pieces, pool_) == expected);
  });
}

/// The longest string from a position on that occurs in the reference.
u32 longest_by_brute_force(const Reference& reference, const std::string& text, std::string_view rest) {
  u32 length = 0;
  while (length < rest.size() && rest[length] != 'N' && text.find(rest.substr(0, length + 1)) != text.npos)
    ++length;
  (void)reference;
  return length;
}

TEST_F(CpuSearch, SlotsHoldTheLongestStringThatOccursAndTheNodeBelowIt) {
  const Data data = all_data(30).at(25);
  std::string text = letters_of(data.reference.text);
  std::replace(text.begin(), text.end(), 'N', '.');
  for_all(data, [&](const SearchJob& job, const MatchList&) {
    if (job.search.both_strands) return;
    const std::vector<u64> begins = slot_begins(data.queries, job.search);
    std::vector<Slot> slots(begins.back());
    find_slots(job, begins, slots.data());
    for (u64 query = 0; query < data.queries.count(); ++query) {
      const std::string letters = letters_of(data.queries.codes(query));
      for (u64 at = 0; at < begins[query + 1] - begins[query]; ++at) {
        const u32 longest =
            longest_by_brute_force(data.reference, text, std::string_view(letters).substr(at));
        const Slot slot = slots[begins[query] + at];
        ASSERT_EQ(slot.length, longest < job.search.min_length ? 0 : longest);
        if (slot.length == 0) continue;
        const u32 above = is_leaf(slot.node) ? job.tree.leaf_parent[leaf_position(slot.node)]
                                             : job.tree.nodes[slot.node].parent;
        EXPECT_LT(job.tree.nodes[above].depth, slot.length);
        const u32 place = is_leaf(slot.node) ? leaf_position(slot.node) : job.tree.nodes[slot.node].position;
        EXPECT_EQ(text.substr(place, slot.length), letters.substr(at, slot.length));
      }
    }
  });
}

}  // namespace
}  // namespace gpuseq::exact_match
