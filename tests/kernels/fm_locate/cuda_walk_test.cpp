#include <gtest/gtest.h>

#include "kernels/fm_locate/cuda/walk.cuh"
#include "tests/kernels/emulated_warp.hpp"
#include "tests/kernels/fm_locate/small_texts.hpp"

// The kernel, run on the CPU a warp at a time, against trying every place.

namespace gpuseq::fm_locate {
namespace {

using gpuseq::testing::EmulatedWarp;
using testing::SmallText;

template <bool marked_lines, u32 walks>
struct Tuned {
  static constexpr Policy value{
      .marked = marked_lines, .threads_per_block = 64, .walks_of_warp = walks, .lines_in_l1 = true};
};

/// Runs a launch of `blocks` blocks, warp after warp.
template <class T>
void emulate(const LocateArguments& arguments, u32 blocks) {
  EmulatedWarp warp;
  std::vector<u32> shared(T::value.shared_bytes() / sizeof(u32));
  for (u32 block = 0; block < blocks; ++block)
    for (u32 first = 0; first < T::value.threads_per_block; first += kWarp)
      warp.run([&](u32 lane) {
        locate<T>(arguments, {.thread = first + lane, .block = block, .blocks = blocks}, shared.data());
      });
}

using Emulation = void (*)(const LocateArguments&, u32);
Emulation emulation(bool marked, u32 walks) {
  if (walks == 32) return marked ? &emulate<Tuned<true, 32>> : &emulate<Tuned<false, 32>>;
  if (walks == 64) return marked ? &emulate<Tuned<true, 64>> : &emulate<Tuned<false, 64>>;
  return marked ? &emulate<Tuned<true, 256>> : &emulate<Tuned<false, 256>>;
}

void expect_places(SmallText& text, u32 blocks) {
  const auto expected = text.expected();
  for (const Layout& layout :
       {Layout{1, true}, Layout{2, true}, Layout{32, true}, Layout{4, false}, Layout{64, false}}) {
    const Index index = text.index(layout);
    for (const u32 walks : {32u, 64u, 256u}) {
      std::vector<u32> positions(text.occurrences.total(), ~0u);
      emulation(layout.marked(), walks)({.index = index.view,
                                         .occurrences = text.occurrences.view(),
                                         .positions = positions.data(),
                                         .total = text.occurrences.total()},
                                        blocks);
      ASSERT_EQ(text.by_query(positions), expected)
          << text.text.substr(0, 20) << ", rate " << layout.rate << ", in text order " << layout.in_text_order
          << ", " << walks << " walks";
    }
  }
}

TEST(LocateWalk, EveryLayoutAndWidthFindsWhatTryingEveryPlaceFinds) {
  for (const std::string& letters : testing::small_texts()) {
    SmallText text(letters, 30, 29);
    expect_places(text, 2);
  }
}

TEST(LocateWalk, AnyNumberOfPositionsIsLocated) {
  for (const u32 queries : {1u, 2u, 3u, 31u, 32u, 33u, 65u, 200u}) {
    SmallText text(fm_index::testing::random_letters(700, queries), queries, 30);
    if (text.occurrences.total() > 0) expect_places(text, 1);
  }
}

TEST(LocateWalk, EveryPositionMayBeOfAQueryOfItsOwn) {
  SmallText text(fm_index::testing::random_letters(700, 3), 0, 0);
  for (std::size_t at = 0; at < 200; ++at) {
    text.words.push_back(text.text.substr(3 * at, 40));
    text.queries.add(text.words.back());
  }
  text.occurrences = find_occurrences(text.rank, text.queries, Strands::forward, 0, text.pool);
  ASSERT_EQ(text.occurrences.total(), 200u);
  expect_places(text, 1);
}

TEST(LocateWalk, AQueryOfManyHitsStandsBesideThoseOfOne) {
  const std::string unique = fm_index::testing::random_letters(200, 8);
  SmallText text(unique + std::string(150, 'A') + unique, 0, 0);
  for (const std::string& query : {unique.substr(5, 30), std::string("AA"), unique.substr(80, 30),
                                   std::string("AAAAA"), std::string("C"), unique.substr(9, 30)}) {
    text.queries.add(query);
    text.words.push_back(query);
  }
  text.occurrences = find_occurrences(text.rank, text.queries, Strands::forward, 0, text.pool);
  expect_places(text, 1);
  expect_places(text, 3);
}

}  // namespace
}  // namespace gpuseq::fm_locate
