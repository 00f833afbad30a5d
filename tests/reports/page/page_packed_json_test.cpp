#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "reports/page/packed_json.hpp"

namespace gpuseq::reports {
namespace {

using Json = JsonPacker::Json;

/// As the page's unpack().
Json unpack(const Json& packed, const Json& dictionary) {
  if (!packed.is_array()) return packed;
  const int shape = packed[0].get<int>();
  if (shape == -2) return unpack(dictionary["pool"][packed[1].get<std::size_t>()], dictionary);
  Json value = shape == -1 ? Json::array() : Json::object();
  for (std::size_t i = 1; i < packed.size(); ++i)
    if (shape == -1)
      value.push_back(unpack(packed[i], dictionary));
    else
      value[dictionary["shapes"][static_cast<std::size_t>(shape)][i - 1].get<std::string>()] =
          unpack(packed[i], dictionary);
  return value;
}

Json packed(JsonPacker& packer, const Json& value) {
  std::string text;
  packer.pack(value, text);
  return Json::parse(text);
}

Json dictionary_of(const JsonPacker& packer) {
  return Json::parse(packer.dictionary());
}

Json random_json(std::mt19937_64& random, int depth) {
  switch (random() % (depth > 0 ? 7 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return random() % 2 == 0;
    case 2:
      return static_cast<std::int64_t>(random());
    case 3:
      return std::string(random() % 4, static_cast<char>('a' + random() % 3));
    case 4:
      return static_cast<double>(random() % 1000) / 8;
    case 5: {
      Json array = Json::array();
      for (std::size_t i = random() % 4; i > 0; --i) array.push_back(random_json(random, depth - 1));
      return array;
    }
    default: {
      Json object = Json::object();
      for (std::size_t i = random() % 4; i > 0; --i)
        object[std::string(1, static_cast<char>('a' + random() % 5))] = random_json(random, depth - 1);
      return object;
    }
  }
}

TEST(JsonPacker, GivesBackWhatItTook) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    JsonPacker packer;
    const Json value = random_json(random, 4);
    const Json own = packed(packer, value), pooled = shared(packer.share(value));
    EXPECT_EQ(unpack(own, dictionary_of(packer)), value);
    EXPECT_EQ(unpack(pooled, dictionary_of(packer)), value);
  }
}

TEST(JsonPacker, KeepsTheKeysOfEqualShapesOnce) {
  JsonPacker packer;
  packed(packer, {{"rate", 1}, {"unit", "B"}});
  packed(packer, {{"rate", 2}, {"unit", "B"}});
  EXPECT_EQ(dictionary_of(packer)["shapes"].size(), 1u);
}

TEST(JsonPacker, KeepsEqualSharedValuesOnce) {
  JsonPacker packer;
  EXPECT_EQ(packer.share({{"name", "H200"}}), packer.share({{"name", "H200"}}));
  EXPECT_NE(packer.share({{"name", "H200"}}), packer.share({{"name", "H100"}}));
  EXPECT_EQ(dictionary_of(packer)["pool"].size(), 2u);
}

TEST(JsonPacker, KeepsSixDigitsOfFractionsAndAllOfWholeNumbers) {
  JsonPacker packer;
  const auto text = [&](const Json& value) {
    std::string out;
    packer.pack(value, out);
    return out;
  };
  EXPECT_EQ(text(0.123456789), "0.123457");
  EXPECT_EQ(text(150109880320), "150109880320");
  EXPECT_EQ(text(419430400.0), "419430400");
  EXPECT_EQ(text(std::numeric_limits<double>::quiet_NaN()), "null");
}

TEST(JsonPacker, WritesNoFractionLongerThanNlohmannDoes) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> digits(1, 10);
  for (int i = 0; i < 20'000; ++i) {
    const int exponent = static_cast<int>(random() % 60) - 30;
    double value = (i % 2 == 0 ? 1 : -1) * digits(random) * std::pow(10, exponent);
    if (i % 3 == 0) value = std::strtod(fmt::format("{:.{}g}", value, 1 + i % 5).c_str(), nullptr);
    std::string text;
    append_json(text, value);
    if (value == std::floor(value) && std::abs(value) < 1e15) continue;
    const Json rounded(std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr));
    EXPECT_EQ(Json::parse(text), rounded);
    EXPECT_LE(text.size(), rounded.dump().size());
  }
}

TEST(JsonPacker, LaysFractionsOutAsNlohmannDoes) {
  for (const double value : {0.5, -0.25, 1.5, 123456.5, 1e15, 1e22, 2.5e-4, 1e-4, 1e-5, 1.25e-5, -3e-30,
                             7e-300, 1.5e300, 100.125}) {
    std::string text;
    append_json(text, value);
    EXPECT_EQ(text, Json(std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr)).dump());
  }
}

TEST(JsonPacker, WritesTextsAsNlohmannDoes) {
  for (const char* value : {"", "plain", "a \"b\"\\", "tab\t", "\xC3\xA9", "\x7f", "\x01", "</script>"}) {
    std::string text;
    append_json(text, std::string_view(value));
    EXPECT_EQ(text, Json(value).dump());
  }
}

TEST(JsonPacker, SharesTextThatIsNoUtf8) {
  JsonPacker packer;
  packer.share({{"name", "a\xFF"}});
  EXPECT_NO_THROW(dictionary_of(packer));
}

}  // namespace
}  // namespace gpuseq::reports
