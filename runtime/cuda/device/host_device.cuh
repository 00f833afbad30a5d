#pragma once

/// Marks functions for nvcc/NVRTC and the host compiler. Device sources use no host library header.
#if defined(__CUDACC__)
#define GPUSEQ_HD __host__ __device__ __forceinline__
#else
#define GPUSEQ_HD inline
#endif

namespace gpuseq {
using u8 = unsigned char;
using u16 = unsigned short;
using i16 = short;
using u32 = unsigned int;
using i32 = int;
using u64 = unsigned long long;
using i64 = long long;

/// Set bits of a 32-bit word.
GPUSEQ_HD u32 popcount32(u32 word) {
#if defined(__CUDA_ARCH__)
  return static_cast<u32>(__popc(static_cast<int>(word)));
#else
  return static_cast<u32>(__builtin_popcount(word));
#endif
}

/// Set bits of a 64-bit word.
GPUSEQ_HD u32 popcount64(u64 word) {
#if defined(__CUDA_ARCH__)
  return static_cast<u32>(__popcll(static_cast<long long>(word)));
#else
  return static_cast<u32>(__builtin_popcountll(word));
#endif
}
}  // namespace gpuseq
