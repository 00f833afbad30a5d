#pragma once

#include "runtime/cuda/device/warp.cuh"

// Hardware functions of this family's kernels in addition to runtime/cuda/device/warp.cuh: a block's barrier,
// asynchronous copies to shared memory, matrix fragments and their products. On the host, the program that
// links this defines the threads of a block (tests run them as fibers).

namespace gpuseq::pairwise_distance {

inline constexpr u32 kPieceBytes = 16;

#if !defined(__CUDA_ARCH__)
/// A lane's operands of an operation of its whole warp.
struct LaneWords {
  u32 word[6];
};
/// Waits for all threads of the block.
void sync_block();
/// Waits for all threads of the block and returns the operands of the caller's 32-lane warp.
const LaneWords* exchange_in_warp(const LaneWords& mine);
#else
GPUSEQ_HD void sync_block() {
  __syncthreads();
}
GPUSEQ_HD u32 shared_address(const void* of) {
  return static_cast<u32>(__cvta_generic_to_shared(of));
}
#endif

/// Starts a copy of 16 bytes into shared memory; asynchronous from sm_80 on, otherwise complete on return.
GPUSEQ_HD void copy_piece(u8* to, const u8* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
#else
  *reinterpret_cast<Piece*>(to) = load_piece<true>(from);
#endif
}
/// Ends a group of copies.
GPUSEQ_HD void commit_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits until at most `groups` of the caller's groups of copies are incomplete.
template <u32 groups>
GPUSEQ_HD void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
}

/// Loads four matrices of 8 rows of 16 bytes: lane 8 q + i passes the address of row i of matrix q; a lane
/// receives from each matrix the 4 bytes at 4 (lane % 4) of row lane / 4.
GPUSEQ_HD void load_matrices(u32 (&result)[4], const u8* row, u32 lane) {
#if defined(__CUDA_ARCH__)
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(result[0]), "=r"(result[1]), "=r"(result[2]), "=r"(result[3])
               : "r"(shared_address(row)));
#else
  const auto address = reinterpret_cast<u64>(row);
  const LaneWords* rows = exchange_in_warp({{static_cast<u32>(address), static_cast<u32>(address >> 32)}});
  for (u32 matrix = 0; matrix < 4; ++matrix) {
    const u32* of = rows[8 * matrix + lane / 4].word;
    const u64 from = (u64{of[1]} << 32 | of[0]) + u64{4} * (lane % 4);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the lane brought it as two words
    __builtin_memcpy(&result[matrix], reinterpret_cast<const u8*>(from), sizeof(u32));
  }
#endif
}

/// A register's bits as a floating point number, and back.
GPUSEQ_HD float as_float(u32 bits) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(bits);
#else
  return __builtin_bit_cast(float, bits);
#endif
}
GPUSEQ_HD u32 as_bits(float number) {
#if defined(__CUDA_ARCH__)
  return __float_as_uint(number);
#else
  return __builtin_bit_cast(u32, number);
#endif
}
GPUSEQ_HD float absolute(float x) {
#if defined(__CUDA_ARCH__)
  return fabsf(x);
#else
  return __builtin_fabsf(x);
#endif
}
GPUSEQ_HD float smaller(float x, float y) {
#if defined(__CUDA_ARCH__)
  return fminf(x, y);
#else
  return __builtin_fminf(x, y);
#endif
}
GPUSEQ_HD float fused_square_sum(float x, float sum) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(x, x, sum);
#else
  return __builtin_fmaf(x, x, sum);
#endif
}
GPUSEQ_HD float square_root(float x) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(x);
#else
  return __builtin_sqrtf(x);
#endif
}

/// Sum of the products of four signed bytes.
GPUSEQ_HD u32 multiply_bytes(u32 a, u32 b, u32 sum) {
#if defined(__CUDA_ARCH__)
  return static_cast<u32>(__dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(sum)));
#else
  for (u32 at = 0; at < 32; at += 8)
    sum += static_cast<u32>(static_cast<signed char>(a >> at) * static_cast<signed char>(b >> at));
  return sum;
#endif
}

/// Factors of a tensor core's products: bits, or signed bytes.
enum class Arithmetic : u32 { b1, s8 };

/// Multiplies 16 rows (a) by 8 columns (b) of 32 bytes and adds the products to 16 x 8 sums. Lane 4 g + t has
/// bytes 4 t ... of rows g and g + 8, then the same from byte 16 on; those of column g; and sums (g, 2 t),
/// (g, 2 t + 1), (g + 8, 2 t), (g + 8, 2 t + 1). From sm_80 on; a kernel compiled for older architectures
/// traps, and is never launched.
template <Arithmetic arithmetic>
GPUSEQ_HD void multiply_matrices(u32 (&sums)[4], const u32 (&a)[4], u32 b0, u32 b1, u32 lane) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (arithmetic == Arithmetic::b1)
    asm volatile(
        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  else
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#elif defined(__CUDA_ARCH__)
  __trap();
#else
  const LaneWords* of = exchange_in_warp({{a[0], a[1], a[2], a[3], b0, b1}});
  for (u32 n = 0; n < 4; ++n) {
    const u32 row = lane / 4, column = lane % 4 * 2 + n % 2;
    for (u32 k = 0; k < 8; ++k) {
      const u32 x = of[4 * row + k % 4].word[k / 4 * 2 + n / 2], y = of[4 * column + k % 4].word[4 + k / 4];
      sums[n] = arithmetic == Arithmetic::b1 ? sums[n] + popcount32(x & y) : multiply_bytes(x, y, sums[n]);
    }
  }
#endif
}

}  // namespace gpuseq::pairwise_distance
