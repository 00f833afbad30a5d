#include "reports/published.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include "reports/figure.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/runtime/temporary_folder.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::reports {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kFacts = source_dir() / "configs/published/fm-index.json";

class PublishedFile : public ::testing::Test {
 protected:
  std::string error(const std::string& content) {
    const TemporaryFolder folder;
    const fs::path file = folder.write("published.json", content);
    try {
      load_published(file);
      return "";
    } catch (const UsageError& refused) {
      return refused.what();
    }
  }
};

TEST_F(PublishedFile, OfThePaperNamesFiguresThatExistAndItsSources) {
  const Published published = load_published(kFacts);
  std::set<std::string> names;
  for (const Figure& figure : figures()) names.insert(figure.name);
  EXPECT_FALSE(published.citation.empty());
  for (const Fact& fact : published.facts) {
    EXPECT_TRUE(fact.figure.empty() || names.contains(fact.figure)) << fact.figure;
    EXPECT_EQ(fact.kind == "listed", fact.figure.empty()) << fact.label;
    EXPECT_FALSE(fact.source.empty());
    EXPECT_FALSE(fact.label.empty());
  }
}

TEST(PublishedFiles, AreOneForEachPaperAndNameFiguresThatExistAndTheirSources) {
  std::set<std::string> names, papers;
  for (const Figure& figure : figures()) names.insert(figure.name);
  for (const auto& entry : fs::directory_iterator(source_dir() / "configs/published")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("machine-")) continue;  // a machine profile
    const Published published = load_published(entry.path());
    EXPECT_FALSE(published.citation.empty()) << entry.path();
    papers.insert(published.facts.front().paper);
    for (const Fact& fact : published.facts) {
      EXPECT_TRUE(fact.figure.empty() || names.contains(fact.figure)) << fact.figure;
      EXPECT_TRUE(fact.kind == "listed" || !fact.figure.empty()) << fact.label;
      EXPECT_FALSE(fact.source.empty()) << fact.label;
    }
  }
  EXPECT_EQ(papers, (std::set<std::string>{"Alachiotis et al.", "Chacón et al.", "Jiang and Ganesan",
                                           "Payne et al.", "Schatz et al."}));
}

TEST_F(PublishedFile, ResolvesRatiosAndSaysThatTheyAreDerived) {
  const Published published = load_published(kFacts);
  for (const Fact* fact : published.find("fm-index/fig5", "value")) {
    EXPECT_EQ(fact->derived, fact->id != "gpu-2-step");
    if (fact->id == "cpu-1-step") {
      EXPECT_NEAR(fact->value, 2e9 / 8.1 / 1.4, 1);
    }
    if (fact->id == "gpu-nvbio") {
      EXPECT_NEAR(fact->value, 2e9 / 4.9, 1);
    }
  }
}

TEST_F(PublishedFile, HasTheWholeOfTable2) {
  EXPECT_EQ(load_published(kFacts).find("fm-index/table2", "value").size(), 12u);
}

TEST_F(PublishedFile, OfSeveralPapersKeepsWhoStatesWhat) {
  const TemporaryFolder folder;
  const fs::path other =
      folder.write("other.json", R"({"paper": {"short": "Liu", "citation": "Liu 2013"}, "facts":
    [{"figure": "fm-index/fig5", "kind": "value", "label": "l", "source": "table 3", "value": 1}]})");
  const Published published = load_published(std::vector<fs::path>{kFacts, other, kFacts});
  EXPECT_EQ(published.facts.size(), load_published(kFacts).facts.size() + 1);
  EXPECT_THAT(published.citation, HasSubstr("; Liu 2013"));
  const auto facts = published.find("fm-index/fig5", "value");
  EXPECT_EQ(papers_of(facts), "Chacón et al.; Liu");
  EXPECT_EQ(credit(facts), "Chacón et al. (section 5.2, figure 5); Liu (table 3)");
}

TEST_F(PublishedFile, DamagedAnywhereIsReadOrRefused) {
  std::ifstream stream(kFacts);
  const std::string valid(std::istreambuf_iterator<char>(stream), {});
  std::mt19937 random(1);
  const std::string letters = "{}[]\",:0-e.xn \\";
  for (int round = 0; round < 300; ++round) {
    std::string damaged = valid.substr(0, 3000) + "]}";
    for (int i = 0; i < 1 + round % 4; ++i)
      damaged[random() % damaged.size()] = letters[random() % letters.size()];
    EXPECT_NO_FATAL_FAILURE(error(damaged));  // anything but UsageError would leave error()
  }
}

TEST_F(PublishedFile, RefusesWhatItCannotReadAndSaysWhere) {
  EXPECT_THAT(error("{"), HasSubstr("syntax error"));
  EXPECT_THAT(error("[]"), HasSubstr("expected an object"));
  EXPECT_THAT(error(R"({"facts": 1})"), HasSubstr("/facts: expected an array"));
  EXPECT_THAT(error(R"({"facts": [{"kind": "value", "value": 1}]})"),
              HasSubstr("/facts/0: needs \"source\""));
  EXPECT_THAT(error(R"({"facts": [{"kind": "guess", "source": "s", "value": 1}]})"),
              HasSubstr("/facts/0/kind: is \"guess\"; allowed"));
  EXPECT_THAT(error(R"({"facts": [{"kind": "value", "source": "s", "value": "1"}]})"),
              HasSubstr("/facts/0/value: expected a number"));
  EXPECT_THAT(error(R"({"facts": [{"kind": "guide", "source": "s", "value": 1}]})"),
              HasSubstr("/facts/0/axis"));
  EXPECT_THAT(error(R"({"facts": [{"kind": "value", "source": "s", "of": "x", "times": 2}]})"),
              HasSubstr("no earlier fact has the id \"x\""));
  EXPECT_THROW(load_published("/nowhere/facts.json"), UsageError);
}

}  // namespace
}  // namespace gpuseq::reports
