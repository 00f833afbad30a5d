#pragma once

#include "probes/cuda/instruction_operands.cuh"

// Executes one matrix product on tensor cores, in independent chains of sums.
//
// Mapping: a chain is a fixed set of a lane's registers to which products are added. `mma` multiplies
// matrices in registers for a warp, `wgmma` takes them from shared memory for four warps. All factors are 1:
// every sum grows by the length of the products. Bound by: the tensor cores.

namespace gpuseq::probes {

#if __CUDA_ARCH__ >= 800
/// Adds to 16 x 8 sums their products over 256 bits; z has 32 of these bits.
__device__ inline void multiply_bits(u32 (&x)[4], u32 z) {
  asm volatile(
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
      "{%4, %4}, {%0, %1, %2, %3};"
      : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])
      : "r"(z));
}
/// Adds to 16 x 8 sums their products over 32 signed bytes; z has 4 of these bytes.
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

/// The descriptor of a matrix for wgmma: 8 rows of 16 bytes are adjacent, followed by the other
/// half of these rows.
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
  /// The operand of products: a register's value, or the address of the matrix of columns.
  __device__ static u64 operand(u32 thread) {
    const u32 ones = fixed_operand(kKind, thread);
    if constexpr (!kOfFourWarps) return ones;
    constexpr u32 kMatrixWords = kOfFourWarps ? (kColumnBytes + kRowBytes) / 4 : 1;
    __shared__ alignas(128) u32 matrices[kMatrixWords];
    for (u32 word = threadIdx.x; word < kMatrixWords; word += blockDim.x) matrices[word] = ones;
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    asm volatile("fence.proxy.async;" ::: "memory");  // tensor cores see the writes
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
  /// @param stores  threads that store the final values of their chains; 0: only timing
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
