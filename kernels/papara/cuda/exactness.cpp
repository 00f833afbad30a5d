#include <fmt/format.h>

#include <array>

#include "kernels/papara/cuda/policy.hpp"
#include "kernels/papara/cuda/score_lanes.cuh"

namespace gpuseq::papara {
namespace {

/// The integers that an arithmetic holds exactly, and its infinity.
struct Numbers {
  const char* name;
  i64 least, most, infinity;
};

Numbers numbers_of(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::s16x2:
      return {"16-bit integers", -32768, 32767, Lanes<Arithmetic::s16x2>::infinity};
    // Integers up to 2048 are exact. Infinity is larger; rounding of sums with it is harmless.
    case Arithmetic::f16x2:
      return {"halves", -2048, 2048, Lanes<Arithmetic::f16x2>::infinity};
    case Arithmetic::s32:
      break;
  }
  return {"32-bit integers", -(i64{1} << 31), (i64{1} << 31) - 1, Lanes<Arithmetic::s32>::infinity};
}

/// Whether Lanes::selected() can restore a cost from a byte.
bool has_byte(Arithmetic arithmetic, i32 cost) {
  if (arithmetic == Arithmetic::f16x2) return (half_of(cost) & 255) == 0;
  return cost >= -128 && cost <= 127;
}

/// Whether the costs of a match and of a mismatch have the same sign, as LetterCosts requires.
bool carry_alike(const Penalties& p) {
  const auto alike = [&](i32 match) { return (match < 0) == (match + p.mismatch < 0); };
  return alike(-p.gap_extend - p.insertion) && alike(p.cgap - p.insertion);
}

}  // namespace

std::optional<std::string> why_inexact(const Policy& policy, u32 longest, const Penalties& p) {
  const Numbers numbers = numbers_of(policy.arithmetic);
  // The cost of a query straight down the band is at most this; D of a deletion adds at most one opening.
  const i64 score = i64{longest} * (p.mismatch + p.cgap) + p.gap_open;
  const i64 p_of_block = policy.has_potentials() ? i64{policy.unroll} * p.gap_extend : 0;
  const i64 potential = policy.has_potentials() ? (i64{longest} + 1) * p.insertion + p_of_block : 0;
  const i64 origin = policy.multiplies() ? potential : 0;
  const i64 highest = score + p_of_block + origin;
  const i64 lowest = origin - potential - p.gap_extend;
  // Where cells are scores, as in square ends, an insertion is added too.
  const i64 insertion = policy.has_potentials() && !policy.square_ends ? 0 : p.insertion;
  const i64 past_infinity = numbers.infinity + p.mismatch + p.cgap + p.gap_open + p_of_block + insertion;
  const bool rounded_infinity = policy.arithmetic == Arithmetic::f16x2;
  if (highest >= numbers.infinity || highest > numbers.most || lowest < numbers.least ||
      (!rounded_infinity && past_infinity > numbers.most))
    return fmt::format(
        "{} are not exact for a query of {} bases with these penalties: values from {} to {} occur; use {}a "
        "wider arithmetic",
        numbers.name, longest, lowest, highest, policy.multiplies() ? "additions = fused or " : "");
  if (policy.multiplies() && policy.by_letters() && policy.lanes() == 2 && !carry_alike(p))
    return "lanes of amino acids carry unlike each other with these penalties; use additions = fused or s32";
  if (policy.has_potentials() && !policy.branched)
    for (const i32 cost : std::array{-p.gap_extend, p.mismatch - p.gap_extend, p.cgap, p.cgap + p.mismatch})
      if (!has_byte(policy.arithmetic, cost - p.insertion))
        return fmt::format("the cost {} of a column does not fit a byte; use costs = branched or s32",
                           cost - p.insertion);
  return std::nullopt;
}

}  // namespace gpuseq::papara
