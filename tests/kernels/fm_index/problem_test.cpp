#include "kernels/fm_index/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/fm_index/walk.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

using ::testing::IsEmpty;

/// The plainest variant: answers by walking the index, the first one spoilt on request.
class WalkingSession final : public SearchSession {
 public:
  WalkingSession(FmProblem& problem, const Layout& layout, u32 prefix_symbols, bool spoil = false)
      : SearchSession(problem, problem.index(layout, prefix_symbols)), spoil_(spoil) {}
  void launch() override {}
  HeldMemory held() const override { return {}; }
  std::vector<Interval<u64>> answers() override {
    const Walker walker(*index_);
    std::vector<Interval<u64>> result;
    const Queries& queries = problem_.queries();
    for (u32 q = 0; q < queries.begin.size(); ++q)
      result.push_back(walker.search(queries.packed.data() + u64{queries.begin[q]} * 4, queries.bases[q]));
    if (spoil_) ++result.front().h;
    return result;
  }

 private:
  bool spoil_;
};

class Problems : public ::testing::Test {
 protected:
  ProblemSpec spec(std::string_view point) const {
    return {.point = Point::parse(point),
            .files = files_,
            .seed = 1,
            .cache_dir = folder_.path() / "cache",
            .threads = 2};
  }
  std::string error(const ProblemSpec& spec) const {
    try {
      load_problem(spec);
    } catch (const UsageError& usage) {
      return usage.what();
    }
    return "loaded";
  }

  TemporaryFolder folder_;
  std::string text_ = testing::random_letters(3000, 8);
  std::map<std::string, std::filesystem::path> files_{
      {"genome", folder_.write("genome.fa", ">one\n" + text_ + "\n")},
      {"reads",
       folder_.write("reads.fa", ">r1\n" + text_.substr(5, 3) + "\n>r2\nacgtn\n>r3\n\n>r4\n" +
                                     text_.substr(100, 250) + "\n>r5\n" + text_.substr(7, 100) + "A\n")}};
};

TEST_F(Problems, OfFilesSearchReadsOfAnyLength) {
  const auto problem = load_problem(spec("reference=genome,queries=reads"));
  EXPECT_EQ(problem->bases(), text_.size());
  EXPECT_FALSE(problem->synthetic());
  EXPECT_FALSE(problem->wide());
  EXPECT_EQ(problem->queries().total, 5u);
  ASSERT_EQ(problem->checked().size(), 4u);  // r2 holds an N
  const testing::BruteForce brute(text_);
  for (u32 i = 0; i < 4; ++i) {
    const auto expected = brute.interval(problem->queries().letters(i));
    EXPECT_EQ(problem->expected()[i].l, expected.l) << i;
    EXPECT_EQ(problem->expected()[i].h, expected.h) << i;
  }
  EXPECT_EQ(problem->expected()[1].h, text_.size() + 1);  // the empty read: every row

  const auto description = problem->describe();
  EXPECT_EQ(description["reference_bases"], text_.size());
  EXPECT_EQ(description["query_count"], 5);
  EXPECT_EQ(description["queries_searched"], 4);
  EXPECT_EQ(description["query_bases"], 3 + 250 + 101);
  EXPECT_EQ(description["synthetic"], false);
}

TEST_F(Problems, ReadTheSameQueriesByOneThreadAndBesideTheText) {
  ProblemSpec alone = spec("reference=genome,queries=reads");
  alone.threads = 1;
  const auto one = load_problem(alone);
  const auto beside = load_problem(spec("reference=genome,queries=reads"));
  ASSERT_EQ(one->queries().total, beside->queries().total);
  for (u32 i = 0; i < 4; ++i) EXPECT_EQ(one->queries().letters(i), beside->queries().letters(i)) << i;
  EXPECT_EQ(one->hash(), beside->hash());
}

TEST_F(Problems, AreVerifiedByEverySessionOfAnyLayout) {
  const auto problem = load_problem(spec("reference=genome,queries=reads"));
  for (u32 k = 1; k <= kMaxK; ++k)
    for (bool wide : {false, true}) {
      WalkingSession session(*problem, {.kind = LayoutKind::alternate, .k = k, .d = 128, .wide = wide}, k);
      const Verification verification = session.verify();
      EXPECT_TRUE(verification.passed) << verification.reason;
      EXPECT_EQ(verification.checked, 4u);
      EXPECT_EQ(session.work().amount, 354);
      EXPECT_EQ(session.work().unit, "query bases");
    }
}

TEST_F(Problems, NameTheFirstWrongAnswer) {
  const auto problem = load_problem(spec("reference=genome,queries=reads"));
  WalkingSession session(*problem, {.d = 64}, 0, true);
  const Verification verification = session.verify();
  EXPECT_FALSE(verification.passed);
  EXPECT_EQ(verification.checked, 1u);
  expect_text(verification.reason);
}

TEST_F(Problems, StateTheFactsOfAnIndex) {
  const auto problem = load_problem(spec("reference=random,reference_bases=100000,query_count=100"));
  const WalkingSession session(*problem, {.k = 2, .d = 64}, 3);
  const auto facts = session.facts();
  EXPECT_EQ(facts["k"], 2);
  EXPECT_EQ(facts["entry_bytes"], 96);
  EXPECT_NEAR(facts["bits_per_base"].get<double>(), 12.0, 0.05);
  EXPECT_EQ(facts["prefix_bytes"], (1 + 4 + 16 + 64) * 8);
  EXPECT_GT(facts["blocks_per_base"].get<double>(), 0.4);
  EXPECT_LT(facts["blocks_per_base"].get<double>(), 0.7);
}

TEST_F(Problems, KeepTheLastIndexForTheNextSession) {
  const auto problem = load_problem(spec("reference=genome,query_count=10,query_bases=20"));
  const Index* first = problem->index({.k = 2, .d = 64}, 4).get();
  EXPECT_EQ(problem->index({.k = 2, .d = 64}, 4).get(), first);
  const auto other = problem->index({.k = 2, .d = 64}, 5);
  EXPECT_EQ(other->view.prefix_symbols, 5u);
  EXPECT_EQ(problem->index({.k = 3, .d = 192}, 5)->layout.d, 192u);
}

TEST_F(Problems, OfSyntheticReferencesAreLabelledAndTheirQueriesOccur) {
  const auto problem = load_problem(spec("reference=synthetic,reference_bases=20000,query_count=300"));
  EXPECT_TRUE(problem->synthetic());
  EXPECT_EQ(problem->describe()["synthetic"], true);
  for (const Interval<u64>& interval : problem->expected()) EXPECT_LT(interval.l, interval.h);
  for (bool one_hot : {false, true}) {
    WalkingSession session(
        *problem,
        {.kind = one_hot ? LayoutKind::one_hot : LayoutKind::full, .k = 3, .d = one_hot ? 480u : 64u}, 6);
    EXPECT_TRUE(session.verify().passed) << session.verify().reason;
  }
}

TEST_F(Problems, HaveOneHashPerInput) {
  const std::string point = "reference=genome,query_count=50,query_bases=20";
  const std::string hash = load_problem(spec(point))->hash();
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_EQ(load_problem(spec(point))->hash(), hash);
  ProblemSpec other = spec(point);
  other.seed = 2;
  EXPECT_NE(load_problem(other)->hash(), hash);
  EXPECT_NE(load_problem(spec(point + ",reference_bases=2999"))->hash(), hash);
  EXPECT_NE(load_problem(spec("reference=synthetic,query_count=50,query_bases=20"))->hash(), hash);
}

TEST_F(Problems, SayWhatIsWrongWithTheirInput) {
  EXPECT_EQ(error(spec("reference=genome,queries=reads")), "loaded");
  expect_text(error(spec("reference=nothing")));
  expect_text(error(spec("reference=genome,queries=nothing")));
  expect_text(error(spec("reference=genome,reference_bases=3001")));
  expect_text(error(spec("reference=genome,query_bases=3001")));
  expect_text(error(spec("reference=genome,occurring_percent=101")));
  expect_text(error(spec("reference=genome,queries=reads,query_count=6")));
  files_["bad"] = folder_.write("bad.fa", ">a\nACGT\n>b\nAC*T\n");
  expect_text(error(spec("reference=genome,queries=bad")));
  expect_text(error(spec("reference=bad")));
}

TEST_F(Problems, ThatCannotFitAreRefusedBeforeTheyAreMade) {
  if (open_device("cpu")->free_bytes() > 50'000'000'000) GTEST_SKIP() << "this host's memory holds them";
  EXPECT_THROW(load_problem(spec("reference=synthetic,reference_bases=1000000000000")), DoesNotFit);
  EXPECT_THROW(load_problem(spec("reference=random,reference_bases=1000000000000")), DoesNotFit);
  EXPECT_THROW(load_problem(spec("query_count=2000000000,query_bases=100")), DoesNotFit);
  EXPECT_THROW(load_problem(spec("query_count=2000000000,query_bases=1000")), UsageError);
}

class CachedProblems : public Problems {
 protected:
  std::filesystem::path cache_file() const {
    return std::filesystem::directory_iterator(folder_.path() / "cache")->path();
  }
  void spoil(std::size_t at) const {
    std::fstream file(cache_file(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.put('\x55');
  }
  std::vector<u64> expected(FmProblem& problem) const {
    std::vector<u64> result;
    for (const auto& interval : problem.expected()) result.insert(result.end(), {interval.l, interval.h});
    return result;
  }
};

TEST_F(CachedProblems, GiveTheSameAnswersFromASoundAndFromADamagedCache) {
  const std::string point = "reference=genome,query_count=200,query_bases=12,occurring_percent=50";
  const auto first = load_problem(spec(point));
  EXPECT_EQ(first->describe()["from_cache"], false);
  const auto answers = expected(*first);
  const auto second = load_problem(spec(point));
  EXPECT_EQ(second->describe()["from_cache"], true);
  EXPECT_EQ(expected(*second), answers);
  EXPECT_THAT(second->notes(), IsEmpty());
  const std::size_t bytes = std::filesystem::file_size(cache_file());
  for (std::size_t at : {std::size_t{3}, std::size_t{50}, std::size_t{200}, std::size_t{800}, bytes - 10}) {
    spoil(at);
    const auto problem = load_problem(spec(point));
    EXPECT_EQ(expected(*problem), answers) << "byte " << at;
    ASSERT_EQ(problem->notes().size(), 1u) << "byte " << at;
    expect_text(problem->notes().front());
    WalkingSession session(*problem, {.k = 2, .d = 64}, 2);
    EXPECT_TRUE(session.verify().passed);
    EXPECT_THAT(load_problem(spec(point))->notes(), IsEmpty());
  }
}

TEST_F(CachedProblems, WorkWhereNothingCanBeWritten) {
  ProblemSpec unwritable = spec("reference=genome,query_count=20,query_bases=12");
  unwritable.cache_dir = files_.at("genome") / "cache";
  const auto problem = load_problem(unwritable);
  ASSERT_EQ(problem->notes().size(), 1u);
  expect_text(problem->notes().front());
  WalkingSession session(*problem, {.d = 64}, 0);
  EXPECT_TRUE(session.verify().passed);
  EXPECT_EQ(session.notes(), problem->notes());
}

TEST_F(CachedProblems, SortAgainWhenTheCacheIsGoneBeforeTheOracleNeedsIt) {
  const auto problem = load_problem(spec("reference=genome,query_count=20,query_bases=12"));
  std::filesystem::remove_all(folder_.path() / "cache");
  WalkingSession session(*problem, {.d = 64}, 0);
  EXPECT_TRUE(session.verify().passed);
  ASSERT_EQ(problem->notes().size(), 1u);
  expect_text(problem->notes().front());
}

}  // namespace
}  // namespace gpuseq::fm_index
