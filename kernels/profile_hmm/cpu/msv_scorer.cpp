#include <algorithm>

#include "kernels/profile_hmm/cpu/ssv_scorer.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// Up to this bias no sum overflows a byte in the kernels that follow J with three operations per cell.
constexpr i32 kMostBias = 62;

/// MSV as SSV if J cannot be used, otherwise row by row.
class StripedMsv final : public BatchScorer {
 public:
  StripedMsv(const FilterProblem& problem, const StripedOptions& options)
      : profile_(problem.profile()), always_(options.always_follow_j), sweeps_(profile_, options) {
    // As many sequences as registers hold; without limit if cells are in memory.
    interleave_ = options.interleave == 0 ? kMostInterleaved : options.interleave;
    const auto in_registers = [&](u32 sequences) {
      return kernels().msv(costs().stripes.vectors, sequences) != nullptr;
    };
    if (options.interleave == 0 && in_registers(1))
      while (!in_registers(interleave_)) interleave_ /= 2;
  }

  u32 interleave() const override { return always_ ? interleave_ : sweeps_.interleave(); }
  std::size_t scratch_bytes() const override { return msv_scratch_bytes(costs().stripes); }
  u64 model_bytes() const override { return sweeps_.stripes().bytes(); }

  void score(const Batch& batch, ThreadState& thread, RawScore* scores) const override {
    thread.redone += counted_score(batch, thread, scores);
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = sweeps_.facts();
    if (!always_) return facts;
    facts["interleave"] = interleave_;
    facts["sweeps"] = 1;
    return facts;
  }

  std::optional<Instructions> instructions(double residues) const override {
    return msv_instructions(sweeps_.dispatched(), costs().stripes, residues, always_);
  }

 private:
  /// @returns the number of sequences that needed more than one kernel, or HMMER's own numbers
  u32 counted_score(const Batch& batch, ThreadState& thread, RawScore* scores) const {
    if (profile_.bias > kMostBias) return with_all_costs(batch, thread, scores);
    if (always_) return follow_j(batch, thread, scores);
    const Best best = sweeps_.run(batch);
    u32 redone = 0;
    for (u32 s = 0; s < batch.count; ++s) {
      const i32 cell = best[s] + levels(batch.models[s]).floor + 128;
      if (exact(best[s], batch.used[s]) && (cell <= profile_.base + profile_.end || overflows(cell)))
        scores[s] = score_of(cell);
      else
        follow_j(part(batch, s), thread, scores + s), ++redone;
    }
    return redone;
  }

  StripedCosts costs() const { return sweeps_.stripes().costs(); }
  const StripedKernels& kernels() const { return sweeps_.dispatched().kernels; }
  bool overflows(i32 cell) const { return cell >= 255 - profile_.bias; }
  RawScore score_of(i32 cell) const {
    return overflows(cell) ? kOverflow : static_cast<RawScore>(std::max(0, cell - profile_.end));
  }
  MsvLevels levels(LengthModel model) const {
    const i32 enter = (model.jump + profile_.begin_match) & 255;  // HMMER adds in 8 bits
    return {.floor = std::max(0, profile_.base - enter), .enter = enter};
  }
  static Batch part(const Batch& batch, u32 s) {
    return {.count = 1,
            .codes = {batch.codes[s]},
            .lengths = {batch.lengths[s]},
            .used = {batch.used[s]},
            .models = {batch.models[s]}};
  }

  MsvJob job(const Batch& batch, ThreadState& thread) const {
    MsvJob job{.profile = costs(),
               .all_costs = sweeps_.stripes().all_costs(),
               .base = profile_.base,
               .bias = profile_.bias,
               .end = profile_.end,
               .batch = &batch,
               .scratch = reinterpret_cast<std::int8_t*>(thread.scratch.data())};
    for (u32 s = 0; s < batch.count; ++s) job.levels[s] = levels(batch.models[s]);
    return job;
  }

  /// Whether a cell is exact even if costs were cut off.
  bool exact(i32 cell, u32 used) const {
    return cell > -128 && (cell < 0 || !sweeps_.stripes().cut_off(used));
  }

  /// @returns all sequences of the batch
  u32 with_all_costs(const Batch& batch, ThreadState& thread, RawScore* scores) const {
    for (u32 s = 0; s < batch.count; ++s) {
      const Batch one = part(batch, s);
      Best best{};
      kernels().msv_all_costs(job(one, thread), best);
      scores[s] = score_of(best[0]);
    }
    return batch.count;
  }

  /// @returns the number of sequences that needed all costs
  u32 follow_j(const Batch& batch, ThreadState& thread, RawScore* scores) const {
    MsvKernel kernel = kernels().msv(costs().stripes.vectors, batch.count);
    if (kernel == nullptr) kernel = kernels().msv(0, batch.count);
    Best best{};
    const MsvJob work = job(batch, thread);
    kernel(work, best);
    u32 redone = 0;
    for (u32 s = 0; s < batch.count; ++s)
      if (exact(best[s], batch.used[s]))
        scores[s] = score_of(best[s] + work.levels[s].floor + 128);
      else
        redone += with_all_costs(part(batch, s), thread, scores + s);
    return redone;
  }

  const Profile& profile_;
  const bool always_;
  DiagonalSweeps sweeps_;
  u32 interleave_ = 1;
};

}  // namespace

std::optional<Instructions> msv_instructions(const Dispatched<StripedKernels>& dispatched,
                                             const Stripes& stripes, double residues, bool always_follow_j) {
  std::optional<Instructions> instructions = diagonal_instructions(dispatched, stripes, residues);
  if (always_follow_j && instructions) instructions->operations.at("max_u8") *= 2;
  return instructions;
}

std::size_t msv_scratch_bytes(const Stripes& stripes) {
  return stripes.row() * kMostInterleaved;
}

std::unique_ptr<BatchScorer> make_striped_msv(const FilterProblem& problem, const StripedOptions& options) {
  return std::make_unique<StripedMsv>(problem, options);
}

}  // namespace gpuseq::profile_hmm
