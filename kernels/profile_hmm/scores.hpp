#pragma once

#include <optional>
#include <span>

#include "kernels/profile_hmm/data/profile.hpp"
#include "runtime/contract/tunable.hpp"

namespace gpuseq::profile_hmm {

inline constexpr auto kFilterNames =
    enum_words<Filter>({{Filter::ssv, "ssv"}, {Filter::msv, "msv"}, {Filter::viterbi, "viterbi"}});

/// A kernel's result for a sequence, one number per filter:
///   ssv      the largest byte of any cell, HMMER's xE before it is shifted back: 128 ... 254 - bias
///   msv      HMMER's xJ after the last residue: 0 ... 254
///   viterbi  HMMER's xC after the last residue: -32768 (impossible) ... 32266
/// or kOverflow if HMMER's filter reports an overflow. Sequences without residues, which hmmsearch
/// skips, have kNoScore.
using RawScore = i16;
inline constexpr RawScore kNoScore = -32767;

/// A filter's score in HMMER's units.
struct FilterScore {
  float nats = 0;  // infinity: overflow
  bool overflow = false;
};

/// p7_SSVFilter's score; nullopt if it cannot decide (a J state may be used, or numbers are out of its range)
/// and HMMER computes MSV instead.
std::optional<FilterScore> ssv_score(const Profile& profile, u32 residues, RawScore ssv);
FilterScore msv_score(const Profile& profile, u32 residues, RawScore msv);
FilterScore viterbi_score(const Profile& profile, u32 residues, RawScore viterbi);

/// Log probability of a sequence of this length by the null model, in nats (p7_bg_NullOne).
float null_score(u32 residues);
/// Log probability by the two-state model of HMMER's bias filter (p7_bg_FilterScore). @param residues  codes
float bias_score(const Model& model, std::span<const u8> residues);

/// (nats - null) in bits, as in hmmsearch's output.
float bits(float nats, float null_nats);
/// Probability that a random sequence scores as many bits or more.
double p_value(const Gumbel& gumbel, float bits);

/// hmmsearch's default thresholds.
inline constexpr double kF1 = 0.02, kF2 = 1e-3;

/// Whether P of the MSV filter (SSV if it decides) is at most F1. @param null_nats  either null score
bool passes_f1(const Model& model, FilterScore msv, float null_nats);

/// The filters of hmmsearch's pipeline that a sequence passes.
struct Passage {
  bool msv = false;      // P of the MSV filter (SSV if it decides) <= F1
  bool bias = false;     // and with the bias filter's null score
  bool viterbi = false;  // and P of that or of the Viterbi filter <= F2
};
/// @param bias_filter  hmmsearch's default; false: as with --nobias
Passage passage(const Model& model, std::span<const u8> residues, FilterScore msv, FilterScore viterbi,
                bool bias_filter = true);
/// The passage of a sequence with residues whose null scores are known.
/// @param bias_nats  ignored if the sequence does not pass the MSV filter
Passage passage(const Model& model, FilterScore msv, FilterScore viterbi, float null_nats, float bias_nats);

}  // namespace gpuseq::profile_hmm
