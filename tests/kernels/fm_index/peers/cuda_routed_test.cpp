#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "kernels/fm_index/cuda/device_search.hpp"
#include "kernels/fm_index/cuda/peers/routed_session.hpp"
#include "kernels/fm_index/cuda/search.cuh"
#include "kernels/fm_index/cuda/session.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/kernels/emulated_warp.hpp"
#include "tests/kernels/fm_index/search_case.hpp"

// Routed search by two devices, run on the CPU a warp at a time, against brute force; and what is told
// without any.

namespace gpuseq::fm_index {
namespace {

using gpuseq::testing::EmulatedWarp;
using testing::Case;

template <Policy policy>
struct Tuned {
  static constexpr Policy value = policy;
};

constexpr Policy divided_policy(u32 k, u32 d, u32 lanes, u32 flights, bool wide) {
  return {.scheme = Scheme::one_hot_routed,
          .k = k,
          .d = d,
          .wide = wide,
          .threads_per_block = 64,
          .lanes_per_query = lanes,
          .queries_in_flight = flights,
          .divided = true};
}

/// What one of two devices has. The other's half of the index is nonsense.
template <Policy policy>
struct EmulatedDevice {
  using Interval = AlignedInterval<typename PositionType<policy.wide>::type>;

  EmulatedDevice(const Index& index, u32 number, const RoutedQueries& routed, u32 windows)
      : entries(index.entries.size() / sizeof(Piece) + 1),
        seats(seats_of(cuda::windows_by_number(windows, 4), windows, 4)),
        intervals(routed.openings.size(), {77, 7}),
        inbox(2 * routed.pitch, {88, 8}) {
    auto* const bytes = reinterpret_cast<u8*>(entries.data());
    std::copy_n(index.view.entries, index.entries.size(), bytes);
    const u64 word_bytes = index.view.blocks_per_word * policy.layout().entry_bytes();
    const u32 words = policy.layout().words();
    for (u32 word = 0; word < words; ++word)
      if (device_of_word(word, words) != number) std::fill_n(bytes + word * word_bytes, word_bytes, u8{0x5a});
    for (Seat& seat : seats.seats) seat.window += number * windows;
    all = {.index = index.view,
           .queries = {nullptr, nullptr, nullptr, static_cast<u32>(routed.openings.size())},
           .intervals = intervals.data(),
           .superblock_reciprocal = policy.wide ? reciprocal(index.view.superblock_rows / policy.d) : 0,
           .routes = {.words = routed.words.data(),
                      .openings = routed.openings.data(),
                      .steps = routed.steps_of.empty() ? nullptr : routed.steps_of.data(),
                      .seats = seats.seats.data(),
                      .seat_of = seats.seat_of.data(),
                      .taken = nullptr,
                      .pitch = routed.pitch,
                      .step = 0,
                      .step_count = routed.steps,
                      .seat_count = static_cast<u32>(seats.seats.size()),
                      .windows = 2 * windows,
                      .crossing = {.device = number, .inbox = inbox.data(), .other_inbox = nullptr}}};
    all.index.entries = bytes;
  }

  /// @param part  queries from the first on, at most as many
  void take(u32 step, QueryRange part, u32 blocks) {
    std::vector<u32> taken(all.routes.seat_count * kTakenStride);
    SearchArguments arguments =
        arguments_of_step(all, policy, step, static_cast<u32>(part.first), static_cast<u32>(part.count));
    arguments.routes.taken = taken.data();
    std::vector<Piece> shared(policy.shared_bytes() / sizeof(Piece) + 1);
    EmulatedWarp warp;
    for (u32 block = 0; block < blocks; ++block)
      for (u32 first = 0; first < policy.threads_per_block; first += kWarp)
        warp.run([&](u32 lane) {
          search_routed<Tuned<policy>>(arguments, {.thread = first + lane, .block = block, .blocks = blocks},
                                       reinterpret_cast<u8*>(shared.data()));
        });
  }

  std::vector<Piece> entries;
  Seats seats;
  std::vector<Interval> intervals, inbox;
  SearchArguments all;
};

/// @param first_device  that takes a step before the other does
template <Policy policy>
void search_on_two(const Case& given, u32 prefix_symbols, u32 windows, u32 blocks, u32 first_device) {
  SCOPED_TRACE(::testing::Message() << search_kernels().name(policy) << ", " << windows << " windows, device "
                                    << first_device << " first");
  ThreadPool pool(1);
  const Bwt bwt = testing::bwt_of_letters(given.text, pool);
  const ColumnRank rank(bwt, pool);
  const Index index = build_index(bwt, rank, policy.layout(), prefix_symbols, pool, 3 * policy.d);
  const RoutedQueries routed = route(given.as_queries(), prefix_symbols, policy.k);
  std::array<EmulatedDevice<policy>, 2> devices{EmulatedDevice<policy>(index, 0, routed, windows),
                                                EmulatedDevice<policy>(index, 1, routed, windows)};
  for (u32 i = 0; i < 2; ++i) devices[i].all.routes.crossing.other_inbox = devices[1 - i].inbox.data();
  // Two parts, as of two streams, where there are so many queries.
  constexpr u32 kPart = 256;
  for (u32 step = kOpeningStep; step == kOpeningStep || step < routed.steps; ++step)
    for (u32 first = 0; first < routed.openings.size(); first += kPart)
      for (u32 i = 0; i < 2; ++i) devices[(first_device + i) % 2].take(step, {first, kPart}, blocks);
  const StepsOnTwo steps = steps_on_two(routed, policy.k);
  for (std::size_t i = 0; i < given.queries.size(); ++i) {
    const auto& found = devices[steps.last_device[i]].intervals[i];
    ASSERT_EQ(found.l, given.expected[i].l) << "query " << i << ' ' << given.queries[i];
    ASSERT_EQ(found.h, given.expected[i].h) << "query " << i << ' ' << given.queries[i];
  }
}

void search_all_on_two(const Case& given, u32 prefix_symbols, u32 blocks) {
  for (const u32 windows : {1u, 2u, 3u})
    for (const u32 first : {0u, 1u}) {
      search_on_two<divided_policy(1, 224, 1, 2, false)>(given, prefix_symbols, windows, blocks, first);
      search_on_two<divided_policy(2, 480, 4, 1, true)>(given, prefix_symbols, windows, blocks, first);
      search_on_two<divided_policy(3, 224, 2, 4, true)>(given, prefix_symbols, windows, blocks, first);
      search_on_two<divided_policy(4, 224, 2, 1, false)>(given, prefix_symbols, windows, blocks, first);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST(RoutedOnTwo, StepsMatchBruteForceWhicheverDeviceIsAhead) {
  search_all_on_two(Case(testing::random_letters(1000, 1), 300, 130), 3, 3);
  search_all_on_two(Case(testing::random_letters(1024, 2), 60, 40), 0, 1);
  search_all_on_two(Case("GATTACA", 24, 12), 2, 2);
}

TEST(RoutedOnTwo, QueriesOfOneLengthEndTogether) {
  search_all_on_two(Case(testing::random_letters(700, 5), 260, 48, 48), 0, 2);
  search_all_on_two(Case(testing::random_letters(700, 6), 5, 2, 2), 2, 2);  // the prefix table answers some
}

TEST(RoutedOnTwo, AllQueriesOfATextOfOneLetterAreOneDevices) {
  search_all_on_two(Case(std::string(600, 'A'), 200, 50), 1, 2);
  search_all_on_two(Case(std::string(600, 'T'), 200, 50), 1, 2);
}

TEST(RoutedOnTwo, ListsTakeTheMemoryThatPlacesNeed) {
  const Policy two = divided_policy(4, 224, 2, 4, false);
  Policy one = two;
  one.divided = false;
  EXPECT_EQ(one.shared_bytes(), 2u * kRoutedListed * 5);
  EXPECT_EQ(two.shared_bytes(), 2u * kRoutedListed * 7);
}

Queries words(const std::vector<const char*>& letters) {
  Queries queries;
  for (const char* word : letters) queries.add(word);
  return queries;
}

TEST(StepsOnTwo, AreOfTheDeviceThatHasTheirWord) {
  // A word has the base that is met first, the last one, in its low bits: those that begin with A or C are of
  // the first device.
  const auto of = [](const std::vector<const char*>& letters) {
    return steps_on_two(route(words(letters), 0, 2), 2);
  };
  EXPECT_THAT(of({"AA", "GT", "GTAA", "AAGT"}).last_device, ::testing::ElementsAre(0, 1, 1, 0));
  EXPECT_EQ(of({"AA", "GT", "GTAA", "AAGT"}).first_share, 0.5);
  EXPECT_NEAR(of({"AA", "GT", "GTAA", "AAGT"}).crossing_share, 2.0 / 6, 1e-12);
  EXPECT_EQ(of({"GTGTGT"}).first_share, 0);
  EXPECT_EQ(of({"GTGTGT"}).crossing_share, 0);
  EXPECT_THAT(of({"GT", "", "AA"}).last_device, ::testing::ElementsAre(1, 0, 0));
  EXPECT_EQ(of({""}).first_share, 0);
  EXPECT_TRUE(of({}).last_device.empty());
}

SearchPoint point_of(const char* text) {
  const SearchSpace space = search_space(Scheme::one_hot_routed);
  return search_point(Scheme::one_hot_routed, space.complete(Point::parse(text)));
}

TEST(RoutedOnTwo, IsAskedForByAnAxisWhoseDefaultIsOneDevice) {
  EXPECT_EQ(point_of("k=4").index_on, IndexOn::one);
  EXPECT_FALSE(point_of("k=4").policy.divided);
  EXPECT_EQ(point_of("k=4,index_on=halves").index_on, IndexOn::halves);
  EXPECT_TRUE(point_of("k=4,index_on=halves").policy.divided);
  EXPECT_THROW(point_of("index_on=copies"), UsageError);
  EXPECT_THROW(point_of("index_on=halves,compiled_by=nvcc"), UsageError);
  EXPECT_EQ(search_space(Scheme::one_hot_routed).find("index_on")->values.size(), 1u);
  const auto name_of = [](const char* text) { return search_kernels().name(point_of(text).policy); };
  EXPECT_EQ(name_of("index_on=halves"), name_of("index_on=one") + "_divided");
}

TEST(RoutedOnTwo, HasTheBoundOfWhatOneDeviceReadsInAWindow) {
  StateOutline state;
  state.problem = problem_space().complete({{"reference", "synthetic"}, {"reference_bases", 3'000'000'000}});
  for (const u64 windows : {1, 2}) {
    const std::string point = "k=4,windows=" + std::to_string(windows);
    const Cost one = search_cost(point_of(point.c_str()), state);
    const Cost two = search_cost(point_of((point + ",index_on=halves").c_str()), state);
    ASSERT_TRUE(one.traffic && two.traffic) << two.why_no_bound;
    EXPECT_EQ(two.traffic->footprint_bytes, one.traffic->footprint_bytes / 2);
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
