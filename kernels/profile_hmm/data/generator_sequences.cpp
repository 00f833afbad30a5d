#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/data/random_residues.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// Quantiles of the lengths of 486,000 proteins of Swiss-Prot (Debian's metastudent-data); logarithms are
/// interpolated between them.
struct Quantile {
  double share, residues;
};
constexpr std::array<Quantile, 14> kLengths{{{0, 2},
                                             {0.001, 9},
                                             {0.01, 35},
                                             {0.05, 79},
                                             {0.1, 106},
                                             {0.25, 180},
                                             {0.5, 305},
                                             {0.75, 455},
                                             {0.9, 666},
                                             {0.95, 874},
                                             {0.99, 1472},
                                             {0.999, 3391},
                                             {0.9999, 7073},
                                             {1, 35213}}};

/// The length below which this share of all sequences is.
double length_at(double share) {
  const auto above = std::find_if(kLengths.begin() + 1, kLengths.end() - 1,
                                  [share](const Quantile& quantile) { return share < quantile.share; });
  const Quantile &to = *above, &from = *(above - 1);
  const double along = (share - from.share) / (to.share - from.share);
  return from.residues * std::pow(to.residues / from.residues, along);
}

u32 draw_length(Random& random, u32 longest) {
  return std::clamp(static_cast<u32>(length_at(random.uniform())), 1u, longest);
}

/// Draws the emissions of a model on a path from the begin state to the end.
class Emitter {
 public:
  explicit Emitter(const Model& model) : model_(model), below_(model.match.size()) {
    for (std::size_t node = 1; node < below_.size(); ++node) {
      double sum = 0;
      for (u32 a = 0; a < kAminoAcids; ++a) below_[node][a] = sum += model.match[node][a];
    }
  }

  /// Replaces `residues` by at most `most` emitted residues.
  void emit(Random& random, std::size_t most, std::vector<u8>& residues) {
    residues.clear();
    enum class State { match, insert, remove } state = State::match;
    u32 node = 0;
    while (residues.size() < most) {
      const auto& from = model_.transitions[node];
      const double draw = random.uniform();
      if (state == State::match)
        state = draw < from[kMI]               ? State::insert
                : draw < from[kMI] + from[kMD] ? State::remove
                                               : State::match;
      else if (state == State::insert)
        state = draw < from[kII] ? State::insert : State::match;
      else
        state = draw < from[kDD] ? State::remove : State::match;
      if (state != State::insert && ++node > model_.length) return;
      if (state == State::insert) background_.fill(random, &residues.emplace_back(), 1);
      if (state == State::match) residues.push_back(match(random, node));
    }
  }

 private:
  u8 match(Random& random, u32 node) const {
    const double draw = random.uniform() * below_[node].back();
    const auto above = std::upper_bound(below_[node].begin(), below_[node].end() - 1, draw);
    return static_cast<u8>(above - below_[node].begin());
  }

  const Model& model_;
  std::vector<std::array<double, kAminoAcids>> below_;
  BackgroundResidues background_;
};

}  // namespace

/// The mean over all sequences and homologs plus six standard deviations, and the longest sequence once: a
/// few sequences may have its length by chance.
u64 most_residues(u32 model_length, const SequenceGeneration& generation) {
  constexpr double kDeviations = 6;
  double mean = 0, mean_square = 0;
  for (std::size_t i = 1; i < kLengths.size(); ++i) {
    const Quantile &from = kLengths[i - 1], &to = kLengths[i];
    const double per_logarithm = (to.share - from.share) / std::log(to.residues / from.residues);
    mean += per_logarithm * (to.residues - from.residues);
    mean_square += per_logarithm * (to.residues * to.residues - from.residues * from.residues) / 2;
  }
  const auto count = static_cast<double>(generation.count);
  const double longest = std::min(kLengths.back().residues, static_cast<double>(generation.longest));
  const double drawn = count * mean + kDeviations * std::sqrt(count * (mean_square - mean * mean)) + longest;
  // A domain has about 1.03 residues per match state, more by chance.
  const double expected = generation.homologs * count, domain = 1.25 * model_length + 20;
  const double homologs =
      expected > 0 ? std::min(count, expected + kDeviations * (std::sqrt(expected) + 1)) : 0;
  return static_cast<u64>(drawn + homologs * domain);
}

Sequences random_sequences(const Model& model, const SequenceGeneration& generation, u64 seed) {
  const u32 longest = std::clamp(generation.longest, 1u, kMostResidues);
  const BackgroundResidues background;
  Emitter emitter(model);
  Random random(seed);
  Sequences sequences;
  sequences.names.reserve(generation.count);
  sequences.begin.reserve(generation.count + 1);
  sequences.codes.reserve(generation.count * 380);
  std::vector<u8> domain;
  for (u64 i = 0; i < generation.count; ++i) {
    const bool homolog = random.uniform() < generation.homologs;
    std::size_t length = draw_length(random, longest);
    if (homolog) {
      emitter.emit(random, longest, domain);
      length = std::max(length, domain.size());
    }
    const std::size_t begin = sequences.codes.size();
    sequences.codes.resize(begin + length);
    background.fill(random, sequences.codes.data() + begin, length);
    if (homolog) {
      const u64 at = random.below(length - domain.size() + 1);
      std::copy(domain.begin(), domain.end(),
                sequences.codes.begin() + static_cast<std::ptrdiff_t>(begin + at));
    }
    sequences.names.push_back(fmt::format("{}{}", homolog ? "homolog" : "random", i + 1));
    sequences.begin.push_back(sequences.codes.size());
  }
  return sequences;
}

}  // namespace gpuseq::profile_hmm
