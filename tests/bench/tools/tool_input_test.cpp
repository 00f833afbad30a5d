#include <gmock/gmock.h>

#include "bench/config/tool_expression.hpp"
#include "bench/tools/input.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/system/random.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::bench {
namespace {

using ::testing::ElementsAre;

class ToolInputs : public ::testing::Test {
 protected:
  template <typename Call>
  static std::string error(const Call& call) {
    try {
      call();
    } catch (const UsageError& usage) {
      return usage.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
  Files files_{
      {"queries", folder_.write("q.fa", ">q1 first\nACGT\nAC\n>q2\nacg\n")},
      {"proteins", folder_.write("p.fa", ">p\nMKV*\n")},
      {"models", folder_.write("m.hmm", "HMMER3/f\nNAME  a\nLENG  260\n//\nHMMER3/f\nLENG  40\n//\n")},
      {"broken", folder_.write("b.hmm", "HMMER3/f\nLENG  many\n")}};
  ToolInput input_{files_, Point::parse("threads=1,sites=50,mode=fast"), folder_.path()};
};

TEST_F(ToolInputs, PlaceholdersAreFilesAxesPlacesAndCounts) {
  input_.set_place("out", "/somewhere/out");
  const auto value = [&](const std::string& name) { return input_.value(name); };
  EXPECT_EQ(expand("-t{threads} {mode}", value), "-t1 fast");
  EXPECT_EQ(expand("{queries}", value), files_["queries"].string());
  EXPECT_EQ(expand("{out}.x", value), "/somewhere/out.x");
  EXPECT_EQ(expand("-l {fasta_shortest(queries)}", value), "-l 3");
  EXPECT_EQ(expand("{{{sites}}}", value), "{50}");
  EXPECT_EQ(expand("awk {{print}}", value), "awk {print}");
}

TEST_F(ToolInputs, NoThreadsMeansAsManyAsThereAreProcessors) {
  const ToolInput all(files_, Point::parse("threads=0,sites=0"), folder_.path());
  EXPECT_GE(std::stoi(all.value("threads")), 1);
  EXPECT_EQ(all.value("sites"), "0");
}

TEST_F(ToolInputs, TheFirstRecordIsAFileOfItsOwn) {
  EXPECT_EQ(read_file(input_.value("first_record(queries)")), ">q1\nACGTAC\n");
  EXPECT_EQ(read_file(input_.value("first_record(proteins)")), ">p\nMKV*\n");
}

TEST_F(ToolInputs, WorkIsCountedInTheFiles) {
  EXPECT_EQ(input_.count("fasta_residues(queries)"), 9);
  EXPECT_EQ(input_.count("fasta_records(queries)"), 2);
  EXPECT_EQ(input_.count("hmm_states(models)"), 300);
  EXPECT_EQ(input_.count("lines(queries)"), 5);
  EXPECT_EQ(input_.count("pairs(sites)"), 1225);
  EXPECT_EQ(input_.count("pairs(lines(queries))"), 10);
  EXPECT_EQ(input_.count("2.5"), 2.5);
}

TEST_F(ToolInputs, WhatIsNotThereIsNamedWithWhatIs) {
  expect_text(error([&] { input_.value("reads"); }));
  expect_text(error([&] { input_.count("lines(reads)"); }));
  expect_text(error([&] { input_.count("letters(queries)"); }));
  expect_text(error([&] { input_.count("mode"); }));
  expect_text(error([&] { input_.count("hmm_states(broken)"); }));
  expect_text(error([&] { input_.count("hmm_states(queries)"); }));
}

TEST_F(ToolInputs, ABraceWithoutItsOtherIsAnError) {
  EXPECT_THAT(placeholders("a{b}c{d}"), ElementsAre("b", "d"));
  for (const char* text : {"{", "}", "{a", "a}", "{a{b}}", "{a}}"})
    expect_text(error([&] { placeholders(text); }));
}

TEST_F(ToolInputs, AnyTextIsAPlaceholderAndACountOrRefused) {
  const std::string valid = "x{queries}y{pairs(lines(queries))}{{}}";
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    std::string text = valid;
    for (std::uint64_t edits = 1 + random.below(4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random.below(text.size());
      if (random.below(2) == 0)
        text.erase(at, 1 + random.below(4));
      else
        text.insert(at, 1, "{}()aq1,"[random.below(8)]);
    }
    try {
      expand(text, [&](const std::string& name) { return input_.value(name); });
      check_count(text);
    } catch (const UsageError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_NE(error([] { check_count(std::string(100'000, '(')); }), "no error");
}

}  // namespace
}  // namespace gpuseq::bench
