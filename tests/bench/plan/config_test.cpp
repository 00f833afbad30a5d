#include "bench/config/config.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "bench/config/json_file.hpp"
#include "bench/config/provenance.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::bench {
namespace {

std::string error_of(const std::string& text) {
  try {
    config_from_json(parse_json(text, "x.json"), "x.json", "/etc/runs");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Config, ASyntaxErrorNamesFileLineAndColumn) {
  expect_text(error_of("{\"name\": \"a\",\n  \"seed\": 1,,}"));
  expect_text(error_of(""));
}

TEST(Config, AKeyGivenTwiceIsAnError) {
  expect_text(error_of(R"({"name": "a", "seed": 1, "seed": 2})"));
}

TEST(Config, AnUnknownKeyIsNamedWithThePointerAndWhatIsAllowed) {
  expect_text(error_of(R"({"name": "a", "sampling": {"min_sample": 3}})"));
}

TEST(Config, AValueOfTheWrongTypeSaysWhatWasFoundAndWhatIsAllowed) {
  expect_text(error_of(R"({"name": "a", "sampling": {"min_samples": "three"}})"));
  expect_text(error_of(R"({"name": "a", "sampling": {"min_samples": 0}})"));
  expect_text(error_of(R"({"name": "a", "sampling": {"cache": "warm"}})"));
  expect_text(error_of(R"({"name": "a", "sampling": {"min_samples": 9, "max_samples": 3}})"));
}

TEST(Config, BytesAreNumbersOrHaveAPrefixBehind) {
  const auto config = config_from_json(
      parse_json(R"({"name": "a", "limits": {"max_bytes": "200M"}, "device_memory": 8589934592})", "x.json"),
      "x.json", "/etc");
  EXPECT_EQ(config.tune.limits.bytes, 200'000'000u);
  EXPECT_EQ(config.device_memory, std::uint64_t{8} << 30);
  expect_text(error_of(R"({"name": "a", "limits": {"max_bytes": "200X"}})"));
  expect_text(error_of(R"({"name": "a", "device_memory": 0})"));
  expect_text(error_of(R"({"name": "a", "limits": {"max_byte": 1}})"));
}

TEST(Config, WhatIsWrongInsideAlternativesIsFound) {
  expect_text(error_of(R"({"name": "a", "probes": {"random_access": {"footprint_bytes": {"from": 1024}}}})"));
  expect_text(
      error_of(R"({"name": "a", "families": {"toy": {"problems": [{}], "variants": {"x": {"k": [1.5]}}}}})"));
}

TEST(Config, AMissingKeyIsNamed) {
  expect_text(error_of(R"({"seed": 1})"));
  expect_text(error_of(R"({"name": "a", "data": {"e": {"package": "p"}}})"));
}

TEST(Config, OddDocumentsAreErrorsAndNoCrashes) {
  for (const char* text :
       {"[]", "3", "null", R"({"name": 3})", R"({"name": "a/b"})", R"({"name": "a", "tune": 7})",
        R"({"name": "a", "devices": []})", R"({"name": "a", "data": {"e": 4}})",
        R"({"name": "a", "timeout_s": 0})", R"({"name": "a", "counters": "yes"})",
        R"({"name": "a", "energy": "yes"})",
        R"({"name": "a", "energy": "winners", "tune": {"objectives": [{"metric": "work_per_joule"}]}})"})
    EXPECT_NE(error_of(text), "no error") << text;
}

TEST(Config, VariablesAreReplacedAndOneThatIsNotSetIsAnError) {
  setenv("TOY_FOLDER", "/data/toys", 1);
  const auto config = config_from_json(
      parse_json(R"({"name": "a", "data": {"e": {"path": "${TOY_FOLDER}/e.fa"}}})", "x"), "x", "/etc");
  EXPECT_EQ(config.data.at("e").path, "/data/toys/e.fa");
  expect_text(error_of(R"({"name": "a", "data": {"e": {"path": "${NO_SUCH_TOY}/e"}}})"));
  expect_text(error_of(R"({"name": "a", "output": "${HOME"})"));
}

TEST(Config, PathsAreRelativeToTheConfigsFolder) {
  const auto config = config_from_json(
      parse_json(
          R"({"name": "a", "output": "../out", "data": {"e": {"path": "e.fa"}, "f": {"path": "/f.fa"}}})",
          "x"),
      "x", "/etc/runs");
  EXPECT_EQ(config.output, "/etc/out");
  EXPECT_EQ(config.data.at("e").path, "/etc/runs/e.fa");
  EXPECT_EQ(config.data.at("f").path, "/f.fa");
}

TEST(Config, AMissingDataFileNamesThePackage) {
  const auto config = config_from_json(
      parse_json(R"({"name": "a", "data": {"e": {"path": "/no/e.fa", "package": "toy-examples"}}})",
                 "x.json"),
      "x.json", "/etc");
  try {
    check_data(config);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    expect_text(error.what());
  }
}

TEST(Config, AMissingFileBesideADataFileIsMissingToo) {
  TemporaryFolder folder;
  const std::string volume = folder.write("p.psq", "x").string();
  folder.write("p.pin", "x");
  const auto config =
      config_from_json({{"name", "a"}, {"data", {{"e", {{"path", volume}}}}}}, "x.json", folder.path());
  expect_error_text([&] { check_data(config); });
  folder.write("p.phr", "x");
  EXPECT_NO_THROW(check_data(config));
}

TEST(ConfigOverride, SetsAValueAtAPathAndMakesTheObjectsOnTheWay) {
  nlohmann::json document{{"a", {{"b", {1, 2}}}}};
  apply_override(document, "a.b.1=[3,4]");
  apply_override(document, "a.c.d=\"x\"");
  apply_override(document, "e=word");
  EXPECT_EQ(document, nlohmann::json::parse(R"({"a": {"b": [1, [3, 4]], "c": {"d": "x"}}, "e": "word"})"));
}

TEST(ConfigOverride, NullRemovesAMember) {
  nlohmann::json document{{"a", {{"b", 1}, {"c", 2}}}, {"d", 3}};
  apply_override(document, "a.b=null");
  apply_override(document, "d=null");
  apply_override(document, "e=null");
  EXPECT_EQ(document, nlohmann::json::parse(R"({"a": {"c": 2}})"));
}

TEST(ConfigOverride, AnAxisSetForAllDevicesOfAProbeReplacesThoseOfOneKind) {
  nlohmann::json document = nlohmann::json::parse(
      R"({"probes": {"p": {"cuda": {"block_bytes": 32}, "cpu": [{"block_bytes": 8}]}}})");
  apply_override(document, "probes.p.block_bytes=[64]");
  EXPECT_EQ(document,
            nlohmann::json::parse(R"({"probes": {"p": {"cuda": {}, "cpu": [{}], "block_bytes": [64]}}})"));
}

TEST(ConfigOverride, MalformedOverridesAreErrors) {
  for (const char* text : {"", "a", "=1", "a=[1,", "a..b=1", "list.7=1", "list.x=1", "name.x=1", "a="}) {
    nlohmann::json document{{"name", "n"}, {"list", {1}}};
    EXPECT_THROW(apply_override(document, text), UsageError) << text;
  }
}

TEST(Config, TheHashFollowsWhatIsMeasuredAndNotWhereItIsWritten) {
  const auto config = [](const char* text) { return config_from_json(parse_json(text, "x"), "x", "/etc"); };
  const auto a = config(R"({"name": "a", "seed": 1})");
  const auto b = config(R"({"seed": 1, "name": "a", "output": "o"})");
  const auto c = config(R"({"name": "a", "seed": 2})");
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_NE(a.hash(), c.hash());
  EXPECT_EQ(differences(a, c), std::vector<std::string>{"/seed"});
}

TEST(Config, EveryConfigOfThisCheckoutSatisfiesTheSchema) {
  int checked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_root() / "configs")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || name.ends_with("schema.json")) continue;
    const nlohmann::json document = read_json(entry.path());
    if (!document.contains("sampling")) continue;  // published values, tools
    EXPECT_NO_THROW(load_config(entry.path())) << entry.path();
    ++checked;
  }
  EXPECT_GE(checked, 20);
}

TEST(Config, HasTheProbesOfAnotherConfigBesideItsOwn) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "other.json")
      << R"({"name": "other", "probes": {"latency": {"stride_bytes": 64}, "sequential": {}}})";
  std::ofstream(folder.path() / "this.json")
      << R"({"name": "this", "probes_of": "other.json", "probes": {"latency": {"stride_bytes": 128}}})";
  const SuiteConfig config = load_config(folder.path() / "this.json");
  EXPECT_EQ(config.document["probes"].size(), 2u);
  EXPECT_EQ(config.document["probes"]["latency"]["stride_bytes"], 128);
  EXPECT_FALSE(config.document.contains("probes_of")) << "a resumed run needs no other file";
  const SuiteConfig changed =
      load_config(folder.path() / "this.json", {"probes.sequential.operation=\"read\""});
  EXPECT_EQ(changed.document["probes"]["sequential"]["operation"], "read");
  std::ofstream(folder.path() / "none.json") << R"({"name": "none"})";
  expect_error_text([&] { load_config(folder.path() / "this.json", {"probes_of=\"none.json\""}); });
  expect_error_text([&] { load_config(folder.path() / "this.json", {"probes_of=\"nowhere.json\""}); });
}

TEST(Config, RunsThatBeginInTheSameSecondHaveFoldersOfTheirOwn) {
  const TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  std::set<std::string> names;
  for (int i = 0; i < 20; ++i) {
    const std::filesystem::path output = default_output("gate");
    EXPECT_TRUE(std::filesystem::create_directories(output)) << output;
    names.insert(output.filename().string());
  }
  std::filesystem::current_path(before);
  EXPECT_EQ(names.size(), 20u);
}

}  // namespace
}  // namespace gpuseq::bench
