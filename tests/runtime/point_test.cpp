#include "runtime/contract/point.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq {
namespace {

AxisValue number(std::int64_t value) {
  return value;
}
AxisValue word(const char* value) {
  return std::string(value);
}

SearchSpace example_space() {
  return SearchSpace(
      {{.name = "k", .values = {number(1), number(2), number(3)}, .default_value = number(2)},
       {.name = "d",
        .values = {number(64), number(128)},
        .default_value = number(64),
        .meaning = "sampling distance",
        .accepts =
            [](const AxisValue& value) {
              const auto* d = std::get_if<std::int64_t>(&value);
              return d != nullptr && *d > 0 && *d % 64 == 0;
            },
        .allowed = "a multiple of 64"},
       {.name = "counters", .values = {word("full"), word("alternate")}, .default_value = word("full")}},
      {{.name = "alternate_needs_two",
        .reason = "alternate counters need k of at least 2",
        .holds = [](const Point& p) { return p.word("counters") == "full" || p.integer("k") >= 2; }}});
}

TEST(Point, ParsesWhatItPrints) {
  const Point point{
      {"k", number(2)}, {"d", number(-192)}, {"counters", word("alternate")}, {"name", word("a=b")}};
  EXPECT_EQ(point.to_string(), "k=2,d=-192,counters=alternate,name=a=b");
  EXPECT_EQ(Point::parse(point.to_string()), point);
  EXPECT_EQ(Point::parse(""), Point());
}

TEST(Point, KeepsTheOrderOfFirstSettingWhenAValueIsReplaced) {
  Point point{{"b", number(1)}, {"a", number(2)}};
  point.set("b", word("x"));
  EXPECT_EQ(point.to_string(), "b=x,a=2");
}

TEST(Point, IsChangedWithoutItsCopiesWhichShareItsValuesUntilThen) {
  const Point first{{"k", number(1)}, {"d", number(64)}};
  Point copy = first;
  EXPECT_EQ(&copy.values(), &first.values());
  copy.set("k", number(2));
  EXPECT_EQ(first.to_string(), "k=1,d=64");
  EXPECT_EQ(copy.to_string(), "k=2,d=64");
  const auto* own = &copy.values();
  copy.set("d", number(128));
  EXPECT_EQ(&copy.values(), own);
}

TEST(Point, IsEqualToAnotherOfTheSameValues) {
  EXPECT_EQ((Point{{"k", number(1)}}), (Point{{"k", number(1)}}));
  EXPECT_FALSE((Point{{"k", number(1)}} == Point{{"k", number(2)}}));
  EXPECT_EQ(Point(), Point());
  EXPECT_FALSE((Point() == Point{{"k", number(1)}}));
}

TEST(Point, IsEqualWhateverTheOrderOfItsAxes) {
  const Point point{{"k", number(1)}, {"d", number(64)}};
  EXPECT_EQ(point, (Point{{"d", number(64)}, {"k", number(1)}}));
  EXPECT_EQ(point, Point::from_json(nlohmann::json(point.to_json())));  // which sorts them
  EXPECT_FALSE((point == Point{{"d", number(1)}, {"k", number(64)}}));
  EXPECT_FALSE((point == Point{{"d", number(64)}, {"e", number(1)}}));
  EXPECT_FALSE((point == Point{{"k", number(1)}}));
}

TEST(Point, RejectsTextThatIsNoListOfAxisValues) {
  for (const char* text : {"k", "=2", "k=", "k=1,", ",k=1", "k=1,,d=2", "k=1,k=2", "k=99999999999999999999"})
    EXPECT_THROW(Point::parse(text), UsageError) << text;
}

TEST(Point, ReadsBackTheJsonItWrites) {
  const Point point{{"d", number(192)}, {"a", word("x")}};
  EXPECT_EQ(point.to_json().dump(), R"({"d":192,"a":"x"})");
  const Point read = Point::from_json(point.to_json());
  EXPECT_EQ(read.integer("d"), 192);
  EXPECT_EQ(read.word("a"), "x");
}

TEST(Point, NamesTheAxisWhoseJsonValueIsNeitherIntegerNorWord) {
  for (const char* text : {R"({"k":1.5})", R"({"k":null})", R"({"k":[1]})", R"({"k":18446744073709551615})"})
    expect_error_text([&] { Point::from_json(nlohmann::json::parse(text)); });
  EXPECT_THROW(Point::from_json(nlohmann::json::parse("[1]")), UsageError);
}

TEST(Point, NamesTheAxisThatIsMissingOrOfTheOtherType) {
  const Point point{{"k", number(2)}, {"counters", word("full")}};
  expect_error_text([&] { point.integer("d"); });
  expect_error_text([&] { point.integer("counters"); });
  expect_error_text([&] { point.word("k"); });
}

TEST(SearchSpace, CompletesWithDefaultsInTheOrderOfItsAxes) {
  EXPECT_EQ(example_space().complete({{"counters", word("alternate")}, {"d", number(448)}}).to_string(),
            "k=2,d=448,counters=alternate");
}

TEST(SearchSpace, SaysWhichAxisWasGivenWhatAndWhatIsAllowed) {
  const SearchSpace space = example_space();
  expect_error_text([&] { space.complete({{"k", number(7)}}); });
  expect_error_text([&] { space.complete({{"d", number(100)}}); });
  expect_error_text([&] { space.complete({{"depth", number(1)}}); });
  expect_error_text([&] { space.complete({{"k", number(1)}, {"counters", word("alternate")}}); });
}

TEST(SearchSpace, EnumeratesOnlyValidPointsAndDefaultsOfUnnamedAxes) {
  const SearchSpace space = example_space();
  std::vector<std::string> found;
  for (const Point& p : space.points(
           {{"k", {number(1), number(3), number(1)}}, {"counters", {word("full"), word("alternate")}}}))
    found.push_back(p.to_string());
  EXPECT_THAT(found, testing::ElementsAre("k=1,d=64,counters=full", "k=3,d=64,counters=full",
                                          "k=3,d=64,counters=alternate"));
  EXPECT_EQ(space.all_points().size(), 3u * 2 * 2 - 2);
  EXPECT_TRUE(space.points({{"k", {}}}).empty());
  EXPECT_THROW(space.points({{"k", {number(9)}}}), UsageError);
  EXPECT_THROW(space.points({{"x", {number(1)}}}), UsageError);
}

TEST(SearchSpace, WithoutAxesHasOnePoint) {
  EXPECT_EQ(SearchSpace().all_points().size(), 1u);
  EXPECT_THROW(SearchSpace().complete({{"k", number(1)}}), UsageError);
}

TEST(SearchSpace, RefusesADefaultThatItsAxisDoesNotAllow) {
  EXPECT_THROW(SearchSpace({{.name = "k", .values = {number(1)}, .default_value = number(2)}}),
               std::logic_error);
}

}  // namespace
}  // namespace gpuseq
