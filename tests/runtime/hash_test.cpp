#include "runtime/io/hash.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "runtime/system/random.hpp"

namespace gpuseq {
namespace {

TEST(Hash, IsXxh64) {
  // Computed with the xxhash package of Python, seed 0.
  EXPECT_EQ(hash_hex16(""), "ef46db3751d8e999");
  EXPECT_EQ(hash_hex16("a"), "d24ec4f1a98c6e5b");
  EXPECT_EQ(hash_hex16("abc"), "44bc2cf5ad770999");
  EXPECT_EQ(hash_hex16("Nobody inspects the spammish repetition"), "fbcea83c8a378bf1");
}

TEST(Hash, IsTheSameHoweverTheContentIsCutUp) {
  Random random(1);
  std::string text(1000, '\0');
  for (char& byte : text) byte = static_cast<char>(random());
  for (int trial = 0; trial < 200; ++trial) {
    Hash hash;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = random.below(100);
      hash.update(std::string_view(text).substr(at, length));
      at += length;
    }
    EXPECT_EQ(hash.hex16(), hash_hex16(text));
  }
}

TEST(Hash, GoesOnAfterItsValueWasTaken) {
  Hash hash;
  hash.update("ab");
  hash.value();
  EXPECT_EQ(hash.update("c").hex16(), hash_hex16("abc"));
}

TEST(Hash, TakesTheBytesOfNumbers) {
  const std::vector<std::uint32_t> numbers{0x64636261};
  EXPECT_EQ(Hash().update(std::span(numbers)).value(), Hash().update("abcd").value());
}

TEST(Random, GivesTheNumbersOfTheReferenceImplementation) {
  // xoshiro256** of the authors' C code, state filled by SplitMix64 from 0.
  Random random(0);
  EXPECT_EQ(random(), 0x99ec5f36cb75f2b4u);
  EXPECT_EQ(random(), 0xbf6e1f784956452au);
}

TEST(Random, IsUniformBelowABound) {
  Random random(1);
  std::vector<int> counts(7);
  for (int i = 0; i < 70'000; ++i) ++counts[random.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.below(1), 0u);
  EXPECT_EQ(random.below(0), 0u);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) sum += random.uniform();
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

TEST(Random, StreamsOfOneSeedDiffer) {
  EXPECT_NE(Random(1, 0)(), Random(1, 1)());
  EXPECT_NE(Random(1, 0)(), Random(1)());
  EXPECT_EQ(Random(1, 5)(), Random(1, 5)());
}

}  // namespace
}  // namespace gpuseq
