#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "kernels/profile_hmm/data/calibration.hpp"
#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/data/null_model.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::profile_hmm {
namespace {

enum Stream : u64 { kEmissionStream, kTransitionStream, kCalibrationStream };

using Emission = std::array<double, kAminoAcids>;

// Target of hmmbuild's sequence weighting: bits per match state, or bits for the whole of a short model.
constexpr double kEntropyOfState = 0.59, kEntropyOfModel = 45;
constexpr double kMostConserved = 0.97;

/// Amino acids that replace each other easily.
constexpr std::array<std::string_view, 9> kAlike{"AGS", "ST", "DEN", "NQH", "KRQ", "ILVM", "FYW", "C", "P"};

/// The nearest probability whose logarithm has the five decimals of a file.
float as_in_file(double probability) {
  if (probability <= 0) return 0;
  const std::string text = fmt::format("{:.5f}", -std::log(std::min(probability, 1.0)));
  return std::exp(static_cast<float>(-std::stod(text)));
}

double sum_of(const Emission& emission) {
  double sum = 0;
  for (const double value : emission) sum += value;
  return sum;
}

u32 draw(const Emission& weights, Random& random) {
  double left = random.uniform() * sum_of(weights);
  for (u32 a = 0; a + 1 < kAminoAcids; ++a)
    if ((left -= weights[a]) < 0) return a;
  return kAminoAcids - 1;
}

/// A match state: its preferred and other emissions, and its rank of conservation among the states.
struct Site {
  Emission preferred{}, other{};
  double rank = 0;  // uniform in [0, 1)

  /// @param weakness  the higher, the more states are like the background
  Emission emission(double weakness) const {
    const double conserved = std::min(std::pow(rank, weakness), kMostConserved);
    Emission emission;
    for (u32 a = 0; a < kAminoAcids; ++a) emission[a] = conserved * preferred[a] + (1 - conserved) * other[a];
    return emission;
  }
};

/// One to three similar amino acids, and the background with each frequency changed by a factor of up to 2.
Site random_site(Random& random) {
  Site site;
  Emission background;
  for (u32 a = 0; a < kAminoAcids; ++a) {
    background[a] = kBackground[a];
    site.other[a] = kBackground[a] * std::exp2(2 * random.uniform() - 1);
  }
  const double sum = sum_of(site.other);
  for (double& value : site.other) value /= sum;

  u32 favourite = draw(background, random);
  double share = 0.4 + 0.6 * random.uniform(), left = 1;
  for (u64 more = random.below(3);; --more) {
    site.preferred[favourite] += more == 0 ? left : left * share;
    if (more == 0) break;
    left *= 1 - share;
    const auto alike = std::find_if(kAlike.begin(), kAlike.end(), [&](std::string_view set) {
      return set.find(kResidueLetters[favourite]) != std::string_view::npos;
    });
    favourite = static_cast<u32>(kResidueLetters.find((*alike)[random.below(alike->size())]));
  }
  site.rank = random.uniform();
  return site;
}

double relative_entropy(const Emission& emission) {
  double sum = 0;
  for (u32 a = 0; a < kAminoAcids; ++a)
    if (emission[a] > 0) sum += emission[a] * std::log2(emission[a] / kBackground[a]);
  return sum;
}

/// Match emissions with the mean relative entropy of hmmbuild's models, if the sites allow it.
std::vector<Emission> random_emissions(u32 length, Random& random) {
  std::vector<Site> sites;
  sites.reserve(length);
  for (u32 i = 0; i < length; ++i) sites.push_back(random_site(random));
  const double entries = static_cast<double>(length) * (length + 1) / 2;
  const double target = std::max(kEntropyOfState, (kEntropyOfModel + std::log2(entries)) / length);
  double low = 1e-3, high = 50;
  for (int step = 0; step < 24; ++step) {
    const double weakness = std::sqrt(low * high);
    double sum = 0;
    for (const Site& site : sites) sum += relative_entropy(site.emission(weakness));
    (sum / length > target ? low : high) = weakness;
  }
  std::vector<Emission> emissions;
  emissions.reserve(length);
  for (const Site& site : sites) emissions.push_back(site.emission(std::sqrt(low * high)));
  return emissions;
}

/// The transitions of hmmbuild's priors for an alignment without gaps; at one state in seven, those with
/// gaps. Node 0 is the begin state, the last node leads to the end.
std::array<float, kTransitions> random_transitions(u32 node, u32 length, Random& random) {
  double insert = 0.0066, erase = 0.0032, leave_insert = 0.5382, leave_delete = 0.6152;
  const bool gaps = random.below(7) == 0;
  const std::array<double, 4> draws{random.uniform(), random.uniform(), random.uniform(), random.uniform()};
  if (gaps) {
    insert += 0.2 * draws[0] * draws[0];
    erase += 0.2 * draws[1] * draws[1];
    leave_insert = 0.2 + 0.6 * draws[2];
    leave_delete = 0.35 + 0.4 * draws[3];
  }
  if (node == length) erase = 0;
  if (node == 0 || node == length) leave_delete = 1;
  std::array<float, kTransitions> row;
  row[kMM] = as_in_file(1 - insert - erase);
  row[kMI] = as_in_file(insert);
  row[kMD] = as_in_file(erase);
  row[kIM] = as_in_file(leave_insert);
  row[kII] = as_in_file(1 - leave_insert);
  row[kDM] = as_in_file(leave_delete);
  row[kDD] = as_in_file(1 - leave_delete);
  return row;
}

}  // namespace

Model random_model(u32 length, u64 seed) {
  if (length == 0) throw UsageError("a random model of 0 match states, allowed: from 1");
  Random emission_random(seed, kEmissionStream), transition_random(seed, kTransitionStream);
  const auto emissions = random_emissions(length, emission_random);
  Model model;
  model.name = fmt::format("random{}_{}", length, seed);
  model.length = length;
  model.match.resize(length + std::size_t{1});
  model.transitions.resize(length + std::size_t{1});
  Emission mean{};
  for (u32 node = 0; node <= length; ++node) {
    model.transitions[node] = random_transitions(node, length, transition_random);
    if (node == 0) continue;
    for (u32 a = 0; a < kAminoAcids; ++a) {
      model.match[node][a] = as_in_file(emissions[node - 1][a]);
      mean[a] += emissions[node - 1][a] / length;
    }
  }
  for (u32 a = 0; a < kAminoAcids; ++a) model.composition[a] = as_in_file(mean[a]);
  calibrate(model, Random(seed, kCalibrationStream)());
  return model;
}

}  // namespace gpuseq::profile_hmm
