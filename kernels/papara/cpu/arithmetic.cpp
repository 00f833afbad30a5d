#include "kernels/papara/cpu/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "runtime/contract/unsupported.hpp"

namespace gpuseq::papara {
namespace {

/// Values of a lane with a given number of bits, and the part of its range for the extension costs that
/// columns leave out (drift).
struct LaneRange {
  std::int64_t least, most;  // least and most value of a lane; costs are in -most ... most
  std::int64_t drift;
};

/// 32-bit lanes do not saturate: they stop at half of their range, so that sums with infinity fit. Costs
/// are small enough for the sum of a strip to fit. Scores begin near 0 in 32-bit lanes and near the least
/// value in other lanes.
LaneRange range_of(int bits) {
  if (bits == 8) return {-128, 127, 16};
  if (bits == 16) return {-32768, 32767, 4096};
  return {0, 1 << 30, 1 << 24};
}

std::int64_t largest_cost(int bits, const LaneRange& range) {
  return bits == 32 ? range.drift : range.most;
}

std::string advice(int bits) {
  return bits == 32 ? "" : fmt::format("; use bits = {}", bits * 2);
}

void check_costs(int bits, const LaneRange& range, const ArithmeticNeeds& needs) {
  const auto& [mismatch, cgap, gap_open, gap_extend, insertion] = needs.penalties;
  const std::int64_t row_costs = std::int64_t{insertion} * (needs.potentials ? needs.rows : 1);
  const std::int64_t align = std::int64_t{mismatch} + cgap;
  const std::int64_t step = std::int64_t{insertion} + gap_extend;  // cost that aligning leaves out
  const std::int64_t largest = std::max({align, step, row_costs, std::int64_t{gap_open}});
  if (largest > largest_cost(bits, range))
    throw Unsupported(
        fmt::format("{}-bit scores are not exact: a cost of {} does not fit, allowed: up to {}{}", bits,
                    largest, largest_cost(bits, range), advice(bits)));
}

}  // namespace

LaneArithmetic plan_arithmetic(int bits, const ArithmeticNeeds& needs) {
  const LaneRange range = range_of(bits);
  const Penalties& p = needs.penalties;
  check_costs(bits, range, needs);
  LaneArithmetic plan{.bits = bits,
                      .zero = static_cast<i32>(range.least),
                      .infinity = static_cast<i32>(range.most),
                      .rebase_columns = std::max(needs.columns, 1u)};
  if (needs.potentials) {
    if (p.gap_extend > 0)
      plan.rebase_columns = static_cast<u32>(
          std::clamp<std::int64_t>(range.drift / p.gap_extend, 1, std::int64_t{plan.rebase_columns}));
    plan.zero +=
        p.insertion * static_cast<i32>(needs.rows) + p.gap_extend * static_cast<i32>(plan.rebase_columns);
  }
  const std::int64_t limit = range.most - plan.zero;
  const std::int64_t highest = std::int64_t{needs.longest} * (std::int64_t{p.mismatch} + p.cgap);
  if (bits == 8 ? limit < 1 : highest >= limit)
    throw Unsupported(fmt::format("{}-bit scores are not exact: {} bases can cost {}, allowed: below {}{}",
                                  bits, needs.longest, highest, limit, advice(bits)));
  return plan;
}

}  // namespace gpuseq::papara
