#include "results/json_parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/json_fields.hpp"
#include "results/line_file.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::results {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using testing::ThrowsMessage;

std::string nested(std::size_t depth, const std::string& open, const std::string& inside,
                   const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += inside;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

/// The result of parse_line() for a text, types of numbers included, or its message.
std::string as_nlohmann(const std::string& text) {
  try {
    return parse_line(text).dump();
  } catch (const UsageError& error) {
    return error.what();
  }
}

std::string as_ours(JsonParser& parser, const std::string& text) {
  try {
    return json_from<ordered_json>(parser.parse(text)).dump();
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(JsonParser, TakesAndRefusesTheTextsThatNlohmannDoesAndReadsThemAlike) {
  std::vector<std::string> texts{
      R"({"b": 1, "a": [1.0, -0.0, -0, 1e5, true, null, "\u00e9\ud83d\ude00\u0000"]})",
      R"({"a": 1, "b": 2, "a": {"c": 3}})",
      "\xEF\xBB\xBF{}",
      "18446744073709551615",
      "18446744073709551616",
      "-9223372036854775808",
      "-9223372036854775809",
      "[1, 123456789012345678901234567890]",
      "4.9e-324",
      "1e-400",
      "1e400",
      "-1e400",
      "01",
      "1.",
      "+1",
      "nul",
      "",
      " ",
      "{} x",
      "[1,]",
      R"({"a" 1})",
      R"("\ud800")",
      R"("\udc00")",
      R"("\ud83d\u0000")",
      "\"\x80\"",
      "\"\xED\xA0\x80\"",
      "\"a\x01\"",
      std::string("\"a\0b\"", 5)};
  for (std::size_t depth = kMostNesting - 1; depth <= kMostNesting + 1; ++depth)
    for (const char* inside : {"1", "", "{}", "[]", R"({"a": 1})"}) {
      texts.push_back(nested(depth, "[", inside, "]"));
      texts.push_back(nested(depth, "{\"a\":", *inside ? inside : "[]", "}"));
    }
  JsonParser parser;
  for (const std::string& text : texts) EXPECT_EQ(as_ours(parser, text), as_nlohmann(text)) << text;
}

TEST(JsonParser, MakesNumbersOfTheTypesThatNlohmannMakes) {
  JsonParser parser;
  for (const char* text : {"0", "7", "-7", "9223372036854775808", "0.0", "1e2"})
    EXPECT_EQ(json_from<json>(parser.parse(text)).type(), json::parse(text).type()) << text;
}

TEST(JsonParser, ReadsALongTextAfterAShortOne) {
  JsonParser parser;
  const std::string longer = '"' + std::string(1'000'000, 'x') + '"';
  for (const std::string& text : {std::string("1"), longer, std::string("[2]")})
    EXPECT_EQ(as_ours(parser, text), text);
}

TEST(Fields, OfANameThatIsGivenTwiceHoldTheLastValue) {
  JsonParser parser;
  const Fields fields(parser.parse(R"({"a": "x", "m": {"k": "no number", "k": 2}, "a": 1})"));
  EXPECT_EQ(fields.get<int>("a"), 1);
  EXPECT_EQ((fields.get<std::map<std::string, double>>("m")), (std::map<std::string, double>{{"k", 2}}));
}

TEST(Fields, AreFoundInAnyOrder) {
  JsonParser parser;
  const Fields fields(parser.parse(R"({"a": 1, "b": 2, "c": 3})"));
  for (const auto& [name, value] : {std::pair("c", 3), {"a", 1}, {"b", 2}, {"b", 2}, {"a", 1}, {"c", 3}})
    EXPECT_EQ(fields.get<int>(name), value);
  EXPECT_FALSE(fields.has("d"));
  EXPECT_EQ(fields.get<int>("b"), 2);
  EXPECT_THAT([&] { fields.at("d"); }, ThrowsMessage<UsageError>("/d: is missing"));
}

TEST(Fields, OfAnEmptyObjectAreMissing) {
  JsonParser parser;
  const Fields fields(parser.parse("{}"));
  EXPECT_FALSE(fields.has(""));
  expect_error_text([&] { fields.get<int>("a"); });
}

}  // namespace
}  // namespace gpuseq::results
