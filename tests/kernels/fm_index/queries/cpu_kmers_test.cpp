#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/fm_index/kmers.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> letters_of(const Queries& queries) {
  std::vector<std::string> all;
  for (u32 query = 0; query < queries.begin.size(); ++query) all.push_back(queries.letters(query));
  return all;
}

std::vector<std::string> names_of(const Queries& queries) {
  std::vector<std::string> all;
  for (u32 query = 0; query < queries.begin.size(); ++query) all.push_back(queries.name(query));
  return all;
}

TEST(Kmers, OfAReadFollowEachOtherFromItsFirstBaseOn) {
  const TemporaryFolder folder;
  const Queries queries = read_kmers(folder.write("q.fa", ">a\nACGTT\n>b\nACG\n>\nGGCC\n"), 0, 4);
  EXPECT_THAT(letters_of(queries), ElementsAre("ACGT", "CGTT", "GGCC"));
  EXPECT_THAT(names_of(queries), ElementsAre("a:1", "a:2", "3:1"));  // b is shorter, the third has no name
  EXPECT_EQ(queries.total, 3u);
  EXPECT_EQ(queries.total_bases, 12u);
  EXPECT_EQ(queries.longest, 4u);
}

TEST(Kmers, WithOtherLettersAreCountedButNotPacked) {
  const TemporaryFolder folder;
  const Queries queries = read_kmers(folder.write("q.fq", "@a\nacNgtg\n+\nIIIIII\n@b\nCA\n+\nII\n"), 0, 2);
  EXPECT_THAT(letters_of(queries), ElementsAre("AC", "GT", "TG", "CA"));
  EXPECT_THAT(queries.source, ElementsAre(0, 3, 4, 5));
  EXPECT_THAT(names_of(queries), ElementsAre("a:1", "a:4", "a:5", "b:1"));
  EXPECT_EQ(queries.name_in_file(1), "a:2");
  EXPECT_EQ(queries.total, 6u);
}

TEST(Kmers, OfAFileAreThoseOfItsFirstReads) {
  const TemporaryFolder folder;
  const auto path = folder.write("q.fa", ">a\nACG\n>b\nGTA\n>c\nTTT\n");
  EXPECT_THAT(names_of(read_kmers(path, 2, 3)), ElementsAre("a:1", "b:1"));
  expect_error_text([&] { read_kmers(path, 4, 3); });
}

TEST(Kmers, OfReadsThatAreThereAreThoseOfTheirLetters) {
  const std::string letters = testing::random_letters(500, 1);
  ThreadPool pool(2);
  const Queries reads = sample_queries(testing::codes(letters), {.count = 40, .bases = 150, .seed = 2}, pool);
  for (const u32 k : {1u, 31u, 64u, 65u, 150u}) {
    const Queries kmers = kmers_of(reads, k);
    ASSERT_EQ(kmers.total, 40 * kmers_in(150, k));
    std::vector<std::string> expected;
    for (u32 read = 0; read < 40; ++read)
      for (std::size_t at = 0; at + k <= 150; ++at) expected.push_back(reads.letters(read).substr(at, k));
    EXPECT_EQ(letters_of(kmers), expected) << k;
    EXPECT_EQ(kmers.name(0), "1:1");
    EXPECT_EQ(kmers.name(static_cast<u32>(kmers.total) - 1), "40:" + std::to_string(151 - k));
  }
  EXPECT_TRUE(kmers_of(reads, 151).begin.empty());
}

class ProblemsOfKmers : public ::testing::Test {
 protected:
  std::unique_ptr<FmProblem> problem(const std::string& point) const {
    return load_problem(
        {.point = Point::parse(point), .files = files_, .seed = 5, .cache_dir = {}, .threads = 2});
  }

  TemporaryFolder folder_;
  std::string text_ = testing::random_letters(4000, 8);
  std::map<std::string, std::filesystem::path> files_{
      {"genome", folder_.write("genome.fa", ">one\n" + text_ + "\n")},
      {"reads",
       folder_.write("reads.fa", ">r1\n" + text_.substr(50, 300) + "\n>r2\n" + text_.substr(700, 40) + "N" +
                                     text_.substr(741, 60) + "\n>r3\nACGT\n")}};
};

TEST_F(ProblemsOfKmers, AreAnsweredByEveryVariantAsBruteForceDoes) {
  const testing::BruteForce brute(text_);
  const auto device = open_device("cpu");
  for (const std::string order : {"as_given", "sorted_reversed"}) {
    const auto loaded = problem("reference=genome,queries=reads,kmer_bases=21,query_order=" + order);
    EXPECT_EQ(loaded->queries().total, 280u + 81u);
    EXPECT_EQ(loaded->queries().begin.size(), 280u + 20u + 40u);
    for (std::size_t i = 0; i < loaded->checked().size(); ++i) {
      const auto expected = brute.interval(loaded->queries().letters(loaded->checked()[i]));
      ASSERT_EQ(loaded->expected()[i].l, expected.l) << i;
      ASSERT_EQ(loaded->expected()[i].h, expected.h) << i;
    }
    for (const Variant& variant : cpu_variants()) {
      const auto session = prepare_as<SearchSession>(*loaded, variant, {}, *device);
      const Verification verification = session->verify();
      EXPECT_TRUE(verification.passed) << variant.name << ": " << verification.reason;
      EXPECT_EQ(verification.checked, 340u);
    }
  }
}

TEST_F(ProblemsOfKmers, AreOfSampledReadsAndOfSyntheticReferencesToo) {
  for (const std::string reference : {"random", "synthetic"}) {
    const auto loaded = problem("reference=" + reference +
                                ",reference_bases=20000,query_count=20,query_bases=80,kmer_bases=31");
    EXPECT_EQ(loaded->queries().total, 20u * 50);
    EXPECT_EQ(loaded->describe()["query_bases"], 20 * 50 * 31);
    for (const Interval<u64>& interval : loaded->expected()) EXPECT_LT(interval.l, interval.h);
  }
}

TEST_F(ProblemsOfKmers, ShareRowsOfTheTextWithTheirNeighboursSoThatRandomAccessIsNoCeiling) {
  const std::string point = "reference=genome,query_count=9,query_bases=80,kmer_bases=31";
  const auto loaded = problem(point);
  EXPECT_FALSE(loaded->ordered());
  const auto device = open_device("cpu");
  std::set<std::string> reasons;
  for (const Variant& variant : cpu_variants()) {
    const auto session = prepare_as<SearchSession>(*loaded, variant, {}, *device);
    const Cost cost = session->cost();
    EXPECT_FALSE(cost.traffic) << variant.name;
    const Point complete = problem_space().complete(Point::parse(point));
    const Cost estimate = variant.cost({variant.space.complete({}), complete, {}});
    EXPECT_FALSE(estimate.traffic) << variant.name;
    EXPECT_EQ(cost.why_no_bound, estimate.why_no_bound) << variant.name;
    reasons.insert(estimate.why_no_bound);
  }
  expect_text({reasons.begin(), reasons.end()});
}

TEST_F(ProblemsOfKmers, AreCalledByTheirLengthAndTheirReads) {
  const std::string sampled = "reference=genome,query_count=9,query_bases=80,kmer_bases=31";
  expect_text(problem(sampled)->label(problem_space().complete(Point::parse(sampled))));
  const std::string file = "reference=genome,queries=reads,kmer_bases=21,query_order=sorted";
  expect_text(problem(file)->label(problem_space().complete(Point::parse(file))));
}

TEST_F(ProblemsOfKmers, ThatAreLongerThanTheirReadsAreRefused) {
  expect_error_text([&] { problem("query_bases=30,kmer_bases=31"); });
}

TEST_F(ProblemsOfKmers, AreSampledAsManyAsIsSaidBeforehand) {
  const auto sampled = [](const char* point) {
    return sampled_queries(problem_space().complete(Point::parse(point)));
  };
  EXPECT_EQ(sampled("query_count=7,query_bases=50").count, 7u);
  EXPECT_EQ(sampled("query_count=7,query_bases=50,kmer_bases=31").count, 7u * 20);
  EXPECT_EQ(sampled("query_count=7,query_bases=50,kmer_bases=31").bases, 31u);
  EXPECT_EQ(sampled("query_bases=50").count, kSampledQueries);
}

}  // namespace
}  // namespace gpuseq::fm_index
