#include <gtest/gtest.h>

#include "kernels/fm_index/cpu/search.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/kernels/fm_index/verify_cases.hpp"

namespace gpuseq::fm_index {
namespace {

using testing::PsiCase;
using testing::SortedText;

void expect_exact(const PsiCase& given, const Index& index, u32 in_flight) {
  const u32 count = static_cast<u32>(given.queries.size());
  std::vector<Interval<u32>> found(count, {7, 7});
  verify_kernel(index.layout)
      .search({index.view, index.layout, given.view(), found.data(), 0, count, in_flight, false});
  for (u32 i = 0; i < count; ++i)
    ASSERT_TRUE(found[i].l == given.expected[i].l && found[i].h == given.expected[i].h)
        << "k=" << index.layout.k << " row_bytes=" << index.layout.row_bytes << " in flight " << in_flight
        << ", text of " << given.text.size() << " (" << given.text.substr(0, 20) << ") query "
        << given.queries[i] << ": found " << found[i].l << ", " << found[i].h << " expected "
        << given.expected[i].l << ", " << given.expected[i].h;
}

void expect_every_layout_exact(const std::string& text, std::initializer_list<u32> ks) {
  const PsiCase given(text);
  SortedText sorted(text);
  for (const u32 k : ks)
    for (const u32 row_bytes : {4u, 8u})
      for (const u32 in_flight : {1u, 3u, 64u}) expect_exact(given, sorted.index(k, row_bytes), in_flight);
}

TEST(CpuVerify, EveryLayoutFindsTheIntervalsOfBruteForce) {
  for (const std::string& text : testing::psi_texts()) expect_every_layout_exact(text, {1, 2, 5, 8});
}

TEST(CpuVerify, WordsOfManyRowsAreExact) {
  for (const std::string& text : testing::repetitive_texts()) expect_every_layout_exact(text, {1, 3, 6});
}

TEST(CpuVerify, AJobTouchesOnlyItsOwnAnswers) {
  const PsiCase given(testing::random_letters(500, 4));
  const Index index = SortedText(given.text).index(6, 4);
  std::vector<Interval<u32>> found(given.queries.size(), {7, 7});
  SearchJob job{index.view, index.layout, given.view(), found.data(), 10, 50, 8, false};
  const DispatchedKernel kernel = verify_kernel(index.layout);
  kernel.search(job);
  job.begin = job.end = 60;
  kernel.search(job);
  for (u32 q = 0; q < found.size(); ++q) {
    const Interval<u64> expected = q >= 10 && q < 50 ? given.expected[q] : Interval<u64>{7, 7};
    EXPECT_EQ(found[q].l, expected.l) << q;
    EXPECT_EQ(found[q].h, expected.h) << q;
  }
}

TEST(CpuVerify, ASyntheticColumnIsRefusedByVerifyAlone) {
  CpuDevice device;
  const auto problem =
      load_problem({.point = Point::parse("reference=synthetic,reference_bases=20000,query_count=50"),
                    .files = {},
                    .seed = 1,
                    .cache_dir = {},
                    .threads = 1});
  for (const Variant& variant : cpu_variants()) {
    if (variant.name != "verify_prefetch") {
      EXPECT_TRUE(prepare_as<SearchSession>(*problem, variant, Point(), device)->verify().passed)
          << variant.name;
      continue;
    }
    EXPECT_THROW(prepare_as<SearchSession>(*problem, variant, Point(), device), ResourceError);
  }
}

TEST(CpuVerify, TheTextIsSortedAgainWhereNoCacheHoldsItsSuffixes) {
  CpuDevice device;
  const auto problem =
      load_problem({.point = Point::parse("reference_bases=20000,query_count=50,query_bases=40"),
                    .files = {},
                    .seed = 1,
                    .cache_dir = {},
                    .threads = 1});
  const auto variants = cpu_variants();
  const Variant& verify = variants.back();
  ASSERT_EQ(verify.name, "verify_prefetch");
  for (const char* point : {"k=8,row_bytes=4", "k=9,row_bytes=8", "k=10"}) {
    const auto session = prepare_as<SearchSession>(*problem, verify, Point::parse(point), device);
    EXPECT_TRUE(session->verify().passed) << point;  // the oracle takes the suffixes
    EXPECT_EQ(session->facts().at("layout"), "verify");
    EXPECT_TRUE(session->notes().empty());
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
