#pragma once

#include <array>
#include <vector>

#include "kernels/profile_hmm/data/model.hpp"
#include "kernels/profile_hmm/filter.cuh"

namespace gpuseq::profile_hmm {

/// -infinity of the Viterbi filter: an ordinary number of saturating 16-bit arithmetic.
inline constexpr i16 kWordFloor = -32768;

/// The scores of HMMER 3's filters: log odds in thirds of bits as biased unsigned bytes (SSV, MSV) and in
/// 1/500 bits as signed words (Viterbi). Positions are numbered from 0 and in natural order. Local, multihit.
/// Source: HMMER 3.3.2, p7_ProfileConfig, p7_oprofile_Convert.
struct Profile {
  u32 length = 0;

  // Bytes. 190 represents a score of 0.
  u8 base = 190;
  u8 bias = 0;                  // added to every cost, so that no cost is negative
  u8 begin_match = 0;           // cost of entering a match state (HMMER: tbm)
  u8 end = 0;                   // cost of leaving for J or C (tec)
  float byte_scale = 0;         // scale from natural logarithms
  std::vector<u8> match_costs;  // [kResidueCodes][length], biased; 255 if impossible

  // Words. 12000 represents a score of 0.
  i16 word_base = 12000;
  float word_scale = 0;
  std::vector<i16> match_scores;               // [kResidueCodes][length]
  std::array<std::vector<i16>, kSteps> steps;  // [length] each; kWordFloor if impossible
  i16 end_loop = 0;                            // E -> J
  i16 end_move = 0;                            // E -> C
  i16 delete_bound = kWordFloor;               // bound of the gain of D -> D -> M over B -> M (ddbound)

  const u8* costs(u32 residue) const { return match_costs.data() + std::size_t{residue} * length; }
  const i16* scores(u32 residue) const { return match_scores.data() + std::size_t{residue} * length; }
};

Profile make_profile(const Model& model);

/// Parameters that depend on the length of the scored sequence.
struct LengthModel {
  u8 jump = 0;   // bytes: cost of N, J or C -> B or T (tjb)
  i16 move = 0;  // words: score of N, J or C -> B or T
};
LengthModel length_model(u32 residues);

}  // namespace gpuseq::profile_hmm
