#include "runtime/text/printable.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/io/say.hpp"

namespace gpuseq {
namespace {

using namespace std::string_literals;

/// The text written into a file.
std::string written(const std::function<void(std::FILE*)>& write) {
  std::FILE* file = std::tmpfile();
  write(file);
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
  std::fclose(file);
  return text;
}

TEST(Printable, VisibleTextStaysAsItIs) {
  for (const char* text : {"", "chr1 [a] \\n", "Chacón µs 序列 \xf0\x9f\xa7\xac"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_TRUE(is_printable(text)) << text;
  }
}

TEST(Printable, ControlCharactersAreShownAsJsonWritesThem) {
  EXPECT_EQ(printable("a\0b\r\n\t\x1b[31m\x7f"s), "a\\u0000b\\r\\n\\t\\u001b[31m\\u007f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m \xc2\x85"),
            "\\u009b31m \\u0085");  // CSI and NEL as C1
}

TEST(Printable, DirectionsAndSeparatorsAreShown) {
  EXPECT_EQ(printable("\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069"),
            "\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a\\u202e\\u2066\\u2069");
}

TEST(Printable, BytesThatAreNotUtf8AreShown) {
  EXPECT_EQ(printable("a\xff"), "a\\xff");
  EXPECT_EQ(printable("\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82"),
            "\\xc0\\xaf \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \\xe2\\x82");
  EXPECT_FALSE(is_utf8("\xe2\x82"));
  EXPECT_TRUE(is_utf8("\u202e\n"));
}

TEST(Printable, OnceMoreChangesNothing) {
  const std::string once = printable("\x1b\n\xff\u202e\\");
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, OwnLinesAndColoursAreKeptWhereAskedFor) {
  EXPECT_EQ(printable("a\n\tb\r", Keep::lines), "a\n\tb\\r");
  EXPECT_EQ(printable("\033[1ma\033[0m\033[2J\033[31", Keep::lines_and_colours),
            "\033[1ma\033[0m\\u001b[2J\\u001b[31");
}

TEST(Printable, JsonTextGivesPrintableStrings) {
  std::string buffer;
  const std::string plain = "{\"a\\\"\":\"\\\\n µ \\u00b5\"}";
  EXPECT_EQ(printable_json(plain, buffer), plain);
  const std::string hostile =
      "{\"k\\n\":\"\\u001b[31m\\u0000\\r\\t\\b\\f\\\\n\\u202E \x7f\u202e\u2028\xc2\x9b\"}";
  const auto read = nlohmann::json::parse(printable_json(hostile, buffer));
  EXPECT_EQ(read.begin().key(), "k\\n");
  EXPECT_EQ(read.begin()->get<std::string>(),
            "\\u001b[31m\\u0000\\r\\t\\b\\f\\n\\u202E \\u007f\\u202e\\u2028\\u009b");
}

TEST(Printable, MalformedJsonStaysMalformed) {
  std::string buffer;
  for (const std::string& text :
       {"\"\\"s, "\"\\u00"s, "\"a\nb\""s, "\"\x80\""s, "{\"a\":\"\x01\"}"s, "\"\\x41\""s})
    EXPECT_FALSE(nlohmann::json::accept(printable_json(text, buffer))) << text;
}

TEST(Say, ATextStaysOnItsLine) {
  const std::string name = "x\n::add-mask::y\x1b]0;t\x07";
  const std::string shown = "x\\n::add-mask::y\\u001b]0;t\\u0007";
  EXPECT_EQ(
      written([&](std::FILE* to) { say(to, "{}: {}, {}\n", name, std::string_view(name), name.c_str()); }),
      shown + ": " + shown + ", " + shown + "\n");
  EXPECT_EQ(written([](std::FILE* to) { say(to, "{:3}|{:.1f}\n", 7, 0.25); }), "  7|0.2\n");
}

TEST(Say, LinesOfOursKeepBreaksAndColours) {
  const std::string own = "\033[1mLevels\033[0m\n  a\tb\n";
  EXPECT_EQ(written([&](std::FILE* to) { say(to, "{}", Lines{own}); }), own);
}

TEST(Say, NoLineIsACommandOfALogReader) {
  const auto said_of = [](std::string_view text) {
    return written([&](std::FILE* to) { say(to, "{}", Lines{text}); });
  };
  EXPECT_EQ(said_of("::error::x"), "\\u003a:error::x");
  EXPECT_EQ(said_of("a\n \t::stop-commands::x\n\u00a0::x\n\033[1m::x\n"),
            "a\n \t\\u003a:stop-commands::x\n\u00a0\\u003a:x\n\033[1m\\u003a:x\n");
  EXPECT_EQ(said_of("##[group]b ##vso[c]##teamcity[d ## [e] #"),
            "#\\u0023[group]b #\\u0023vso[c]#\\u0023teamcity[d ## [e] #");
  EXPECT_EQ(said_of("a::b: ::c"), "a::b: ::c");
}

}  // namespace
}  // namespace gpuseq
