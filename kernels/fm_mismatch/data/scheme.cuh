#pragma once

#include "runtime/cuda/device/host_device.cuh"

// Search scheme: the searches that find every occurrence with up to a given number of mismatches exactly
// once.
//
// A query is cut into mismatches + 1 parts. A search matches the parts in an order that keeps the matched
// string contiguous, the first part without a mismatch. It limits the mismatches in each part, so that every
// distribution of mismatches over parts belongs to exactly one search:
//
//   1 mismatch, parts 0 1:    > 0:0 1:0-1          00 01
//                             < 1:0 0:1            10
//   2 mismatches, parts 0 1 2: > 0:0 1:0-2 2:0-2   000 001 002 010 011 020
//                             < 2:0 1:0-1 0:1-2    100 110 200
//                             < 1:0 0:1 > 2:1      101
//
// (> to the right, < to the left; part:mismatches.) An occurrence differs from the query in certain bases,
// which is one of these distributions. So no occurrence is found twice, and found occurrences need no
// comparison.
//
// Source: Lam et al. 2009; Kucherov, Salikhov, Tsur 2016 (search schemes, whose bounds are on the first parts
// together).

namespace gpuseq::fm_mismatch {

inline constexpr u32 kMostMismatches = 2;

/// One part of a search, in the order of the search.
struct Step {
  u32 part;
  u32 least, most;  // mismatches
  bool leftwards;
};

GPUSEQ_HD constexpr u32 parts_of(u32 mismatches) {
  return mismatches + 1;
}
/// One search per part.
GPUSEQ_HD constexpr u32 searches_of(u32 mismatches) {
  return mismatches + 1;
}

/// @param number  of the search; @param step  number of its part, in the order of the search
GPUSEQ_HD constexpr Step step_of(u32 mismatches, u32 number, u32 step) {
  if (number == 0) return {step, 0, step == 0 ? 0 : mismatches, false};
  if (number == 1) {
    const u32 part = mismatches - step;
    if (step == 0) return {part, 0, 0, true};
    return part == 0 ? Step{part, 1, mismatches, true} : Step{part, 0, 1, true};
  }
  if (step == 0) return {1, 0, 0, true};
  return step == 1 ? Step{0, 1, 1, true} : Step{2, 1, 1, false};
}

/// The first base of a part of a query; for the part behind the last, the end of the query.
GPUSEQ_HD constexpr u32 part_begin(u32 mismatches, u32 bases, u32 part) {
  return static_cast<u32>(u64{bases} * part / parts_of(mismatches));
}

}  // namespace gpuseq::fm_mismatch
