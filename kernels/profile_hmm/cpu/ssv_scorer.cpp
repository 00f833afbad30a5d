#include "kernels/profile_hmm/cpu/ssv_scorer.hpp"

#include <algorithm>

namespace gpuseq::profile_hmm {
namespace {

class StripedSsv final : public BatchScorer {
 public:
  StripedSsv(const FilterProblem& problem, const StripedOptions& options)
      : sweeps_(problem.profile(), options), bias_(problem.profile().bias) {}

  u32 interleave() const override { return sweeps_.interleave(); }
  bool reads_used() const override { return false; }
  std::size_t scratch_bytes() const override { return 0; }
  u64 model_bytes() const override { return sweeps_.stripes().bytes(); }
  void score(const Batch& batch, ThreadState&, RawScore* scores) const override {
    const Best best = sweeps_.run(batch);
    for (u32 s = 0; s < batch.count; ++s) {
      const i32 cell = best[s] + 256;
      scores[s] = cell >= 255 - bias_ ? kOverflow : static_cast<RawScore>(cell);
    }
  }
  nlohmann::json facts() const override { return sweeps_.facts(); }
  std::optional<Instructions> instructions(double residues) const override {
    return sweeps_.instructions(residues);
  }

 private:
  DiagonalSweeps sweeps_;
  i32 bias_;
};

}  // namespace

DiagonalSweeps::DiagonalSweeps(const Profile& profile, const StripedOptions& options)
    : dispatched_(striped_kernels_for(profile.length, 1, options.target)),
      stripes_(profile, dispatched_.kernels.bytes) {
  const StripedKernels& kernels = dispatched_.kernels;
  const u32 vectors = stripes_.costs().stripes.vectors;
  const u32 width =
      options.vectors == 0 ? kernels.usual_vectors : std::min(options.vectors, kernels.most_vectors);
  sweeps_ = (vectors + width - 1) / width;
  // As many sequences as registers hold.
  u32 interleave = options.interleave == 0 ? kMostInterleaved : options.interleave;
  const u32 widest = (vectors + sweeps_ - 1) / sweeps_;
  while (interleave > 1 && kernels.diagonals(widest, interleave) == nullptr) interleave /= 2;
  interleave_ = interleave;
}

Best DiagonalSweeps::run(const Batch& batch) const {
  Best best;
  best.fill(-128);
  const u32 vectors = stripes_.costs().stripes.vectors;
  for (u32 sweep = 0, first = 0; sweep < sweeps_; ++sweep) {
    const u32 end = static_cast<u32>(u64{vectors} * (sweep + 1) / sweeps_);
    dispatched_.kernels.diagonals(end - first, batch.count)(stripes_.costs(), first, batch, best);
    first = end;
  }
  return best;
}

nlohmann::json DiagonalSweeps::facts() const {
  return {{"highway_target", dispatched_.target},
          {"vectors", stripes_.costs().stripes.vectors},
          {"lanes", stripes_.costs().stripes.lanes},
          {"sweeps", sweeps_},
          {"interleave", interleave_}};
}

/// Signed and unsigned saturating sums and differences use the same execution units.
std::optional<Instructions> diagonal_instructions(const Dispatched<StripedKernels>& dispatched,
                                                  const Stripes& stripes, double residues) {
  if (dispatched.instruction_set.empty()) return std::nullopt;
  const double vectors = residues * stripes.vectors;
  return Instructions{.operations = {{"add_u8", vectors}, {"max_u8", vectors}, {"load", vectors}},
                      .target = dispatched.instruction_set};
}

std::unique_ptr<BatchScorer> make_striped_ssv(const FilterProblem& problem, const StripedOptions& options) {
  return std::make_unique<StripedSsv>(problem, options);
}

}  // namespace gpuseq::profile_hmm
