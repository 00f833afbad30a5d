#include <gtest/gtest.h>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/cuda/search.cuh"
#include "kernels/fm_index/data/rank.hpp"
#include "tests/kernels/emulated_warp.hpp"
#include "tests/kernels/fm_index/elias_fano/elias_fano_cases.hpp"

// The kernels of the Elias-Fano layout, run on the CPU a warp at a time, against brute force.

namespace gpuseq::fm_index {
namespace {

using gpuseq::testing::EmulatedWarp;
using testing::PsiCase;

template <Policy policy>
struct TunedEliasFano {
  static constexpr Policy value = policy;
};

constexpr Policy policy_of(u32 k, u32 d, u32 line_bytes, u32 lanes, u32 flights) {
  return {.scheme = Scheme::elias_fano,
          .k = k,
          .d = d,
          .threads_per_block = 32,
          .lanes_per_query = lanes,
          .queries_in_flight = flights,
          .entries_in_l1 = flights == 1,
          .line_bytes = line_bytes};
}

constexpr Policy kPolicies[] = {
    policy_of(3, 2816, 64, 1, 1),  policy_of(4, 11264, 64, 2, 1),  policy_of(5, 32768, 64, 4, 2),
    policy_of(3, 6144, 128, 8, 1), policy_of(4, 22528, 128, 4, 4), policy_of(5, 65280, 128, 1, 1),
    policy_of(1, 512, 64, 1, 2),   policy_of(2, 768, 64, 4, 1),    policy_of(1, 512, 128, 2, 1),
    policy_of(6, 65280, 64, 2, 1), policy_of(2, 768, 64, 1, 4),    policy_of(4, 11264, 64, 1, 1),
    policy_of(4, 22528, 128, 1, 2)};

template <class T>
void emulate(const SearchArguments& arguments, u32 blocks) {
  EmulatedWarp warp;
  // As a device leaves it: anything.
  std::vector<Piece> shared(T::value.shared_bytes() / sizeof(Piece) + 1, Piece{{~0u, ~0u, ~0u, ~0u}});
  for (u32 block = 0; block < blocks; ++block)
    warp.run([&](u32 lane) {
      search<T>(arguments, {.thread = lane, .block = block, .blocks = blocks},
                reinterpret_cast<u8*>(shared.data()));
    });
}

using Emulation = void (*)(const SearchArguments&, u32);
template <std::size_t... number>
constexpr std::array<Emulation, sizeof...(number)> emulations(std::index_sequence<number...>) {
  return {&emulate<TunedEliasFano<kPolicies[number]>>...};
}

void search_all(const std::string& text, u32 prefix_symbols) {
  ThreadPool pool(1);
  const PsiCase given(text);
  const Bwt bwt = testing::bwt_of_letters(text, pool, 1);
  const ColumnRank rank(bwt, pool);
  // Packed words in 16-byte aligned memory, as on the device; a query without bases may begin at the end.
  std::vector<Piece> aligned(given.packed_words.size() / 4 + 1);
  std::copy(given.packed_words.begin(), given.packed_words.end(), aligned.data()->word);
  constexpr auto runs = emulations(std::make_index_sequence<std::size(kPolicies)>());
  for (std::size_t p = 0; p < std::size(kPolicies); ++p) {
    const Index index = build_index(bwt, rank, kPolicies[p].layout(), prefix_symbols, pool);
    // In many blocks lanes search one query, which has no steps left from the beginning where it is short.
    for (const u32 blocks : {2u, 16u}) {
      std::vector<Interval<u32>> found(given.queries.size(), {77, 7});
      SearchArguments arguments{.index = index.view,
                                .queries = given.view(),
                                .intervals = found.data(),
                                .superblock_reciprocal = 0};
      arguments.queries.packed = aligned.data()->word;
      runs[p](arguments, blocks);
      for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_TRUE(found[i].l == given.expected[i].l && found[i].h == given.expected[i].h)
            << search_kernels().name(kPolicies[p]) << " prefix " << prefix_symbols << ", text "
            << text.substr(0, 20) << ", query " << given.queries[i] << ": found " << found[i].l << ", "
            << found[i].h << ", expected " << given.expected[i].l << ", " << given.expected[i].h;
    }
  }
}

TEST(CudaEliasFanoSearch, EveryEmulatedPolicyMatchesBruteForce) {
  for (const std::string& text : testing::elias_fano_texts()) search_all(text, 0);
}

TEST(CudaEliasFanoSearch, EveryEmulatedPolicyMatchesBruteForceWithAPrefixTable) {
  search_all(testing::random_letters(2000, 1), 6);
  search_all(testing::repeated("CAAAA", 900), 3);
}

}  // namespace
}  // namespace gpuseq::fm_index
