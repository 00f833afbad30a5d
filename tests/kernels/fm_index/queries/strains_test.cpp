#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "kernels/fm_index/data/reference.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

using ::testing::ElementsAre;

Reference pan_genome(u64 bases, const Strains& strains, u64 seed, int threads = 2) {
  ThreadPool pool(threads);
  Reference reference = random_reference(bases, 1, pool);
  add_strains(reference, strains, seed, pool);
  return reference;
}

u64 differences(const Reference& reference, u64 bases, u64 a, u64 b) {
  u64 count = 0;
  for (u64 i = 0; i < bases; ++i)
    count += reference.text[a * bases + i] != reference.text[b * bases + i] ? 1 : 0;
  return count;
}

TEST(StrainsOfAPanGenome, DifferFromTheReferenceInAsManyBasesAsAskedForEachInItsOwn) {
  constexpr u64 kBases = 700'000;
  const Reference reference = pan_genome(kBases, {.count = 4, .mutations_per_1000 = 10}, 1);
  ASSERT_EQ(reference.text.size(), 4 * kBases);
  for (u64 strain = 1; strain < 4; ++strain)
    EXPECT_NEAR(static_cast<double>(differences(reference, kBases, 0, strain)), 7000, 400) << strain;
  EXPECT_NEAR(static_cast<double>(differences(reference, kBases, 2, 3)), 14'000, 600);
  EXPECT_THAT(std::set<u8>(reference.text.begin(), reference.text.end()), ElementsAre(0, 1, 2, 3));
}

TEST(StrainsOfAPanGenome, AreTheReferenceWhereNothingOrAllIsMutated) {
  EXPECT_EQ(differences(pan_genome(5000, {.count = 2, .mutations_per_1000 = 0}, 1), 5000, 0, 1), 0u);
  EXPECT_EQ(differences(pan_genome(5000, {.count = 2, .mutations_per_1000 = 1000}, 1), 5000, 0, 1), 5000u);
  EXPECT_EQ(pan_genome(5000, {.count = 1, .mutations_per_1000 = 1000}, 1).text, pan_genome(5000, {}, 9).text);
}

TEST(StrainsOfAPanGenome, OfASeedAreTheSameOnAnyNumberOfThreads) {
  const Strains strains{.count = 3};
  EXPECT_EQ(pan_genome(900'000, strains, 1, 1).text, pan_genome(900'000, strains, 1, 3).text);
  EXPECT_NE(pan_genome(9000, strains, 1).text, pan_genome(9000, strains, 2).text);
}

TEST(StrainsOfAPanGenome, HaveRecordsAndFragmentsOfTheirOwn) {
  const TemporaryFolder folder;
  Reference reference = read_reference(folder.write("r.fa", ">one\nACGNNTT\n>two\nGG\n"), 0);
  ThreadPool pool(1);
  add_strains(reference, {.count = 2, .mutations_per_1000 = 0}, 1, pool);
  EXPECT_THAT(reference.names, ElementsAre("one", "two", "one_strain2", "two_strain2"));
  EXPECT_EQ(reference.records, 4u);
  EXPECT_EQ(reference.left_out, 4u);
  ASSERT_EQ(reference.fragments.size(), 6u);
  EXPECT_EQ(reference.fragments[4].text_begin, 7u + 3);
  EXPECT_EQ(reference.fragments[4].record, 2u);
  EXPECT_EQ(reference.fragments[4].record_begin, 5u);
}

TEST(StrainsOfAPanGenome, HaveNoMoreDifferentWordsThanIsSaid) {
  const Strains strains{.count = 10, .mutations_per_1000 = 10};
  const Reference reference = pan_genome(100'000, strains, 1);
  const std::string text(reference.text.begin(), reference.text.end());
  for (const u32 letters : {12u, 20u, 40u}) {
    std::set<std::string_view> words;
    for (std::size_t at = 0; at + letters <= text.size(); ++at)
      words.insert(std::string_view(text).substr(at, letters));
    const double most = strains.most_words(text.size(), letters);
    EXPECT_LT(static_cast<double>(words.size()), 1.02 * most) << letters;  // it is on average
    const double least = letters < 20 ? 0.5 : 0.95;                        // short words occur by chance
    EXPECT_GT(static_cast<double>(words.size()), least * most) << letters;
  }
  EXPECT_EQ(Strains{}.most_words(1000, 20), 1000);
  EXPECT_DOUBLE_EQ((Strains{.count = 5, .mutations_per_1000 = 1000}.most_words(1000, 20)), 1000);
}

class ProblemsOfStrains : public ::testing::Test {
 protected:
  std::unique_ptr<FmProblem> problem(const std::string& point) {
    return load_problem({.point = complete(point),
                         .files = {{"genome", genome_}},
                         .seed = 1,
                         .cache_dir = folder_.path() / "cache",
                         .threads = 1});
  }
  static Point complete(const std::string& point) { return problem_space().complete(Point::parse(point)); }

  static std::string why_not(const std::string& point) {
    try {
      complete(point);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  std::filesystem::path genome_ = folder_.write("g.fa", ">g\nACGTTGCATTACAGGATCCGATTA\n");
};

TEST_F(ProblemsOfStrains, AreSearchedAsOneTextWhoseCacheIsTheirOwn) {
  const auto one = problem("reference=genome,query_count=9,query_bases=5");
  const auto five = problem("reference=genome,strains=5,query_count=9,query_bases=5");
  EXPECT_EQ(five->bases(), 5 * one->bases());
  EXPECT_FALSE(five->describe()["from_cache"].get<bool>());
  EXPECT_TRUE(one->source_file());
  EXPECT_FALSE(five->source_file());
  EXPECT_NE(one->hash(), five->hash());
  EXPECT_NE(problem("reference=genome,strains=5,mutations_per_1000=300,query_count=9,query_bases=5")->hash(),
            five->hash());
  EXPECT_TRUE(problem("reference=genome,strains=5,query_count=9,query_bases=5")
                  ->describe()["from_cache"]
                  .get<bool>());
}

TEST_F(ProblemsOfStrains, AreSaidInTheLabelAndBeforehand) {
  const std::string point = "reference_bases=3000,strains=20,query_count=9,query_bases=50";
  expect_text(problem(point)->label(complete(point)));
  EXPECT_EQ(reference_bases({{}, complete(point), {}}), 60'000u);
  EXPECT_EQ(reference_bases({{}, complete("reference=g,strains=20"), {{"g", 500}}}), 10'000u);
  expect_text(why_not("reference=synthetic,strains=2"));
}

TEST_F(ProblemsOfStrains, ComeToFewerPlacesThanAsManyRandomBases) {
  const std::string queries = ",query_count=200000,query_bases=40";
  const Layout layout{.kind = LayoutKind::one_hot, .k = 4, .d = 224};
  const auto hottest = [&](const std::string& text) {
    const auto loaded = problem(text + queries);
    return loaded->count_traffic(*loaded->index(layout, 8), RowsRead::counted).classes.back().footprint_bytes;
  };
  EXPECT_LT(static_cast<double>(hottest("reference_bases=10000,strains=100,mutations_per_1000=0")),
            0.4 * static_cast<double>(hottest("reference_bases=1000000")));
}

}  // namespace
}  // namespace gpuseq::fm_index
