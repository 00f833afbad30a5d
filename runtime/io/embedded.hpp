#pragma once

#include <string_view>

/// Text linked in by cmake/embed.cmake. A macro because the linker symbol contains the name. Use at namespace
/// scope: GPUSEQ_EMBEDDED(search_cuh) defines `std::string_view embedded_search_cuh()`.
#define GPUSEQ_EMBEDDED(name)                                                                         \
  extern "C" const char gpuseq_embedded_##name##_begin[];                                             \
  extern "C" const char gpuseq_embedded_##name##_end[];                                               \
  inline std::string_view embedded_##name() {                                                         \
    return {gpuseq_embedded_##name##_begin,                                                           \
            static_cast<std::size_t>(gpuseq_embedded_##name##_end - gpuseq_embedded_##name##_begin)}; \
  }
