#include <gtest/gtest.h>

#include <map>

#include "kernels/fm_locate/cpu/walks.hpp"
#include "kernels/fm_locate/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/covered_cost.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_locate/small_texts.hpp"

namespace gpuseq::fm_locate {
namespace {

using testing::SmallText;

std::vector<u32> located(const SmallText& text, const Index& index, const DispatchedWalks& kernel,
                         u32 in_flight) {
  std::vector<u32> positions(text.occurrences.total(), ~0u);
  const WalkJob all{.index = index.view,
                    .occurrences = text.occurrences.view(),
                    .positions = positions.data(),
                    .begin = 0,
                    .end = text.occurrences.total(),
                    .in_flight = in_flight};
  // In pieces that begin and end within the positions of a query.
  for (u32 begin = 0; begin < all.end; begin += 37) {
    WalkJob piece = all;
    piece.begin = begin;
    piece.end = std::min(all.end, begin + 37);
    kernel.walk(piece);
  }
  return positions;
}

/// Kernels of all instruction sets that this processor has, by their names.
std::vector<std::pair<std::string, DispatchedWalks>> kernels(bool marked) {
  std::vector<std::pair<std::string, DispatchedWalks>> all{{"scalar", scalar_kernel(marked)},
                                                           {"interleaved", interleaved_kernel(marked)}};
  for (const SimdTarget target : {SimdTarget::best, SimdTarget::sse4, SimdTarget::avx2, SimdTarget::avx512}) {
    try {
      const DispatchedWalks kernel = simd_kernel(marked, target);
      all.emplace_back("simd " + kernel.target, kernel);
    } catch (const ResourceError&) {
      // This processor or build has not the target.
    }
  }
  return all;
}

TEST(CpuLocate, EveryKernelAtEveryLayoutFindsWhatTryingEveryPlaceFinds) {
  for (const std::string& letters : testing::small_texts()) {
    SmallText text(letters, 120, 14);
    const auto expected = text.expected();
    for (const Layout& layout : testing::layouts()) {
      const Index index = text.index(layout);
      for (const auto& [name, kernel] : kernels(layout.marked()))
        for (const u32 in_flight : {1u, 3u, 64u})
          ASSERT_EQ(text.by_query(located(text, index, kernel, in_flight)), expected)
              << letters.substr(0, 20) << ", rate " << layout.rate << ", in text order "
              << layout.in_text_order << ", " << name;
    }
  }
}

/// A complete point of a small problem.
Point outline(const Point& more) {
  Point point{{"reference_bases", 3000}, {"query_count", 300}, {"query_bases", 9}, {"occurring_percent", 60}};
  for (const auto& [axis, value] : more.values()) point.set(axis, value);
  return problem_space().complete(point);
}

std::unique_ptr<LocateProblem> small_problem(const Point& more = {}) {
  return std::make_unique<LocateProblem>(
      ProblemSpec{.point = outline(more), .files = {}, .seed = 3, .cache_dir = {}, .threads = 1});
}

TEST(CpuLocate, EveryVariantAtEveryPointAgreesWithTheOracle) {
  CpuDevice device;
  for (const Point& more : {Point{}, Point{{"max_hits", 2}, {"query_bases", 3}}, Point{{"query_bases", 0}},
                            Point{{"max_hits", 0}, {"query_bases", 1}}, Point{{"query_count", 1}},
                            Point{{"kmer_bases", 5}, {"query_order", "sorted"}}, Point{{"strands", "both"}},
                            Point{{"strains", 3}, {"shortest_query_bases", 2}, {"n_percent", 10}},
                            Point{{"strains", 3}, {"mutations_per_1000", 0}, {"query_bases", 200}},
                            Point{{"strands", "both"}, {"query_bases", 4}, {"max_hits", 3}}}) {
    const auto problem = small_problem(more);
    for (const Variant& one : cpu_variants())
      for (const Point& point : one.space.points({{"sa_rate", one.space.find("sa_rate")->values},
                                                  {"sa_sampling", one.space.find("sa_sampling")->values},
                                                  {"threads", {1, 3}}})) {
        const auto session = prepare_as<LocateSession>(*problem, one, point, device);
        const Verification verification = session->verify();
        EXPECT_TRUE(verification.passed) << one.name << " " << point.to_string() << " of " << more.to_string()
                                         << ": " << verification.reason;
        EXPECT_EQ(verification.checked, problem->queries().begin.size());
        expect_covered(session->cost(), one, point, outline(more));
      }
  }
}

TEST(CpuLocate, WorkIsThePositionsThatAreLocated) {
  CpuDevice device;
  const Variant scalar = cpu_variants().front();
  const auto work = [&](const Point& more) {
    const auto problem = small_problem(more);
    return prepare_as<LocateSession>(*problem, scalar, {}, device)->work();
  };
  EXPECT_EQ(work({{"query_bases", 30}, {"occurring_percent", 50}}).amount, 150);
  EXPECT_EQ(work({{"query_bases", 30}}).unit, "positions");
  EXPECT_EQ(work({{"query_bases", 2}, {"max_hits", 5}}).amount, 1500);
  EXPECT_EQ(work({{"query_bases", 2}, {"max_hits", 5}, {"strands", "both"}}).amount, 3000);
}

TEST(CpuLocate, AWrongPositionIsToldWithItsQuery) {
  const auto problem = small_problem();
  CpuDevice device;
  const auto session = prepare_as<LocateSession>(*problem, cpu_variants().front(), {}, device);
  std::vector<u32> positions = session->positions();
  ASSERT_FALSE(positions.empty());
  EXPECT_TRUE(problem->compare(positions).passed);
  ++positions.back();
  const Verification verification = problem->compare(positions);
  EXPECT_FALSE(verification.passed);
  expect_text(verification.reason);
  positions.pop_back();
  EXPECT_FALSE(problem->compare(positions).passed);
}

TEST(CpuLocate, AWrongPositionOnTheOtherStrandIsToldToo) {
  const auto problem = small_problem({{"strands", "both"}, {"query_bases", 4}});
  CpuDevice device;
  const Occurrences& occurrences = problem->occurrences();
  const auto reverse = std::ranges::find(occurrences.strand, Strand::reverse) - occurrences.strand.begin();
  ASSERT_LT(static_cast<std::size_t>(reverse), occurrences.strand.size());
  const auto session = prepare_as<LocateSession>(*problem, cpu_variants().front(), {}, device);
  std::vector<u32> positions = session->positions();
  positions[occurrences.begin[static_cast<std::size_t>(reverse)]] ^= 1;
  const Verification verification = problem->compare(positions);
  EXPECT_FALSE(verification.passed);
  expect_text(verification.reason);
}

TEST(CpuLocate, AColumnThatIsOfNoTextIsRefused) {
  EXPECT_THROW(small_problem({{"reference", "synthetic"}}), UsageError);
}

TEST(CpuLocate, RatesArePowersOfTwo) {
  for (const Variant& one : cpu_variants()) {
    EXPECT_THROW(one.space.complete({{"sa_rate", 3}}), UsageError);
    EXPECT_THROW(one.space.complete({{"sa_rate", 0}}), UsageError);
    EXPECT_THROW(one.space.complete({{"sa_sampling", "both"}}), UsageError);
  }
}

TEST(CpuLocate, AProblemIsAnotherWhereMoreIsAskedFor) {
  EXPECT_EQ(small_problem()->hash(), small_problem()->hash());
  EXPECT_NE(small_problem()->hash(), small_problem({{"max_hits", 7}})->hash());
  EXPECT_NE(small_problem()->hash(), small_problem({{"strands", "both"}})->hash());
}

}  // namespace
}  // namespace gpuseq::fm_locate
