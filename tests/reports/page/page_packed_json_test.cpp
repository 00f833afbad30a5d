#include <gtest/gtest.h>

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
    const Json packed = packer.pack(value), shared = packer.share(value);
    EXPECT_EQ(unpack(packed, packer.dictionary()), value);
    EXPECT_EQ(unpack(shared, packer.dictionary()), value);
  }
}

TEST(JsonPacker, KeepsTheKeysOfEqualShapesOnce) {
  JsonPacker packer;
  packer.pack({{"rate", 1}, {"unit", "B"}});
  packer.pack({{"rate", 2}, {"unit", "B"}});
  EXPECT_EQ(packer.dictionary()["shapes"].size(), 1u);
}

TEST(JsonPacker, KeepsEqualSharedValuesOnce) {
  JsonPacker packer;
  EXPECT_EQ(packer.share({{"name", "H200"}}), packer.share({{"name", "H200"}}));
  EXPECT_NE(packer.share({{"name", "H200"}}), packer.share({{"name", "H100"}}));
  EXPECT_EQ(packer.dictionary()["pool"].size(), 2u);
}

TEST(JsonPacker, KeepsSixDigitsOfFractionsAndAllOfWholeNumbers) {
  JsonPacker packer;
  EXPECT_EQ(packer.pack(0.123456789).dump(), "0.123457");
  EXPECT_EQ(packer.pack(150109880320).dump(), "150109880320");
  EXPECT_EQ(packer.pack(419430400.0).dump(), "419430400");
}

TEST(JsonPacker, SharesTextThatIsNoUtf8) {
  JsonPacker packer;
  EXPECT_NO_THROW(packer.share({{"name", "a\xFF"}}));
}

}  // namespace
}  // namespace gpuseq::reports
