#pragma once

#include <string>

#include "kernels/profile_hmm/generator.hpp"

namespace gpuseq::profile_hmm::testing {

/// A model that hmmbuild would not make: from node 6 on no position is ever entered, and the way there is M3
/// - D4 - D5 - M6, whose last two steps cost nothing. HMMER's bound of what D - D - M gains over an entry
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

}  // namespace gpuseq::profile_hmm::testing
