#pragma once

#include <span>
#include <vector>

namespace gpuseq::bench {

// Agreement between passes over the points of a curve. Other users of the machine only slow accesses down,
// for seconds or minutes. So the correct passes of a point are the fast ones, if another pass, at another
// time, measured the same.

/// Largest relative difference between the times of two undisturbed passes over one point, estimated from the
/// curve. The gap between the two fastest passes of a point, the repeatability of an undisturbed machine, has
/// about an exponential distribution, so that 95 % of the gaps are below log2(20) = 4.3 times their median.
/// The tolerance is at least 2 %, the precision of samples, and at most 10 %, the smallest change that is a
/// knee: passes further apart cannot show a knee.
/// @param points  the times of the passes of each point
double tolerance_of_passes(std::span<const std::vector<double>> points);

/// The passes of a point that agree: the fastest two that differ by at most the tolerance, and those within
/// the tolerance of the faster one. No pass if there are no such two; a single pass agrees.
/// @param times  of the passes; disturbance makes them longer
std::vector<bool> agreeing_passes(std::span<const double> times, double tolerance);

}  // namespace gpuseq::bench
