#include <gtest/gtest.h>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/cuda/search.cuh"
#include "tests/kernels/fm_index/verify_cases.hpp"

// The kernel of `verify`, run on the CPU a thread at a time, against brute force: its threads have nothing to
// do with each other.

namespace gpuseq::fm_index {
namespace {

using testing::PsiCase;
using testing::SortedText;

constexpr Policy verify_policy(u32 k, u32 row_bytes, u32 threads, bool in_l1) {
  return {.scheme = Scheme::verify,
          .k = k,
          .d = 0,
          .threads_per_block = threads,
          .entries_in_l1 = in_l1,
          .row_bytes = row_bytes};
}

template <Policy policy>
struct TunedVerify {
  static constexpr Policy value = policy;
};

template <Policy policy>
void expect_emulated_exact(const PsiCase& given, SortedText& sorted) {
  const Index index = sorted.index(policy.k, policy.row_bytes);
  // Packed words in 16-byte aligned memory, as on the device; a query without bases may begin at the end.
  std::vector<Piece> aligned(given.packed_words.size() / 4 + 1);
  std::copy(given.packed_words.begin(), given.packed_words.end(), aligned.data()->word);
  std::vector<AlignedInterval<u32>> found(given.queries.size(), {77, 7});
  SearchArguments arguments{
      .index = index.view, .queries = given.view(), .intervals = found.data(), .superblock_reciprocal = 0};
  arguments.queries.packed = aligned.data()->word;
  constexpr u32 kBlocks = 2;
  for (u32 block = 0; block < kBlocks; ++block)
    for (u32 thread = 0; thread < policy.threads_per_block; ++thread)
      search_text<TunedVerify<policy>>(arguments, {.thread = thread, .block = block, .blocks = kBlocks});
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_TRUE(found[i].l == given.expected[i].l && found[i].h == given.expected[i].h)
        << search_kernels().name(policy) << ", text " << given.text.substr(0, 20) << ", query "
        << given.queries[i] << ": found " << found[i].l << ", " << found[i].h << ", expected "
        << given.expected[i].l << ", " << given.expected[i].h;
}

void search_all(const std::string& text) {
  const PsiCase given(text);
  SortedText sorted(text);
  expect_emulated_exact<verify_policy(1, 4, 64, true)>(given, sorted);
  expect_emulated_exact<verify_policy(1, 8, 32, false)>(given, sorted);
  expect_emulated_exact<verify_policy(3, 4, 32, false)>(given, sorted);
  expect_emulated_exact<verify_policy(4, 8, 64, true)>(given, sorted);
  expect_emulated_exact<verify_policy(8, 4, 64, true)>(given, sorted);
  expect_emulated_exact<verify_policy(8, 8, 128, false)>(given, sorted);
}

TEST(CudaVerifySearch, EveryEmulatedPolicyMatchesBruteForceOnShortPeriodicAndRandomTexts) {
  for (const std::string& text : testing::psi_texts()) search_all(text);
}

TEST(CudaVerifySearch, EveryEmulatedPolicyMatchesBruteForceWhereWordsHaveManyRows) {
  for (const std::string& text : testing::repetitive_texts()) search_all(text);
}

}  // namespace
}  // namespace gpuseq::fm_index
