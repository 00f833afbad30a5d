#include <gtest/gtest.h>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/cuda/search.cuh"
#include "kernels/fm_index/data/rank.hpp"
#include "tests/kernels/emulated_warp.hpp"
#include "tests/kernels/fm_index/psi_cases.hpp"

// The kernels of the psi layouts, run on the CPU a warp at a time, against brute force.

namespace gpuseq::fm_index {
namespace {

using gpuseq::testing::EmulatedWarp;
using testing::PsiCase;

template <Policy policy>
struct TunedPsi {
  static constexpr Policy value = policy;
};

constexpr Policy table_policy(u32 k, PsiSearch search, u32 flights) {
  return {.scheme = Scheme::psi,
          .k = k,
          .d = 0,
          .threads_per_block = 64,
          .queries_in_flight = flights,
          .search = search};
}
constexpr Policy lines_policy(u32 k, u32 line_bytes, u32 lanes, u32 flights) {
  return {.scheme = Scheme::psi_lines,
          .k = k,
          .d = 0,
          .threads_per_block = 32,
          .lanes_per_query = lanes,
          .queries_in_flight = flights,
          .entries_in_l1 = false,
          .line_bytes = line_bytes};
}

constexpr Policy exiting(Policy policy) {
  policy.early_exit = true;
  return policy;
}

constexpr Policy kPolicies[] = {exiting(table_policy(3, PsiSearch::binary, 2)),
                                exiting(table_policy(8, PsiSearch::linear, 1)),
                                exiting(lines_policy(1, 16, 1, 1)),
                                exiting(lines_policy(5, 32, 2, 2)),
                                exiting(lines_policy(8, 32, 1, 1)),
                                table_policy(1, PsiSearch::linear, 1),
                                table_policy(2, PsiSearch::binary, 2),
                                table_policy(3, PsiSearch::interpolation, 1),
                                table_policy(4, PsiSearch::linear, 4),
                                table_policy(5, PsiSearch::binary, 1),
                                table_policy(7, PsiSearch::interpolation, 2),
                                table_policy(8, PsiSearch::binary, 1),
                                table_policy(1, PsiSearch::binary, 1),
                                table_policy(1, PsiSearch::interpolation, 1),
                                lines_policy(1, 16, 1, 1),
                                lines_policy(2, 32, 2, 1),
                                lines_policy(3, 64, 4, 2),
                                lines_policy(4, 128, 8, 1),
                                lines_policy(5, 16, 1, 4),
                                lines_policy(6, 32, 1, 2),
                                lines_policy(7, 64, 2, 1),
                                lines_policy(8, 128, 4, 1),
                                lines_policy(3, 128, 1, 1),
                                lines_policy(2, 64, 1, 1),
                                lines_policy(1, 128, 2, 1)};

template <class T>
void emulate_psi(const SearchArguments& arguments, u32 blocks) {
  EmulatedWarp warp;
  for (u32 block = 0; block < blocks; ++block)
    for (u32 first = 0; first < T::value.threads_per_block; first += kWarp)
      warp.run([&](u32 lane) {
        search<T>(arguments, {.thread = first + lane, .block = block, .blocks = blocks}, nullptr);
      });
}

using PsiEmulation = void (*)(const SearchArguments&, u32);
template <std::size_t... number>
constexpr std::array<PsiEmulation, sizeof...(number)> psi_emulations(std::index_sequence<number...>) {
  return {&emulate_psi<TunedPsi<kPolicies[number]>>...};
}

void expect_answers(const PsiCase& given, const Policy& policy, PsiEmulation run, u32 prefix_symbols,
                    const ColumnRank& rank, const Bwt& bwt, ThreadPool& pool) {
  const Index index = build_index(bwt, rank, policy.layout(), prefix_symbols, pool);
  // Packed words in 16-byte aligned memory, as on the device; a query without bases may begin at the end.
  std::vector<Piece> aligned(given.packed_words.size() / 4 + 1);
  std::copy(given.packed_words.begin(), given.packed_words.end(), aligned.data()->word);
  std::vector<Interval<u32>> found(given.queries.size(), {77, 7});
  SearchArguments arguments{
      .index = index.view, .queries = given.view(), .intervals = found.data(), .superblock_reciprocal = 0};
  arguments.queries.packed = aligned.data()->word;
  run(arguments, 2);
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_TRUE(found[i].l == given.expected[i].l && found[i].h == given.expected[i].h)
        << search_kernels().name(policy) << " prefix " << prefix_symbols << ", text "
        << given.text.substr(0, 20) << ", query " << given.queries[i] << ": found " << found[i].l << ", "
        << found[i].h << ", expected " << given.expected[i].l << ", " << given.expected[i].h;
}

void search_all(const std::string& text, u32 prefix_symbols) {
  ThreadPool pool(1);
  const PsiCase given(text);
  const Bwt bwt = testing::bwt_of_letters(text, pool, 1);
  const ColumnRank rank(bwt, pool);
  constexpr auto runs = psi_emulations(std::make_index_sequence<std::size(kPolicies)>());
  for (std::size_t i = 0; i < std::size(kPolicies); ++i)
    expect_answers(given, kPolicies[i], runs[i], prefix_symbols, rank, bwt, pool);
}

TEST(CudaPsiSearch, EveryEmulatedPolicyMatchesBruteForceOnShortPeriodicAndRandomTexts) {
  for (const std::string& text : testing::psi_texts()) search_all(text, 0);
}

TEST(CudaPsiSearch, EveryEmulatedPolicyMatchesBruteForceWithAPrefixTable) {
  search_all(testing::random_letters(1000, 1), 5);
  search_all(testing::repeated("CAAAA", 200), 9);
}

TEST(CudaPsiSearch, EveryEmulatedPolicyMatchesBruteForceWhereWordsHaveManyEntries) {
  search_all(testing::random_letters(4000, 2), 0);
  search_all(testing::repeated("A", 700) + "C" + testing::repeated("TA", 600), 2);
}

TEST(CudaPsiSearch, WordsOfSixteenBasesAreReadFromAnyPlace) {
  const std::string query = testing::random_letters(200, 9);
  const std::vector<u32> words = testing::packed(query);
  std::vector<Piece> aligned(words.size() / 4);
  std::copy(words.begin(), words.end(), aligned.data()->word);
  const auto word_at = [&](u32 first, u32 count) {
    u32 word = 0;
    for (u32 i = 0; i < count; ++i)
      word |= static_cast<u32>(std::string_view("ACGT").find(query[query.size() - 1 - first - i])) << (2 * i);
    return word;
  };
  for (u32 prefix = 0; prefix <= 15; ++prefix) {
    QueryReader reader;
    reader.open(reinterpret_cast<const u8*>(aligned.data()));
    ASSERT_EQ(reader.take_prefix(prefix), word_at(0, prefix));
    u32 at = prefix;
    for (; at + 31 <= query.size(); at += 31) {
      ASSERT_EQ(reader.take<16>(), word_at(at, 16)) << prefix << ' ' << at;
      ASSERT_EQ(reader.take<15>(), word_at(at + 16, 15)) << prefix << ' ' << at;
    }
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
