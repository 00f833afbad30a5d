#pragma once

#include <cmath>

namespace gpuseq {

/// Expected bytes that a launch touches of `bytes`, if it reads `read` bytes in blocks at random places that
/// are the same in every launch: a place is missed with probability e^(-read / bytes).
inline double touched_bytes(double bytes, double read) {
  return -bytes * std::expm1(-read / bytes);
}

}  // namespace gpuseq
