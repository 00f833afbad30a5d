#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cpu_problems.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::papara {
namespace {

using namespace std::string_literals;
using testing::oracle_scores;
using testing::problem_of;
using testing::ProblemShape;
using testing::variant_named;

/// The points of all variants with one thread; small and odd blocks among them.
std::vector<std::pair<Variant, Point>> all_points() {
  std::vector<std::pair<Variant, Point>> points;
  for (const Variant& variant : cpu_variants()) {
    std::map<std::string, std::vector<AxisValue>> values;
    for (const Axis& axis : variant.space.axes()) values[axis.name] = axis.values;
    values["threads"] = {1};
    if (values.contains("block_columns")) values["block_columns"] = {0, 1, 37};
    if (values.contains("queries_per_tile")) values["queries_per_tile"] = {3};
    if (values.contains("target")) values["target"] = {"sse4"s, "avx2"s, "avx512"s};
    for (const Point& point : variant.space.points(values)) points.emplace_back(variant, point);
  }
  return points;
}

struct Outcome {
  int equal = 0, unsupported = 0, refused = 0;
};

/// Every variant at every point finds the oracle's scores, or refuses.
Outcome compare(const PaparaProblem& problem, PaparaProblem& same) {
  CpuDevice device;
  const std::vector<i32> expected = oracle_scores(problem);
  Outcome outcome;
  for (const auto& [variant, point] : all_points()) {
    try {
      EXPECT_EQ(prepare_as<ScoringSession>(same, variant, point, device)->scores(), expected)
          << variant.name << " " << point.to_string();
      ++outcome.equal;
    } catch (const ResourceError& error) {
      const std::string what = error.what();
      EXPECT_THAT(what, ::testing::AnyOf(::testing::HasSubstr("is unsupported"),
                                         ::testing::HasSubstr("scores are not exact")));
      ++(what.find("unsupported") != std::string::npos ? outcome.unsupported : outcome.refused);
    }
    if (::testing::Test::HasFailure()) break;
  }
  return outcome;
}
Outcome compare(const ProblemShape& shape, u64 seed) {
  const auto problem = problem_of(shape, seed);
  return compare(*problem, *problem);
}

TEST(CpuVariants, EveryVariantAtEveryPointFindsTheOraclesScores) {
  const Outcome outcome = compare({.references = 70, .sites = 90, .bases = {20, 33, 7, 64, 1, 12}}, 1);
  EXPECT_GT(outcome.equal, 0);
  EXPECT_EQ(outcome.refused, 0);
}

TEST(CpuVariants, EveryVariantAtEveryPointFindsTheOraclesScoresOfAminoAcids) {
  const Outcome outcome = compare(
      {.references = 70, .sites = 90, .bases = {20, 33, 7, 64, 1, 12}, .alphabet = Alphabet::protein}, 1);
  EXPECT_GT(outcome.equal, 0);
  EXPECT_EQ(outcome.refused, 0);
  // Letters that are in one byte of a site, in two and in three.
  for (const int code : {1, 9, 20, 21, 24})
    EXPECT_EQ(compare({.references = 2,
                       .sites = 50,
                       .bases = {30, 5, 17},
                       .every_base = code,
                       .alphabet = Alphabet::protein},
                      7)
                  .refused,
              0);
}

TEST(CpuVariants, QueriesOfOneBaseAndAsLongAsTheReference) {
  EXPECT_EQ(compare({.references = 3, .sites = 40, .bases = {1, 40, 39, 38, 33, 2}}, 2).refused, 0);
  EXPECT_EQ(compare({.references = 65, .sites = 1, .bases = {1, 1}}, 3).refused, 0);
  EXPECT_EQ(compare({.references = 1, .sites = 8, .bases = {8, 7, 5, 4, 3}}, 4).refused, 0);
}

TEST(CpuVariants, NothingToAlignGivesNothing) {
  CpuDevice device;
  for (const ProblemShape& shape : {ProblemShape{.references = 5, .sites = 9, .bases = {}},
                                    ProblemShape{.references = 0, .sites = 9, .bases = {4}}}) {
    const auto problem = problem_of(shape, 5);
    for (const Variant& variant : cpu_variants())
      EXPECT_TRUE(prepare_as<ScoringSession>(*problem, variant, {}, device)->scores().empty())
          << variant.name;
  }
}

TEST(CpuVariants, SitesAndBasesThatAreAllTheSame) {
  const std::vector<u32> bases{30, 5, 17};
  for (const int site : {0, 1, 15, 16, 31})
    EXPECT_EQ(compare({.references = 2, .sites = 50, .bases = bases, .every_site = site}, 6).refused, 0);
  for (const int base : {2, 15})
    EXPECT_EQ(compare({.references = 2, .sites = 50, .bases = bases, .every_base = base}, 7).refused, 0);
}

TEST(CpuVariants, AnyPenaltiesAreScoredExactlyOrRefused) {
  Random random(8);
  int equal = 0;
  for (u64 seed = 0; seed < 12; ++seed) {
    ProblemShape shape{.references = 3, .sites = 45, .bases = {20, 44, 9}, .penalties = {}};
    const u64 most = seed % 3 == 0 ? 5 : seed % 3 == 1 ? 100 : 30000;
    for (i32* cost : {&shape.penalties.mismatch, &shape.penalties.cgap, &shape.penalties.gap_extend,
                      &shape.penalties.insertion})
      *cost = random.below(4) == 0 ? 0 : static_cast<i32>(random.below(most + 1));
    shape.penalties.gap_open = shape.penalties.gap_extend + static_cast<i32>(random.below(most + 1));
    equal += compare(shape, seed).equal;
  }
  EXPECT_GT(equal, 0);
}

TEST(CpuVariants, CostsBeyondAllLanesAreRefused) {
  CpuDevice device;
  const auto problem =
      problem_of({.references = 2, .sites = 9, .bases = {4}, .penalties = {.mismatch = 1 << 29}}, 9);
  for (const Variant& variant : cpu_variants())
    EXPECT_THROW(prepare_as<ScoringSession>(*problem, variant, {}, device), ResourceError) << variant.name;
}

TEST(CpuVariants, ScoresThatOverflowEightBitsAreComputedAnewAndCounted) {
  CpuDevice device;
  const ProblemShape shape{.references = 100, .sites = 700, .bases = {90, 650, 20, 600}, .every_site = 1};
  const auto problem = problem_of(shape, 10);
  for (const char* name : {"row_wise", "blocked"}) {
    const auto session = prepare_as<ScoringSession>(*problem, variant_named(cpu_variants(), name),
                                                    Point({{"bits", 8}, {"threads", 1}}), device);
    EXPECT_EQ(session->scores(), oracle_scores(*problem)) << name;
    // Two queries of four are too long; after the first of their groups they are not tried again.
    EXPECT_EQ(session->facts().at("queries_in_wider_lanes"), 2) << name;
    const u64 escaped = session->facts().at("escaped");
    EXPECT_GT(escaped, 0u) << name;
    session->launch();
    EXPECT_EQ(session->scores(), oracle_scores(*problem)) << name;
    EXPECT_EQ(session->facts().at("escaped"), escaped) << name;
  }
}

TEST(CpuVariants, SixteenBitsAreRefusedWhereALongQueryCouldOverflowThem) {
  CpuDevice device;
  const ProblemShape shape{.references = 2,
                           .sites = 900,
                           .bases = {800},
                           .penalties = {.mismatch = 50, .cgap = 50},
                           .every_site = 16};
  const auto problem = problem_of(shape, 11);
  for (const char* name : {"row_wise", "blocked"}) {
    const Variant variant = variant_named(cpu_variants(), name);
    Point narrow({{"bits", 16}});
    if (variant.space.find("rows") != nullptr) {  // chosen by the processor, they move the limit
      narrow.set("rows", 4);
      narrow.set("block_columns", 64);
    }
    expect_error_text<ResourceError>([&] { prepare_as<ScoringSession>(*problem, variant, narrow, device); });
    for (const int bits : {8, 32})
      EXPECT_EQ(prepare_as<ScoringSession>(*problem, variant, Point({{"bits", bits}}), device)->scores(),
                oracle_scores(*problem));
  }
}

TEST(CpuVariants, SeveralThreadsAndLaunchesFindWhatOneFinds) {
  CpuDevice device;
  const auto problem = problem_of({.references = 130, .sites = 150, .bases = std::vector<u32>(21, 50)}, 12);
  for (const Variant& variant : cpu_variants())
    for (const int threads : {0, 3}) {
      const auto session =
          prepare_as<ScoringSession>(*problem, variant, Point({{"threads", threads}}), device);
      session->launch();
      session->launch();
      const Verification verification = session->verify();
      EXPECT_TRUE(verification.passed) << variant.name << ": " << verification.reason;
      EXPECT_EQ(session->scores(), oracle_scores(*problem)) << variant.name;
    }
}

TEST(CpuVariants, ARecordSaysWhichInstructionsRanAndHowTheMatrixWasCut) {
  CpuDevice device;
  const auto problem = problem_of({.references = 10, .sites = 100, .bases = {30, 40}}, 13);
  const auto session = prepare_as<ScoringSession>(*problem, variant_named(cpu_variants(), "blocked"),
                                                  Point({{"threads", 1}}), device);
  const nlohmann::json facts = session->facts();
  EXPECT_FALSE(facts.at("highway_target").get<std::string>().empty());
  EXPECT_EQ(facts.at("threads"), 1);
  EXPECT_GT(facts.at("block_columns"), 0);
  EXPECT_GT(facts.at("rows"), 0);
  EXPECT_EQ(session->work().amount, 10.0 * (30 * 71 + 40 * 61));
}

TEST(CpuVariants, InstructionsAreThoseOfTheLanes) {
  CpuDevice device;
  const auto problem = problem_of({.references = 65, .sites = 100, .bases = {30, 40}}, 14);
  const Variant blocked = variant_named(cpu_variants(), "blocked");
  const Point point({{"bits", 16}, {"target", "avx2"s}, {"rows", 4}});
  try {
    const auto instructions =
        prepare_as<ScoringSession>(*problem, blocked, point, device)->cost().instructions;
    ASSERT_TRUE(instructions.has_value());
    EXPECT_EQ(instructions->target, "avx2");
    const double cells = 5 * (30 * 71 + 40 * 61);  // 5 groups of 16
    EXPECT_EQ(instructions->operations.at("min_s16"), 3 * cells);
    EXPECT_EQ(instructions->operations.at("add_sat_s16"), 2.25 * cells);
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("is unsupported"));
  }
}

TEST(CpuVariants, SequentialStoresEveryCellOfEveryReference) {
  CpuDevice device;
  const auto problem = problem_of({.references = 65, .sites = 100, .bases = {30, 40}}, 14);
  const auto instructions =
      prepare_as<ScoringSession>(*problem, variant_named(cpu_variants(), "sequential"), {}, device)
          ->cost()
          .instructions;
  ASSERT_TRUE(instructions.has_value());
  EXPECT_EQ(instructions->operations.at("store"), 65 * (30 * 71 + 40 * 61));
}

TEST(CpuVariants, AxesTakeWhatTheySayAndNothingElse) {
  const SearchSpace space = variant_named(cpu_variants(), "blocked").space;
  EXPECT_NO_THROW(space.complete(Point({{"block_columns", 77}, {"queries_per_tile", 5}})));
  EXPECT_THROW(space.complete(Point({{"bits", 64}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"rows", 3}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"queries_per_tile", 0}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"target", "neon"s}})), UsageError);
}

}  // namespace
}  // namespace gpuseq::papara
