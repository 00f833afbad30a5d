#pragma once

#include "kernels/papara/cpu/kernel.hpp"

namespace gpuseq::papara {

/// What the planning of a kernel's arithmetic depends on.
struct ArithmeticNeeds {
  Penalties penalties;
  u32 longest = 0;            // bases of the longest query
  u32 rows = 1, columns = 1;  // of the blocked kernel
  bool potentials = false;    // lanes leave out what every path pays alike (blocked)
};

/// Lanes of 8 bits: exact for scores below the limit of what is returned.
/// Lanes of 16 and 32 bits: exact for every score of the queries.
/// @throws ResourceError with the reason where costs or scores do not fit
LaneArithmetic plan_arithmetic(int bits, const ArithmeticNeeds& needs);

}  // namespace gpuseq::papara
