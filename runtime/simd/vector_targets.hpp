#pragma once

// The Highway targets of vector kernels; include before Highway. AVX3_DL is AVX-512 since Ice Lake, with
// population count and byte permutation.
#define HWY_WANT_AVX3_DL
#if defined(__SANITIZE_ADDRESS__)
// With the sanitizer each target takes minutes and gigabytes to compile. One is enough: the
// sources are the same.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS HWY_SSSE3
#endif

/// Whether the target being compiled has vectors: a baseline without them is compiled last.
#define GPUSEQ_HAS_VECTORS (HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128)

/// A function compiled for each target, the widest first: the first argument of dispatch().
#define GPUSEQ_COMPILED(function)                                                       \
  {                                                                                     \
    {HWY_AVX3_DL, HWY_CHOOSE_AVX3_DL(function)}, {HWY_AVX3, HWY_CHOOSE_AVX3(function)}, \
        {HWY_AVX2, HWY_CHOOSE_AVX2(function)}, {HWY_SSE4, HWY_CHOOSE_SSE4(function)},   \
        {HWY_STATIC_TARGET, &HWY_STATIC_DISPATCH(function)},                            \
  }
