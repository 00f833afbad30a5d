// Float arithmetic here repeats HMMER's operation by operation to reproduce every score: the choice of float
// or double and the order of additions affect the result.
#include "kernels/profile_hmm/data/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/profile_hmm/data/null_model.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr double kLog2 = std::numbers::ln2;
constexpr float kImpossible = -std::numeric_limits<float>::infinity();
constexpr float kByteScale = static_cast<float>(3.0 / kLog2);
constexpr float kWordScale = static_cast<float>(500.0 / kLog2);

using ResidueScores = std::array<float, kResidueCodes>;

/// Natural logarithm in double, rounded to float.
float log_of(float probability) {
  return static_cast<float>(std::log(static_cast<double>(probability)));
}

/// The low byte of a rounded cost. A negative cost wraps, as in HMMER's build for x86.
u8 low_byte(float cost) {
  return std::isnan(cost) ? u8{0} : static_cast<u8>(static_cast<i32>(cost));
}

u8 unbiased_byte(float score) {
  const float cost = -1.0f * std::round(kByteScale * score);
  return cost > 255.0f ? 255 : low_byte(cost);
}

u8 biased_byte(float score, u8 bias) {
  const float cost = -1.0f * std::round(kByteScale * score);
  return cost > static_cast<float>(255 - bias) ? 255 : static_cast<u8>(low_byte(cost) + bias);
}

i16 word(float score) {
  const float rounded = std::round(kWordScale * score);
  if (rounded >= 32767.0f) return 32767;
  if (rounded <= -32768.0f) return kWordFloor;
  return std::isnan(rounded) ? i16{0} : static_cast<i16>(rounded);
}

/// Log odds of the amino acids; for a degenerate letter, the mean over its amino acids.
ResidueScores residue_scores(const std::array<float, kAminoAcids>& match) {
  ResidueScores scores;
  scores.fill(kImpossible);
  for (u32 a = 0; a < kAminoAcids; ++a)
    scores[a] = static_cast<float>(std::log(static_cast<double>(match[a]) / kBackground[a]));
  for (u32 code = kAminoAcids; code < kResidueCodes; ++code) {
    const u32 set = amino_acid_set(code);
    if (set == 0) continue;
    float sum = 0, weight = 0;
    for (u32 a = 0; a < kAminoAcids; ++a) {
      if ((set >> a & 1) == 0) continue;
      sum += scores[a] * kBackground[a];
      weight += kBackground[a];
    }
    scores[code] = sum / weight;
  }
  return scores;
}

/// Log probability of entering at each match state of a local alignment: its occupancy divided by the sum of
/// occupancies, each times the number of segments that begin there.
std::vector<float> entry_scores(const Model& model) {
  std::vector<float> occupancy(model.length);
  occupancy[0] = model.transitions[0][kMI] + model.transitions[0][kMM];
  for (u32 i = 1; i < model.length; ++i) {
    const auto& from = model.transitions[i];
    const float stays = occupancy[i - 1] * (from[kMM] + from[kMI]);
    occupancy[i] = static_cast<float>(stays + (1.0 - occupancy[i - 1]) * from[kDM]);
  }
  float sum = 0;
  for (u32 i = 0; i < model.length; ++i) sum += occupancy[i] * static_cast<float>(model.length - i);
  for (float& value : occupancy) value = log_of(value / sum);
  return occupancy;
}

void set_emissions(const Model& model, Profile& profile) {
  std::vector<ResidueScores> scores(model.length);
  float best = 0;
  for (u32 i = 0; i < model.length; ++i) {
    scores[i] = residue_scores(model.match[i + 1]);
    for (u32 a = 0; a < kAminoAcids; ++a) best = std::max(best, scores[i][a]);
  }
  profile.byte_scale = kByteScale;
  profile.bias = unbiased_byte(-best);
  const std::size_t cells = std::size_t{kResidueCodes} * model.length;
  profile.match_costs.resize(cells);
  profile.match_scores.resize(cells);
  for (u32 code = 0; code < kResidueCodes; ++code)
    for (u32 i = 0; i < model.length; ++i) {
      profile.match_costs[std::size_t{code} * model.length + i] = biased_byte(scores[i][code], profile.bias);
      profile.match_scores[std::size_t{code} * model.length + i] = word(scores[i][code]);
    }
}

i16 transition_score(const Model& model, u32 node, Transition transition) {
  return word(log_of(model.transitions[node][transition]));
}

void set_steps(const Model& model, const std::vector<float>& entries, Profile& profile) {
  for (auto& step : profile.steps) step.assign(model.length, kWordFloor);
  const auto score = [&](u32 node, Transition transition) {
    return transition_score(model, node, transition);
  };
  const auto set = [&](Step step, u32 position, i16 value, i16 most) {
    profile.steps[step][position] = std::min(value, most);
  };
  for (u32 i = 0; i < model.length; ++i) set(kBeginMatch, i, word(entries[i]), 0);
  for (u32 node = 1; node < model.length; ++node) {  // position `node` follows node `node`
    set(kMatchMatch, node, score(node, kMM), 0);
    set(kInsertMatch, node, score(node, kIM), 0);
    set(kDeleteMatch, node, score(node, kDM), 0);
    set(kMatchDelete, node - 1, score(node, kMD), 0);
    set(kMatchInsert, node - 1, score(node, kMI), 0);
    set(kInsertInsert, node - 1, score(node, kII), -1);
    set(kDeleteDelete, node - 1, score(node, kDD), 32767);
  }
}

/// Wraps if HMMER's sum of three words leaves 16 bits.
i16 delete_bound(const Model& model, const std::vector<float>& entries) {
  i16 bound = kWordFloor;
  for (u32 node = 2; node + 1 < model.length; ++node) {
    const i32 gain = i32{transition_score(model, node, kDD)} + transition_score(model, node + 1, kDM) -
                     word(entries[node + 1]);
    bound = static_cast<i16>(std::max(i32{bound}, gain));
  }
  return bound;
}

}  // namespace

Profile make_profile(const Model& model) {
  Profile profile;
  profile.length = model.length;
  set_emissions(model, profile);
  const float m = static_cast<float>(model.length);
  profile.begin_match = unbiased_byte(std::log(2.0f / (m * static_cast<float>(model.length + 1))));
  profile.end = unbiased_byte(std::log(0.5f));
  profile.word_scale = kWordScale;
  const std::vector<float> entries = entry_scores(model);
  set_steps(model, entries, profile);
  profile.end_loop = profile.end_move = word(static_cast<float>(-kLog2));
  profile.delete_bound = delete_bound(model, entries);
  return profile;
}

LengthModel length_model(u32 residues) {
  const float length = static_cast<float>(residues);
  return {.jump = unbiased_byte(std::log(3.0f / static_cast<float>(residues + 3))),
          .move = word(std::log(3.0f / (length + 2.0f + 1.0f)))};
}

}  // namespace gpuseq::profile_hmm
