#include <gtest/gtest.h>

#include "kernels/papara/cuda/policy.hpp"
#include "kernels/papara/cuda/score.cuh"
#include "kernels/papara/data/reference_packing.hpp"
#include "tests/kernels/papara/cuda_problems.hpp"

// The device source compiled for the host: every thread of the kernels works on its own, so they run one by
// one.

namespace gpuseq::papara {
namespace {

/// Scores as a launch of `blocks` blocks makes them; -1 for pairs that it leaves out.
/// @param some  references, from a warp's first on; empty: all
template <class Tuned>
std::vector<i32> emulated(const testing::SmallProblem& problem, u32 blocks, Range some = {}) {
  constexpr Policy policy = Tuned::value;
  if (some.size() == 0) some = {0, problem.references.count};
  const Queries& queries = problem.queries;
  const std::vector<u32> words = pack_queries(problem.references.alphabet, queries);
  std::vector<QueryEntry> entries;
  for (u32 query = 0; query < queries.count(); ++query) entries.push_back(query_entry(queries, query));
  const std::vector<u32> references =
      pack_references(policy, problem.references, {0, problem.references.count}, queries.longest);
  std::vector<i32> scores(std::size_t{queries.count()} * problem.references.count, -1);
  std::vector<u64> scratch(
      blocks * policy.threads_per_block *
          scratch_bytes_per_thread(policy, problem.references.sites, 1, queries.longest) / 8 +
      1);
  std::vector<u64> shared(shared_bytes(policy, queries.longest) / 8 + 1);
  const ScoreArguments arguments{.references = references.data() + threads_for(policy, some.begin),
                                 .queries = entries.data(),
                                 .bases = words.data(),
                                 .scores = scores.data(),
                                 .scratch = scratch.data(),
                                 .query_count = queries.count(),
                                 .sites = problem.references.sites,
                                 .reference_count = some.size(),
                                 .reference_stride = threads_for(policy, problem.references.count),
                                 .first_reference = some.begin,
                                 .score_stride = problem.references.count,
                                 .longest = queries.longest,
                                 .one = 1,
                                 .penalties = problem.penalties};
  for (u32 block = 0; block < blocks; ++block)
    for (u32 thread = 0; thread < policy.threads_per_block; ++thread)
      score<Tuned>(arguments, {thread, block, blocks}, reinterpret_cast<u8*>(shared.data()));
  return scores;
}

template <Policy policy>
struct Tuned {
  static constexpr Policy value = policy;
};

/// Blocks by equation 1 as printed, and as published square blocks at both ends.
constexpr Policy published(Arithmetic arithmetic, u32 unroll, bool square_ends, bool compressed = true,
                           bool border_in_shared = false) {
  return {.scheme = Scheme::blocked_shared,
          .arithmetic = arithmetic,
          .unroll = unroll,
          .compressed = compressed,
          .branched = false,
          .mixed = false,
          .boundary_in_shared = border_in_shared,
          .printed = true,
          .square_ends = square_ends};
}

constexpr Policy of_protein(Policy policy) {
  policy.alphabet = Alphabet::protein;
  return policy;
}

constexpr Policy with_potentials(Policy policy) {
  policy.printed = false;
  return policy;
}

template <class Tuned>
class CudaScore : public ::testing::Test {};

using Policies = ::testing::Types<
    Tuned<Policy{.scheme = Scheme::row_wise_global, .arithmetic = Arithmetic::s32, .unroll = 2}>,
    Tuned<Policy{.scheme = Scheme::row_wise_global, .arithmetic = Arithmetic::s16x2, .unroll = 1}>,
    Tuned<Policy{.scheme = Scheme::row_wise_global, .arithmetic = Arithmetic::f16x2, .compressed = false}>,
    Tuned<Policy{
        .scheme = Scheme::blocked_shared, .arithmetic = Arithmetic::s32, .unroll = 12, .branched = false}>,
    Tuned<Policy{.scheme = Scheme::blocked_shared,
                 .unroll = 8,
                 .compressed = false,
                 .branched = false,
                 .boundary_in_shared = false}>,
    Tuned<Policy{
        .scheme = Scheme::blocked_shared, .arithmetic = Arithmetic::f16x2, .unroll = 6, .branched = false}>,
    Tuned<published(Arithmetic::s32, 12, true)>, Tuned<published(Arithmetic::s32, 8, true, false)>,
    Tuned<published(Arithmetic::s32, 12, false)>, Tuned<published(Arithmetic::s16x2, 12, true)>,
    Tuned<published(Arithmetic::s16x2, 4, true, true, true)>,
    Tuned<published(Arithmetic::s16x2, 24, false, false)>,
    Tuned<published(Arithmetic::f16x2, 6, true, false)>,
    Tuned<published(Arithmetic::f16x2, 16, false, true, true)>,
    Tuned<with_potentials(published(Arithmetic::s32, 12, true))>,
    Tuned<with_potentials(published(Arithmetic::s16x2, 8, true, false))>,
    Tuned<with_potentials(published(Arithmetic::f16x2, 6, true, true, true))>,
    Tuned<Policy{.arithmetic = Arithmetic::s32, .unroll = 8}>,
    Tuned<Policy{.arithmetic = Arithmetic::s32, .unroll = 16, .branched = false}>,
    Tuned<Policy{.unroll = 24, .threads_per_block = 32}>,
    Tuned<Policy{.unroll = 24, .threads_per_block = 32, .mixed = false}>,
    Tuned<Policy{.unroll = 32, .compressed = false, .boundary_in_shared = false}>,
    Tuned<Policy{.unroll = 20, .branched = false}>,
    Tuned<Policy{.arithmetic = Arithmetic::f16x2, .unroll = 28}>,
    Tuned<Policy{.arithmetic = Arithmetic::f16x2, .unroll = 12, .compressed = false, .branched = false}>,
    Tuned<of_protein({.scheme = Scheme::row_wise_global, .arithmetic = Arithmetic::s32, .unroll = 2})>,
    Tuned<of_protein({.scheme = Scheme::row_wise_global, .arithmetic = Arithmetic::s16x2, .unroll = 1})>,
    Tuned<of_protein({.scheme = Scheme::row_wise_global, .arithmetic = Arithmetic::f16x2})>,
    Tuned<of_protein({.scheme = Scheme::blocked_shared, .unroll = 24, .mixed = false})>,
    Tuned<of_protein({.scheme = Scheme::blocked_shared, .arithmetic = Arithmetic::s32, .unroll = 6})>,
    Tuned<of_protein({.arithmetic = Arithmetic::s32, .unroll = 30, .boundary_in_shared = false})>,
    Tuned<of_protein({.arithmetic = Arithmetic::s32, .unroll = 32, .mixed = false})>,
    Tuned<of_protein({.unroll = 30})>, Tuned<of_protein({.unroll = 16, .threads_per_block = 32})>,
    Tuned<of_protein({.unroll = 8, .mixed = false, .boundary_in_shared = false})>,
    Tuned<of_protein({.arithmetic = Arithmetic::f16x2, .unroll = 28})>>;
TYPED_TEST_SUITE(CudaScore, Policies);

TYPED_TEST(CudaScore, EqualsTheOracleWhereverTheNumbersAreExact) {
  u32 compared = 0;
  for (const testing::SmallProblem& problem : testing::small_problems(TypeParam::value.alphabet)) {
    if (why_inexact(TypeParam::value, problem.queries.longest, problem.penalties)) continue;
    ++compared;
    const std::vector<i32> scores = emulated<TypeParam>(problem, 2);
    const u32 references = problem.references.count;
    for (u32 query = 0; query < problem.queries.count(); ++query)
      for (u32 reference = 0; reference < references; ++reference)
        ASSERT_EQ(scores[query * references + reference], testing::expected_score(problem, query, reference))
            << problem.name << ", query " << query << " of " << problem.queries.bases[query]
            << " bases, reference " << reference << ", " << score_kernels().name(TypeParam::value);
  }
  EXPECT_GE(compared, 7u);
}

TEST(CudaScoreRanges, WarpsOfSomeReferencesMakeTheirScoresOnly) {
  using Some = Tuned<Policy{.unroll = 12, .threads_per_block = 32}>;
  const testing::SmallProblem problem = testing::random_problem("ranges", 200, 60, {30, 60}, 9);
  const u32 unit = Some::value.warp_references(), threads = threads_for(Some::value, 200);
  const std::vector<i32> scores = emulated<Some>(problem, 2, {unit, 2 * unit});
  ASSERT_GT(threads, 2 * kWarpThreads);
  for (u32 query = 0; query < 2; ++query)
    for (u32 reference = 0; reference < 200; ++reference)
      EXPECT_EQ(scores[query * 200 + reference],
                reference / unit == 1 ? testing::expected_score(problem, query, reference) : -1);
}

TEST(CudaScoreEnds, SquareBlocksTakeTheColumnsInWhichRowsBeginOrEnd) {
  for (const u32 unroll : {1u, 4u, 12u, 24u})
    for (u32 sites = 1; sites < 130; ++sites)
      for (u32 longest = 0; longest <= sites; ++longest) {
        const Ends ends = ends_of(unroll, sites, longest);
        ASSERT_EQ(ends.left + ends.blocks * unroll + ends.right, sites);
        // For every query a column between them has every row, j <= i <= j + sites - bases.
        if (ends.blocks > 0) {
          ASSERT_GE(ends.left + 1, longest);
          ASSERT_LE(longest, ends.right + 1);
        }
        // And no block more would fit.
        ASSERT_LT(sites, 2 * std::max(longest, 1u) - 1 + (ends.blocks + 1) * unroll);
      }
  EXPECT_EQ(ends_of(12, 500, 100).blocks, 25u);
}

TEST(CudaExactness, RefusesWhatOverflowsAndNothingElse) {
  const Policy halves{.arithmetic = Arithmetic::f16x2}, words{.arithmetic = Arithmetic::s32},
      shorts{.mixed = false}, mixed{};
  EXPECT_FALSE(why_inexact(halves, 300, {}).has_value());
  EXPECT_TRUE(why_inexact(halves, 400, {}).has_value());
  EXPECT_FALSE(why_inexact(shorts, 3900, {}).has_value());
  EXPECT_TRUE(why_inexact(shorts, 4100, {}).has_value());
  EXPECT_FALSE(why_inexact(mixed, 2600, {}).has_value());
  EXPECT_TRUE(why_inexact(mixed, 2700, {}).has_value());
  EXPECT_TRUE(why_inexact(shorts, 400, {.insertion = 100}).has_value());
  EXPECT_FALSE(why_inexact(words, 1'000'000, {.mismatch = 100, .cgap = 100}).has_value());
  // Where cells are scores, an insertion is added to the cells out of the band.
  const Policy rows{.scheme = Scheme::row_wise_global, .branched = false, .mixed = false};
  const Policy printed = published(Arithmetic::s16x2, 12, true);
  Policy ends = with_potentials(printed);
  ends.branched = true;  // else the costs of a column, without an insertion, have to fit a byte
  EXPECT_FALSE(why_inexact(ends, 1, {.insertion = 8000}).has_value());
  EXPECT_TRUE(why_inexact(ends, 1, {.insertion = 10'000}).has_value());
  for (const Policy& policy : {rows, printed}) {
    EXPECT_FALSE(why_inexact(policy, 10, {.insertion = 8000}).has_value());
    EXPECT_TRUE(why_inexact(policy, 10, {.insertion = 10'000}).has_value());
    EXPECT_FALSE(why_inexact(policy, 3900, {}).has_value());
    EXPECT_TRUE(why_inexact(policy, 4100, {}).has_value());
  }
  const Policy bytes{.branched = false};
  EXPECT_TRUE(why_inexact(bytes, 10, {.mismatch = 100, .cgap = 100}).has_value());
  EXPECT_FALSE(why_inexact(shorts, 10, {.mismatch = 100, .cgap = 100}).has_value());
}

TEST(CudaExactness, LanesOfAminoAcidsThatCarryUnlikeEachOtherAreRefused) {
  const Policy mixed = of_protein({}), fused = of_protein({.mixed = false}),
               words = of_protein({.arithmetic = Arithmetic::s32});
  // Without CGAP a match is -4 and a mismatch -1, with CGAP 0 and 3.
  EXPECT_FALSE(why_inexact(mixed, 100, {}).has_value());
  for (const Penalties& unlike : {Penalties{.mismatch = 4}, Penalties{.cgap = 2}}) {
    EXPECT_TRUE(why_inexact(mixed, 100, unlike).has_value());
    EXPECT_FALSE(why_inexact(fused, 100, unlike).has_value());
    EXPECT_FALSE(why_inexact(words, 100, unlike).has_value());
    EXPECT_FALSE(why_inexact(Policy{}, 100, unlike).has_value());
  }
}

TEST(CudaExactness, LongQueriesOfTheLargestScoreAreStillExact) {
  // Every base mismatches a site with CGAP: nothing costs more.
  testing::SmallProblem worst{.name = "worst",
                              .references = {.count = 2, .sites = 339, .codes = {}},
                              .queries = {},
                              .penalties = {.insertion = 6}};
  worst.references.codes.assign(2 * 339, u8{1 | kCgapFlag});
  testing::add_query(worst.queries, std::vector<u8>(333, 2));
  using Halves = Tuned<Policy{.arithmetic = Arithmetic::f16x2, .unroll = 12}>;
  worst.penalties.insertion = 5;
  ASSERT_FALSE(why_inexact(Halves::value, worst.queries.longest, worst.penalties).has_value());
  const std::vector<i32> scores = emulated<Halves>(worst, 1);
  EXPECT_EQ(scores[0], testing::expected_score(worst, 0, 0));
  EXPECT_GT(scores[0], 1600);
}

TEST(CudaExactness, TheLongestQueriesOfSixteenBitsAreStillExact) {
  // As long as mixed additions take, their potentials beginning far above 0; every base mismatches a CGAP
  // site.
  using Mixed = Tuned<Policy{.unroll = 16, .threads_per_block = 32, .boundary_in_shared = false}>;
  u32 longest = 2600;
  while (!why_inexact(Mixed::value, longest + 1, {})) ++longest;
  const u32 sites = longest + 5;
  testing::SmallProblem worst{.name = "worst",
                              .references = {.count = 2, .sites = sites, .codes = {}},
                              .queries = {},
                              .penalties = {}};
  worst.references.codes.assign(std::size_t{sites}, u8{1 | kCgapFlag});
  worst.references.codes.resize(2 * std::size_t{sites}, u8{1});
  testing::add_query(worst.queries, std::vector<u8>(longest, 2));
  const std::vector<i32> scores = emulated<Mixed>(worst, 1);
  for (u32 reference = 0; reference < 2; ++reference)
    EXPECT_EQ(scores[reference], testing::expected_score(worst, 0, reference));
  EXPECT_GT(scores[0], 7'900);
}

}  // namespace
}  // namespace gpuseq::papara
