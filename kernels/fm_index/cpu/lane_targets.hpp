#pragma once

// The Highway targets of the kernels with one query per lane; to be included before Highway.
#define HWY_WANT_AVX3_DL
#if defined(__SANITIZE_ADDRESS__)
// Instrumented, each target takes minutes and gigabytes to compile. One is enough: the sources are the same.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS HWY_SSSE3
#endif
