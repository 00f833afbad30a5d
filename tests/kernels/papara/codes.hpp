#pragma once

#include <cctype>
#include <string_view>
#include <vector>

#include "kernels/papara/data/alignment_data.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::papara::testing {

/// "ACGT" and N as sets; lower case: with CGAP set.
inline std::vector<u8> codes(std::string_view letters) {
  std::vector<u8> result;
  for (const char letter : letters) {
    const auto place = std::string_view("ACGT").find(static_cast<char>(std::toupper(letter)));
    const u32 set = place == std::string_view::npos ? 15 : 1u << place;
    result.push_back(static_cast<u8>(set | (std::islower(letter) ? kCgapFlag : 0)));
  }
  return result;
}

inline SiteRow dna(std::span<const u8> codes) {
  return {Alphabet::dna, codes};
}

/// Sets of one base mostly, of any bases else (none at all among them), a fifth of them with CGAP.
inline std::vector<u8> random_sites(std::size_t count, Random& random) {
  std::vector<u8> result(count);
  for (u8& code : result) {
    const u64 set = random.below(4) == 0 ? random.below(16) : u64{1} << random.below(4);
    code = static_cast<u8>(set | (random.below(5) == 0 ? kCgapFlag : 0));
  }
  return result;
}

inline std::vector<u8> random_bases(std::size_t count, Random& random) {
  std::vector<u8> result(count);
  for (u8& code : result)
    code = static_cast<u8>(random.below(10) == 0 ? 1 + random.below(15) : u64{1} << random.below(4));
  return result;
}

/// The same of any alphabet. @returns [rows][planes][sites]
inline std::vector<u8> random_sites(Alphabet alphabet, std::size_t rows, std::size_t sites, Random& random) {
  if (alphabet == Alphabet::dna) return random_sites(rows * sites, random);
  std::vector<u8> result(rows * sites * planes_of(alphabet));
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t site = 0; site < sites; ++site) {
      const u32 letter = 1u << random.below(20);
      const u32 set = random.below(4) == 0 ? static_cast<u32>(random()) & 0xfffff : letter;
      const u32 code = set | (random.below(5) == 0 ? 1u << 20 : 0);
      for (std::size_t plane = 0; plane < 3; ++plane)
        result[(row * 3 + plane) * sites + site] = static_cast<u8>(code >> (8 * plane));
    }
  return result;
}

inline std::vector<u8> random_bases(Alphabet alphabet, std::size_t count, Random& random) {
  if (alphabet == Alphabet::dna) return random_bases(count, random);
  std::vector<u8> result(count);
  for (u8& code : result)
    code = static_cast<u8>(random.below(8) == 0 ? 21 + random.below(4) : 1 + random.below(20));
  return result;
}

inline Penalties random_penalties(Random& random) {
  const auto cost = [&](u64 most) { return static_cast<i32>(random.below(most + 1)); };
  Penalties penalties{
      .mismatch = cost(9), .cgap = cost(9), .gap_open = 0, .gap_extend = cost(4), .insertion = cost(9)};
  penalties.gap_open = penalties.gap_extend + cost(6);
  return penalties;
}

}  // namespace gpuseq::papara::testing
