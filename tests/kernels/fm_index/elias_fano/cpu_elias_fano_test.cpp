#include <gtest/gtest.h>

#include "kernels/fm_index/cpu/search.hpp"
#include "tests/kernels/fm_index/elias_fano/elias_fano_cases.hpp"

namespace gpuseq::fm_index {
namespace {

using testing::PsiCase;

TEST(CpuEliasFano, TheKernelFindsTheIntervalsOfBruteForce) {
  for (const std::string& text : testing::elias_fano_texts()) {
    const PsiCase given(text);
    const auto count = static_cast<u32>(given.queries.size());
    testing::for_each_elias_fano_index(text, [&](const Index& index) {
      for (const u32 in_flight : {1u, 7u}) {
        std::vector<Interval<u32>> found(count, {7, 7});
        elias_fano_kernel(index.layout)
            .search(
                {index.view, index.layout, given.view(), found.data(), 0, count, in_flight, in_flight == 1});
        for (u32 i = 0; i < count; ++i)
          ASSERT_TRUE(found[i].l == given.expected[i].l && found[i].h == given.expected[i].h)
              << "k=" << index.layout.k << " d=" << index.layout.d << " prefix " << index.view.prefix_symbols
              << ", text " << text.substr(0, 20) << ", query " << given.queries[i] << ": found " << found[i].l
              << ", " << found[i].h << ", expected " << given.expected[i].l << ", " << given.expected[i].h;
      }
    });
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
