#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cpu_problems.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"

namespace gpuseq::profile_hmm {
namespace {

using namespace std::string_literals;
using testing::amino_acids;
using testing::mixed_sequences;
using testing::oracle_scores_of;
using testing::sharp_model;

constexpr std::array kFilters{Filter::ssv, Filter::msv, Filter::viterbi};

Variant striped() {
  return cpu_variants().back();
}

/// The points of all variants with one thread, those that differ in an axis of another filter left out.
std::vector<std::pair<Variant, Point>> points_of(Filter filter) {
  std::vector<std::pair<Variant, Point>> points;
  for (const Variant& variant : cpu_variants()) {
    std::map<std::string, std::vector<AxisValue>> values;
    for (const Axis& axis : variant.space.axes()) values[axis.name] = axis.values;
    values["threads"] = {1};
    if (values.contains("target")) values["target"] = {"sse4"s, "avx2"s, "avx512"s, "best"s};
    if (values.contains("vectors")) values["vectors"] = {0, 1, 5};
    if (filter != Filter::msv) values["follow_j"] = {"where_used"s};
    if (filter == Filter::viterbi) values["vectors"] = {0};
    if (variant.name == "scalar") values = {{"threads", {1}}};
    for (const Point& point : variant.space.points(values)) points.emplace_back(variant, point);
  }
  return points;
}

/// Every variant at every point finds the oracle's scores. @returns how many did
int compare(FilterProblem& problem) {
  CpuDevice device;
  const std::vector<RawScore> expected = oracle_scores_of(problem);
  int equal = 0;
  for (const auto& [variant, point] : points_of(problem.filter())) {
    try {
      const std::vector<RawScore> found =
          prepare_as<FilterSession>(problem, variant, point, device)->scores();
      EXPECT_EQ(found, expected) << variant.name << " " << point.to_string() << ", " << problem.model().length
                                 << " states, " << kFilterNames[problem.filter()];
      ++equal;
    } catch (const ResourceError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("is unsupported"));
    }
    if (::testing::Test::HasFailure()) break;
  }
  return equal;
}

void compare_all_filters(const Model& model, const std::shared_ptr<const Sequences>& sequences) {
  for (const Filter filter : kFilters) EXPECT_GT(compare(*make_problem(model, sequences, filter)), 1);
}

TEST(CpuVariants, EveryVariantAtEveryPointFindsTheOraclesScores) {
  for (const u32 length : {1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 400}) {
    const Model model = sharp_model(length, length);
    compare_all_filters(model, mixed_sequences(model, length + 1));
    if (HasFailure()) return;
  }
}

TEST(CpuVariants, LongModels) {
  for (const u32 length : {800, 1200, 1664, 2405, 5000}) {
    const Model model = sharp_model(length, length);
    auto sequences = std::make_shared<Sequences>();
    Random random(length);
    sequences->append("one", std::vector<u8>{3});
    sequences->append("random", amino_acids(70, random));
    sequences->append("emitted", testing::emitted(model, random));
    compare_all_filters(model, sequences);
    if (HasFailure()) return;
  }
}

TEST(CpuVariants, LongestSequencesBesideShorterOnes) {
  CpuDevice device;
  Random random(5);
  const Model model = sharp_model(70, 5);
  auto sequences = std::make_shared<Sequences>();
  for (const u64 length : {100'000, 1, 99'000, 97'000, 90'000, 89'999, 300})
    sequences->append(std::to_string(length), amino_acids(length, random));
  for (const Filter filter : kFilters) {
    const auto problem = make_problem(model, sequences, filter);
    const std::vector<RawScore> expected = oracle_scores_of(*problem);
    for (const Variant& variant : cpu_variants())
      EXPECT_EQ(prepare_as<FilterSession>(*problem, variant, {}, device)->scores(), expected) << variant.name;
    EXPECT_EQ(
        prepare_as<FilterSession>(*problem, striped(), Point({{"follow_j", "always"s}}), device)->scores(),
        expected);
  }
}

/// Numbers that no model of hmmbuild has: saturation is as in the oracle.
Profile extreme_profile(u32 length, u64 seed) {
  Random random(seed);
  Profile profile = testing::random_profile(length, random);
  const auto within = [&](i32 low, i32 high) {
    return low + static_cast<i32>(random.below(static_cast<u64>(high - low + 1)));
  };
  profile.bias = static_cast<u8>(within(0, seed % 3 == 0 ? 255 : 70));
  profile.begin_match = static_cast<u8>(within(0, 255));
  profile.end = static_cast<u8>(within(0, 60));
  for (u8& cost : profile.match_costs) cost = static_cast<u8>(within(0, random.below(9) == 0 ? 255 : 90));
  const i32 range = seed % 2 == 0 ? 32767 : 9000;
  for (i16& score : profile.match_scores)
    score = static_cast<i16>(within(-range, range) / static_cast<i32>(1 + random.below(40)));
  for (u32 step = 0; step < kSteps; ++step)
    for (i16& score : profile.steps[step])
      if (score != kWordFloor)
        score = static_cast<i16>(within(-range, 0) / static_cast<i32>(1 + random.below(40)));
  return profile;
}

TEST(CpuVariants, NumbersAtTheEndsOfTheirRanges) {
  for (u64 seed = 0; seed < 24; ++seed) {
    const u32 length = 1 + static_cast<u32>(seed * 37 % 140);
    const Model model = sharp_model(length, seed);
    for (const Filter filter : kFilters) {
      const auto problem = make_problem(model, mixed_sequences(model, seed), filter);
      problem->state().profile = extreme_profile(length, seed);
      EXPECT_GT(compare(*problem), 1);
    }
    if (HasFailure()) return;
  }
}

TEST(CpuVariants, RepeatedDomainsUseJAndOverflow) {
  CpuDevice device;
  const Model model = sharp_model(150, 8);
  Random random(8);
  auto sequences = std::make_shared<Sequences>();
  for (u32 copies = 1; copies < 20; ++copies) {
    std::vector<u8> codes = amino_acids(30, random);
    for (u32 copy = 0; copy < copies; ++copy) {
      const std::vector<u8> piece = testing::emitted(model, random);
      const auto end =
          piece.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(piece.size(), 5 * copies));
      codes.insert(codes.end(), piece.begin(), end);
    }
    sequences->append("copies", codes);
  }
  for (const Filter filter : kFilters) {
    const auto problem = make_problem(model, sequences, filter);
    const std::vector<RawScore> expected = oracle_scores_of(*problem);
    EXPECT_THAT(expected, ::testing::Contains(kOverflow));
    EXPECT_THAT(expected, ::testing::Contains(::testing::Ne(kOverflow)));
    EXPECT_GT(compare(*problem), 1);
  }
  const auto problem = make_problem(model, sequences, Filter::msv);
  const auto session = prepare_as<FilterSession>(*problem, striped(), {}, device);
  session->launch();
  EXPECT_GT(session->facts().at("sequences_redone"), 0);
}

TEST(CpuVariants, ASequenceThatIsRedoneTwiceCountsOnce) {
  CpuDevice device;
  // No cell rises above the floor, of which bytes without a sign know nothing: followed with J, then with all
  // costs.
  auto sequences = std::make_shared<Sequences>();
  for (int i = 0; i < 5; ++i) sequences->append("stars", std::vector<u8>(30, kResidueCodes - 2));
  const auto problem = make_problem(sharp_model(50, 13), sequences, Filter::msv);
  for (const char* follow_j : {"where_used", "always"}) {
    const auto session = prepare_as<FilterSession>(*problem, striped(), {{"follow_j", follow_j}}, device);
    EXPECT_EQ(session->scores(), oracle_scores_of(*problem));
    EXPECT_EQ(session->facts().at("sequences_redone"), 5) << follow_j;
  }
}

TEST(CpuVariants, NoSequencesAndSequencesWithoutResidues) {
  CpuDevice device;
  const Model model = sharp_model(20, 9);
  const auto none = std::make_shared<Sequences>(), empty = std::make_shared<Sequences>();
  empty->append("a", {});
  empty->append("b", {});
  for (const Filter filter : kFilters)
    for (const Variant& variant : cpu_variants()) {
      EXPECT_TRUE(prepare_as<FilterSession>(*make_problem(model, none, filter), variant, {}, device)
                      ->scores()
                      .empty());
      EXPECT_THAT(
          prepare_as<FilterSession>(*make_problem(model, empty, filter), variant, {}, device)->scores(),
          ::testing::ElementsAre(kNoScore, kNoScore));
    }
}

TEST(CpuVariants, SeveralThreadsAndLaunchesFindWhatOneFinds) {
  CpuDevice device;
  const Model model = sharp_model(120, 10);
  Random random(10);
  auto sequences = std::make_shared<Sequences>();
  for (u32 i = 0; i < 500; ++i) sequences->append("s", amino_acids(random.below(200), random));
  for (const Filter filter : kFilters) {
    const auto problem = make_problem(model, sequences, filter);
    for (const Variant& variant : cpu_variants())
      for (const int threads : {0, 3}) {
        const auto session =
            prepare_as<FilterSession>(*problem, variant, Point({{"threads", threads}}), device);
        session->launch();
        session->launch();
        const Verification verification = session->verify();
        EXPECT_TRUE(verification.passed) << variant.name << ": " << verification.reason;
        EXPECT_EQ(session->scores(), oracle_scores_of(*problem)) << variant.name;
      }
  }
}

TEST(CpuVariants, ARecordSaysWhichInstructionsRanAndWhatWasDoneAgain) {
  CpuDevice device;
  const Model model = sharp_model(200, 11);
  const auto sequences = mixed_sequences(model, 11);
  const auto problem = make_problem(model, sequences, Filter::viterbi);
  const auto session = prepare_as<FilterSession>(*problem, striped(), {}, device);
  session->launch();
  const nlohmann::json facts = session->facts();
  EXPECT_FALSE(facts.at("highway_target").get<std::string>().empty());
  EXPECT_EQ(facts.at("vectors"), (200 + facts.at("lanes").get<int>() - 1) / facts.at("lanes").get<int>());
  EXPECT_GT(facts.at("rows_corrected"), 0);
  // '*', which no model allows, takes sums that saturate.
  EXPECT_GT(facts.at("sequences_saturating"), 0);
  EXPECT_LT(facts.at("sequences_saturating"), facts.at("sequence_count"));
  EXPECT_EQ(session->work().amount, 200.0 * static_cast<double>(sequences->residues()));
}

TEST(CpuVariants, InstructionsAreThoseOfTheVectors) {
  CpuDevice device;
  const Model model = sharp_model(100, 12);
  auto sequences = std::make_shared<Sequences>();
  sequences->append("a", std::vector<u8>(50, 1));
  const auto instructions_of = [&](Filter filter, const Point& point) {
    return prepare_as<FilterSession>(*make_problem(model, sequences, filter), striped(), point, device)
        ->cost()
        .instructions;
  };
  try {
    const auto ssv = instructions_of(Filter::ssv, Point({{"target", "avx2"s}}));
    ASSERT_TRUE(ssv.has_value());
    EXPECT_EQ(ssv->target, "avx2");
    EXPECT_EQ(ssv->operations.at("add_u8"), 50 * 4);
    EXPECT_EQ(ssv->operations.at("max_u8"), 50 * 4);
    const auto msv = instructions_of(Filter::msv, Point({{"target", "avx2"s}, {"follow_j", "always"s}}));
    EXPECT_EQ(msv->operations.at("max_u8"), 50 * 4 * 2);
    const auto viterbi = instructions_of(Filter::viterbi, Point({{"target", "avx2"s}, {"interleave", 1}}));
    EXPECT_EQ(viterbi->operations.at("load"), 50 * 7 * 11);
    EXPECT_EQ(viterbi->operations.at("max_s16"), 50 * 7 * 6);
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("is unsupported"));
  }
}

TEST(CpuVariants, InstructionsOfScalarAreThoseOfVectorsOfSseAtMost) {
  CpuDevice device;
  const Model model = sharp_model(96, 12);
  auto sequences = std::make_shared<Sequences>();
  sequences->append("a", std::vector<u8>(50, 1));
  const auto count = [&](Filter filter, const char* operation) {
    const auto problem = make_problem(model, sequences, filter);
    const auto found =
        prepare_as<FilterSession>(*problem, cpu_variants().front(), {}, device)->cost().instructions;
    EXPECT_EQ(found->target, "sse4");
    return found->operations.at(operation);
  };
  for (const Filter filter : {Filter::ssv, Filter::msv}) {
    double stores = 0;
    for (int residue = 0; residue < 50; ++residue)
      for (int state = 0; state < 96; state += 16) ++stores;
    EXPECT_EQ(count(filter, "store"), stores);
    EXPECT_EQ(count(filter, "max_u8"), 2 * stores);
  }
  EXPECT_EQ(count(Filter::viterbi, "store"), 50 * 12 * 3);  // match, insert, delete of eight states
  EXPECT_EQ(count(Filter::viterbi, "add_sat_s16"), 50 * 12 * 8);
}

TEST(CpuVariants, AxesTakeWhatTheySayAndNothingElse) {
  const SearchSpace space = striped().space;
  EXPECT_NO_THROW(space.complete(Point({{"vectors", 5}, {"interleave", 4}})));
  EXPECT_THROW(space.complete(Point({{"interleave", 3}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"vectors", -1}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"target", "neon"s}})), UsageError);
  EXPECT_THROW(space.complete(Point({{"follow_j", "never"s}})), UsageError);
}

}  // namespace
}  // namespace gpuseq::profile_hmm
