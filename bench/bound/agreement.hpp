#pragma once

#include <span>
#include <vector>

namespace gpuseq::bench {

// What passes over the points of a curve agree on. Whoever shares the machine only ever slows an access down,
// for seconds or minutes: so of a point's passes those are right that are fast, and one of which another
// pass, at another time, found as much.

/// How far apart, relatively, the times of two passes over one point may be that saw the same. The curve
/// says: the gap between the two fastest passes of a point, what an undisturbed machine repeats to, is spread
/// about exponentially, so that 95 % of the gaps are below log2(20) = 4.3 times their median. It is at least
/// 2 %, which is what samples are taken to, and at most 10 %, the least change that is a knee: passes
/// further apart than that cannot tell one.
/// @param points  of each the times of its passes
double tolerance_of_passes(std::span<const std::vector<double>> points);

/// Which of a point's passes agree: the fastest two that are no further apart than the tolerance, and those
/// within the tolerance of the faster. None where there are no such two; the one there is of one pass.
/// @param times  of the passes, what a disturbance makes longer
std::vector<bool> agreeing_passes(std::span<const double> times, double tolerance);

}  // namespace gpuseq::bench
