// Float arithmetic here repeats HMMER's operation by operation: the choice of float or double
// affects the result.
#include "kernels/profile_hmm/scores.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace gpuseq::profile_hmm {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr FilterScore kBeyond{.nats = kInfinity, .overflow = true};
constexpr FilterScore kNone{.nats = -kInfinity, .overflow = false};

// HMMER leaves out the loops of N, C and J; this term replaces them.
float with_loops(float nats) {
  return static_cast<float>(nats - 3.0);
}

FilterScore byte_score(const Profile& profile, u32 residues, i32 jump_state) {
  float nats =
      static_cast<float>(jump_state - length_model(residues).jump) - static_cast<float>(profile.base);
  nats /= profile.byte_scale;
  return {.nats = with_loops(nats), .overflow = false};
}

}  // namespace

std::optional<FilterScore> ssv_score(const Profile& profile, u32 residues, RawScore ssv) {
  if (ssv == kNoScore) return kNone;
  const i32 jump = length_model(residues).jump, enter = jump + profile.begin_match;
  const i32 most = 255 - profile.bias;  // from this value on bytes may have overflowed
  if (enter + profile.end + profile.bias >= 127) return std::nullopt;
  if (ssv >= most) {
    if (profile.base - enter < 128) return std::nullopt;  // MSV starts lower and may not overflow
    return kBeyond;
  }
  const i32 best = ssv + profile.base - enter - 128;
  if (best >= most) return kBeyond;
  const i32 jump_state = best - profile.end;
  if (jump_state > profile.base) return std::nullopt;  // J could have been used
  return byte_score(profile, residues, jump_state);
}

FilterScore msv_score(const Profile& profile, u32 residues, RawScore msv) {
  if (msv == kNoScore) return kNone;
  return msv == kOverflow ? kBeyond : byte_score(profile, residues, msv);
}

FilterScore viterbi_score(const Profile& profile, u32 residues, RawScore viterbi) {
  if (viterbi == kNoScore || viterbi == kWordFloor) return kNone;
  if (viterbi == kOverflow) return kBeyond;
  float nats = static_cast<float>(viterbi) + static_cast<float>(length_model(residues).move) -
               static_cast<float>(profile.word_base);
  nats /= profile.word_scale;
  return {.nats = with_loops(nats), .overflow = false};
}

float null_score(u32 residues) {
  const float length = static_cast<float>(residues);
  const float loop = length / static_cast<float>(residues + 1);
  return static_cast<float>(length * std::log(static_cast<double>(loop)) + std::log(1.0 - loop));
}

float bits(float nats, float null_nats) {
  return static_cast<float>((nats - null_nats) / std::numbers::ln2);
}

double p_value(const Gumbel& gumbel, float bits) {
  const double y = static_cast<double>(gumbel.lambda) * (static_cast<double>(bits) - gumbel.mu);
  const double tail = -std::exp(-y);
  return std::abs(tail) < 5e-9 ? -tail : 1 - std::exp(tail);  // 1 - e^x is near -x
}

bool passes_f1(const Model& model, FilterScore msv, float null_nats) {
  return !(p_value(model.msv, bits(msv.nats, null_nats)) > kF1);
}

Passage passage(const Model& model, std::span<const u8> residues, FilterScore msv, FilterScore viterbi,
                bool bias_filter) {
  if (residues.empty()) return {};
  const float null_nats = null_score(static_cast<u32>(residues.size()));
  const bool needs_bias = bias_filter && passes_f1(model, msv, null_nats);
  return passage(model, msv, viterbi, null_nats, needs_bias ? bias_score(model, residues) : null_nats);
}

Passage passage(const Model& model, FilterScore msv, FilterScore viterbi, float null_nats, float bias_nats) {
  Passage passed;
  passed.msv = passes_f1(model, msv, null_nats);
  if (!passed.msv) return passed;
  double p = p_value(model.msv, bits(msv.nats, bias_nats));
  passed.bias = !(p > kF1);
  if (!passed.bias) return passed;
  if (p > kF2) p = p_value(model.viterbi, bits(viterbi.nats, bias_nats));
  passed.viterbi = !(p > kF2);
  return passed;
}

}  // namespace gpuseq::profile_hmm
