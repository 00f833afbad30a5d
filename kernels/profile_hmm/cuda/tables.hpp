#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/profile_hmm/cuda/filter_policy.cuh"
#include "kernels/profile_hmm/data/profile.hpp"
#include "kernels/profile_hmm/data/sequences.hpp"

namespace gpuseq::profile_hmm {

/// Between which numbers Viterbi's sums stay when they wrap instead of saturating.
struct WordRange {
  i16 floor = kWordFloor;  // of cells; impossible ones hold it
  i16 lowest_step = 0;     // of what is possible; stands for what is not
  i16 lowest_begin = 0;    // step of B -> M
  i16 lowest_score = 0;    // of a match state, 0 at most
  i16 safe_top = 32767;    // a row after one whose match states do not exceed it is within 16 bits
};

/// The range for a model and sequences of up to `longest` residues; nullopt where a cell that matters may
/// fall below 16 bits, or where the model has impossible steps or scores inside, which only saturating sums
/// treat as HMMER does. kernels/profile_hmm/README.md has the argument.
std::optional<WordRange> word_range(const Profile& profile, u32 longest);

/// What the kernels of a policy read of a profile.
struct FilterTables {
  std::vector<u32> costs;  // Policy::cost_words()
  std::vector<u32> steps;  // Policy::step_words()
};
/// @param words  of a lane
/// @param range  for Viterbi in s16x2, else not used
FilterTables make_tables(const Policy& policy, const Profile& profile, u32 words, const WordRange& range);

/// The scalar parameters of a launch that come from a profile.
FilterArguments profile_arguments(const Policy& policy, const Profile& profile, const WordRange& range);

/// Sequences as kernels read them; those without residues are left out.
struct PackedSequences {
  std::vector<u8> residues;  // in chunks of kChunk, padded
  std::vector<SequenceEntry> entries;
};
PackedSequences pack_sequences(const Sequences& sequences, bool sorted);

}  // namespace gpuseq::profile_hmm
