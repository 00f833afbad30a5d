#pragma once

// The Highway targets of the striped kernels; to be included before Highway. AVX3_DL is AVX-512 with a
// permutation of bytes, which moves a vector to the next lane in one instruction instead of two.
#define HWY_WANT_AVX3_DL
#if defined(__SANITIZE_ADDRESS__)
// Instrumented, a target takes long to compile. One is enough: the sources are the same.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS HWY_SSSE3
#endif
