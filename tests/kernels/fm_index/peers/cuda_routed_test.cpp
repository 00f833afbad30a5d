#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "kernels/fm_index/cuda/device_search.hpp"
#include "kernels/fm_index/cuda/peers/routed_session.hpp"
#include "kernels/fm_index/cuda/search.cuh"
#include "kernels/fm_index/cuda/session.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/kernels/emulated_warp.hpp"
#include "tests/kernels/fm_index/search_case.hpp"

// Routed search by several devices, run on the CPU a warp at a time, against brute force; and the shares of
// devices.

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

/// The data of one of several devices. The index is nonsense where it is not the device's part.
template <Policy policy>
struct EmulatedDevice {
  using Interval = AlignedInterval<typename PositionType<policy.wide>::type>;

  EmulatedDevice(const Index& index, u32 number, u32 devices, const RoutedQueries& routed, u32 windows)
      : entries(index.entries.size() / sizeof(Piece) + 1),
        seats(seats_of(cuda::windows_by_number(windows, 4), windows, 4)),
        intervals(routed.openings.size(), {77, 7}),
        inbox(2 * routed.pitch, {88, 8}) {
    auto* const bytes = reinterpret_cast<u8*>(entries.data());
    std::fill_n(bytes, index.entries.size(), u8{0x5a});
    const u64 word_bytes = index.view.blocks_per_word * policy.layout().entry_bytes();
    const u32 words = policy.layout().words();
    const u64 begin = first_word_of(number, words, devices) * word_bytes;
    const u64 end = first_word_of(number + 1, words, devices) * word_bytes;
    std::copy_n(index.view.entries + begin, end - begin, bytes + begin);
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
                      .windows = devices * windows,
                      .crossing = {.device = number, .devices = devices}}};
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

/// @param first_device  that takes a step before the others do
template <Policy policy>
void search_on(u32 count, const Case& given, u32 prefix_symbols, u32 windows, u32 blocks, u32 first_device) {
  SCOPED_TRACE(::testing::Message() << search_kernels().name(policy) << ", " << count << " devices, "
                                    << windows << " windows, device " << first_device << " first");
  ThreadPool pool(1);
  const Bwt bwt = testing::bwt_of_letters(given.text, pool);
  const ColumnRank rank(bwt, pool);
  const Index index = build_index(bwt, rank, policy.layout(), prefix_symbols, pool, 3 * policy.d);
  const RoutedQueries routed = route(given.as_queries(), prefix_symbols, policy.k);
  std::vector<std::unique_ptr<EmulatedDevice<policy>>> devices;
  for (u32 i = 0; i < count; ++i)
    devices.push_back(std::make_unique<EmulatedDevice<policy>>(index, i, count, routed, windows));
  for (const auto& device : devices)
    for (u32 i = 0; i < count; ++i) device->all.routes.crossing.inboxes[i] = devices[i]->inbox.data();
  // Batches, as of several streams, where there are so many queries.
  constexpr u32 kPart = 256;
  for (u32 step = kOpeningStep; step == kOpeningStep || step < routed.steps; ++step)
    for (u32 first = 0; first < routed.openings.size(); first += kPart)
      for (u32 i = 0; i < count; ++i) devices[(first_device + i) % count]->take(step, {first, kPart}, blocks);
  const StepsOfDevices steps = steps_of_devices(routed, policy.k, count);
  for (std::size_t i = 0; i < given.queries.size(); ++i) {
    const auto& found = devices[steps.last_device[i]]->intervals[i];
    ASSERT_EQ(found.l, given.expected[i].l) << "query " << i << ' ' << given.queries[i];
    ASSERT_EQ(found.h, given.expected[i].h) << "query " << i << ' ' << given.queries[i];
  }
}

void search_all(const Case& given, u32 prefix_symbols, u32 blocks, const std::vector<u32>& counts = {2, 3}) {
  for (const u32 count : counts)
    for (const u32 windows : {1u, 2u, 3u})
      for (const u32 first : {0u, count - 1}) {
        search_on<divided_policy(1, 224, 1, 2, false)>(count, given, prefix_symbols, windows, blocks, first);
        search_on<divided_policy(2, 480, 4, 1, true)>(count, given, prefix_symbols, windows, blocks, first);
        search_on<divided_policy(3, 224, 2, 4, true)>(count, given, prefix_symbols, windows, blocks, first);
        search_on<divided_policy(4, 224, 2, 1, false)>(count, given, prefix_symbols, windows, blocks, first);
        if (::testing::Test::HasFatalFailure()) return;
      }
}

TEST(RoutedOnPeers, StepsMatchBruteForceWhicheverDeviceIsAhead) {
  search_all(Case(testing::random_letters(1000, 1), 300, 130), 3, 3);
  search_all(Case(testing::random_letters(1024, 2), 60, 40), 0, 1);
  search_all(Case("GATTACA", 24, 12), 2, 2);
}

TEST(RoutedOnPeers, DevicesWithoutWordsTakeNoStep) {
  search_all(Case(testing::random_letters(600, 3), 140, 30), 1, 2, {5, 16});
}

TEST(RoutedOnPeers, QueriesOfOneLengthEndTogether) {
  search_all(Case(testing::random_letters(700, 5), 260, 48, 48), 0, 2);
  search_all(Case(testing::random_letters(700, 6), 5, 2, 2), 2, 2);  // the prefix table answers some
}

TEST(RoutedOnPeers, AllQueriesOfATextOfOneLetterAreOneDevices) {
  search_all(Case(std::string(600, 'A'), 200, 50), 1, 2);
  search_all(Case(std::string(600, 'T'), 200, 50), 1, 2);
}

TEST(RoutedOnPeers, ListsTakeTheMemoryThatPlacesNeed) {
  const Policy two = divided_policy(4, 224, 2, 4, false);
  Policy one = two;
  one.divided = false;
  EXPECT_EQ(one.shared_bytes(), 2u * kRoutedListed * 5);
  EXPECT_EQ(two.shared_bytes(), 2u * kRoutedListed * 8);
}

TEST(RoutedQueries, OfARangeAreThoseOfItsQueries) {
  const Case given(testing::random_letters(500, 4), 90, 40);
  const Queries all = given.as_queries();
  const RoutedQueries whole = route(all, 3, 2);
  for (const QueryRange range : {QueryRange{0, 90}, QueryRange{30, 41}, QueryRange{90, 0}}) {
    const RoutedQueries part = route(all, 3, 2, range);
    ASSERT_EQ(part.openings.size(), range.count);
    for (std::size_t i = 0; i < range.count; ++i) {
      const std::size_t query = range.first + i;
      EXPECT_EQ(part.openings[i], whole.openings[query]);
      for (u32 step = 0; step < part.steps; ++step)
        EXPECT_EQ(part.words[step * part.pitch + i], whole.words[step * whole.pitch + query]);
    }
  }
}

Queries words(const std::vector<const char*>& letters) {
  Queries queries;
  for (const char* word : letters) queries.add(word);
  return queries;
}

TEST(StepsOfDevices, AreOfTheDeviceThatHasTheirWord) {
  // A word has the base that is met first, the last one, in its low bits: those that begin with A or C are of
  // the first device.
  const auto of = [](const std::vector<const char*>& letters) {
    return steps_of_devices(route(words(letters), 0, 2), 2, 2);
  };
  EXPECT_THAT(of({"AA", "GT", "GTAA", "AAGT"}).last_device, ::testing::ElementsAre(0, 1, 1, 0));
  EXPECT_EQ(of({"AA", "GT", "GTAA", "AAGT"}).first_share, 0.5);
  EXPECT_NEAR(of({"AA", "GT", "GTAA", "AAGT"}).crossing_share, 2.0 / 6, 1e-12);
  EXPECT_EQ(of({"GTGTGT"}).first_share, 0);
  EXPECT_EQ(of({"GTGTGT"}).crossing_share, 0);
  EXPECT_THAT(of({"GT", "", "AA"}).last_device, ::testing::ElementsAre(1, 0, 0));
  EXPECT_EQ(of({""}).first_share, 0);
  EXPECT_TRUE(of({}).last_device.empty());
  // With four devices, the first base of a word is that of its device.
  const StepsOfDevices four = steps_of_devices(route(words({"AGCA", "GTCC"}), 0, 2), 2, 4);
  EXPECT_THAT(four.last_device, ::testing::ElementsAre(0, 2));
  EXPECT_EQ(four.first_share, 0.25);
  EXPECT_EQ(four.largest_share, 0.5);
  EXPECT_EQ(four.crossing_share, 0.5);
}

SearchPoint point_of(const char* text) {
  const SearchSpace space = search_space(Scheme::one_hot_routed);
  return search_point(Scheme::one_hot_routed, space.complete(Point::parse(text)));
}

TEST(RoutedOnPeers, IsAskedForByAnAxisWhoseDefaultIsOneDevice) {
  EXPECT_EQ(point_of("k=4").index_on, IndexOn::one);
  EXPECT_FALSE(point_of("k=4").policy.divided);
  EXPECT_EQ(point_of("k=4,index_on=parts").index_on, IndexOn::parts);
  EXPECT_EQ(point_of("k=4,index_on=parts").parts(), 2u);
  EXPECT_EQ(point_of("k=4,index_on=parts_5").parts(), 5u);
  EXPECT_TRUE(point_of("k=4,index_on=parts").policy.divided);
  EXPECT_EQ(point_of("k=4,index_on=copies_3").gpus, 3u);
  EXPECT_EQ(point_of("k=4,index_on=copies_3").parts(), 1u);
  EXPECT_FALSE(point_of("k=4,index_on=copies_3").policy.divided);
  for (const char* wrong : {"halves", "parts_1", "parts_2", "parts_17"})
    EXPECT_THROW(point_of((std::string("index_on=") + wrong).c_str()), UsageError) << wrong;
  EXPECT_THROW(point_of("index_on=parts,compiled_by=nvcc"), UsageError);
  EXPECT_EQ(search_space(Scheme::one_hot_routed).find("index_on")->values.size(), 1u);
  const auto name_of = [](const char* text) { return search_kernels().name(point_of(text).policy); };
  EXPECT_EQ(name_of("index_on=parts"), name_of("index_on=one") + "_divided");
  EXPECT_EQ(name_of("index_on=parts"), name_of("index_on=parts_8"));
}

TEST(RoutedOnPeers, HasTheBoundOfWhatOneDeviceReadsInAWindow) {
  StateOutline state;
  state.problem = problem_space().complete({{"reference", "synthetic"}, {"reference_bases", 3'000'000'000}});
  for (const u64 windows : {1, 2}) {
    const std::string point = "k=4,windows=" + std::to_string(windows);
    const Cost one = search_cost(point_of(point.c_str()), state);
    for (const u64 devices : {3, 4}) {
      const std::string shared = fmt::format("{},index_on=parts_{}", point, devices);
      const Cost parts = search_cost(point_of(shared.c_str()), state);
      ASSERT_TRUE(one.traffic && parts.traffic) << parts.why_no_bound;
      EXPECT_NEAR(static_cast<double>(one.traffic->footprint_bytes) /
                      static_cast<double>(parts.traffic->footprint_bytes),
                  static_cast<double>(devices), 1e-6);
    }
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
