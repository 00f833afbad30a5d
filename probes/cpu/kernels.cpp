// Random and sequential reads, writes and copies on the CPU.
//
// A thread interleaves `generators` streams of accesses: it reads the block of stream 0, computes the next
// address of stream 0 (and prefetches it), then serves stream 1 and so on, so that a block is requested
// `generators` accesses before it is read. Bound by: line-fill buffers and memory, not the two
// multiplications per address.

#include "probes/cpu/kernels.hpp"

#include <bit>

#include "probes/cuda/access.cuh"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probes/cpu/kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// Must follow highway.h, which defines the target of these functions.
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::probes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kLineBytes = 64;

template <typename D>
std::uint32_t folded_lanes(D d, hn::Vec<D> sum) {
  HWY_ALIGN std::uint32_t lanes[HWY_MAX_BYTES / 4];
  hn::Store(sum, d, lanes);
  std::uint32_t folded = 0;
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) folded ^= lanes[i];
  return folded;
}

const std::uint32_t* words(const std::byte* bytes) {
  return reinterpret_cast<const std::uint32_t*>(bytes);
}
std::uint32_t* words(std::byte* bytes) {
  return reinterpret_cast<std::uint32_t*>(bytes);
}

// kOne: one stream, whose state stays in registers. kLoadBytes: at most a block.
template <bool kDependent, Prefetch kPrefetch, bool kOne, std::size_t kLoadBytes>
std::uint32_t random_loop(const RandomReads& r) {
  const hn::CappedTag<std::uint32_t, kLoadBytes / 4> d;
  const std::size_t step = hn::Lanes(d) * 4;
  const std::size_t generators = kOne ? 1 : r.generators;
  std::uint64_t state[kOne ? 1 : kMostGenerators];
  const std::byte* place[kOne ? 1 : kMostGenerators];
  const int shift = std::countr_zero(r.block_bytes);
  const auto go = [&](std::size_t g) {
    place[g] = r.memory + (block_of(state[g], r.blocks) << shift);
    if constexpr (kPrefetch != Prefetch::none)
      for (std::size_t i = 0; i < r.block_bytes; i += kLineBytes)
        __builtin_prefetch(place[g] + i, 0, kPrefetch == Prefetch::to_l1 ? 3 : 2);
  };
  for (std::size_t g = 0; g < generators; ++g) {
    state[g] = first_state(r.seed, r.first_generator + g);
    go(g);
  }
  auto sum = hn::Zero(d);
  for (std::uint64_t i = 0; i < r.accesses_per_generator; ++i)
    for (std::size_t g = 0; g < generators; ++g) {
      for (std::size_t byte = 0; byte < r.block_bytes; byte += step)
        sum = hn::Xor(sum, hn::Load(d, words(place[g] + byte)));
      if constexpr (kDependent) state[g] += *words(place[g]);
      state[g] = next_state(state[g]);
      go(g);
    }
  return folded_lanes(d, sum);
}

template <bool kDependent, Prefetch kPrefetch>
std::uint32_t one_or_many(const RandomReads& r) {
  if (r.generators == 1) return random_loop<kDependent, kPrefetch, true, 32>(r);
  return r.block_bytes < 64 ? random_loop<kDependent, kPrefetch, false, 32>(r)
                            : random_loop<kDependent, kPrefetch, false, 64>(r);
}

template <bool kDependent>
std::uint32_t with_prefetch(const RandomReads& r) {
  switch (r.prefetch) {
    case Prefetch::none:
      return one_or_many<kDependent, Prefetch::none>(r);
    case Prefetch::to_l1:
      return one_or_many<kDependent, Prefetch::to_l1>(r);
    case Prefetch::to_l2:
      break;
  }
  return one_or_many<kDependent, Prefetch::to_l2>(r);
}

std::uint32_t read_at_random(const RandomReads& r) {
  return r.dependent ? with_prefetch<true>(r) : with_prefetch<false>(r);
}

std::uint32_t read_in_order(const std::byte* from, std::size_t bytes, std::uint64_t passes) {
  const hn::ScalableTag<std::uint32_t> d;
  const std::size_t step = hn::Lanes(d) * 4;
  auto a = hn::Zero(d), b = a, c = a, e = a;
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    std::size_t i = 0;
    for (; i + 4 * step <= bytes; i += 4 * step) {
      a = hn::Xor(a, hn::Load(d, words(from + i)));
      b = hn::Xor(b, hn::Load(d, words(from + i + step)));
      c = hn::Xor(c, hn::Load(d, words(from + i + 2 * step)));
      e = hn::Xor(e, hn::Load(d, words(from + i + 3 * step)));
    }
    for (; i < bytes; i += step) a = hn::Xor(a, hn::Load(d, words(from + i)));
  }
  return folded_lanes(d, hn::Xor(hn::Xor(a, b), hn::Xor(c, e)));
}

template <bool kNonTemporal, typename D>
void put(hn::Vec<D> value, D d, std::byte* to) {
  if constexpr (kNonTemporal)
    hn::Stream(value, d, words(to));
  else
    hn::Store(value, d, words(to));
}

template <bool kNonTemporal>
void write_loop(std::byte* to, std::size_t bytes, std::uint64_t passes, std::uint32_t value) {
  const hn::ScalableTag<std::uint32_t> d;
  const std::size_t step = hn::Lanes(d) * 4;
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    const auto v = hn::Set(d, value + static_cast<std::uint32_t>(pass));
    for (std::size_t i = 0; i < bytes; i += step) put<kNonTemporal>(v, d, to + i);
  }
  hwy::FlushStream();
}

template <bool kNonTemporal>
void copy_loop(std::byte* to, const std::byte* from, std::size_t bytes, std::uint64_t passes) {
  const hn::ScalableTag<std::uint32_t> d;
  const std::size_t step = hn::Lanes(d) * 4;
  for (std::uint64_t pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < bytes; i += step) put<kNonTemporal>(hn::Load(d, words(from + i)), d, to + i);
  hwy::FlushStream();
}

void write_in_order(std::byte* to, std::size_t bytes, std::uint64_t passes, std::uint32_t value,
                    bool non_temporal) {
  non_temporal ? write_loop<true>(to, bytes, passes, value) : write_loop<false>(to, bytes, passes, value);
}

void copy_in_order(std::byte* to, const std::byte* from, std::size_t bytes, std::uint64_t passes,
                   bool non_temporal) {
  non_temporal ? copy_loop<true>(to, from, bytes, passes) : copy_loop<false>(to, from, bytes, passes);
}

const char* target() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace gpuseq::probes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::probes {

HWY_EXPORT(read_at_random);
HWY_EXPORT(read_in_order);
HWY_EXPORT(write_in_order);
HWY_EXPORT(copy_in_order);
HWY_EXPORT(target);

std::uint32_t read_at_random(const RandomReads& reads) {
  return HWY_DYNAMIC_DISPATCH(read_at_random)(reads);
}
std::uint32_t read_in_order(const std::byte* from, std::size_t bytes, std::uint64_t passes) {
  return HWY_DYNAMIC_DISPATCH(read_in_order)(from, bytes, passes);
}
void write_in_order(std::byte* to, std::size_t bytes, std::uint64_t passes, std::uint32_t value,
                    bool non_temporal) {
  HWY_DYNAMIC_DISPATCH(write_in_order)(to, bytes, passes, value, non_temporal);
}
void copy_in_order(std::byte* to, const std::byte* from, std::size_t bytes, std::uint64_t passes,
                   bool non_temporal) {
  HWY_DYNAMIC_DISPATCH(copy_in_order)(to, from, bytes, passes, non_temporal);
}
const char* vector_target() {
  return HWY_DYNAMIC_DISPATCH(target)();
}

}  // namespace gpuseq::probes
#endif
