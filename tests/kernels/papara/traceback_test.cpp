#include "kernels/papara/exec/traceback.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/papara/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/kernels/papara/codes.hpp"

namespace gpuseq::papara {
namespace {

/// The cost of an alignment by equation 1, counted from the places of its bases.
i32 alignment_cost(const Alignment& alignment, const SiteRow& sites, std::span<const u8> bases,
                   const Penalties& penalties) {
  const Alphabet alphabet = sites.alphabet();
  i32 cost = 0;
  u64 next = 0;  // the site behind the last that was dealt with
  for (std::size_t base = 0; base < bases.size(); ++base) {
    const auto& [site, inserted] = alignment.bases[base];
    const u64 until = inserted ? u64{site} + 1 : site;
    for (u64 deleted = next; base > 0 && deleted < until; ++deleted)
      cost += deleted == next ? open_cost(penalties, alphabet, sites[deleted])
                              : extend_cost(penalties, alphabet, sites[deleted]);
    cost += inserted ? penalties.insertion
                     : align_cost(penalties, alphabet, sites[site], sets_of(alphabet)[bases[base]]);
    next = u64{site} + 1;
  }
  return cost;
}

using testing::codes;
using ::testing::ElementsAre;

std::vector<PlacedBase> places(std::string_view sites, std::string_view bases,
                               const Penalties& penalties = {}) {
  return align(testing::dna(codes(sites)), codes(bases), penalties).bases;
}

constexpr PlacedBase on(u32 site) {
  return {.site = site, .inserted = false};
}
constexpr PlacedBase behind(u32 site) {
  return {.site = site, .inserted = true};
}

TEST(PaparaTraceback, PutsBasesOntoTheSitesTheyMatch) {
  EXPECT_THAT(places("A", "C"), ElementsAre(on(0)));
  EXPECT_THAT(places("CCACC", "A"), ElementsAre(on(2)));
  EXPECT_THAT(places("GGACGTGG", "ACGT"), ElementsAre(on(2), on(3), on(4), on(5)));
}

TEST(PaparaTraceback, TakesTheAlignmentThatEndsFirst) {
  EXPECT_THAT(places("ACGACGACG", "ACG"), ElementsAre(on(0), on(1), on(2)));
}

TEST(PaparaTraceback, LeavesOutSitesAndPutsBasesBetweenThem) {
  const Penalties dear{.mismatch = 9, .cgap = 9, .insertion = 9};
  EXPECT_THAT(places("AATTCC", "AACC", dear), ElementsAre(on(0), on(1), on(4), on(5)));
  EXPECT_THAT(places("AAttCC", "AACC"), ElementsAre(on(0), on(1), on(4), on(5)));
  EXPECT_THAT(places("GAACCG", "AATCC"), ElementsAre(on(1), on(2), behind(2), on(3), on(4)));
  EXPECT_THAT(places("aaaa", "AA", {.insertion = 2}), ElementsAre(behind(1), behind(1)));
}

/// Whether bases are in order, on different sites, and in the band.
void expect_valid(const std::vector<PlacedBase>& bases, u64 sites) {
  for (u64 base = 0; base < bases.size(); ++base) {
    EXPECT_GE(bases[base].site, base);
    EXPECT_LE(bases[base].site, base + sites - bases.size());
    if (base > 0) {
      EXPECT_GE(bases[base].site + bases[base].inserted, bases[base - 1].site + 1);
    }
  }
}

void expect_best(Alphabet alphabet, u64 n, u64 m, const Penalties& penalties, Random& random) {
  const auto bytes = testing::random_sites(alphabet, 1, n, random);
  const SiteRow sites(alphabet, bytes);
  const auto bases = testing::random_bases(alphabet, m, random);
  const Alignment alignment = align(sites, bases, penalties);
  ASSERT_EQ(alignment.score, oracle_score(sites, bases, penalties)) << "n " << n << ", m " << m;
  ASSERT_EQ(alignment_cost(alignment, sites, bases, penalties), alignment.score) << "n " << n << ", m " << m;
  expect_valid(alignment.bases, n);
}

TEST(PaparaTraceback, CostsWhatTheOracleSaysOnRandomInput) {
  Random random(1);
  for (int repetition = 0; repetition < 20'000; ++repetition) {
    const u64 n = 1 + random.below(repetition % 10 == 0 ? 200 : 12);
    const Penalties penalties = repetition % 3 == 0 ? Penalties{} : testing::random_penalties(random);
    const Alphabet alphabet = repetition % 4 == 0 ? Alphabet::protein : Alphabet::dna;
    expect_best(alphabet, n, 1 + random.below(n), penalties, random);
  }
}

TEST(PaparaTraceback, FindsTheSamePlacesPieceByPiece) {
  Random random(2);
  for (int repetition = 0; repetition < 3000; ++repetition) {
    const u64 n = 1 + random.below(repetition % 10 == 0 ? 500 : 60);
    const auto codes_of_sites = testing::random_sites(n, random);
    const SiteRow sites = testing::dna(codes_of_sites);
    const auto bases = testing::random_bases(1 + random.below(n), random);
    const Penalties penalties = repetition % 3 == 0 ? Penalties{} : testing::random_penalties(random);
    const Alignment whole = align(sites, bases, penalties), pieces = align(sites, bases, penalties, 0);
    ASSERT_EQ(whole.score, pieces.score);
    ASSERT_EQ(whole.bases, pieces.bases);
  }
}

TEST(PaparaTraceback, FindsLongIndelsOfALongQuery) {
  Random random(3);
  std::vector<u8> sites(20'000);
  for (u8& site : sites) site = static_cast<u8>(1u << random.below(4));
  std::vector<u8> bases(sites.begin() + 1000, sites.begin() + 1300);
  bases.insert(bases.end(), sites.begin() + 1340, sites.begin() + 1600);  // 40 sites left out
  bases.insert(bases.begin() + 400, {15, 15, 15});
  const Alignment alignment = align(testing::dna(sites), bases, {.mismatch = 30, .insertion = 30}, 1000);
  EXPECT_EQ(alignment.bases.front(), on(1000));
  EXPECT_EQ(alignment.bases[299], on(1299));
  EXPECT_EQ(alignment.bases[300], on(1340));
  EXPECT_EQ(alignment.bases.back(), on(1599));
  EXPECT_EQ(std::ranges::count_if(alignment.bases, [](const PlacedBase& base) { return base.inserted; }), 3);
  EXPECT_EQ(alignment.score, 4 + 39 + 3 * 30);
}

TEST(PaparaTraceback, RefusesWhatItHasNoMemoryFor) {
  const std::vector<u8> sites(60'000'000, u8{1}), bases(2'000, u8{1});
  EXPECT_THROW(align(testing::dna(sites), bases, {}), DoesNotFit);
}

TEST(PaparaTraceback, TheBestEdgeIsTheLowestOfThoseWithTheLowestScore) {
  const Best best = best_of(std::vector<i32>{5, 3, 4, 3, 3});
  EXPECT_EQ(best.reference, 1u);
  EXPECT_EQ(best.score, 3);
  EXPECT_EQ(best.ties, 3u);
}

}  // namespace
}  // namespace gpuseq::papara
