// The bias filter of HMMER 3.3.2 (p7_bg_SetFilter, p7_bg_SetLength, p7_bg_FilterScore): the Forward score,
// relative to the background, of a model with two states that emit the background and the mean composition of
// the profile. Scaled at every residue. Float arithmetic repeats HMMER's operation by operation.
#include <algorithm>
#include <cmath>

#include "kernels/profile_hmm/data/null_model.hpp"
#include "kernels/profile_hmm/scores.hpp"

namespace gpuseq::profile_hmm {
namespace {

using States = std::array<float, 2>;
using Odds = std::array<States, kResidueCodes>;

/// Emission relative to the background. Both states emit gap, '*' and '~' equally.
Odds emission_odds(const Model& model) {
  Odds odds{};
  const std::array<const std::array<float, kAminoAcids>*, 2> emissions{&kBackground, &model.composition};
  for (u32 code = 0; code < kResidueCodes; ++code)
    for (u32 state = 0; state < 2; ++state) {
      const auto& emission = *emissions[state];
      const u32 set = amino_acid_set(code);
      float sum = 0, background = 0;
      for (u32 a = 0; a < kAminoAcids; ++a) {
        if ((set >> a & 1) == 0) continue;
        sum += emission[a];
        background += kBackground[a];
      }
      odds[code][state] = set == 0 ? 1.0f : sum / background;
    }
  return odds;
}

float log_of(float value) {
  return static_cast<float>(std::log(static_cast<double>(value)));
}

/// Divides by the larger state and returns its logarithm.
float scale(States& states) {
  const float largest = std::max({states[1], states[0], 0.0f});
  for (float& state : states) state /= largest;
  return log_of(largest);
}

}  // namespace

float bias_score(const Model& model, std::span<const u8> residues) {
  const Odds odds = emission_odds(model);
  const float length = static_cast<float>(residues.size());
  const float loop = length / static_cast<float>(residues.size() + 1);
  const float biased = static_cast<float>(static_cast<float>(model.length) / 8.0);  // mean length
  const std::array<States, 2> steps{
      {{loop, 1.0f - loop}, {1.0f / (biased + 1.0f), biased / (biased + 1.0f)}}};

  States states{0.999f, 0.001f};
  float score = 0;
  for (std::size_t i = 0; i < residues.size(); ++i) {
    const States from = states;
    for (u32 to = 0; to < 2; ++to) {
      if (i > 0) {
        states[to] = 0;
        for (u32 state = 0; state < 2; ++state) states[to] += from[state] * steps[state][to];
      }
      states[to] *= odds[residues[i]][to];
    }
    score += scale(states);
  }
  score += residues.empty() ? 0.0f : log_of(states[0] + states[1]);
  return score + length * std::log(loop) + std::log(static_cast<float>(1.0 - loop));
}

}  // namespace gpuseq::profile_hmm
