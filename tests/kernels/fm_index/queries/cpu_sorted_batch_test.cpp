#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/fm_index/cpu/sorted_batch.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/kernels/fm_index/psi_cases.hpp"

namespace gpuseq::fm_index {
namespace {

using testing::PsiCase;

std::vector<DispatchedKernel> kernels_of(const Layout& layout) {
  std::vector<DispatchedKernel> kernels;
  for (const SimdTarget target : {SimdTarget::sse4, SimdTarget::avx2, SimdTarget::avx512, SimdTarget::best}) {
    try {
      kernels.push_back(sorted_batch_kernel(layout, target));
    } catch (const ResourceError&) {
    }
  }
  return kernels;
}

void expect_exact(const PsiCase& given, const Index& index, const DispatchedKernel& kernel, u32 batch) {
  const auto count = static_cast<u32>(given.queries.size());
  std::vector<Interval<u32>> found(count, {7, 7});
  HugeBuffer workspace(BatchLists::bytes(std::min(batch, count)));
  SearchJob job{index.view, index.layout, given.view(), found.data(), 0, count, batch, true};
  job.workspace = workspace.data();
  kernel.search(job);
  for (u32 i = 0; i < count; ++i)
    ASSERT_TRUE(found[i].l == given.expected[i].l && found[i].h == given.expected[i].h)
        << "k=" << index.layout.k << " d=" << index.layout.d << " prefix " << index.view.prefix_symbols << " "
        << kernel.target << " batches of " << batch << ", text of " << given.text.size() << " ("
        << given.text.substr(0, 20) << ") query " << given.queries[i] << ": found " << found[i].l << ", "
        << found[i].h << ", expected " << given.expected[i].l << ", " << given.expected[i].h;
}

/// Queries of 0 to 131 bases, which end in different passes and take new windows: psi_cases.hpp.
void expect_every_layout_exact(const std::string& text, std::initializer_list<u32> prefixes) {
  const PsiCase given(text);
  ThreadPool pool(1);
  const Bwt bwt = testing::bwt_of_letters(text, pool);
  for (u32 k = 1; k <= kMaxK; ++k)
    for (const u32 d : {224u, 480u})
      for (const u32 prefix_symbols : prefixes) {
        const Layout layout{.k = k, .d = d, .one_hot = true};
        const Index index = build_index(bwt, layout, prefix_symbols, 1);
        for (const DispatchedKernel& kernel : kernels_of(layout))
          for (const u32 batch : {1u, 7u, 64u, 1u << 20}) expect_exact(given, index, kernel, batch);
      }
}

TEST(CpuSortedBatch, EveryLayoutFindsTheIntervalsOfBruteForce) {
  for (const std::string& text : testing::psi_texts()) expect_every_layout_exact(text, {0, 5});
}

TEST(CpuSortedBatch, PrefixesOfSeveralDigitsAreExact) {
  expect_every_layout_exact(testing::random_letters(2000, 9), {1, 3, 8, 9});
}

TEST(CpuSortedBatch, IntervalsWiderThanBlocksAreExact) {
  expect_every_layout_exact(testing::repeated("A", 900) + "C" + testing::repeated("TA", 900), {0, 4});
}

TEST(CpuSortedBatch, AJobTouchesOnlyItsOwnAnswers) {
  const PsiCase given(testing::random_letters(500, 4));
  ThreadPool pool(1);
  const Layout layout{.k = 2, .d = 224, .one_hot = true};
  const Index index = build_index(testing::bwt_of_letters(given.text, pool), layout, 4, 1);
  std::vector<Interval<u32>> found(given.queries.size(), {7, 7});
  HugeBuffer workspace(BatchLists::bytes(16));
  SearchJob job{index.view, index.layout, given.view(), found.data(), 10, 50, 16, true};
  job.workspace = workspace.data();
  const DispatchedKernel kernel = sorted_batch_kernel(layout, SimdTarget::best);
  kernel.search(job);
  job.begin = job.end = 60;
  kernel.search(job);
  for (u32 q = 0; q < found.size(); ++q) {
    const Interval<u64> expected = q >= 10 && q < 50 ? given.expected[q] : Interval<u64>{7, 7};
    EXPECT_EQ(found[q].l, expected.l) << q;
    EXPECT_EQ(found[q].h, expected.h) << q;
  }
}

TEST(CpuSortedBatch, AWideReferenceIsRefusedWithTheReason) {
  try {
    sorted_batch_kernel({.k = 2, .d = 224, .one_hot = true, .wide = true}, SimdTarget::best);
    FAIL() << "no error";
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("positions of 32 bits"));
  }
}

TEST(CpuSortedBatch, KeysAreSortedAndThoseThatAreAlikeStayAsTheyWere) {
  Random random(3);
  for (const u32 bits : {0u, 2u, 8u, 10u, 28u}) {
    std::vector<QueryKey> keys(1000), room(1000);
    for (u32 i = 0; i < keys.size(); ++i) keys[i] = {static_cast<u32>(random.below(u64{1} << bits)), i};
    std::vector<QueryKey> expected = keys;
    std::ranges::stable_sort(expected, {}, &QueryKey::key);
    const QueryKey* sorted = sorted_keys(keys.data(), room.data(), keys.size(), bits);
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(sorted[i].query, expected[i].query) << bits;
  }
}

TEST(CpuSortedBatch, ARecordHasItsListsAndNoCeiling) {
  CpuDevice device;
  const auto problem =
      load_problem({.point = Point::parse("reference_bases=20000,query_count=1000,query_bases=40"),
                    .files = {},
                    .seed = 1,
                    .cache_dir = {},
                    .threads = 1});
  const auto variants = cpu_variants();
  const Variant& variant = *std::ranges::find(variants, "sorted_batch", &Variant::name);
  const auto parts = [&](const char* point) {
    return prepare_as<SearchSession>(*problem, variant, Point::parse(point), device)->memory()->parts;
  };
  EXPECT_EQ(parts("batch_queries=100,threads=1").at(kWorkspacePart), BatchLists::bytes(100));
  EXPECT_EQ(parts("batch_queries=100,threads=2").at(kWorkspacePart), 2 * BatchLists::bytes(100));
  EXPECT_EQ(parts("batch_queries=16384,threads=4").at(kWorkspacePart), 4 * BatchLists::bytes(250));
  const auto session = prepare_as<SearchSession>(*problem, variant, Point::parse("threads=1"), device);
  EXPECT_FALSE(session->traffic().has_value());
  const Needs needs = variant.needs({variant.space.complete({}), problem_space().complete({}), {}});
  EXPECT_FALSE(needs.traffic.has_value());
  EXPECT_THAT(needs.reason_for_none, ::testing::HasSubstr("queries of a batch share what they touch"));
  EXPECT_TRUE(session->verify().passed);
}

}  // namespace
}  // namespace gpuseq::fm_index
