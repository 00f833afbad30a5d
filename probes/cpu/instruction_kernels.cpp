// Throughput of vector instructions.
//
// A thread executes one instruction in independent chains of registers, or two instructions in alternate
// chains; loads and stores stay within a few lines of the first cache. Bound by: the core's units that
// execute the instruction.

#include "probes/cpu/instruction_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "runtime/contract/errors.hpp"
#include "runtime/simd/simd_target.hpp"

// AVX3_DL is AVX-512 with a population count instruction.
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probes/cpu/instruction_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

// Only for the instruction sets of the axis `target`.
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
HWY_BEFORE_NAMESPACE();
namespace gpuseq::probes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::ScalableTag<std::uint8_t>;
using Vector = hn::Vec<Bytes>;

constexpr std::size_t kChains = 12, kSteps = 8;  // with the constant operand, 13 of 16 registers
static_assert(kChains * kSteps == kInstructionsPerRound);

/// A chain's memory: its initial values and loads, and the target of its stores.
std::byte* from(std::byte* memory, std::size_t chain) {
  return memory + chain * 64;
}
std::byte* to(std::byte* memory, std::size_t chain) {
  return memory + kLoopBytes / 2 + chain * 64;
}
std::uint8_t* bytes(std::byte* place) {
  return reinterpret_cast<std::uint8_t*>(place);
}

/// The value of a chain without vector instructions.
struct Lanes {
  std::byte at[HWY_MAX_BYTES];
};

/// An instruction on lanes of T. The functions are types without state, so that loops contain no call.
template <typename T, typename OnVectors, typename OnLanes>
struct LaneWise {
  static constexpr bool kOnMemory = false;
  const char *name, *pipe;
  static Vector step(Vector x, Vector y, std::byte*, std::byte*) {
    const Bytes d;
    const hn::Repartition<T, Bytes> lanes;
    return hn::BitCast(d, OnVectors{}(hn::BitCast(lanes, x), hn::BitCast(lanes, y)));
  }
  static void expected(Lanes& x, const Lanes& y, std::byte*, std::byte*) {
    for (std::size_t i = 0; i < hn::Lanes(Bytes()); i += sizeof(T)) {
      T a, b;
      std::memcpy(&a, x.at + i, sizeof a);
      std::memcpy(&b, y.at + i, sizeof b);
      a = static_cast<T>(OnLanes{}(a, b));
      std::memcpy(x.at + i, &a, sizeof a);
    }
  }
};

template <typename T, typename OnVectors, typename OnLanes>
constexpr auto lane_wise(const char* name, OnVectors, OnLanes, const char* pipe = kVectorAlu) {
  return LaneWise<T, OnVectors, OnLanes>{name, pipe};
}

struct Shuffle {
  static constexpr bool kOnMemory = false;
  const char *name = "shuffle_u8", *pipe = "vector shuffle";
  static Vector step(Vector x, Vector y, std::byte*, std::byte*) { return hn::TableLookupBytes(x, y); }
  static void expected(Lanes& x, const Lanes& y, std::byte*, std::byte*) {
    const Lanes before = x;
    for (std::size_t i = 0; i < hn::Lanes(Bytes()); ++i)
      x.at[i] = before.at[i / 16 * 16 + std::to_integer<std::size_t>(y.at[i]) % 16];
  }
};

struct Load {
  static constexpr bool kOnMemory = true;
  const char *name = "load", *pipe = "load";
  static Vector step(Vector, Vector, std::byte* from, std::byte*) { return hn::Load(Bytes(), bytes(from)); }
  static void expected(Lanes& x, const Lanes&, std::byte* from, std::byte*) {
    std::memcpy(x.at, from, hn::Lanes(Bytes()));
  }
};

struct Store {
  static constexpr bool kOnMemory = true;
  const char *name = "store", *pipe = "store";
  static Vector step(Vector x, Vector, std::byte*, std::byte* to) {
    hn::Store(x, Bytes(), bytes(to));
    return x;
  }
  static void expected(Lanes& x, const Lanes&, std::byte*, std::byte* to) {
    std::memcpy(to, x.at, hn::Lanes(Bytes()));
  }
};

std::uint64_t folded(const Lanes (&x)[kChains], std::byte* memory) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kChains; ++i)
    for (std::size_t byte = 0; byte < hn::Lanes(Bytes()); ++byte)
      sum = sum * 31 + std::to_integer<std::uint64_t>(x[i].at[byte]) +
            7 * std::to_integer<std::uint64_t>(to(memory, i)[byte]);
  return sum;
}

/// A step of one chain.
template <typename Instruction>
HWY_INLINE void step(Vector& x, Vector y, std::byte* memory, std::size_t chain) {
  x = Instruction::step(x, y, from(memory, chain), to(memory, chain));
  // Empty, but opaque to the compiler: it can neither fold steps nor keep loaded values.
  if constexpr (Instruction::kOnMemory)
    asm volatile("" : "+x"(x.raw) : : "memory");
  else
    asm volatile("" : "+x"(x.raw));
}

// The compiler keeps an array in registers only if every index is a constant before
// optimisation: no loops over it.
template <typename First, typename Second, std::size_t... kChain>
std::uint64_t run_chains(std::byte* memory, std::uint64_t rounds, std::index_sequence<kChain...>) {
  std::memset(to(memory, 0), 0, kLoopBytes / 2);
  const Vector y = hn::Load(Bytes(), bytes(from(memory, kChains)));
  Vector x[kChains] = {hn::Load(Bytes(), bytes(from(memory, kChain)))...};
  for (std::uint64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kSteps; ++i)
      (step<std::conditional_t<kChain % 2 == 0, First, Second>>(x[kChain], y, memory, kChain), ...);
  }
  Lanes last[kChains];
  (hn::StoreU(x[kChain], Bytes(), bytes(last[kChain].at)), ...);
  return folded(last, memory);
}

template <typename First, typename Second>
std::uint64_t run(std::byte* memory, std::uint64_t rounds) {
  return run_chains<First, Second>(memory, rounds, std::make_index_sequence<kChains>());
}

template <typename First, typename Second>
std::uint64_t expected(std::byte* memory, std::uint64_t rounds) {
  std::memset(to(memory, 0), 0, kLoopBytes / 2);
  Lanes x[kChains], y;
  std::memcpy(y.at, from(memory, kChains), hn::Lanes(Bytes()));
  for (std::size_t i = 0; i < kChains; ++i) std::memcpy(x[i].at, from(memory, i), hn::Lanes(Bytes()));
  for (std::uint64_t step = 0; step < rounds * kSteps; ++step)
    for (std::size_t i = 0; i < kChains; ++i)
      i % 2 == 0 ? First::expected(x[i], y, from(memory, i), to(memory, i))
                 : Second::expected(x[i], y, from(memory, i), to(memory, i));
  return folded(x, memory);
}

template <typename One>
CpuLoop loop(One one) {
  return {{one.name, one.pipe}, run<One, One>, expected<One, One>};
}
template <typename First, typename Second>
CpuLoop loop(First first, Second second) {
  return {{fmt::format("{}+{}", first.name, second.name), ""}, run<First, Second>, expected<First, Second>};
}

std::vector<CpuLoop> loops() {
  using std::int16_t, std::int32_t, std::uint8_t, std::uint64_t;
  const auto add = [](auto x, auto y) { return hn::Add(x, y); };
  const auto add_saturated = [](auto x, auto y) { return hn::SaturatedAdd(x, y); };
  const auto min = [](auto x, auto y) { return hn::Min(x, y); };
  const auto max = [](auto x, auto y) { return hn::Max(x, y); };
  const auto both = [](auto x, auto y) { return hn::And(x, y); };
  const auto either = [](auto x, auto y) { return hn::Xor(x, y); };
  const auto lane_sum = [](std::int64_t x, std::int64_t y) { return x + y; };
  const auto lane_min = [](auto x, auto y) { return std::min(x, y); };
  const auto lane_max = [](auto x, auto y) { return std::max(x, y); };

  const auto add_u8 =
      lane_wise<uint8_t>("add_u8", add_saturated, [](int x, int y) { return std::min(x + y, 255); });
  const auto min_u8 = lane_wise<uint8_t>("min_u8", min, lane_min);
  const auto add_s16 = lane_wise<int16_t>("add_s16", add, lane_sum);
  const auto min_s16 = lane_wise<int16_t>("min_s16", min, lane_min);
  const auto add_s32 = lane_wise<int32_t>("add_s32", add, lane_sum);
  const auto min_s32 = lane_wise<int32_t>("min_s32", min, lane_min);
  // Some CPUs have separate units for the two; measuring the pair shows it.
  const auto add_f32 = lane_wise<float>(
      "add_f32", add, [](float x, float y) { return x + y; }, kVectorFloat);
  const auto fma_f32 = lane_wise<float>(
      "fma_f32", [](auto x, auto y) { return hn::MulAdd(x, y, y); },
      [](float x, float y) {
#if HWY_TARGET == HWY_SSE4
        return x * y + y;  // a product and a sum
#else
        return std::fma(x, y, y);
#endif
      },
      kVectorFloat);
  std::vector<CpuLoop> all{
      loop(add_u8),
      loop(min_u8),
      loop(lane_wise<uint8_t>("max_u8", max, lane_max)),
      loop(add_s16),
      loop(lane_wise<int16_t>("add_sat_s16", add_saturated,
                              [](int x, int y) { return std::clamp(x + y, -32768, 32767); })),
      loop(min_s16),
      loop(lane_wise<int16_t>("max_s16", max, lane_max)),
      loop(add_s32),
      loop(min_s32),
      loop(lane_wise<int32_t>("max_s32", max, lane_max)),
      loop(lane_wise<uint64_t>("add_u64", add, [](uint64_t x, uint64_t y) { return x + y; })),
      loop(lane_wise<uint8_t>("and", both, [](int x, int y) { return x & y; })),
      loop(lane_wise<uint8_t>("xor", either, [](int x, int y) { return x ^ y; })),
      loop(add_f32),
      loop(fma_f32),
      loop(Shuffle()),
      loop(Load()),
      loop(Store()),
      loop(add_u8, min_u8),
      loop(add_s16, min_s16),
      loop(add_s32, min_s32),
      loop(add_f32, fma_f32),
      loop(add_s16, Shuffle()),
      loop(min_s16, Shuffle()),
      loop(Load(), add_s16),
      loop(Load(), min_s16),
      loop(Load(), Store())};
#if HWY_TARGET == HWY_AVX3_DL
  all.push_back(loop(lane_wise<uint64_t>(
      kPopcountU64, [](auto x, auto) { return hn::PopulationCount(x); },
      [](uint64_t x, uint64_t) { return std::popcount(x); })));
#endif
  return all;
}

}  // namespace gpuseq::probes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace gpuseq::probes {
namespace {

/// An instruction set of the axis `target`.
struct Target {
  const char* name;
  std::int64_t bit;  // of hwy::SupportedTargets()
  std::vector<CpuLoop> (*loops)();
};

/// If two have the same name, the first that the CPU supports.
const std::vector<Target>& targets() {
  static const std::vector<Target> all {
#if HWY_TARGETS & HWY_AVX3_DL
    {"avx512", HWY_AVX3_DL, N_AVX3_DL::loops},
#endif
#if HWY_TARGETS & HWY_AVX3
        {"avx512", HWY_AVX3, N_AVX3::loops},
#endif
#if HWY_TARGETS & HWY_AVX2
        {"avx2", HWY_AVX2, N_AVX2::loops},
#endif
#if HWY_TARGETS & HWY_SSE4
        {"sse4", HWY_SSE4, N_SSE4::loops},
#endif
  };
  return all;
}

bool is_supported(const Target& target) {
  return has_simd_target(target.bit);
}

}  // namespace

std::vector<Operation> cpu_operations() {
  std::vector<Operation> operations;
  // Code for an instruction set may only run if the CPU has it, even code that names its loops.
  const auto usable = std::ranges::find_if(targets(), is_supported);
  if (usable == targets().end()) return operations;
  for (const CpuLoop& loop : usable->loops()) operations.push_back(loop.operation);
  if (std::ranges::find(operations, kPopcountU64, &Operation::name) == operations.end())
    operations.push_back({kPopcountU64, kVectorAlu});
  return operations;
}

CpuLoop cpu_loop(std::string_view target, std::string_view operation) {
  bool compiled = false;
  for (const Target& one : targets()) {
    if (one.name != target) continue;
    compiled = true;
    if (!is_supported(one)) continue;
    for (const CpuLoop& loop : one.loops())
      if (loop.operation.name == operation) return loop;
    for (const Operation& known : cpu_operations())
      if (known.name == operation)
        throw ResourceError(fmt::format("this processor's {} has no instruction for {}", target, operation));
    throw UsageError(fmt::format("no loop of \"{}\"", operation));
  }
  if (compiled) throw ResourceError(fmt::format("this processor has no {}", target));
  throw ResourceError(fmt::format("this program has no loops for {}", target));
}

}  // namespace gpuseq::probes
#endif
