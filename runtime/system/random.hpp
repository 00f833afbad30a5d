#pragma once

#include <array>
#include <cstdint>

namespace gpuseq {

/// SplitMix64 step (Steele, Lea and Flood 2014): expands a seed, or mixes 64 bits.
constexpr std::uint64_t split_mix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// xoshiro256** 1.0 (Blackman and Vigna 2018). The same seed gives the same numbers on every platform, unlike
/// the distributions of the standard library.
class Random {
 public:
  using result_type = std::uint64_t;

  explicit constexpr Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = split_mix64(seed);
  }
  /// An independent stream of the same seed (one per thread or per block of output).
  constexpr Random(std::uint64_t seed, std::uint64_t stream)
      : Random(seed ^ (stream + 1) * 0xd1342543de82ef95u) {}

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

  constexpr std::uint64_t operator()() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Uniform in [0, bound); 0 for bound 0. Without bias (Lemire 2019).
  constexpr std::uint64_t below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>((*this)()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t threshold = bound == 0 ? 0 : (0 - bound) % bound;
      while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<Wide>((*this)()) * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  /// Uniform in [0, 1), 53 bits.
  constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int by) { return x << by | x >> (64 - by); }
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace gpuseq
