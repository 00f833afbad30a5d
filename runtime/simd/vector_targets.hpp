#pragma once

// The Highway targets of kernels with vectors; to be included before Highway. AVX3_DL is AVX-512 as of Ice
// Lake, which counts bits and permutes bytes.
#define HWY_WANT_AVX3_DL
#if defined(__SANITIZE_ADDRESS__)
// Instrumented, each target takes minutes and gigabytes to compile. One is enough: the sources are the same.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS HWY_SSSE3
#endif

/// Whether the target that is being compiled has vectors: a baseline without them is compiled last.
#define GPUSEQ_HAS_VECTORS (HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128)

/// A function as it was compiled for each target, the widest first: the first argument of dispatch().
#define GPUSEQ_COMPILED(function)                                                       \
  {                                                                                     \
    {HWY_AVX3_DL, HWY_CHOOSE_AVX3_DL(function)}, {HWY_AVX3, HWY_CHOOSE_AVX3(function)}, \
        {HWY_AVX2, HWY_CHOOSE_AVX2(function)}, {HWY_SSE4, HWY_CHOOSE_SSE4(function)},   \
        {HWY_STATIC_TARGET, &HWY_STATIC_DISPATCH(function)},                            \
  }
