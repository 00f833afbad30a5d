#include "kernels/profile_hmm/checked_passes.hpp"

#include <limits>
#include <mutex>

#include "kernels/profile_hmm/oracle.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr std::size_t kSequencesOfAPiece = 16;

constexpr FilterScore kBest{.nats = std::numeric_limits<float>::infinity(), .overflow = true};

Passage oracle_passage(const Model& model, const Profile& profile, std::span<const u8> residues) {
  if (residues.empty()) return {};
  const auto length = static_cast<u32>(residues.size());
  const FilterScore msv = oracle_msv_filter(profile, residues);
  const Passage at_best = passage(model, residues, msv, kBest);
  if (!at_best.bias) return at_best;
  const RawScore viterbi = oracle_score(profile, Filter::viterbi, residues);
  return passage(model, residues, msv, viterbi_score(profile, length, viterbi));
}

}  // namespace

PassCounts oracle_passes(const Model& model, const Profile& profile, const Sequences& sequences,
                         ThreadPool& pool) {
  PassCounts counts;
  std::mutex mutex;
  pool.parallel_for(sequences.count(), kSequencesOfAPiece, [&](std::size_t begin, std::size_t end) {
    PassCounts passed;
    for (std::size_t i = begin; i < end; ++i) passed.add(oracle_passage(model, profile, sequences.row(i)));
    const std::lock_guard lock(mutex);
    counts += passed;
  });
  return counts;
}

std::vector<u8> oracle_msv_passes(const Model& model, const Profile& profile, const Sequences& sequences,
                                  ThreadPool& pool) {
  std::vector<u8> passes(sequences.count());
  pool.parallel_for(sequences.count(), kSequencesOfAPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::span<const u8> residues = sequences.row(i);
      if (residues.empty()) continue;
      passes[i] = passage(model, residues, oracle_msv_filter(profile, residues), kBest).msv ? 1 : 0;
    }
  });
  return passes;
}

}  // namespace gpuseq::profile_hmm
