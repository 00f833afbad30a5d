#pragma once

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::profile_hmm {

/// HMMER's filters, in the order of its pipeline.
enum class Filter : u32 { ssv, msv, viterbi };

/// Scores of transitions, in the order of the Viterbi filter's recurrence. The first four lead into the match
/// state of a position, the others leave its states.
enum Step : u32 {
  kBeginMatch,
  kMatchMatch,
  kInsertMatch,
  kDeleteMatch,
  kMatchDelete,
  kMatchInsert,
  kInsertInsert,
  kDeleteDelete,
  kSteps
};

/// The kernels' result if a score overflows in HMMER's filter.
inline constexpr i16 kOverflow = 32767;

}  // namespace gpuseq::profile_hmm
