#include "kernels/fm_index/data/order_key.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/kernels/fm_index/brute_force.hpp"

namespace gpuseq::fm_index {
namespace {

u32 key_of(const std::string& query, OrderKey key) {
  const std::vector<u32> packed = testing::packed(query);
  return order_key(static_cast<u32>(query.size()), key, [&](u32 number) { return packed.at(number); });
}

/// The same by letters: those that are taken, in the order in which they are, As behind them, as a number of
/// base 4.
u32 key_of_letters(std::string query, OrderKey key) {
  if (key.from_end) std::ranges::reverse(query);
  query = query.substr(0, key.bases);
  query.resize(key.bases, 'A');
  u32 number = 0;
  for (const char letter : query) number = number * 4 + static_cast<u32>(std::string("ACGT").find(letter));
  return number;
}

TEST(OrderKey, IsTheFirstLettersFromEitherEndAsANumber) {
  u64 seed = 0;
  for (const std::size_t length :
       {0u, 1u, 2u, 7u, 11u, 12u, 13u, 15u, 16u, 17u, 31u, 32u, 33u, 64u, 65u, 100u, 131u})
    for (u32 bases = 1; bases <= 16; ++bases)
      for (const bool from_end : {false, true})
        for (int repeat = 0; repeat < 8; ++repeat) {
          const std::string query = testing::random_letters(length, ++seed);
          const OrderKey key{bases, from_end};
          ASSERT_EQ(key_of(query, key), key_of_letters(query, key)) << query << " " << bases << from_end;
        }
}

TEST(OrderKey, ReadsNoWordWithoutABaseThatItAsksFor) {
  // packed.at() of key_of() throws; a query of 16 bases has no second word to read.
  const u32 word = testing::packed("ACGTACGTACGTACGT")[0];
  for (const bool from_end : {false, true})
    EXPECT_NO_THROW(order_key(16, {16, from_end}, [&](u32 number) {
      if (number != 0) throw std::out_of_range("word");
      return word;
    }));
}

TEST(OrderKey, OrdersQueriesAsTheirLettersDo) {
  std::vector<std::string> queries;
  for (u64 seed = 1; seed <= 400; ++seed) queries.push_back(testing::random_letters(20 + seed % 30, seed));
  for (const bool from_end : {false, true}) {
    const auto letters = [&](std::string query) {
      if (from_end) std::ranges::reverse(query);
      return query.substr(0, 16);
    };
    std::vector<std::string> by_letters = queries, by_key = queries;
    std::ranges::stable_sort(by_letters, {}, letters);
    std::ranges::stable_sort(by_key, {}, [&](const std::string& query) {
      return key_of(query, {16, from_end});
    });
    EXPECT_EQ(by_key, by_letters);
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
