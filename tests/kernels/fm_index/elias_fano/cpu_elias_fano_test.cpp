#include <gtest/gtest.h>

#include "kernels/fm_index/cpu/search.hpp"
#include "runtime/contract/unsupported.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/elias_fano/elias_fano_cases.hpp"

namespace gpuseq::fm_index {
namespace {

using testing::PsiCase;

/// Whether this build has one; a default build has that of the default layout.
bool has_kernel(const Layout& layout) {
  try {
    return elias_fano_kernel(layout).search != nullptr;
  } catch (const NotCompiled&) {
    return false;
  }
}

TEST(CpuEliasFano, DefaultLayoutHasAKernelAndOthersNameTheOption) {
  EXPECT_TRUE(has_kernel(testing::elias_fano_layout(4, 10240, 64)));
  const Layout other = testing::elias_fano_layout(3, 6144, 128);
#ifdef GPUSEQ_ALL_SHAPES
  EXPECT_TRUE(has_kernel(other));
#else
  expect_error_text<NotCompiled>([&] { elias_fano_kernel(other); });
#endif
}

TEST(CpuEliasFano, TheKernelFindsTheIntervalsOfBruteForce) {
  for (const std::string& text : testing::elias_fano_texts()) {
    const PsiCase given(text);
    const auto count = static_cast<u32>(given.queries.size());
    testing::for_each_elias_fano_index(text, [&](const Index& index) {
      if (!has_kernel(index.layout)) return;
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
