#include <gtest/gtest.h>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/cuda/routes.hpp"
#include "kernels/fm_index/cuda/search.cuh"
#include "kernels/fm_index/data/rank.hpp"
#include "tests/kernels/emulated_warp.hpp"
#include "tests/kernels/fm_index/search_case.hpp"

// The kernels, run on the CPU a warp at a time, against brute force.

namespace gpuseq::fm_index {
namespace {

using gpuseq::testing::EmulatedWarp;
using testing::Case;

template <Policy policy>
struct Tuned {
  static constexpr Policy value = policy;
};

/// Every scheme of sampled and one-hot layouts (the others: cuda_psi_search_test.cpp) with every k; the other
/// parameters take turns, so that each value meets each scheme.
constexpr u32 kTurns = 4;
constexpr u32 kPolicies = 7 * kMaxK * kTurns;
constexpr Policy emulated_policy(u32 number) {
  const u32 turn = number % kTurns, k = number / kTurns % kMaxK + 1;
  Policy policy{.scheme = static_cast<Scheme>(number / (kTurns * kMaxK)), .k = k};
  constexpr u32 d[] = {64, 192, 448, 128};
  constexpr u32 flights[] = {1, 2, 1, 4};
  policy.d = d[turn];
  policy.alternate = (turn + k) % 2 == 0;
  policy.wide = turn >= 2;
  policy.threads_per_block = turn == 3 ? 32 : 64;
  policy.queries_in_flight = flights[turn];
  policy.entries_in_l1 = turn % 2 == 0;
  const bool whole = (k + turn / 2) % 2 == 0;
  constexpr u32 factor[] = {1, 2, 4, 1};
  const u32 lanes = (k == 1 ? 2 : k == 3 ? 4 : k) * factor[turn];
  switch (policy.scheme) {
    case Scheme::task_parallel:
    case Scheme::task_parallel_16b:
      policy.separate_entries = turn == 1 || turn == 2;
      policy.whole_entries = whole;
      break;
    case Scheme::task_parallel_split:
      policy.lanes_per_query = 2;
      policy.whole_entries = whole;
      break;
    case Scheme::memory_cooperative:
      policy.lanes_per_query = 2;
      policy.separate_entries = whole;
      break;
    case Scheme::full_cooperative:
      policy.lanes_per_query = lanes;
      break;
    case Scheme::full_cooperative_split:
      policy.lanes_per_query = 2;
      policy.lanes_per_entry = turn == 3 ? kWarp : lanes;
      policy.queries_in_flight = 1;
      policy.whole_entries = whole;
      break;
    case Scheme::one_hot:
      policy.d = turn % 2 == 0 ? 224 : 480;
      policy.alternate = false;
      policy.lanes_per_query = turn == 0 ? 1 : turn == 2 ? 2 : k % 2 == 0 ? 4 : turn == 1 ? 1 : 2;
      break;
    case Scheme::psi:
    case Scheme::psi_lines:
    case Scheme::verify:
    case Scheme::elias_fano:
    case Scheme::one_hot_routed:
      break;
  }
  return policy;
}

/// Runs a launch of `blocks` blocks, warp after warp.
template <class T>
void emulate(const SearchArguments& arguments, u32 blocks) {
  EmulatedWarp warp;
  std::vector<Piece> shared(T::value.shared_bytes() / sizeof(Piece) + 1);
  for (u32 block = 0; block < blocks; ++block)
    for (u32 first = 0; first < T::value.threads_per_block; first += kWarp)
      warp.run([&](u32 lane) {
        search<T>(arguments, {.thread = first + lane, .block = block, .blocks = blocks},
                  reinterpret_cast<u8*>(shared.data()));
      });
}

using Emulation = void (*)(const SearchArguments&, u32);
template <std::size_t... number>
std::vector<std::pair<Policy, Emulation>> emulations(std::index_sequence<number...>) {
  return {{emulated_policy(number), &emulate<Tuned<emulated_policy(number)>>}...};
}

template <typename Position>
void expect_answers(const Case& given, const Policy& policy, Emulation run, SearchArguments arguments,
                    u32 blocks) {
  std::vector<Interval<Position>> found(given.queries.size(), {Position(77), Position(7)});
  arguments.intervals = found.data();
  run(arguments, blocks);
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].l, given.expected[i].l)
        << search_kernels().name(policy) << ", query " << i << ' ' << given.queries[i];
    ASSERT_EQ(found[i].h, given.expected[i].h)
        << search_kernels().name(policy) << ", query " << i << ' ' << given.queries[i];
  }
}

void search_all(const Case& given, u32 prefix_symbols, u32 blocks) {
  ThreadPool pool(1);
  const Bwt bwt = testing::bwt_of_letters(given.text, pool);
  const ColumnRank rank(bwt, pool);
  // Packed words in 16-byte aligned memory, as on the device.
  std::vector<Piece> aligned(given.packed.size() / 4);
  std::copy(given.packed.begin(), given.packed.end(), aligned.data()->word);
  for (const auto& [policy, run] : emulations(std::make_index_sequence<kPolicies>())) {
    const u64 superblock_rows = 3 * policy.d;
    const Index index = build_index(bwt, rank, policy.layout(), prefix_symbols, pool, superblock_rows);
    SearchArguments arguments{
        .index = index.view,
        .queries = {aligned.data()->word, given.begin.data(), given.bases.data(),
                    static_cast<u32>(given.bases.size())},
        .intervals = nullptr,
        .superblock_reciprocal = policy.wide ? reciprocal(index.view.superblock_rows / policy.d) : 0};
    if (policy.wide)
      expect_answers<u64>(given, policy, run, arguments, blocks);
    else
      expect_answers<u32>(given, policy, run, arguments, blocks);
  }
}

TEST(CudaSearch, EveryEmulatedPolicyMatchesBruteForceOnATextOf1000Bases) {
  search_all(Case(testing::random_letters(1000, 1), 150, 130), 3, 1);
}

TEST(CudaSearch, EveryEmulatedPolicyMatchesBruteForceWithoutAPrefixTable) {
  search_all(Case(testing::random_letters(1024, 2), 60, 40), 0, 2);
}

TEST(CudaSearch, EveryEmulatedPolicyMatchesBruteForceOnRepeats) {
  search_all(Case(std::string(300, 'A') + "C" + std::string(280, 'A'), 40, 90), 1, 1);
}

TEST(CudaSearch, EveryEmulatedPolicyMatchesBruteForceOnTextsShorterThanAnEntry) {
  for (const char* text : {"A", "T", "CAAACATAT", "GATTACA"}) search_all(Case(text, 24, 12), 2, 1);
  search_all(Case(testing::random_letters(63, 3), 30, 20), 5, 1);
}

/// Steps of one_hot_routed as a device does them, each launch by `blocks` blocks, warp after warp.
template <class T>
void emulate_routed(SearchArguments arguments, const RoutedQueries& queries, u32 blocks) {
  EmulatedWarp warp;
  std::vector<u8> shared(T::value.shared_bytes());
  for (u32 step = kOpeningStep; step == kOpeningStep || step < queries.steps; ++step) {
    std::vector<u32> taken(arguments.routes.seat_count * kTakenStride);
    arguments.routes.step = step;
    arguments.routes.taken = taken.data();
    for (u32 block = 0; block < blocks; ++block)
      for (u32 first = 0; first < T::value.threads_per_block; first += kWarp)
        warp.run([&](u32 lane) {
          search_routed<T>(arguments, {.thread = first + lane, .block = block, .blocks = blocks},
                           shared.data());
        });
  }
}

template <Policy policy>
void search_routed_all(const Case& given, u32 prefix_symbols, u32 blocks) {
  using Position = typename PositionType<policy.wide>::type;
  ThreadPool pool(1);
  const Bwt bwt = testing::bwt_of_letters(given.text, pool);
  const ColumnRank rank(bwt, pool);
  const u64 superblock_rows = 3 * policy.d;
  const Index index = build_index(bwt, rank, policy.layout(), prefix_symbols, pool, superblock_rows);
  const RoutedQueries routed = route(given.as_queries(), prefix_symbols, policy.k);
  ASSERT_EQ(routed.pitch % (kWarp * kRoutedOfLane), 0u);
  for (const u32 windows : {1u, 2u, 3u}) {
    // Not every window has a block that runs, nor every seat.
    const Seats seats = seats_of(cuda::windows_by_number(windows, 4), windows, 4);
    std::vector<Interval<Position>> found(given.queries.size(), {Position(77), Position(7)});
    SearchArguments arguments{
        .index = index.view,
        .queries = {nullptr, nullptr, nullptr, static_cast<u32>(given.bases.size())},
        .intervals = found.data(),
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
                   .windows = windows}};
    emulate_routed<Tuned<policy>>(arguments, routed, blocks);
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].l, given.expected[i].l) << windows << " windows, query " << given.queries[i];
      ASSERT_EQ(found[i].h, given.expected[i].h) << windows << " windows, query " << given.queries[i];
    }
  }
}

constexpr Policy routed_policy(u32 k, u32 d, u32 lanes, u32 flights, bool wide) {
  return {.scheme = Scheme::one_hot_routed,
          .k = k,
          .d = d,
          .wide = wide,
          .threads_per_block = 64,
          .lanes_per_query = lanes,
          .queries_in_flight = flights};
}

void search_all_routed(const Case& given, u32 prefix_symbols, u32 blocks) {
  search_routed_all<routed_policy(1, 224, 1, 2, false)>(given, prefix_symbols, blocks);
  search_routed_all<routed_policy(2, 480, 4, 1, true)>(given, prefix_symbols, blocks);
  search_routed_all<routed_policy(3, 224, 2, 4, true)>(given, prefix_symbols, blocks);
  search_routed_all<routed_policy(4, 224, 2, 1, false)>(given, prefix_symbols, blocks);
}

TEST(CudaSearch, RoutedStepsMatchBruteForceWhoeverHasAWindow) {
  search_all_routed(Case(testing::random_letters(1000, 1), 150, 130), 3, 3);
  search_all_routed(Case(testing::random_letters(1024, 2), 60, 40), 0, 1);
  search_all_routed(Case("GATTACA", 24, 12), 2, 2);
}

TEST(CudaSearch, RoutedQueriesOfOneLengthNeedNoNumbersOfSteps) {
  Queries queries;
  for (const u32 bases : {12u, 12u, 12u}) {
    queries.begin.push_back(static_cast<u32>(queries.packed.size() / 4));
    queries.bases.push_back(bases);
    const std::vector<u32> packed = testing::packed(testing::random_letters(bases, bases));
    queries.packed.insert(queries.packed.end(), packed.begin(), packed.end());
  }
  EXPECT_EQ(route(queries, 4, 4).steps, 2u);
  EXPECT_TRUE(route(queries, 4, 4).steps_of.empty());
  queries.bases.back() = 8;
  EXPECT_EQ(route(queries, 4, 4).steps_of, (std::vector<u32>{2, 2, 1}));
  EXPECT_EQ(route(Queries(), 4, 4).steps, 0u);
}

TEST(CudaSearch, MultiprocessorsOfAWindowShareItsPortions) {
  const Seats seats = seats_of({1, 0, 1, 1, 0, 7}, 3, 5);
  std::vector<std::array<u32, 3>> found;
  for (const Seat& seat : seats.seats) found.push_back({seat.window, seat.rank, seat.count});
  EXPECT_EQ(found, (std::vector<std::array<u32, 3>>{
                       {0, 0, 2}, {0, 1, 2}, {1, 0, 3}, {1, 1, 3}, {1, 2, 3}, {2, 0, 1}}));
  EXPECT_EQ(seats.seat_of, (std::vector<u32>{2, 0, 3, 4, 1, 0}));
}

/// Every word has a window, in their order, and windows have alike many.
TEST(CudaSearch, WindowsDivideTheWords) {
  for (const u32 words : {4u, 16u, 64u, 256u})
    for (const u32 windows : {1u, 2u, 3u, 4u}) {
      std::vector<u32> of(windows);
      for (u32 word = 0, before = 0; word < words; ++word) {
        const u32 window = window_of_word(word, words, windows);
        ASSERT_GE(window, before);
        ASSERT_LT(window, windows);
        before = window;
        ++of[window];
      }
      for (const u32 count : of) EXPECT_LE(count, words / windows + 1);
    }
}

TEST(CudaSearch, MasksClampAtBothEnds) {
  EXPECT_EQ(bits_from(-40), ~0u);
  EXPECT_EQ(bits_from(0), ~0u);
  EXPECT_EQ(bits_from(1), ~1u);
  EXPECT_EQ(bits_from(31), 1u << 31);
  EXPECT_EQ(bits_from(32), 0u);
  EXPECT_EQ(bits_from(63), 0u);
}

TEST(CudaSearch, QuotientsByAReciprocalAreExact) {
  Random random(5);
  for (u64 divisor : {u64{1}, u64{2}, u64{3}, u64{7}, (u64{1} << 31) / 224, u64{1} << 25, ~u64{0} >> 33}) {
    for (int i = 0; i < 1000; ++i) {
      const u32 dividend = static_cast<u32>(random()) >> random.below(32);
      for (u32 near : {dividend / static_cast<u32>(divisor) * static_cast<u32>(divisor), dividend}) {
        ASSERT_EQ(quotient(near, reciprocal(divisor)), near / divisor) << near << " / " << divisor;
        const u32 before = near == 0 ? 0 : near - 1;
        ASSERT_EQ(quotient(before, reciprocal(divisor)), before / divisor) << before << " / " << divisor;
      }
    }
  }
}

TEST(CudaSearch, QueriesAreReadAWordAtATimeFromAnyPrefix) {
  const std::string query = testing::random_letters(131, 9);
  const std::vector<u32> words = testing::packed(query);
  std::vector<Piece> aligned(words.size() / 4);
  std::copy(words.begin(), words.end(), aligned.data()->word);
  const auto base = [&](u32 i) {
    return static_cast<u32>(std::string_view("ACGT").find(query[query.size() - 1 - i]));
  };
  for (u32 prefix = 0; prefix <= 14; ++prefix) {
    QueryReader reader;
    reader.open(reinterpret_cast<const u8*>(aligned.data()));
    u32 expected = 0;
    for (u32 i = 0; i < prefix; ++i) expected |= base(i) << (2 * i);
    ASSERT_EQ(reader.take_prefix(prefix), expected);
    for (u32 at = prefix; at + 3 <= query.size(); at += 3)
      ASSERT_EQ(reader.take<3>(), base(at) | base(at + 1) << 2 | base(at + 2) << 4) << prefix << ' ' << at;
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
