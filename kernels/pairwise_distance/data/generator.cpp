#include "kernels/pairwise_distance/data/generator.hpp"

#include <fmt/format.h>

#include "runtime/system/random.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr u32 kThousand = 1000;

/// Uniform codes, four from a 64-bit number: no code's probability is off by more than 2^-16.
void fill_codes(std::span<u8> row, u32 alphabet, Random& random) {
  u64 bits = 0;
  for (u64 k = 0; k < row.size(); ++k) {
    bits = k % 4 == 0 ? random() : bits >> 16;
    row[k] = static_cast<u8>((bits & 0xffff) * alphabet >> 16);
  }
}

/// Uniform multiples of 2^-24 from 0 to 1, two from a 64-bit number.
void fill_reals(std::span<float> row, Random& random) {
  u64 bits = 0;
  for (u64 k = 0; k < row.size(); ++k) {
    bits = k % 2 == 0 ? random() : bits >> 32;
    row[k] = static_cast<float>(bits & 0xffffff) * 0x1p-24f;
  }
}

}  // namespace

Instances random_instances(const Generation& generation, u64 seed, ThreadPool& pool) {
  Instances instances{.count = generation.count,
                      .attributes = generation.attributes,
                      .alphabet = generation.real ? 0 : generation.alphabet};
  const u64 values = instances.values();
  if (generation.real)
    instances.reals.resize(values);
  else
    instances.codes.resize(values);
  if (generation.missing_per_mille > 0) instances.missing.resize(values);
  for (u64 i = 0; i < generation.count; ++i) instances.names.push_back(fmt::format("i{}", i + 1));
  pool.parallel_for(generation.count, 16, [&](std::size_t begin, std::size_t end) {
    for (u64 i = begin; i < end; ++i) {
      Random random(seed, i);
      const u64 first = i * generation.attributes;
      if (generation.real)
        fill_reals({instances.reals.data() + first, generation.attributes}, random);
      else
        fill_codes({instances.codes.data() + first, generation.attributes}, generation.alphabet, random);
      for (u64 k = first; k < first + generation.attributes && instances.has_missing(); ++k)
        if (random.below(kThousand) < generation.missing_per_mille) instances.remove(k);
    }
  });
  return instances;
}

}  // namespace gpuseq::pairwise_distance
