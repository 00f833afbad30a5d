#pragma once

#include "probes/cuda/instruction_operands.cuh"

// Executes one product of matrices on tensor cores, in independent chains of sums.
//
// Mapping: a chain is the registers of a lane that a product adds to, always the same ones. `mma` multiplies
// matrices in registers and is of a warp, `wgmma` takes them from shared memory and is of four warps. All
// that is multiplied is 1: every sum grows by the length of the products. What bounds it: the tensor cores.

namespace gpuseq::probes {

#if __CUDA_ARCH__ >= 800
/// Adds to 16 x 8 sums their products over 256 bits that z has 32 of.
__device__ inline void multiply_bits(u32 (&x)[4], u32 z) {
  asm volatile(
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
      "{%4, %4}, {%0, %1, %2, %3};"
      : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])
      : "r"(z));
}
/// The same over 32 signed bytes that z has 4 of.
__device__ inline void multiply_bytes(u32 (&x)[4], u32 z) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
      "{%0, %1, %2, %3};"
      : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])
      : "r"(z));
}
#endif

/// The matrices of a product of four warps: 256 columns of 32 bytes, then 64 rows of 32 bytes.
constexpr u32 kColumnBytes = 256 * 32, kRowBytes = 64 * 32;

/// How wgmma is told of a matrix: 8 rows of 16 bytes lie side by side, the other half of these rows behind
/// them.
__device__ inline u64 matrix_descriptor(const u32* matrix) {
  constexpr u64 kHalfBytes = 128, kNextRowsBytes = 256;
  const u64 address = __cvta_generic_to_shared(matrix);
  return (address & 0x3FFFF) >> 4 | kHalfBytes >> 4 << 16 | kNextRowsBytes >> 4 << 32;
}
__device__ inline u64 rows_behind(u64 columns) {
  return columns + (kColumnBytes >> 4);
}

/// @param kWords  registers of a chain
/// @param kCalls  of a chain between two branches; each is one product or several
template <Operands kKind, u32 kWords, u32 kChains, u32 kCalls, bool kOfFourWarps>
struct ProductKernel {
  /// What products take: a register's value, or where the matrix of columns is.
  __device__ static u64 operand(u32 thread) {
    const u32 ones = fixed_operand(kKind, thread);
    if constexpr (!kOfFourWarps) return ones;
    constexpr u32 kMatrixWords = kOfFourWarps ? (kColumnBytes + kRowBytes) / 4 : 1;
    __shared__ alignas(128) u32 matrices[kMatrixWords];
    for (u32 word = threadIdx.x; word < kMatrixWords; word += blockDim.x) matrices[word] = ones;
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    asm volatile("fence.proxy.async;" ::: "memory");  // tensor cores see what was written
#endif
    __syncthreads();
    return matrix_descriptor(matrices);
  }
  __device__ static void begin() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    if constexpr (kOfFourWarps) asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
  }
  __device__ static void wait() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    if constexpr (kOfFourWarps)
      asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
#endif
  }

  /// @param rounds  of kCalls per chain
  /// @param stores  threads that store what their chains end with; 0 where only time counts
  template <typename Multiply>
  __device__ static void run(Multiply multiply, u32 rounds, u32 stores, u32* result) {
    const u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    const u64 z = operand(thread);
    u32 x[kChains][kWords];
#pragma unroll
    for (u32 i = 0; i < kChains; ++i)
#pragma unroll
      for (u32 n = 0; n < kWords; ++n) x[i][n] = first_operand(kKind, thread, i * kWords + n);
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) {
      begin();
#pragma unroll
      for (u32 call = 0; call < kCalls; ++call)
#pragma unroll
        for (u32 i = 0; i < kChains; ++i) multiply(x[i], z);
      wait();
    }
    u32 sum = 0;
#pragma unroll
    for (u32 i = 0; i < kChains; ++i)
#pragma unroll
      for (u32 n = 0; n < kWords; ++n) sum = sum * 33 + x[i][n];
    if (thread < stores) result[thread] = sum;
  }
};

}  // namespace gpuseq::probes
