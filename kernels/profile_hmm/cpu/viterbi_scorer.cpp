#include <algorithm>

#include "kernels/profile_hmm/cpu/ssv_scorer.hpp"
#include "kernels/profile_hmm/cpu/striped.hpp"
#include "kernels/profile_hmm/cpu/stripes.hpp"
#include "runtime/system/topology.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// The registers hold the states of two sequences, with AVX-512 of four. Four are no gain where only two
/// leave what every row reads and writes in the first-level cache.
u32 fastest_interleave(const StripedKernels& kernels, const Stripes& stripes) {
  if (kernels.bytes < 64) return 2;
  const auto fits = [&](u32 sequences) {
    return stripes.row() * sizeof(i16) * (kStripedSteps + sequences * kViterbiStates) <=
           read_topology().level1_bytes() * 3 / 4;
  };
  return !fits(4) && fits(2) ? 2 : 4;
}

/// Of a vector of cells. One sum saturates whatever the sequence, the seven with transitions only where
/// plain() says so.
std::map<std::string, double> operations_of_cells(u32 interleave) {
  return {{"add_sat_s16", 1},
          {"add_s16", kStripedSteps},
          {"max_s16", 6},
          {"load", 4 + double{kStripedSteps} / interleave},
          {"store", 2}};
}

class StripedViterbi final : public BatchScorer {
 public:
  StripedViterbi(const FilterProblem& problem, const StripedOptions& options)
      : profile_(problem.profile()),
        dispatched_(striped_kernels_for(profile_.length, sizeof(i16), options.target)),
        stripes_(profile_, dispatched_.kernels.bytes / static_cast<u32>(sizeof(i16))),
        interleave_(options.interleave == 0
                        ? fastest_interleave(dispatched_.kernels, stripes_.words().stripes)
                        : options.interleave) {}

  u32 interleave() const override { return interleave_; }
  std::size_t scratch_bytes() const override {
    return stripes_.words().stripes.row() * sizeof(i16) * kViterbiStates * kMostInterleaved;
  }
  u64 model_bytes() const override { return stripes_.bytes(); }

  void score(const Batch& batch, ThreadState& thread, RawScore* scores) const override {
    ViterbiJob job{.profile = stripes_.words(),
                   .base = profile_.word_base,
                   .end_loop = profile_.end_loop,
                   .batch = &batch,
                   .scratch = reinterpret_cast<i16*>(thread.scratch.data())};
    bool plain = true;
    for (u32 s = 0; s < batch.count; ++s) {
      job.move[s] = batch.models[s].move;
      plain = plain && stripes_.plain(profile_.word_base + job.move[s], batch.used[s]);
    }
    if (plain) job.floor = stripes_.plain_floor();
    Best best{};
    dispatched_.kernels.viterbi(batch.count, plain)(job, best);
    if (!plain) thread.saturating += batch.count;
    for (u32 s = 0; s < batch.count; ++s)
      scores[s] = best[s] >= 32767
                      ? kOverflow
                      : static_cast<RawScore>(std::max(i32{kWordFloor}, best[s] + profile_.end_move));
    thread.rows_corrected += job.rows_corrected;
    thread.vectors_corrected += job.vectors_corrected;
  }

  nlohmann::json facts() const override {
    return {{"highway_target", dispatched_.target},
            {"vectors", stripes_.words().stripes.vectors},
            {"lanes", stripes_.words().stripes.lanes},
            {"interleave", interleave_}};
  }

  std::optional<Instructions> instructions(double residues) const override {
    if (dispatched_.instruction_set.empty()) return std::nullopt;
    Instructions instructions{.operations = operations_of_cells(interleave_),
                              .target = dispatched_.instruction_set};
    for (auto& [operation, count] : instructions.operations)
      count *= residues * stripes_.words().stripes.vectors;
    return instructions;
  }

 private:
  const Profile& profile_;
  Dispatched<StripedKernels> dispatched_;
  WordStripes stripes_;
  u32 interleave_;
};

}  // namespace

std::unique_ptr<BatchScorer> make_striped_viterbi(const FilterProblem& problem,
                                                  const StripedOptions& options) {
  return std::make_unique<StripedViterbi>(problem, options);
}

Needs striped_needs(Filter filter, u32 model_length, const StripedOptions& options) {
  const bool viterbi = filter == Filter::viterbi;
  const std::string target =
      striped_kernels_for(model_length, viterbi ? sizeof(i16) : 1, options.target).instruction_set;
  if (target.empty()) return {.reason_for_none = "this processor's vectors have no probe"};
  return {.operations = names_of(viterbi ? operations_of_cells(1) : DiagonalSweeps::operations()),
          .target = target};
}

}  // namespace gpuseq::profile_hmm
