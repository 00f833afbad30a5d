#include "kernels/profile_hmm/exec/pipeline.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr std::size_t kSequencesAskedAtOnce = 256;

/// Ascending numbers below `count` for which `holds` is true; several threads call `holds`.
std::vector<u64> numbers_that(u64 count, const std::function<bool(u64)>& holds, ThreadPool& pool) {
  std::vector<u8> found(count);
  pool.parallel_for(count, kSequencesAskedAtOnce, [&](std::size_t begin, std::size_t end) {
    for (u64 i = begin; i < end; ++i) found[i] = holds(i) ? 1 : 0;
  });
  std::vector<u64> numbers;
  for (u64 i = 0; i < count; ++i)
    if (found[i] != 0) numbers.push_back(i);
  return numbers;
}

std::shared_ptr<const Sequences> part_of(const Sequences& sequences, std::span<const u64> numbers) {
  auto part = std::make_shared<Sequences>();
  for (const u64 i : numbers) part->append(sequences.names[i], sequences.row(i));
  return part;
}

template <typename T>
std::vector<T> part_of(const std::vector<T>& values, std::span<const u64> numbers) {
  std::vector<T> part;
  part.reserve(numbers.size());
  for (const u64 i : numbers) part.push_back(values[i]);
  return part;
}

}  // namespace

Scored score_all(const std::shared_ptr<const Sequences>& sequences, const ScoreBy& score) {
  return {.sequences = sequences,
          .raw = {.ssv = score(Filter::ssv, sequences),
                  .msv = score(Filter::msv, sequences),
                  .viterbi = score(Filter::viterbi, sequences)}};
}

Scored score_passing(const Model& model, const Profile& profile,
                     const std::shared_ptr<const Sequences>& sequences, const ScoreBy& score,
                     ThreadPool& pool) {
  // Without sequences nothing is prepared, such as compiling a kernel.
  const auto scores = [&](Filter filter, const std::shared_ptr<const Sequences>& of) {
    return of->count() == 0 ? std::vector<RawScore>() : score(filter, of);
  };
  const std::vector<RawScore> ssv = scores(Filter::ssv, sequences);
  const std::vector<u64> candidates = numbers_that(
      ssv.size(),
      [&](u64 i) {
        const u32 residues = sequences->length(i);
        if (residues == 0) return false;
        const auto decided = ssv_score(profile, residues, ssv[i]);
        return !decided || passes_f1(model, *decided, null_score(residues));
      },
      pool);
  const auto followed = part_of(*sequences, candidates);
  const std::vector<RawScore> followed_ssv = part_of(ssv, candidates);
  const std::vector<RawScore> followed_msv = scores(Filter::msv, followed);
  const auto msv_filter = [&](u64 i) {
    const u32 residues = followed->length(i);
    const auto decided = ssv_score(profile, residues, followed_ssv[i]);
    return decided ? *decided : msv_score(profile, residues, followed_msv[i]);
  };
  const std::vector<u64> passing = numbers_that(
      followed->count(),
      [&](u64 i) { return passes_f1(model, msv_filter(i), null_score(followed->length(i))); }, pool);

  Scored scored{.sequences = part_of(*followed, passing),
                .raw = {.ssv = part_of(followed_ssv, passing),
                        .msv = part_of(followed_msv, passing),
                        .viterbi = std::vector<RawScore>(passing.size(), kNoScore),
                        .bias_nats = std::vector<float>(passing.size()),
                        .viterbi_of_all = false}};
  const std::vector<u64> unbiased = numbers_that(
      passing.size(),
      [&](u64 i) {
        scored.raw.bias_nats[i] = bias_score(model, scored.sequences->row(i));
        return passes_f1(model, msv_filter(passing[i]), scored.raw.bias_nats[i]);
      },
      pool);
  const std::vector<RawScore> viterbi = scores(Filter::viterbi, part_of(*scored.sequences, unbiased));
  for (std::size_t i = 0; i < unbiased.size(); ++i) scored.raw.viterbi[unbiased[i]] = viterbi[i];
  return scored;
}

}  // namespace gpuseq::profile_hmm
