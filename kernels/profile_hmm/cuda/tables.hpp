#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/profile_hmm/cuda/filter_policy.cuh"
#include "kernels/profile_hmm/data/profile.hpp"
#include "kernels/profile_hmm/data/sequences.hpp"

namespace gpuseq::profile_hmm {

/// The range of Viterbi's sums if they wrap instead of saturating.
struct WordRange {
  i16 floor = kWordFloor;  // of cells; the value of impossible cells
  i16 lowest_step = 0;     // lowest possible step; represents impossible steps
  i16 lowest_begin = 0;    // lowest step of B -> M
  i16 lowest_score = 0;    // lowest score of a match state, at most 0
  i16 safe_top = 32767;    // the row after a row without match states above it is within 16 bits
};

/// The range for a model and sequences of up to `longest` residues. nullopt if a cell that matters may fall
/// below 16 bits, or if the model has impossible steps or scores inside, which only saturating sums treat
/// like HMMER. kernels/profile_hmm/README.md explains why.
std::optional<WordRange> word_range(const Profile& profile, u32 longest);

/// The parts of a profile that the kernels of a policy read.
struct FilterTables {
  std::vector<u32> costs;  // Policy::cost_words()
  std::vector<u32> steps;  // Policy::step_words()
};
/// @param words  per lane
/// @param range  for Viterbi in s16x2, else ignored
FilterTables make_tables(const Policy& policy, const Profile& profile, u32 words, const WordRange& range);

/// The scalar arguments of a launch that depend on a profile.
FilterArguments profile_arguments(const Policy& policy, const Profile& profile, const WordRange& range);

/// Sequences in the layout of the kernels; those without residues are left out.
struct PackedSequences {
  std::vector<u8> residues;  // in padded chunks of kChunk
  std::vector<SequenceEntry> entries;
};
PackedSequences pack_sequences(const Sequences& sequences, bool sorted);

}  // namespace gpuseq::profile_hmm
