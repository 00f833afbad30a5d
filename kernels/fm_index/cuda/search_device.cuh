#pragma once

#include "kernels/fm_index/cuda/search_policy.cuh"
#include "runtime/cuda/device/warp.cuh"

// Instructions that only searches use: asynchronous copies, wide products.

namespace gpuseq::fm_index {

/// Intervals are read and written as one access of 8 or 16 bytes, which their arrays are aligned to.
template <typename Position>
struct alignas(2 * sizeof(Position)) AlignedInterval {
  Position l;
  Position h;
};

#if defined(__CUDA_ARCH__)

/// Starts to copy 16 bytes from global to shared memory; before sm_80 it copies them by registers.
template <bool in_l1>
GPUSEQ_HD void copy_piece_async(u8* shared, const u8* address) {
#if __CUDA_ARCH__ >= 800
  const u32 to = static_cast<u32>(__cvta_generic_to_shared(shared));
  if constexpr (in_l1) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(address) : "memory");
  } else {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(address) : "memory");
  }
#else
  *reinterpret_cast<Piece*>(shared) = load_piece<in_l1>(address);
#endif
}
/// Waits for this lane's copies; the warp's others need sync_warp() after it.
GPUSEQ_HD void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Upper half of the product.
GPUSEQ_HD u64 multiply_high(u64 a, u64 b) {
  return __umul64hi(a, b);
}

/// Bits n ... 31 set; none from n = 32 on, all up to n = 0. PTX shifts clamp, C++ shifts do not.
GPUSEQ_HD u32 bits_from(i32 n) {
  u32 bits;
  asm("shl.b32 %0, %1, %2;" : "=r"(bits) : "r"(~0u), "r"(n > 0 ? n : 0));
  return bits;
}

#else

template <bool in_l1>
inline void copy_piece_async(u8* shared, const u8* address) {
  __builtin_memcpy(__builtin_assume_aligned(shared, 16), __builtin_assume_aligned(address, 16), 16);
}
inline void wait_for_copies() {}

inline u64 multiply_high(u64 a, u64 b) {
  return static_cast<u64>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline u32 bits_from(i32 n) {
  return n >= 32 ? 0u : n <= 0 ? ~0u : ~0u << n;
}

#endif

/// The shared memory of a warp: a slot for each of its threads and queries in flight, which all its lanes
/// fill (Policy::has_slots()).
template <class Tuned>
class WarpSlots {
  static constexpr u32 slot_bytes = Tuned::value.slot_bytes();

 public:
  GPUSEQ_HD WarpSlots(const ThreadPlace& place, u8* shared)
      : lane_(place.thread % kWarp),
        slots_(shared + place.thread / kWarp * (kWarp * Tuned::value.queries_in_flight * slot_bytes)) {}

  GPUSEQ_HD u32 lane() const { return lane_; }
  GPUSEQ_HD u8* slot(u32 flight, u32 lane) const {
    return slots_ + flight * (kWarp * slot_bytes) + lane * slot_bytes;
  }

  /// Starts to copy 16-byte pieces to the slots of lanes `first`, `first` + `apart`, ..., of those that
  /// `wanted` has: neighbouring lanes take neighbouring pieces of a slot.
  /// @param address  (owner, piece) -> where a lane's piece comes from; all lanes call it at a time
  template <u32 pieces, u32 apart, class Address>
  GPUSEQ_HD void copy(u32 flight, u32 first, u32 wanted, const Address& address) const {
#pragma unroll 4
    for (u32 i = 0; i < pieces / apart; ++i) {
      const u32 number = i * kWarp + lane_;
      const u32 piece = number % pieces;
      const u32 owner = number / pieces * apart + first;
      const u8* const from = address(owner, piece);
      if (wanted >> owner & 1)
        copy_piece_async<Tuned::value.entries_in_l1>(slot(flight, owner) + 16 * piece, from);
    }
  }

 private:
  u32 lane_;
  u8* slots_;
};

/// dividend / divisor, by the divisor's reciprocal(); exact below 2^32 - 1.
GPUSEQ_HD u32 quotient(u32 dividend, u64 reciprocal_of_divisor) {
  return static_cast<u32>(multiply_high(u64{dividend} + 1, reciprocal_of_divisor));
}

/// The sum over each aligned group of `lanes` lanes, in all of them.
template <u32 lanes>
GPUSEQ_HD u32 sum_over_lanes(u32 value) {
#pragma unroll
  for (u32 distance = 1; distance < lanes; distance *= 2) value += shuffle_xor(value, distance);
  return value;
}

}  // namespace gpuseq::fm_index
