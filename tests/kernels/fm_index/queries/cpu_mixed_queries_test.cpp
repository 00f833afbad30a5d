#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"

// Queries that do not occur, of mixed lengths, and with N.

namespace gpuseq::fm_index {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

Point point_of(const std::string& text) {
  return problem_space().complete(Point::parse(text));
}

std::unique_ptr<FmProblem> problem(const std::string& point) {
  return load_problem({.point = point_of(point), .files = {}, .seed = 5, .cache_dir = {}, .threads = 1});
}

std::vector<Queries> sampled(const Sampling& sampling, const std::vector<u8>& text) {
  ThreadPool pool(2);
  const Bwt bwt = synthetic_bwt(5000, 1, pool);
  const ColumnRank rank(bwt, pool);
  return {sample_queries(text, sampling, pool), walk_queries(rank, sampling, pool)};
}

TEST(MixedQueries, HaveEveryLengthFromTheShortestToTheLongestAboutAsOften) {
  const std::string letters = testing::random_letters(5000, 1);
  const Sampling sampling{.count = 5000, .bases = 39, .shortest_bases = 30, .seed = 3};
  for (const Queries& queries : sampled(sampling, testing::codes(letters))) {
    std::map<u32, u32> of_length;
    u64 bases = 0;
    for (const u32 length : queries.bases) {
      ++of_length[length];
      bases += length;
    }
    ASSERT_EQ(of_length.size(), 10u);
    EXPECT_EQ(of_length.begin()->first, 30u);
    for (const auto& [length, count] : of_length) EXPECT_NEAR(count, 500, 100) << length;
    EXPECT_EQ(queries.total_bases, bases);
    EXPECT_EQ(queries.longest, 39u);
  }
  const Queries of_text = sampled(sampling, testing::codes(letters)).front();
  for (u32 query = 0; query < 5000; ++query)
    ASSERT_NE(letters.find(of_text.letters(query)), std::string::npos) << query;
}

TEST(MixedQueries, OfOneLengthAreThoseOfBefore) {
  const std::vector<u8> text = testing::codes(testing::random_letters(5000, 1));
  const auto plain = sampled({.count = 300, .bases = 20, .occurring_percent = 50}, text);
  const auto alike =
      sampled({.count = 300, .bases = 20, .shortest_bases = 20, .occurring_percent = 50}, text);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(plain[i].packed, alike[i].packed);
}

TEST(MixedQueries, WithNAreAsManyOfThoseThatOccurAsOfTheOthers) {
  const std::vector<u8> text = testing::codes(testing::random_letters(5000, 1));
  for (const u32 percent : {0u, 30u, 50u, 100u})
    for (const u32 with_n : {0u, 10u, 50u, 100u}) {
      const Sampling all{.count = 1000, .bases = 20, .shortest_bases = 15, .occurring_percent = percent};
      Sampling some = all;
      some.n_percent = with_n;
      const std::vector<Queries> whole = sampled(all, text), searched = sampled(some, text);
      for (std::size_t i = 0; i < whole.size(); ++i) {
        ASSERT_EQ(searched[i].total, 1000u);
        ASSERT_EQ(searched[i].begin.size(), 1000 - 10 * with_n) << percent;
        u32 occurring = 0;
        for (u32 query = 0; query < searched[i].begin.size(); ++query) {
          const u32 position = searched[i].source[query];
          // A query is the same whichever others have an N.
          ASSERT_EQ(searched[i].letters(query), whole[i].letters(position));
          occurring += (position + 1) * percent / 100 - position * percent / 100;
        }
        EXPECT_EQ(occurring, percent * (100 - with_n) / 10) << percent << ' ' << with_n;
      }
    }
}

TEST(MixedQueries, AreAsManyAsIsSaidBeforehand) {
  for (const char* point : {"query_count=777,query_bases=50,occurring_percent=30,n_percent=7",
                            "query_count=5,query_bases=9,n_percent=50", "query_count=3,query_bases=0",
                            "query_count=90,query_bases=60,shortest_query_bases=30,n_percent=100"}) {
    const std::string text = std::string(point) + ",reference_bases=2000";
    const auto loaded = problem(text);
    const SampledQueries told = sampled_queries(point_of(text));
    EXPECT_EQ(told.count, loaded->queries().total) << point;
    EXPECT_EQ(told.searched, loaded->queries().begin.size()) << point;
  }
  EXPECT_EQ(sampled_queries(point_of("query_bases=150,shortest_query_bases=30")).bases, 90u);
  const std::string kmers = "query_count=20000,query_bases=60,shortest_query_bases=10,kmer_bases=31";
  EXPECT_NEAR(static_cast<double>(sampled_queries(point_of(kmers)).count),
              static_cast<double>(problem(kmers + ",reference_bases=2000")->queries().total), 5000);
  EXPECT_EQ(sampled_queries(point_of("queries=reads,kmer_bases=1000")).count, 0u);
}

TEST(MixedQueries, AreSaidInTheLabelAndRefusedWhereTheyCannotBe) {
  const std::string point = "reference_bases=2000,query_bases=60,shortest_query_bases=30,n_percent=7";
  expect_text(problem(point)->label(point_of(point)));
  const auto why_not = [](const char* refused) -> std::string {
    try {
      point_of(refused);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  expect_text(why_not("query_bases=30,shortest_query_bases=31"));
  expect_text(why_not("query_bases=0,n_percent=1"));
  expect_text(why_not("query_bases=60,kmer_bases=31,n_percent=1"));
}

/// Points of a variant with few values, of words that a small text has.
std::vector<Point> few_points(const Variant& variant) {
  std::map<std::string, std::vector<AxisValue>> values;
  for (const Axis& axis : variant.space.axes()) values[axis.name] = {axis.default_value};
  if (values.contains("prefix_symbols")) values["prefix_symbols"] = {0, 8};
  if (const Axis* early = variant.space.find("early_exit")) values["early_exit"] = early->values;
  const bool words =
      variant.space.find("early_exit") != nullptr || variant.space.find("row_bytes") != nullptr;
  values["k"] = words ? std::vector<AxisValue>{8} : variant.space.find("k")->values;
  values["threads"] = {2};
  return variant.space.points(values);
}

TEST(MixedQueries, AreSearchedRightByEveryVariantWhateverShareOccurs) {
  CpuDevice device;
  for (const std::string text :
       {"reference_bases=4000", "reference_bases=1500,strains=4,mutations_per_1000=20",
        "reference_bases=1500,strains=3,mutations_per_1000=0"})
    for (const char* percent : {"0", "50", "100"})
      for (const char* lengths : {"query_bases=90,shortest_query_bases=1,n_percent=10", "query_bases=0",
                                  "query_bases=40,shortest_query_bases=20,n_percent=100",
                                  "query_bases=12,shortest_query_bases=3"}) {
        const auto loaded = problem(text + ",query_count=200,occurring_percent=" + percent + "," + lengths);
        for (const Variant& variant : cpu_variants())
          for (const Point& point : few_points(variant)) {
            try {
              const auto session = prepare_as<SearchSession>(*loaded, variant, point, device);
              const Verification verification = session->verify();
              ASSERT_TRUE(verification.passed) << variant.name << ' ' << point.to_string() << " of " << text
                                               << ' ' << lengths << ": " << verification.reason;
              EXPECT_EQ(verification.checked, loaded->queries().begin.size());
              if (loaded->queries().total_bases == 0) {
                EXPECT_EQ(session->cost().traffic.value_or(Traffic{}).blocks, 0) << variant.name;
              }
            } catch (const ResourceError& error) {
              EXPECT_THAT(error.what(),
                          AnyOf(HasSubstr("is unsupported: this processor"), HasSubstr("GPUSEQ_ALL_SHAPES")));
            }
          }
      }
}

TEST(MixedQueries, ThatTakeTurnsAreCheckedAndCountedInTheirShares) {
  // Every second query occurs, and one of a multiple of two is checked.
  const std::vector<u32> checked = checked_queries(4'000'000, 2000);
  u32 odd = 0;
  for (const u32 query : checked) odd += query % 2;
  EXPECT_NEAR(odd, 1000, 150);
  for (std::size_t i = 0; i < checked.size(); ++i) EXPECT_EQ(checked[i] / 2000, i);
}

}  // namespace
}  // namespace gpuseq::fm_index
