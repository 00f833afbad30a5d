#include <algorithm>

#include "kernels/profile_hmm/cpu/ssv_scorer.hpp"
#include "kernels/profile_hmm/cpu/striped.hpp"
#include "kernels/profile_hmm/cpu/stripes.hpp"
#include "runtime/system/topology.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// The registers hold the states of two sequences, with AVX-512 of four. Four gain nothing if only two leave
/// space in the L1 cache for the data that every row reads and writes.
u32 fastest_interleave(const StripedKernels& kernels, const Stripes& stripes) {
  if (kernels.bytes < 64) return 2;
  static const std::size_t cache_bytes = read_topology().level1_bytes();
  const auto fits = [&stripes](u32 sequences) {
    return stripes.row() * sizeof(i16) * (kStripedSteps + sequences * kViterbiStates) <= cache_bytes * 3 / 4;
  };
  return !fits(4) && fits(2) ? 2 : 4;
}

/// Operations per vector of cells. One sum always saturates, the seven with transitions only
/// if plain() is false.
std::map<std::string, double> operations_of_cells(u32 interleave) {
  return {{"add_sat_s16", 1},
          {"add_s16", kStripedSteps},
          {"max_s16", 6},
          {"load", 4 + double{kStripedSteps} / interleave},
          {"store", 2}};
}

u32 interleave_of(const StripedOptions& options, const StripedKernels& kernels, const Stripes& stripes) {
  return options.interleave == 0 ? fastest_interleave(kernels, stripes) : options.interleave;
}

std::size_t scratch_bytes_of(const Stripes& stripes) {
  return stripes.row() * sizeof(i16) * kViterbiStates * kMostInterleaved;
}

std::optional<Instructions> instructions_of(const Dispatched<StripedKernels>& dispatched,
                                            const Stripes& stripes, u32 interleave, double residues) {
  if (dispatched.instruction_set.empty()) return std::nullopt;
  Instructions instructions{.operations = operations_of_cells(interleave),
                            .target = dispatched.instruction_set};
  for (auto& [operation, count] : instructions.operations) count *= residues * stripes.vectors;
  return instructions;
}

class StripedViterbi final : public BatchScorer {
 public:
  StripedViterbi(const FilterProblem& problem, const StripedOptions& options)
      : profile_(problem.profile()),
        dispatched_(striped_kernels_for(profile_.length, sizeof(i16), options.target)),
        stripes_(profile_, dispatched_.kernels.bytes / static_cast<u32>(sizeof(i16))),
        interleave_(interleave_of(options, dispatched_.kernels, stripes_.words().stripes)) {}

  u32 interleave() const override { return interleave_; }
  std::size_t scratch_bytes() const override { return scratch_bytes_of(stripes_.words().stripes); }
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
    return instructions_of(dispatched_, stripes_.words().stripes, interleave_, residues);
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

OutlinedScorer outlined_striped(Filter filter, u32 model_length, double residues,
                                const StripedOptions& options) {
  const u32 lane_bytes = filter == Filter::viterbi ? sizeof(i16) : 1;
  const auto dispatched = striped_kernels_for(model_length, lane_bytes, options.target);
  const Stripes stripes = stripes_of(model_length, dispatched.kernels.bytes / lane_bytes);
  if (filter == Filter::viterbi) {
    const u32 interleave = interleave_of(options, dispatched.kernels, stripes);
    return {.interleave = interleave,
            .scratch_bytes = scratch_bytes_of(stripes),
            .model_bytes = WordStripes::bytes_of(stripes),
            .instructions = instructions_of(dispatched, stripes, interleave, residues)};
  }
  const bool msv = filter == Filter::msv;
  return {.interleave = options.interleave == 0 ? kMostInterleaved : options.interleave,
          .scratch_bytes = msv ? msv_scratch_bytes(stripes) : 0,
          .model_bytes = ByteStripes::bytes_of(stripes),
          .instructions = msv_instructions(dispatched, stripes, residues, msv && options.always_follow_j)};
}

}  // namespace gpuseq::profile_hmm
