#pragma once

#include <sys/time.h>

#include <chrono>

namespace gpuseq {

/// Seconds of wall-clock time.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Adds the seconds of its lifetime to a sum, or subtracts them.
class ScopedSeconds {
 public:
  explicit ScopedSeconds(double& sum_s, int sign = 1) : sum_s_(sum_s), sign_(sign) {}
  ~ScopedSeconds() { sum_s_ += sign_ * seconds_since(begin_); }
  ScopedSeconds(const ScopedSeconds&) = delete;
  ScopedSeconds& operator=(const ScopedSeconds&) = delete;

 private:
  double& sum_s_;
  int sign_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Seconds of a timeval from the kernel's accounting.
inline double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace gpuseq
