// `scalar`: the filters row by row, in plain C++ that the compiler may vectorise with the baseline
// instruction set. Positions are in natural order, so that cells depend on the row above only. Deletions are
// an exception; they are followed if HMMER's bound shows that they can matter.

#include <algorithm>

#include "kernels/profile_hmm/cpu/scorers.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// A row of bytes, cell k + 1 from cell k of the row above. Cells begin at `lowest` and do not fall
/// below kFloor. Not inline: after inlining the compiler no longer knows that the rows do not overlap.
/// @returns the largest cell
template <u8 kFloor>
[[gnu::noinline]] u8 next_bytes(const u8* __restrict above, const u8* __restrict costs, u8* __restrict row,
                                u32 length, u8 bias, u8 lowest) {
  u8 best = kFloor;
  for (u32 k = 0; k < length; ++k) {
    const i32 gained = std::min(std::max(i32{above[k]}, kFloor > 0 ? kFloor : i32{lowest}) + bias, 255);
    const u8 cell = static_cast<u8>(std::max(gained - costs[k], i32{kFloor}));
    row[k + 1] = cell;
    best = std::max(best, cell);
  }
  return best;
}

RawScore ssv(const Profile& profile, std::span<const u8> codes, u8* cells) {
  const i32 limit = 255 - profile.bias;
  if (128 >= limit) return kOverflow;
  const std::size_t pitch = std::size_t{profile.length} + 1;
  std::fill_n(cells, 2 * pitch, u8{128});
  u8 *above = cells, *row = cells + pitch, best = 128;
  for (const u8 code : codes) {
    best =
        std::max(best, next_bytes<128>(above, profile.costs(code), row, profile.length, profile.bias, 128));
    if (best >= limit) return kOverflow;
    std::swap(above, row);
  }
  return best;
}

RawScore msv(const Profile& profile, std::span<const u8> codes, u8* cells) {
  const i32 enter = (length_model(static_cast<u32>(codes.size())).jump + profile.begin_match) & 255;
  const std::size_t pitch = std::size_t{profile.length} + 1;
  std::fill_n(cells, 2 * pitch, u8{0});
  u8 *above = cells, *row = cells + pitch;
  i32 j = 0;
  for (const u8 code : codes) {
    const u8 begin = static_cast<u8>(std::max(0, std::max(i32{profile.base}, j) - enter));
    const u8 end = next_bytes<0>(above, profile.costs(code), row, profile.length, profile.bias, begin);
    if (end >= 255 - profile.bias) return kOverflow;
    j = std::max(j, end - profile.end);
    std::swap(above, row);
  }
  return static_cast<RawScore>(j);
}

i32 sum(i32 a, i32 b) {
  return std::clamp(a + b, -32768, 32767);
}

/// A row of Viterbi's states; index k + 1 is position k, index 0 is left of the first position.
struct States {
  i16 *match, *insert, *removed;
};

class ViterbiRows {
 public:
  ViterbiRows(const Profile& profile, i16* cells) : profile_(profile) {
    const std::size_t pitch = std::size_t{profile.length} + 1;
    std::fill_n(cells, 6 * pitch, kWordFloor);
    above_ = {cells, cells + pitch, cells + 2 * pitch};
    row_ = {cells + 3 * pitch, cells + 4 * pitch, cells + 5 * pitch};
  }

  RawScore score(std::span<const u8> codes) {
    const i32 move = length_model(static_cast<u32>(codes.size())).move, n = profile_.word_base;
    i32 begin = n + move, j = kWordFloor, c = kWordFloor;
    for (const u8 code : codes) {
      const i32 end = next_match(profile_.scores(code), begin);
      next_insert();
      if (end >= 32767) return kOverflow;
      c = std::max(c, end + profile_.end_move);
      j = std::max(j, end + profile_.end_loop);
      begin = std::max(j, n) + move;
      if (remove() + profile_.delete_bound > begin) follow_deletions();
      std::swap(above_, row_);
    }
    return static_cast<RawScore>(c);
  }

 private:
  i16 step(Step step, u32 k) const { return profile_.steps[step][k]; }

  /// @returns the largest match state
  i32 next_match(const i16* scores, i32 begin) {
    i32 end = kWordFloor;
    for (u32 k = 0; k < profile_.length; ++k) {
      const i32 entered =
          std::max(std::max(sum(begin, step(kBeginMatch, k)), sum(above_.match[k], step(kMatchMatch, k))),
                   std::max(sum(above_.insert[k], step(kInsertMatch, k)),
                            sum(above_.removed[k], step(kDeleteMatch, k))));
      const i32 cell = sum(entered, scores[k]);
      row_.match[k + 1] = static_cast<i16>(cell);
      end = std::max(end, cell);
    }
    return end;
  }

  void next_insert() {
    for (u32 k = 0; k < profile_.length; ++k)
      row_.insert[k + 1] = static_cast<i16>(std::max(sum(above_.match[k + 1], step(kMatchInsert, k)),
                                                     sum(above_.insert[k + 1], step(kInsertInsert, k))));
  }

  /// M -> D. @returns the largest delete state
  i32 remove() {
    i32 most = kWordFloor;
    for (u32 k = 0; k + 1 < profile_.length; ++k) {
      const i32 removed = sum(row_.match[k + 1], step(kMatchDelete, k));
      row_.removed[k + 2] = static_cast<i16>(removed);
      most = std::max(most, removed);
    }
    return most;
  }

  void follow_deletions() {
    for (u32 k = 1; k < profile_.length; ++k)
      row_.removed[k + 1] = static_cast<i16>(
          std::max(i32{row_.removed[k + 1]}, sum(row_.removed[k], step(kDeleteDelete, k - 1))));
  }

  const Profile& profile_;
  States above_, row_;
};

constexpr double kVectorBytes = 16;

/// Assumes that the compiler uses SSE vectors, the widest allowed, without wider intermediate types.
Instructions instructions_of(Filter filter, double vectors) {
  if (filter == Filter::viterbi)
    return {.operations = {{"add_sat_s16", 8 * vectors},
                           {"max_s16", 6 * vectors},
                           {"load", 3 * vectors},
                           {"store", 3 * vectors}},
            .target = "sse4"};
  return {.operations = {{"add_u8", 2 * vectors},
                         {"max_u8", 2 * vectors},
                         {"load", 2 * vectors},
                         {"store", vectors}},
          .target = "sse4"};
}

double vectors_of(Filter filter, u32 model_length, double residues) {
  const double bytes_of_state = filter == Filter::viterbi ? sizeof(i16) : 1;
  return residues * model_length * bytes_of_state / kVectorBytes;
}

std::size_t scratch_bytes_of(u32 model_length) {
  return (std::size_t{model_length} + 1) * 6 * sizeof(i16);
}

/// Bytes of a profile that the filter reads.
u64 model_bytes_of(Filter filter, u32 model_length) {
  if (filter != Filter::viterbi) return u64{kResidueCodes} * model_length;
  return (u64{kResidueCodes} + kSteps) * model_length * sizeof(i16);
}

class ScalarScorer final : public BatchScorer {
 public:
  explicit ScalarScorer(const FilterProblem& problem)
      : profile_(problem.profile()), filter_(problem.filter()) {}

  u32 interleave() const override { return 1; }
  std::size_t scratch_bytes() const override { return scratch_bytes_of(profile_.length); }
  u64 model_bytes() const override { return model_bytes_of(filter_, profile_.length); }

  void score(const Batch& batch, ThreadState& thread, RawScore* scores) const override {
    const std::span<const u8> codes(batch.codes[0], batch.lengths[0]);
    u8* const cells = reinterpret_cast<u8*>(thread.scratch.data());
    scores[0] = filter_ == Filter::ssv   ? ssv(profile_, codes, cells)
                : filter_ == Filter::msv ? msv(profile_, codes, cells)
                                         : ViterbiRows(profile_, reinterpret_cast<i16*>(cells)).score(codes);
  }
  nlohmann::json facts() const override { return nlohmann::json::object(); }
  std::optional<Instructions> instructions(double residues) const override {
    return instructions_of(filter_, vectors_of(filter_, profile_.length, residues));
  }

 private:
  const Profile& profile_;
  const Filter filter_;
};

}  // namespace

OutlinedScorer outlined_scalar(Filter filter, u32 model_length, double residues) {
  return {.interleave = 1,
          .scratch_bytes = scratch_bytes_of(model_length),
          .model_bytes = model_bytes_of(filter, model_length),
          .instructions = instructions_of(filter, vectors_of(filter, model_length, residues))};
}

std::unique_ptr<BatchScorer> make_scalar_scorer(const FilterProblem& problem) {
  return std::make_unique<ScalarScorer>(problem);
}

}  // namespace gpuseq::profile_hmm
