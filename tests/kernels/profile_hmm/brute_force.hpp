#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "kernels/profile_hmm/scores.hpp"

namespace gpuseq::profile_hmm::testing {

/// The filters' scores by walking through every alignment there is: tiny
/// sizes only, and numbers that saturate only where the filters define it.
class BruteForce {
 public:
  BruteForce(const Profile& profile, std::span<const u8> residues)
      : p_(profile),
        residues_(residues),
        last_(static_cast<int>(profile.length) - 1),
        count_(static_cast<int>(residues.size())) {}

  /// The best of all ungapped diagonals.
  RawScore ssv() {
    i32 best = 128;
    for (int k = 0; k <= last_; ++k)
      for (int i = 0; i < count_; ++i) {
        i32 sum = 128;
        for (int d = 0; k + d <= last_ && i + d < count_; ++d)
          best = std::max(best, sum += gain(k + d, i + d));
      }
    return best >= 255 - p_.bias ? kOverflow : static_cast<RawScore>(best);
  }

  /// The best of all chains of ungapped diagonals, each dearer by its entry and its end.
  RawScore msv() {
    const LengthModel lengths = length_model(static_cast<u32>(residues_.size()));
    enter_ = lengths.jump + p_.begin_match;
    most_ = 0;
    best_ = 0;
    chain(0, p_.base);
    return most_ >= 255 - p_.bias ? kOverflow : static_cast<RawScore>(best_);
  }

  /// The best of all paths through match, insert and delete states, with J between passes.
  RawScore viterbi() {
    move_ = length_model(static_cast<u32>(residues_.size())).move;
    best_ = std::numeric_limits<i32>::min();
    for (int i = 0; i < count_; ++i) enter(i, p_.word_base);
    return static_cast<RawScore>(std::max<i32>(best_, kWordFloor));
  }

 private:
  i32 gain(int k, int i) const { return p_.bias - p_.costs(residues_[static_cast<std::size_t>(i)])[k]; }
  i32 step(Step s, int k) const { return p_.steps[s][static_cast<std::size_t>(k)]; }

  /// N or J has `score`, and residues from `from` on are left.
  void chain(int from, i32 score) {
    for (int i = from; i < count_; ++i)
      for (int k = 0; k <= last_; ++k) {
        i32 sum = score - enter_;
        for (int d = 0; k + d <= last_ && i + d < count_; ++d) {
          sum += gain(k + d, i + d);
          most_ = std::max(most_, sum);
          best_ = std::max(best_, sum - p_.end);
          chain(i + d + 1, sum - p_.end);
        }
      }
  }

  /// N or J has `score`; residue i is the first that is matched.
  void enter(int i, i32 score) {
    for (int k = 0; k <= last_; ++k) match(k, i, score + move_ + step(kBeginMatch, k));
  }

  /// Match state k takes residue i.
  void match(int k, int i, i32 score) {
    score += p_.scores(residues_[static_cast<std::size_t>(i)])[k];
    best_ = std::max(best_, score + p_.end_move);
    for (int next = i + 1; next < count_; ++next) enter(next, score + p_.end_loop);
    if (k == last_) return;
    if (i + 1 < count_) {
      match(k + 1, i + 1, score + step(kMatchMatch, k + 1));
      insert(k, i + 1, score + step(kMatchInsert, k));
    }
    remove(k + 1, i, score + step(kMatchDelete, k));
  }

  void insert(int k, int i, i32 score) {
    if (i + 1 == count_) return;
    match(k + 1, i + 1, score + step(kInsertMatch, k + 1));
    insert(k, i + 1, score + step(kInsertInsert, k));
  }

  void remove(int k, int i, i32 score) {
    if (k == last_ || i + 1 == count_) return;
    match(k + 1, i + 1, score + step(kDeleteMatch, k + 1));
    remove(k + 1, i, score + step(kDeleteDelete, k));
  }

  const Profile& p_;
  std::span<const u8> residues_;
  int last_, count_;
  i32 enter_ = 0, move_ = 0, most_ = 0, best_ = 0;
};

}  // namespace gpuseq::profile_hmm::testing
