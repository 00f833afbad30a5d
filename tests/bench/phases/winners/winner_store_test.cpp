#include "bench/phases/winners/winner_store.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "runtime/contract/axes.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/phases/winners/kept_winner.hpp"
#include "tests/bench/process.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using testing::kept_winner;
using testing::Scratch;
using testing::winner_json;
using testing::winners_text;

class Winners : public ::testing::Test {
 protected:
  std::vector<KeptWinner> all() { return store_.of(key_, "toy", remark_); }
  fs::path file() const { return scratch_ / "winners" / key_.hash() / "toy.json"; }

  Scratch scratch_;
  const ProfileKey key_{{{"name", "a machine"}}};
  const WinnerStore store_{scratch_ / ""};
  std::string remark_;
};

TEST_F(Winners, AreFoundOnTheMachineThatTheyWereMadeOn) {
  EXPECT_TRUE(store_.empty());
  EXPECT_EQ(store_.add(key_, kept_winner("a", {{"k", 2}}, 10, key_), {}), "");
  EXPECT_FALSE(store_.empty());
  ASSERT_EQ(all().size(), 1u);
  EXPECT_EQ(all()[0].variant, "a");
  EXPECT_EQ(all()[0].point, (Point{{"k", 2}}));
  EXPECT_EQ(all()[0].json["why"], "it is fast");
  EXPECT_TRUE(store_.of(ProfileKey{{{"name", "another"}}}, "toy", remark_).empty());
  EXPECT_TRUE(store_.of(key_, "other", remark_).empty());
  EXPECT_EQ(remark_, "");
}

TEST_F(Winners, OfOneProblemGiveWayToWhoBeatsThemAndToWhoIsBetter) {
  const std::vector<std::pair<std::string, Point>> beaten{{"a", {{"k", 2}}}};
  store_.add(key_, kept_winner("a", {{"k", 2}}, 10, key_), {});
  store_.add(key_, kept_winner("b", {{"k", 1}}, 9, key_), {});  // a was not there
  EXPECT_EQ(all().at(0).variant, "a");
  store_.add(key_, kept_winner("b", {{"k", 1}}, 9, key_), beaten);
  ASSERT_EQ(all().size(), 1u);
  EXPECT_EQ(all()[0].variant, "b");
  store_.add(key_, kept_winner("c", {{"k", 1}}, 11, key_), {});
  EXPECT_EQ(all().at(0).variant, "c");
  store_.add(key_, kept_winner("c", {{"k", 1}}, 8, key_), {});  // the same, measured again
  EXPECT_EQ(all().at(0).score, 8);
  store_.add(key_, kept_winner("d", {{"k", 1}}, 1, key_, 1000), {});  // another problem
  EXPECT_EQ(all().size(), 2u);
}

TEST_F(Winners, ThatAreDamagedAreThrownAwayWithAWord) {
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string(R"({"schema": 3, "machines": {}, "winners": []})"),
        winners_text(nlohmann::ordered_json::array({{{"family", "toy"}}})), std::string("\0\xff", 2)}) {
    store_.add(key_, kept_winner("a", {{"k", 2}}, 10, key_), {});
    std::ofstream(file(), std::ios::trunc) << text;
    EXPECT_TRUE(all().empty());
    expect_text(remark_);
    EXPECT_FALSE(fs::exists(file()));
  }
}

TEST_F(Winners, ThatOthersMayWriteToAreNotBelieved) {
  store_.add(key_, kept_winner("a", {{"k", 2}}, 10, key_), {});
  fs::permissions(file(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_TRUE(all().empty());
  expect_text(remark_);
}

TEST_F(Winners, OfAnotherMachineInTheFileAreNone) {
  fs::create_directories(file().parent_path());
  for (const fs::path& at : {file().parent_path(), file().parent_path().parent_path()})
    fs::permissions(at, fs::perms::owner_all);
  std::ofstream(file()) << winners_text(
      nlohmann::ordered_json::array({winner_json("a", {{"k", 2}}, 10, "0123456789abcdef")}));
  fs::permissions(file(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(all().empty());
  expect_text(remark_);
  EXPECT_TRUE(fs::exists(file()));
}

TEST_F(Winners, OfAFileThatNamesAnotherMachineAreNone) {
  const auto with_machines = [&](const nlohmann::json& machines) {
    store_.add(key_, kept_winner("a", {{"k", 2}}, 10, key_), {});
    nlohmann::json document = nlohmann::json::parse(std::ifstream(file()));
    document["machines"] = machines;
    std::ofstream(file(), std::ios::trunc) << document;
  };
  with_machines({{"0000000000000000", key_.fields}});
  EXPECT_TRUE(all().empty());
  expect_text(remark_);
  with_machines({{key_.hash(), {{"name", "another"}}}});
  EXPECT_TRUE(all().empty());
  expect_text(remark_);
  with_machines({{key_.hash(), key_.fields}, {"0000000000000000", {{"name", "another"}}}});
  EXPECT_EQ(all().size(), 1u);  // this machine's own
  expect_text(remark_);
}

TEST(NearestWinner, IsOfTheNearestProblemOfTheClassByTheFirstMetricThatAnyHas) {
  const ProfileKey key{{{"name", "a machine"}}};
  std::vector<KeptWinner> all{kept_winner("small", {{"k", 1}}, 1, key, 50),
                              kept_winner("near", {{"k", 1}}, 1, key, 120),
                              kept_winner("large", {{"k", 1}}, 1, key, 300)};
  ProblemClass of{.words = {{"mode", "all"}}, .numbers = {{"size", 100}}};
  EXPECT_EQ(nearest(all, of, {"rate"})->variant, "near");
  EXPECT_EQ(nearest(all, of, {"memory_bytes", "rate"})->variant, "near");
  EXPECT_EQ(nearest(all, of, {"memory_bytes"}), nullptr);
  of.numbers["size"] = 2000;
  EXPECT_EQ(nearest(all, of, {"rate"}), nullptr);
}

SearchSpace problems() {
  return SearchSpace({open_word_axis("reference", {AxisValue("random")}, "what", "a name"),
                      open_integer_axis("bases", 0, 1000, 0, "how many"),
                      listed_axis("mode", {AxisValue("all"), AxisValue("one")}, "all", "how")});
}

TEST(ProblemClass, HasWordsNumbersAndTheBytesOfFiles) {
  const SearchSpace space = problems();
  const ProblemClass random = problem_class_of(space, space.complete({{"bases", 100}}), {});
  EXPECT_EQ(random.words, (std::map<std::string, std::string>{{"mode", "all"}, {"reference", "random"}}));
  EXPECT_EQ(random.numbers, (std::map<std::string, double>{{"bases", 100}}));
  const ProblemClass file =
      problem_class_of(space, space.complete({{"reference", std::string("ecoli")}}), {{"ecoli", 4'000'000}});
  EXPECT_EQ(file.words.at("reference"), "file");
  EXPECT_EQ(file.numbers.at("reference_file_bytes"), 4'000'000);
  EXPECT_EQ(problem_class_from_json(nlohmann::json(problem_class_json(file))), file);
}

TEST(ProblemClass, OfBeforeAnAxisWasThereIsOfTheDefaultOfThatAxis) {
  const SearchSpace space = problems();
  const ProblemClass now = problem_class_of(space, space.complete({{"bases", 100}}), {});
  ProblemClass before = now;
  before.words.erase("mode");
  EXPECT_FALSE(distance(before, now));
  add_newer_axes(before, space);
  EXPECT_EQ(before, now);
  ProblemClass without_bases = now;
  without_bases.numbers.erase("bases");
  add_newer_axes(without_bases, space);
  EXPECT_EQ(without_bases.numbers.at("bases"), 0);
}

TEST(ProblemClass, HoldsProblemsOfEqualWordsAndOfSizesWithinAFactorOfFour) {
  const auto of = [](double size, const std::string& mode = "all") {
    return ProblemClass{.words = {{"mode", mode}}, .numbers = {{"size", size}, {"limit", 0}}};
  };
  EXPECT_DOUBLE_EQ(*distance(of(100), of(200)), 1);
  EXPECT_DOUBLE_EQ(*distance(of(100), of(100)), 0);
  EXPECT_TRUE(distance(of(100), of(400)));
  EXPECT_FALSE(distance(of(100), of(401)));
  EXPECT_FALSE(distance(of(100), of(0)));
  EXPECT_FALSE(distance(of(100), of(100, "one")));
  EXPECT_FALSE(distance(of(100), ProblemClass{.words = {{"mode", "all"}}, .numbers = {{"size", 100}}}));
}

TEST(TunedFile, IsReadAsItsSchemaHasIt) {
  const nlohmann::ordered_json one = winner_json("a", {{"k", 2}}, 10, "m");
  EXPECT_EQ(winners_from(winners_text(nlohmann::ordered_json::array({one})), "x").size(), 1u);
  for (const char* key : {"family", "point", "why", "rate", "problem_class"}) {
    nlohmann::ordered_json without = one;
    without.erase(key);
    EXPECT_THROW(winners_from(winners_text(nlohmann::ordered_json::array({without})), "x"), UsageError)
        << key;
  }
  nlohmann::ordered_json wrong = one;
  wrong["point"]["k"] = 1.5;
  expect_error_text([&] { winners_from(winners_text(nlohmann::ordered_json::array({wrong})), "x.json"); });
}

}  // namespace
}  // namespace gpuseq::bench
