#pragma once

#include <memory>
#include <vector>

#include "kernels/profile_hmm/oracle.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "kernels/profile_hmm/problem_state.hpp"
#include "runtime/system/random.hpp"
#include "small_profiles.hpp"

namespace gpuseq::profile_hmm::testing {

/// A model with a preferred amino acid at each position, so that sequences made of those score high.
inline Model sharp_model(u32 length, u64 seed) {
  Random random(seed);
  Model model;
  model.name = "sharp";
  model.length = length;
  const auto real = [&] { return 0.001f + static_cast<float>(random.below(1000)) / 1000.0f; };
  model.match.resize(std::size_t{length} + 1);
  model.transitions.resize(std::size_t{length} + 1);
  for (u32 node = 0; node <= length; ++node) {
    auto& match = model.match[node];
    float sum = 0;
    for (float& p : match) sum += p = real() * real();
    match[random.below(kAminoAcids)] += sum * (random.below(3) == 0 ? 5.0f : 0.2f);
    sum = 0;
    for (const float p : match) sum += p;
    for (float& p : match) p /= sum;
    auto& to = model.transitions[node];
    const float leave = random.below(8) == 0 ? 0.3f : 0.02f, stay = 0.1f + 0.8f * real() / 1.1f;
    to = {1 - 2 * leave, leave, leave, 1 - stay, stay, 1 - stay, stay};
  }
  model.transitions[length] = {1.0f, 0.0f, 0.0f, 0.5f, 0.5f, 1.0f, 0.0f};
  return model;
}

/// The likeliest amino acid at every position, with some left out, put in and replaced.
inline std::vector<u8> emitted(const Model& model, Random& random) {
  std::vector<u8> codes;
  for (u32 k = 1; k <= model.length; ++k) {
    if (random.below(30) == 0) k += static_cast<u32>(random.below(4));
    if (random.below(30) == 0)
      for (u64 more = random.below(5); more-- > 0;)
        codes.push_back(static_cast<u8>(random.below(kAminoAcids)));
    if (k > model.length) break;
    const auto& match = model.match[k];
    u8 likeliest = 0;
    for (u8 a = 1; a < kAminoAcids; ++a)
      if (match[a] > match[likeliest]) likeliest = a;
    codes.push_back(random.below(6) == 0 ? static_cast<u8>(random.below(kAminoAcids)) : likeliest);
  }
  return codes;
}

inline std::vector<u8> amino_acids(u64 count, Random& random) {
  std::vector<u8> codes(count);
  for (u8& code : codes) code = static_cast<u8>(random.below(kAminoAcids));
  return codes;
}

/// Sequences of all kinds: empty, of one residue, random, of all codes, and with pieces from the model.
inline std::shared_ptr<Sequences> mixed_sequences(const Model& model, u64 seed) {
  Random random(seed);
  auto sequences = std::make_shared<Sequences>();
  const auto add = [&](const std::vector<u8>& codes) {
    sequences->append(std::to_string(sequences->count()), codes);
  };
  add({});
  for (u8 code = 0; code < kResidueCodes; ++code) add({code});
  for (const u64 length : {2, 3, 5, 17, 40, 41, 43, 64, 100, 331}) {
    add(amino_acids(length, random));
    add(random_codes(length, random));
  }
  for (int copies = 1; copies < 4; ++copies) {
    std::vector<u8> codes = amino_acids(random.below(50), random);
    for (int copy = 0; copy < copies; ++copy) {
      std::vector<u8> piece = emitted(model, random);
      const u64 most = std::min<u64>(piece.size(), 10 + random.below(200));
      codes.insert(codes.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(most));
      for (u64 i = random.below(20); i-- > 0;) codes.push_back(static_cast<u8>(random.below(kResidueCodes)));
    }
    add(codes);
  }
  add({});
  return sequences;
}

inline std::vector<RawScore> oracle_scores_of(const FilterProblem& problem) {
  std::vector<RawScore> scores;
  for (u64 i = 0; i < problem.sequences().count(); ++i)
    scores.push_back(oracle_score(problem.profile(), problem.filter(), problem.sequences().row(i)));
  return scores;
}

}  // namespace gpuseq::profile_hmm::testing
