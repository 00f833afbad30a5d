#pragma once

#include "runtime/cuda/device/host_device.cuh"

// Which searches find every occurrence with up to so many mismatches, each of them once.
//
// A query is cut into mismatches + 1 parts. A search takes the parts in an order in which what is matched
// stays in one piece, the first of them without a mismatch. It says how many mismatches each part may have,
// so that of all the ways in which mismatches fall on parts, each is of one search:
//
//   1 mismatch, parts 0 1:    > 0:0 1:0-1          00 01
//                             < 1:0 0:1            10
//   2 mismatches, parts 0 1 2: > 0:0 1:0-2 2:0-2   000 001 002 010 011 020
//                             < 2:0 1:0-1 0:1-2    100 110 200
//                             < 1:0 0:1 > 2:1      101
//
// (> to the right, < to the left; part:mismatches.) A place of the text differs from the query in certain
// bases, which is one of these ways: nothing is found twice, and nothing has to be compared with what was
// found before.
//
// Source: Lam et al. 2009; Kucherov, Salikhov, Tsur 2016 (search schemes, whose bounds are on the first parts
// together).

namespace gpuseq::fm_mismatch {

inline constexpr u32 kMostMismatches = 2;

/// What a search does as its so-manieth part.
struct Step {
  u32 part;
  u32 least, most;  // mismatches
  bool leftwards;
};

GPUSEQ_HD constexpr u32 parts_of(u32 mismatches) {
  return mismatches + 1;
}
/// As many as parts.
GPUSEQ_HD constexpr u32 searches_of(u32 mismatches) {
  return mismatches + 1;
}

/// @param number  of the search; @param step  of its parts, in its order
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

/// The first base of a part of a query; of the part behind the last: the end.
GPUSEQ_HD constexpr u32 part_begin(u32 mismatches, u32 bases, u32 part) {
  return static_cast<u32>(u64{bases} * part / parts_of(mismatches));
}

}  // namespace gpuseq::fm_mismatch
