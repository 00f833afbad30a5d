#include "kernels/profile_hmm/data/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "kernels/profile_hmm/data/random_residues.hpp"
#include "kernels/profile_hmm/oracle.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr u32 kResidues = 200;
constexpr u64 kCells = 24'000'000;  // per filter

/// Rounds a number to the decimals of a file.
float with_decimals(double value, double power_of_ten) {
  return static_cast<float>(std::round(value * power_of_ten) / power_of_ten);
}

float msv_nats(const Profile& profile, std::span<const u8> residues) {
  const FilterScore score = oracle_msv_filter(profile, residues);
  return score.overflow ? static_cast<float>(255 - profile.base) / profile.byte_scale : score.nats;
}

float viterbi_nats(const Profile& profile, std::span<const u8> residues) {
  const auto score = viterbi_score(profile, static_cast<u32>(residues.size()),
                                   oracle_score(profile, Filter::viterbi, residues));
  return score.overflow ? static_cast<float>(32767 - profile.word_base) / profile.word_scale : score.nats;
}

/// Difference of Forward's and Viterbi's locations: that of the models in hmmer-examples, to about a bit.
double forward_above_viterbi(u32 length) {
  return std::clamp(length / 15.0, 2.0, 6.5);
}

/// Maximum-likelihood location for a known slope.
double fit_location(const std::vector<double>& scores, double lambda) {
  double sum = 0;
  for (const double score : scores) sum += std::exp(-lambda * score);
  return -std::log(sum / static_cast<double>(scores.size())) / lambda;
}

}  // namespace

double mean_relative_entropy(const Model& model) {
  double sum = 0;
  for (u32 node = 1; node <= model.length; ++node)
    for (u32 a = 0; a < kAminoAcids; ++a)
      if (const double p = model.match[node][a]; p > 0) sum += p * std::log2(p / kBackground[a]);
  return sum / model.length;
}

void calibrate(Model& model, u64 seed) {
  const double lambda = std::numbers::ln2 + 1.44 / (model.length * mean_relative_entropy(model));
  const Profile profile = make_profile(model);
  const BackgroundResidues background;
  Random random(seed);
  const u64 count = std::clamp<u64>(kCells / (u64{kResidues} * model.length), 24, 200);
  const float null_nats = null_score(kResidues);
  std::vector<u8> residues(kResidues);
  std::vector<double> msv, viterbi;
  for (u64 i = 0; i < count; ++i) {
    background.fill(random, residues.data(), residues.size());
    msv.push_back(bits(msv_nats(profile, residues), null_nats));
    viterbi.push_back(bits(viterbi_nats(profile, residues), null_nats));
  }
  const float slope = with_decimals(lambda, 1e5);
  const double viterbi_mu = fit_location(viterbi, lambda);
  model.msv = {.mu = with_decimals(fit_location(msv, lambda), 1e4), .lambda = slope};
  model.viterbi = {.mu = with_decimals(viterbi_mu, 1e4), .lambda = slope};
  model.forward = {.mu = with_decimals(viterbi_mu + forward_above_viterbi(model.length), 1e4),
                   .lambda = slope};
}

}  // namespace gpuseq::profile_hmm
