#pragma once

#include "runtime/cuda/device/host_device.cuh"

// Hardware functions of kernels: place, 16-byte loads, lane exchange, votes. On the host, loads are plain
// copies, and the program that links this defines the warp (tests run lanes as fibers).

namespace gpuseq {

/// A thread's place in the launch.
struct ThreadPlace {
  u32 thread;  // index in the block
  u32 block;
  u32 blocks;
};

inline constexpr u32 kWarp = 32;

/// The 16 bytes of one load.
struct alignas(16) Piece {
  u32 word[4];
};

/// @param address 16-byte aligned, memory that the kernel does not write
template <bool in_l1>
GPUSEQ_HD Piece load_piece(const u8* address) {
  Piece piece;
#if defined(__CUDA_ARCH__)
  if constexpr (in_l1) {
    asm("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(piece.word[0]), "=r"(piece.word[1]), "=r"(piece.word[2]), "=r"(piece.word[3])
        : "l"(address));
  } else {
    asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(piece.word[0]), "=r"(piece.word[1]), "=r"(piece.word[2]), "=r"(piece.word[3])
        : "l"(address));
  }
#else
  __builtin_memcpy(&piece, __builtin_assume_aligned(address, 16), sizeof piece);
#endif
  return piece;
}

/// @param address 4-byte aligned, memory that the kernel does not write
template <bool in_l1>
GPUSEQ_HD u32 load_word(const u8* address) {
  u32 word;
#if defined(__CUDA_ARCH__)
  if constexpr (in_l1) {
    asm("ld.global.nc.u32 %0, [%1];" : "=r"(word) : "l"(address));
  } else {
    asm("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(word) : "l"(address));
  }
#else
  __builtin_memcpy(&word, __builtin_assume_aligned(address, 4), sizeof word);
#endif
  return word;
}

#if defined(__CUDA_ARCH__)

/// The value of the lane whose number differs in the bits `lanes`.
GPUSEQ_HD u32 shuffle_xor(u32 value, u32 lanes) {
  return __shfl_xor_sync(~0u, value, lanes);
}
/// The value of lane `source` of each group of `width` lanes.
GPUSEQ_HD u32 shuffle_from(u32 value, u32 source, u32 width) {
  return __shfl_sync(~0u, value, static_cast<int>(source), static_cast<int>(width));
}
GPUSEQ_HD bool any_lane(bool condition) {
  return __any_sync(~0u, condition) != 0;
}
GPUSEQ_HD u32 ballot(bool condition) {
  return __ballot_sync(~0u, condition);
}
/// Orders the warp's accesses to shared memory.
GPUSEQ_HD void sync_warp() {
  __syncwarp();
}

#else

u32 shuffle_xor(u32 value, u32 lanes);
u32 shuffle_from(u32 value, u32 source, u32 width);
bool any_lane(bool condition);
u32 ballot(bool condition);
void sync_warp();

#endif

/// Adds to a counter shared by the threads of a launch; returns its old value.
GPUSEQ_HD u32 fetch_add(u32* counter, u32 amount) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(counter, amount);
#else
  const u32 before = *counter;
  *counter += amount;
  return before;
#endif
}

/// The largest value of the warp's lanes, returned in all of them.
GPUSEQ_HD i32 greatest_of_warp(i32 value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_max_sync(~0u, value);
#else
  for (u32 distance = 1; distance < kWarp; distance *= 2) {
    const i32 other = static_cast<i32>(shuffle_xor(static_cast<u32>(value), distance));
    value = other > value ? other : value;
  }
  return value;
#endif
}

}  // namespace gpuseq
