#include "bench/config/tool.hpp"

#include <gtest/gtest.h>

#include "bench/config/config.hpp"
#include "bench/config/json_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/tools/family.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/random.hpp"
#include "tests/bench/process.hpp"
#include "tests/bench/toy_registry.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

json tool_document() {
  return json::parse(R"json({
    "families": {"texts": {"summary": "texts", "problem": {"text": {"data": "a text"}}}},
    "tools": {"tool": {
      "family": "texts", "summary": "a tool", "package": "tools",
      "version": {"command": ["tool", "-v"], "pattern": "v([0-9]+)"},
      "prepare": [["tool-index", "{text}", "{prepared}/index"]],
      "command": ["tool", "{threads}", "{text}", "{out}"],
      "axes": {"threads": {"meaning": "threads", "default": 1, "minimum": 0, "maximum": 64, "values": [1, 2]}},
      "work": {"product": [2, "lines(text)"], "unit": "lines"},
      "answers": {"from": "out", "format": "table", "key_column": 1, "value_column": 2}}}})json");
}

std::string error(const json& document) {
  try {
    with_tools(testing::toy_registry(), tools_from_json(document, "p.json"), 60);
  } catch (const UsageError& usage) {
    return usage.what();
  }
  return "no error";
}

std::string error_with(const std::string& pointer, const json& value) {
  json document = tool_document();
  document[json::json_pointer(pointer)] = value;
  return error(document);
}

TEST(Tools, ADocumentIsReadWhole) {
  const Tools tools = tools_from_json(tool_document(), "p.json");
  ASSERT_EQ(tools.tools.size(), 1u);
  const Tool& tool = tools.tools[0];
  EXPECT_EQ(tool.package, "tools");
  EXPECT_EQ(tool.prepare[0][0], "tool-index");
  EXPECT_EQ(tool.work_factors, (std::vector<std::string>{"2", "lines(text)"}));
  EXPECT_EQ(tool.space.points({{"threads", {std::int64_t{64}}}}).size(), 1u);
  EXPECT_EQ(tool.space.all_points().size(), 2u);
  EXPECT_EQ(tools.families[0].data_axes, std::vector<std::string>{"text"});
}

TEST(Tools, AMistakeIsNamedByItsPointerWithWhatIsAllowed) {
  EXPECT_EQ(error(tool_document()), "no error");
  expect_text(error_with("/tools/tool/comand", "x"));
  expect_text(error_with("/tools/tool/command", "tool {text}"));
  expect_text(error_with("/tools/tool/command/2", "{text"));
  expect_text(error_with("/tools/tool/command/0", ""));
  expect_text(error_with("/tools/tool/family", "none"));
  expect_text(error_with("/tools/tool/version/pattern", "v("));
  expect_text(error_with("/tools/tool/version/pattern", "v.*"));
  expect_text(error_with("/tools/tool/own_seconds", "seconds .*"));
  expect_text(error_with("/tools/tool/work/product/1", "letters(text)"));
  expect_text(error_with("/tools/tool/axes/threads/default", 65));
  expect_text(error_with("/tools/tool/axes/work", {{"meaning", "m"}, {"default", 1}}));
  expect_text(error_with("/tools/tool/answers/format", "sections"));
  expect_text(error_with("/tools/tool/answers/format", "matrix"));
  expect_text(
      error_with("/tools/tool/answers", {{"from", "out"}, {"format", "pairs"}, {"key_columns", {1, 2}}}));
  expect_text(error_with("/tools/tool/answers/header_lines", 1));
  expect_text(error_with("/tools/tool/answers/sum", {{{"column", 1}}}));
  expect_text(error_with("/tools/tool/answers/count_words", "+"));
  expect_text(error_with("/tools/tool/answers/first_column", 2));
  expect_text(error_with("/tools/tool/answers/same_columns", {1, 2}));
  expect_text(error_with("/tools/tool/answers/may_differ", true));
  expect_text(error_with("/tools/tool/device", "gpu"));
  expect_text(error_with("/tools/tool/checkout", "a/b"));
  expect_text(error_with("/tools/tool/folder", "{checkout"));
  expect_text(error_with("/tools/tool/axes/program", {{"meaning", "m"}, {"default", 1}}));
  expect_text(error_with("/tools/tool/answers/from", "sdtout"));
  expect_text(error_with("/tools/tool/answers/from", "{work/x"));
  EXPECT_EQ(error_with("/tools/tool/answers/from", "{work}/x.tsv"), "no error");
  expect_text(error_with("/tools/tool/answers/key_column", 0));
  expect_text(error_with("/tools/tool/package", "a b; rm"));
  expect_text(error_with("/tools", json::array()));
}

TEST(Tools, AVariantsNameIsTaken) {
  json document = tool_document();
  document["tools"]["steady"] = document["tools"]["tool"];
  document["tools"]["steady"]["family"] = "toy";
  expect_text(error(document));
}

TEST(Tools, AFamilyOfTheProgramTakesPrecedence) {
  json document = tool_document();
  document["families"]["toy"] = document["families"]["texts"];
  document["tools"]["tool"]["family"] = "toy";
  const Registry registry = with_tools(testing::toy_registry(), tools_from_json(document, "p.json"), 60);
  const Family& toy = registry.family("toy");
  EXPECT_EQ(toy.summary(), testing::ToyFamily().summary());
  EXPECT_TRUE(toy.variant("tool").whole_process);
  expect_text(toy.variant("tool").missing);
  EXPECT_FALSE(toy.variant("steady").whole_process);
}

TEST(Tools, OfAToolThatRunsOnAGpuTheDeviceIsCuda) {
  json document = tool_document();
  document["tools"]["tool"]["device"] = "cuda";
  const Registry registry = with_tools(testing::toy_registry(), tools_from_json(document, "p.json"), 60);
  EXPECT_EQ(registry.family("texts").variant("tool").device, DeviceKind::cuda);
}

TEST(Tools, AConfigHoldsTheContentSoThatItsHashChangesWithIt) {
  const testing::Scratch scratch;
  json document = tool_document();
  document["tools"]["tool"]["command"][0] = "bin/tool";
  scratch.write("p.json", document.dump());
  const auto config = [&] {
    return config_from_json({{"name", "x"}, {"tools", "p.json"}}, "x.json", scratch / "");
  };
  const SuiteConfig first = config();
  EXPECT_EQ(first.document["tools"]["tools"]["tool"]["command"][0], (scratch / "bin/tool").string());
  EXPECT_EQ(config_from_json(first.document, "run.json", "/elsewhere").hash(), first.hash());
  document["tools"]["tool"]["command"].push_back("--fast");
  scratch.write("p.json", document.dump());
  EXPECT_NE(config().hash(), first.hash());
}

TEST(Tools, TheFileOfToolsThatComesWithTheProgramIsValid) {
  const json document = resolve_tools("tools.json", source_root() / "configs/tools", "test");
  EXPECT_GE(tools_from_json(document, "tools.json").tools.size(), 4u);
  EXPECT_NO_THROW(load_config(source_root() / "configs" / "external-tools.json"));
}

/// A place in a document, chosen by `random`.
json& any_place(json& node, Random& random) {
  if (!node.is_structured() || node.empty() || random.below(5) == 0) return node;
  auto place = node.begin();
  std::advance(place, static_cast<std::ptrdiff_t>(random.below(node.size())));
  return any_place(*place, random);
}

TEST(Tools, AnySpoiltDocumentIsReadOrRefused) {
  const json values[] = {nullptr,       true,           -1,      0, 1e300, "", "{", "{text}", "(",
                         json::array(), json::object(), {1, "a"}};
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    json document = tool_document();
    for (std::uint64_t edits = 1 + random.below(3); edits > 0; --edits)
      any_place(document, random) = values[random.below(std::size(values))];
    if (error(document) != "no error") ++refused;
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace gpuseq::bench
