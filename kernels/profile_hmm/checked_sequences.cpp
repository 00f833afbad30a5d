#include "kernels/profile_hmm/checked_sequences.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "kernels/profile_hmm/oracle.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr std::size_t kFewest = 16;
constexpr u64 kStrata = 64, kStep = 27;  // coprime, so that few draws are spread as well as many

std::vector<u64> by_length(const Sequences& sequences) {
  std::vector<u64> order(sequences.count());
  std::iota(order.begin(), order.end(), u64{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](u64 a, u64 b) { return sequences.length(a) < sequences.length(b); });
  return order;
}

/// Collects sequences up to a number of cells.
class Spread {
 public:
  Spread(const Sequences& sequences, u32 model_length, double most_cells)
      : sequences_(sequences), model_length_(model_length), most_cells_(most_cells) {}
  void add(u64 sequence) {
    if (chosen_.insert(sequence).second)
      cells_ += static_cast<double>(sequences_.length(sequence)) * model_length_;
  }
  bool wants_more() const { return cells_ < most_cells_ || chosen_.size() < kFewest; }
  std::vector<u64> chosen() const { return {chosen_.begin(), chosen_.end()}; }

 private:
  const Sequences& sequences_;
  double model_length_, most_cells_;
  double cells_ = 0;
  std::set<u64> chosen_;
};

}  // namespace

double checked_cells(Filter filter) {
  return filter == Filter::viterbi ? 4e8 : 3e9;
}

std::vector<u64> choose_sequences(const Sequences& sequences, u32 model_length, double most_cells) {
  const u64 count = sequences.count();
  std::vector<u64> order = by_length(sequences);
  const double all_cells = static_cast<double>(sequences.residues()) * model_length;
  if (count <= kFewest || all_cells <= most_cells) {
    std::sort(order.begin(), order.end());
    return order;
  }
  Spread spread(sequences, model_length, most_cells);
  for (const u64 sequence : {u64{0}, count - 1, order.front(), order.back()}) spread.add(sequence);
  Random random(count);
  // Repeated sequences count as draws, so that the loop ends.
  for (u64 draw = 0; draw < 4 * count && spread.wants_more(); ++draw) {
    const u64 stratum = draw * kStep % kStrata;
    const u64 begin = stratum * count / kStrata, end = (stratum + 1) * count / kStrata;
    spread.add(order[std::min<u64>(begin + random.below(end - begin), count - 1)]);
  }
  return spread.chosen();
}

std::vector<RawScore> oracle_scores(const Profile& profile, Filter filter, const Sequences& sequences,
                                    std::span<const u64> chosen, ThreadPool& pool) {
  std::vector<RawScore> scores(chosen.size());
  pool.parallel_for(chosen.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      scores[i] = oracle_score(profile, filter, sequences.row(chosen[i]));
  });
  return scores;
}

std::vector<u64> highest_scoring(const Sequences& sequences, u32 model_length,
                                 std::span<const RawScore> scores, double most_cells) {
  std::vector<u64> order(scores.size());
  std::iota(order.begin(), order.end(), u64{0});
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), kFewest));
  std::partial_sort(order.begin(), middle, order.end(), [&](u64 a, u64 b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : sequences.length(a) < sequences.length(b);
  });
  order.erase(middle, order.end());
  double cells = 0;
  std::erase_if(order, [&](u64 sequence) {
    return (cells += static_cast<double>(sequences.length(sequence)) * model_length) > most_cells;
  });
  return order;
}

}  // namespace gpuseq::profile_hmm
