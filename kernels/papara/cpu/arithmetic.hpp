#pragma once

#include "kernels/papara/cpu/kernel.hpp"

namespace gpuseq::papara {

/// Inputs of plan_arithmetic().
struct ArithmeticNeeds {
  Penalties penalties;
  u32 longest = 0;            // bases of the longest query
  u32 rows = 1, columns = 1;  // rows and columns of the blocked kernel's blocks
  bool potentials = false;    // blocked: lanes leave out the costs that all paths share
};

/// 8-bit lanes are exact for scores below the limit of the returned arithmetic. 16-bit and 32-bit lanes are
/// exact for every score of the queries.
/// @throws ResourceError with the reason where costs or scores do not fit
LaneArithmetic plan_arithmetic(int bits, const ArithmeticNeeds& needs);

}  // namespace gpuseq::papara
