#pragma once

#include "kernels/exact_match/data/sequences.hpp"

namespace gpuseq::exact_match {

/// Parameters of a random reference.
struct RandomReference {
  u64 bases = 0;
  u32 sequences = 1;       // of equal length
  u32 repeat_percent = 0;  // share of the bases that are copies of earlier pieces of 50 to 2000 bases
                           // with a few changes
  u64 seed = 1;
};

/// Seeded, equally likely bases with repeats. @throws UsageError if it is too long
Reference random_reference(const RandomReference& wanted);

/// Parameters of simulated reads.
struct SimulatedReads {
  u64 count = 0;
  u32 bases = 0;
  u32 errors_per_1000 = 0;   // substitutions per thousand bases
  bool both_strands = true;  // every second read, on average, is from the reverse strand
  u64 seed = 1;
};

/// Reads from random positions of a reference, named read1, read2, ... A read never spans two sequences.
/// @throws UsageError if no sequence is as long as a read
Queries simulate_reads(const Reference& reference, const SimulatedReads& wanted);

}  // namespace gpuseq::exact_match
