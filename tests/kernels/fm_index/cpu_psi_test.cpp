#include <gtest/gtest.h>

#include "kernels/fm_index/cpu/search.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/kernels/fm_index/psi_cases.hpp"

namespace gpuseq::fm_index {
namespace {

using testing::psi_layout;
using testing::PsiCase;

std::vector<DispatchedKernel> psi_kernels(const Layout& layout) {
  std::vector<DispatchedKernel> kernels;
  for (const SimdTarget target : {SimdTarget::best, SimdTarget::sse4, SimdTarget::avx2, SimdTarget::avx512}) {
    try {
      kernels.push_back(psi_kernel(layout, target));
    } catch (const ResourceError&) {
    }
  }
  return kernels;
}

void expect_exact(const PsiCase& given, const Index& index, const DispatchedKernel& kernel, u32 in_flight,
                  PsiSearch search) {
  const u32 count = static_cast<u32>(given.queries.size());
  const bool exit_early = (in_flight + index.layout.k) % 2 == 0;
  std::vector<Interval<u32>> found(count, {7, 7});
  kernel.search({index.view, index.layout, given.view(), found.data(), 0, count, in_flight, in_flight == 3,
                 search, exit_early});
  for (u32 i = 0; i < count; ++i)
    ASSERT_TRUE(found[i].l == given.expected[i].l && found[i].h == given.expected[i].h)
        << "k=" << index.layout.k << " line=" << index.layout.line_bytes << " prefix "
        << index.view.prefix_symbols << " search " << static_cast<u32>(search) << " in flight " << in_flight
        << ' ' << kernel.target << ", text of " << given.text.size() << " (" << given.text.substr(0, 20)
        << ") query " << given.queries[i] << ": found " << found[i].l << ", " << found[i].h << " expected "
        << given.expected[i].l << ", " << given.expected[i].h;
}

void expect_every_kernel_exact(const PsiCase& given, std::initializer_list<u32> ks) {
  ThreadPool pool(1);
  const Bwt bwt = testing::bwt_of_letters(given.text, pool, 1);
  const ColumnRank rank(bwt, pool);
  for (const u32 k : ks)
    for (const u32 line : {0u, 16u, 32u, 64u, 128u})
      for (const u32 prefix : {0u, 5u}) {
        const Layout layout = psi_layout(k, line);
        const Index index = build_index(bwt, rank, layout, prefix, pool);
        for (const DispatchedKernel& kernel : psi_kernels(layout)) {
          expect_exact(given, index, kernel, prefix == 0 ? 1 : 16, PsiSearch::linear);
          if (line != 0) continue;
          expect_exact(given, index, kernel, 3, PsiSearch::binary);
          expect_exact(given, index, kernel, 16, PsiSearch::interpolation);
        }
      }
}

TEST(CpuPsi, EveryKernelFindsTheIntervalsOfBruteForce) {
  for (const std::string& text : testing::psi_texts()) expect_every_kernel_exact(PsiCase(text), {1, 2, 5, 8});
}

TEST(CpuPsi, WordsOfManyEntriesAreExact) {
  expect_every_kernel_exact(PsiCase(testing::random_letters(5000, 1)), {1, 2, 3, 4});
  expect_every_kernel_exact(PsiCase(testing::repeated("A", 1500) + "C" + testing::repeated("TA", 900)),
                            {1, 3, 7});
}

TEST(CpuPsi, AJobTouchesOnlyItsOwnAnswers) {
  const PsiCase given(testing::random_letters(500, 4));
  ThreadPool pool(1);
  const Bwt bwt = testing::bwt_of_letters(given.text, pool, 1);
  for (const u32 line : {0u, 32u}) {
    const Layout layout = psi_layout(6, line);
    const Index index = build_index(bwt, layout, 4, 1);
    const DispatchedKernel kernel = psi_kernel(layout, SimdTarget::best);
    std::vector<Interval<u32>> found(given.queries.size(), {7, 7});
    SearchJob job{index.view, layout, given.view(), found.data(), 10, 50, 8, false};
    kernel.search(job);
    job.begin = job.end = 60;
    kernel.search(job);
    for (u32 q = 0; q < found.size(); ++q) {
      const Interval<u64> expected = q >= 10 && q < 50 ? given.expected[q] : Interval<u64>{7, 7};
      EXPECT_EQ(found[q].l, expected.l) << q;
      EXPECT_EQ(found[q].h, expected.h) << q;
    }
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
