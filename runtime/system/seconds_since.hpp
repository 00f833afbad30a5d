#pragma once

#include <sys/time.h>

#include <chrono>

namespace gpuseq {

/// Seconds of wall-clock time.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of a time as the kernel's accounts have it.
inline double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace gpuseq
