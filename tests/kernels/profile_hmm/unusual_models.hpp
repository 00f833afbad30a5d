#pragma once

#include <fmt/format.h>

#include <string>

#include "kernels/profile_hmm/data/generator.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::profile_hmm::testing {

/// A model that hmmbuild would not make: from node 6 on no position is ever entered, and the way there is M3
/// - D4 - D5 - M6, whose last two steps cost nothing. HMMER's bound of the gain of D - D - M over an entry
/// then wraps. Position k emits letter k of wrapped_consensus().
inline std::string wrapped_consensus() {
  return "MKWCHYFWCHYMWCFHYWCHMWYFCHWMYCHF";
}

inline Model wrapped_model() {
  const std::string consensus = wrapped_consensus();
  Model model = random_model(static_cast<u32>(consensus.size()), 1);
  for (auto& node : model.transitions) node = {1, 0, 0, 0.5F, 0.5F, 0, 1};
  model.transitions[3][kMD] = 1e-18F;
  model.transitions[5] = {0, 0, 1, 0.5F, 0.5F, 1, 0};
  for (u32 node = 1; node <= model.length; ++node) {
    model.match[node].fill(0.01F);
    model.match[node][*residue_code(consensus[node - 1])] = 0.81F;
  }
  return model;
}

/// A sequence whose best path leads through the deletions.
inline std::string wrapped_sequence() {
  return "MKW" + wrapped_consensus().substr(5, 14);
}

/// A model with parts that hmmbuild would not make: states that cannot be entered or left, residues that are
/// impossible, certain, or all unlikely.
inline Model spoilt_model(u64 seed) {
  Random random(seed);
  Model model = random_model(1 + static_cast<u32>(random.below(60)), seed);
  model.name = fmt::format("spoilt{}", seed);
  for (u64 edits = random.below(20); edits > 0; --edits) {
    auto& node = model.transitions[random.below(model.length + 1)];
    const auto certain = static_cast<u32>(random.below(3));
    for (u32 t = kMM; t <= kMD; ++t) node[t] = t == certain ? 1.0F : 0.0F;
    if (random.below(3) == 0) std::swap(node[kIM], node[kII]);
    node[kDM] = static_cast<float>(random.below(2));
    node[kDD] = 1 - node[kDM];
  }
  for (u64 edits = random.below(20); edits > 0; --edits) {
    auto& emissions = model.match[1 + random.below(model.length)];
    const float others = random.below(2) == 0 ? 0.0F : 1e-4F;
    for (float& emission : emissions) emission = random.below(8) == 0 ? 0.3F : others;
    if (random.below(3) == 0) emissions[random.below(kAminoAcids)] = 1;
  }
  return model;
}

}  // namespace gpuseq::profile_hmm::testing
