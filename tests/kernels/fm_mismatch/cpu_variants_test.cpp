#include <gtest/gtest.h>

#include "kernels/fm_mismatch/cpu/searches.hpp"
#include "kernels/fm_mismatch/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/covered_cost.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_mismatch/small_texts.hpp"

namespace gpuseq::fm_mismatch {
namespace {

using testing::SmallText;

/// How a kernel is called.
struct Call {
  u32 mismatches, strands, in_flight, prefix_symbols;
};

/// Searches all queries of a text, in pieces that begin and end within a query's strands.
void expect_places(const SmallText& text, SearchKernel kernel, const Call& call, const std::string& what) {
  const auto [mismatches, strands, in_flight, prefix_symbols] = call;
  const u64 places = text.words.size() * strands;
  std::vector<Answer> answers(places, Answer{{7, 7, 7}, 7});
  SearchJob all{.index = text.with_prefix(prefix_symbols),
                .queries = text.view(),
                .strands = strands,
                .answers = answers.data(),
                .hits = {nullptr, nullptr},
                .begin = 0,
                .end = places,
                .in_flight = in_flight};
  const auto in_pieces = [&] {
    for (u64 begin = 0; begin < places; begin += 37) {
      SearchJob piece = all;
      piece.begin = begin;
      piece.end = std::min(places, begin + 37);
      kernel(piece);
    }
  };
  in_pieces();
  const std::vector<u64> begins = begins_of_hits(answers);
  std::vector<Hit> hits(begins.back());
  all.hits = {hits.data(), begins.data()};
  in_pieces();
  for (u64 place = 0; place < places; ++place)
    ASSERT_EQ(text.places(answers[place], hits.data() + begins[place]),
              text.expected(place, strands, mismatches))
        << what << ", up to " << mismatches << ", table of " << prefix_symbols << ", place " << place
        << ", query " << text.words[place / strands] << " in " << text.text.substr(0, 20);
}

TEST(CpuMismatch, EveryKernelFindsEveryPlaceOnce) {
  for (const std::string& letters : testing::small_texts()) {
    const SmallText text(letters, 300, 19);
    // For queries of up to 19 bases, parts are shorter than the words of a table, as long, and longer.
    for (const u32 prefix_symbols : {0u, 1u, 3u, 5u, 8u})
      for (const u32 mismatches : {0u, 1u, 2u})
        for (const u32 strands : {1u, 2u}) {
          expect_places(text, scalar_kernel(mismatches), {mismatches, strands, 1, prefix_symbols}, "scalar");
          for (const u32 in_flight : {1u, 3u, 64u})
            expect_places(text, interleaved_kernel(mismatches),
                          {mismatches, strands, in_flight, prefix_symbols}, "interleaved");
        }
  }
}

TEST(CpuMismatch, FindsAMismatchAtEveryPairOfBases) {
  SmallText text(fm_index::testing::random_letters(1500, 9), 0, 0);
  const std::string piece = text.text.substr(700, 23);
  for (std::size_t first = 0; first < piece.size(); ++first)
    for (std::size_t second = first; second < piece.size(); ++second) {
      std::string query = piece;
      for (const std::size_t at : {first, second})
        query[at] = "ACGT"[(std::string("ACGT").find(piece[at]) + 1 + (first + second) % 3) % 4];
      text.queries.add(query);
      text.words.push_back(query);
    }
  for (const u32 mismatches : {1u, 2u})
    for (const u32 prefix_symbols : {0u, 7u})
      expect_places(text, scalar_kernel(mismatches), {mismatches, 2, 1, prefix_symbols}, "scalar");
}

/// A complete point of a small problem.
Point outline(const Point& more) {
  Point point{
      {"reference_bases", 3000}, {"query_count", 200}, {"query_bases", 12}, {"occurring_percent", 60}};
  for (const auto& [axis, value] : more.values()) point.set(axis, value);
  return problem_space().complete(point);
}

std::unique_ptr<MismatchProblem> small_problem(const Point& more = {}) {
  return std::make_unique<MismatchProblem>(
      ProblemSpec{.point = outline(more), .files = {}, .seed = 3, .cache_dir = {}, .threads = 1});
}

TEST(CpuMismatch, EveryVariantAtEveryPointAgreesWithTheOracle) {
  CpuDevice device;
  for (const Point& more :
       {Point{}, Point{{"mismatches", 1}}, Point{{"mismatches", 0}, {"strands", "both"}},
        Point{{"strands", "both"}, {"query_bases", 5}}, Point{{"query_bases", 0}}, Point{{"query_bases", 1}},
        Point{{"query_bases", 2}, {"strands", "both"}}, Point{{"query_count", 1}, {"query_bases", 100}},
        Point{{"reference_bases", 1000}, {"strains", 3}, {"shortest_query_bases", 5}, {"n_percent", 10}},
        Point{{"kmer_bases", 9}, {"query_order", "sorted"}, {"query_count", 20}}}) {
    const auto problem = small_problem(more);
    for (const char* tuning : {"threads=1", "threads=3", "threads=1,prefix_symbols=4",
                               "threads=2,prefix_symbols=8", "threads=1,prefix_symbols=10"})
      for (const Variant& one : cpu_variants()) {
        const auto session = prepare_as<MismatchSession>(*problem, one, Point::parse(tuning), device);
        const Verification verification = session->verify();
        EXPECT_TRUE(verification.passed)
            << one.name << " " << tuning << " of " << more.to_string() << ": " << verification.reason;
        EXPECT_EQ(verification.checked, problem->queries().begin.size());
        expect_covered(session->cost(), one, Point::parse(tuning), outline(more));
      }
  }
}

TEST(CpuMismatch, WorkIsTheBasesOfTheStrandsThatAreSearchedWhateverTheMismatches) {
  CpuDevice device;
  const auto work = [&](const Point& more) {
    const auto problem = small_problem(more);
    return prepare_as<MismatchSession>(*problem, cpu_variants().front(), {}, device)->work();
  };
  EXPECT_EQ(work({}).amount, 2400);
  EXPECT_EQ(work({{"mismatches", 0}}).amount, 2400);
  EXPECT_EQ(work({{"strands", "both"}}).amount, 4800);
  EXPECT_EQ(work({}).unit, "query bases");
}

TEST(CpuMismatch, AWrongCountIsToldWithItsQueryAndStrand) {
  const auto problem = small_problem({{"strands", "both"}});
  CpuDevice device;
  const auto session = prepare_as<MismatchSession>(*problem, cpu_variants().front(), {}, device);
  std::vector<Answer> answers = session->answers();
  EXPECT_TRUE(problem->compare(answers).passed);
  ++answers[11].occurrences[2];
  const Verification verification = problem->compare(answers);
  EXPECT_FALSE(verification.passed);
  expect_text(verification.reason);
  answers.pop_back();
  EXPECT_FALSE(problem->compare(answers).passed);
}

TEST(CpuMismatch, LaunchesOverwriteWhatWasThere) {
  const auto problem = small_problem();
  CpuDevice device;
  for (const Variant& one : cpu_variants()) {
    const auto session = prepare_as<MismatchSession>(*problem, one, {}, device);
    session->launch();
    session->hits();
    session->launch();
    EXPECT_TRUE(session->verify().passed) << one.name;
  }
}

TEST(CpuMismatch, APrefixTableIsHeldAndSharedByTheSessionsThatAskForIt) {
  const auto problem = small_problem();
  CpuDevice device;
  for (const Variant& one : cpu_variants()) {
    const auto without = prepare_as<MismatchSession>(*problem, one, {}, device);
    EXPECT_FALSE(without->held().parts.contains(kPrefixTablePart)) << one.name;
    const auto with = prepare_as<MismatchSession>(*problem, one, {{"prefix_symbols", 4}}, device);
    EXPECT_EQ(with->held().parts.at(kPrefixTablePart), 256u * 16) << one.name;
    EXPECT_LT(with->facts().at("steps_per_query_base"), without->facts().at("steps_per_query_base"));
    EXPECT_TRUE(without->verify().passed && with->verify().passed) << one.name;
  }
  EXPECT_EQ(problem->prefix_table(8), problem->prefix_table(8));
  EXPECT_EQ(problem->prefix_table(3)->symbols, 3u);
  EXPECT_THROW(cpu_variants().front().space.complete({{"prefix_symbols", 15}}), UsageError);
}

TEST(CpuMismatch, AProblemIsAnotherWhereMoreMayDiffer) {
  EXPECT_EQ(small_problem()->hash(), small_problem()->hash());
  EXPECT_NE(small_problem()->hash(), small_problem({{"mismatches", 1}})->hash());
  EXPECT_NE(small_problem()->hash(), small_problem({{"strands", "both"}})->hash());
  expect_text(small_problem()->label(problem_space().complete({})));
}

TEST(CpuMismatch, WhatCannotBeSearchedIsRefused) {
  EXPECT_THROW(small_problem({{"reference", "synthetic"}}), UsageError);
  EXPECT_THROW(small_problem({{"mismatches", 3}}), UsageError);
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
