#pragma once

#include <cmath>

namespace gpuseq {

/// How much of `bytes` a launch touches that reads so many of them in blocks at random places, launch for
/// launch the same: a place is missed with probability e^(-read / bytes).
inline double touched_bytes(double bytes, double read) {
  return -bytes * std::expm1(-read / bytes);
}

}  // namespace gpuseq
