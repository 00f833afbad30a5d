#pragma once

// The Highway targets of the kernels with one reference per lane; to be included before Highway.
#if defined(__SANITIZE_ADDRESS__)
// Instrumented, a target takes long to compile. One is enough: the sources are the same.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3)
#else
#define HWY_DISABLED_TARGETS HWY_SSSE3
#endif
