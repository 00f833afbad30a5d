#include <gtest/gtest.h>

#include "kernels/fm_mismatch/cuda/search.cuh"
#include "tests/kernels/emulated_warp.hpp"
#include "tests/kernels/fm_mismatch/small_texts.hpp"

// The kernel, run on the CPU a warp at a time, against trying every place.

namespace gpuseq::fm_mismatch {
namespace {

using gpuseq::testing::EmulatedWarp;
using testing::SmallText;

template <u32 at_most, u32 queries>
struct Tuned {
  static constexpr Policy value{
      .mismatches = at_most, .threads_per_block = 64, .queries_of_warp = queries, .lines_in_l1 = true};
};

/// Runs a launch of `blocks` blocks, warp after warp.
template <class T>
void emulate(const SearchArguments& arguments, u32 blocks) {
  EmulatedWarp warp;
  std::vector<Node> shared(T::value.shared_bytes() / sizeof(Node));
  for (u32 block = 0; block < blocks; ++block)
    for (u32 first = 0; first < T::value.threads_per_block; first += kWarp)
      warp.run([&](u32 lane) {
        search<T>(arguments, {.thread = first + lane, .block = block, .blocks = blocks}, shared.data());
      });
}

using Emulation = void (*)(const SearchArguments&, u32);
template <u32 queries>
Emulation emulation(u32 mismatches) {
  if (mismatches == 0) return &emulate<Tuned<0, queries>>;
  return mismatches == 1 ? &emulate<Tuned<1, queries>> : &emulate<Tuned<2, queries>>;
}

std::vector<Emulation> emulations(u32 mismatches, u32 prefix_symbols) {
  if (prefix_symbols > 0) return {emulation<64>(mismatches)};  // which lanes go on does not matter to it
  return {emulation<32>(mismatches), emulation<64>(mismatches), emulation<256>(mismatches)};
}

void expect_places(const SmallText& text, u32 blocks, u32 prefix_symbols) {
  for (const u32 mismatches : {0u, 1u, 2u})
    for (const u32 strands : {1u, 2u})
      for (const Emulation run : emulations(mismatches, prefix_symbols)) {
        const u64 places = text.words.size() * strands;
        std::vector<Answer> answers(places, Answer{{7, 7, 7}, 7});
        SearchArguments arguments{.index = text.with_prefix(prefix_symbols),
                                  .queries = text.view(),
                                  .strands = strands,
                                  .places = places,
                                  .answers = answers.data(),
                                  .hits = {nullptr, nullptr}};
        run(arguments, blocks);
        std::vector<u64> begins{0};
        for (const Answer& answer : answers) begins.push_back(begins.back() + answer.hits);
        std::vector<Hit> hits(begins.back());
        arguments.hits = {hits.data(), begins.data()};
        run(arguments, blocks);
        for (u64 place = 0; place < places; ++place)
          ASSERT_EQ(text.places(answers[place], hits.data() + begins[place]),
                    text.expected(place, strands, mismatches))
              << text.text.substr(0, 20) << ", up to " << mismatches << ", table of " << prefix_symbols
              << ", place " << place << " of " << strands << " strands";
      }
}

TEST(MismatchSearch, FindsWhatTryingEveryPlaceFinds) {
  for (const std::string& letters : testing::small_texts())
    for (const u32 prefix_symbols : {0u, 1u, 5u})
      expect_places(SmallText(letters, 90, 19), 1, prefix_symbols);
}

TEST(MismatchSearch, AnyNumberOfQueriesIsSearched) {
  for (const u32 queries : {1u, 2u, 31u, 32u, 33u, 65u, 200u})
    for (const u32 prefix_symbols : {0u, 5u})
      expect_places(SmallText(fm_index::testing::random_letters(300, queries), queries, 22), 2,
                    prefix_symbols);
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
