#pragma once

#include "kernels/profile_hmm/filter_bytes.cuh"

// P7Viterbi: local alignments with insertions and deletions, in the striped order of Farrar 2007. A row is
// computed without D -> D first; whether that can matter is then tested for the whole row (HMMER: lazy F).

namespace gpuseq::profile_hmm {

/// Scores of transitions, as a lane reads them: 8 words for each of its words.
template <class Tuned, Memory memory = Tuned::value.steps>
class Steps {
 public:
  GPUSEQ_HD Steps(const u32* table, u32 words, u32 lane) : table_(table), words_(words), lane_(lane) {}
  struct OfWord {
    Piece in, out;
    GPUSEQ_HD u32 get(u32 step) const { return step < 4 ? in.word[step] : out.word[step - 4]; }
  };
  GPUSEQ_HD OfWord of(u32 q) const {
    constexpr Policy policy = Tuned::value;
    return {table_piece<memory>(table_ + policy.step_place(q, kBeginMatch, lane_)),
            table_piece<memory>(table_ + policy.step_place(q, kMatchDelete, lane_))};
  }
  GPUSEQ_HD u32 deletion(u32 q) const {
    constexpr Policy policy = Tuned::value;
    return table_word<memory>(table_ + policy.delete_place(words_, q, lane_));
  }

 private:
  const u32* table_;
  u32 words_;
  u32 lane_;
};
template <class Tuned>
class Steps<Tuned, Memory::registers> {
 public:
  GPUSEQ_HD Steps(const u32* table, u32, u32 lane) {
    const Steps<Tuned, Memory::read_only> all(table, Tuned::value.words, lane);
#pragma unroll
    for (u32 q = 0; q < Tuned::value.words; ++q) held_[q] = all.of(q);
  }
  using OfWord = typename Steps<Tuned, Memory::read_only>::OfWord;
  GPUSEQ_HD const OfWord& of(u32 q) const {
    return held_[q];
  }
  GPUSEQ_HD u32 deletion(u32 q) const {
    return held_[q].get(kDeleteDelete);
  }

 private:
  OfWord held_[Tuned::value.words];
};

template <class Tuned>
class Recurrence<Tuned, Kind::with_gaps> {
  static constexpr Policy policy = Tuned::value;
  using L = Lanes<Tuned>;

 public:
  /// @param row  in shared memory: this lane's words of the three rows, one after the other
  GPUSEQ_HD Recurrence(const FilterArguments& arguments, const ThreadPlace& place, u32* row, const u32* steps)
      : arguments_(arguments),
        words_(arguments),
        match_(row),
        insert_(row + words_() * kWarp),
        deletion_(row + 2 * words_() * kWarp),
        steps_(steps, words_(), place.thread % policy.lanes),
        carry_(place.thread % kWarp),
        floor_(L::splat(arguments.floor)) {}

  GPUSEQ_HD void begin(const SequenceEntry& entry) {
#pragma unroll(kUnrolled <Tuned>)
    for (u32 q = 0; q < words_(); ++q) {
      match_.set(q, floor_);
      insert_.set(q, floor_);
      deletion_.set(q, floor_);
    }
    move_ = entry.move;
    joined_ = ended_ = top_ = -32768;
    top_word_ = L::splat(top_);
    set_begin(arguments_.word_base + move_);
    exact_only_ = (entry.jump & kExact) != 0;
  }

  template <class OfResidue>
  GPUSEQ_HD void row(const OfResidue& scores) {
    const u32 last = words_() - 1;
    const u32 match_from = carry_(match_.get(last), floor_);
    const u32 insert_from = carry_(insert_.get(last), floor_);
    const u32 deletion_from = carry_(deletion_.get(last), floor_);
    u32 best = floor_, best_deletion = floor_, leaving = floor_;
    u32 match = match_.get(last), insert = insert_.get(last);
    // From the last word to the first, so that each cell takes the place of the one before it in its column.
#pragma unroll(kUnrolled <Tuned>)
    for (u32 n = 0; n < words_(); ++n) {
      const u32 q = last - n;
      const auto step = steps_.of(q);
      insert_.set(q, L::sum_greatest(match, step.get(kMatchInsert), L::sum(insert, step.get(kInsertInsert))));
      match = q == 0 ? match_from : match_.get(q - 1);
      insert = q == 0 ? insert_from : insert_.get(q - 1);
      const u32 deletion = q == 0 ? deletion_from : deletion_.get(q - 1);
      u32 now = L::sum(begin_, step.get(kBeginMatch));
      now = L::sum_greatest(match, step.get(kMatchMatch), now);
      now = L::sum_greatest(insert, step.get(kInsertMatch), now);
      now = L::sum_greatest(deletion, step.get(kDeleteMatch), now);
      now = L::sum(now, scores.get(q));
      match_.set(q, now);
      best = L::greatest(best, now);
      const u32 deleted = L::sum(now, step.get(kMatchDelete));
      best_deletion = L::greatest(best_deletion, deleted);
      if (n == 0)
        leaving = deleted;
      else
        deletion_.set(q + 1, deleted);
    }
    deletion_.set(0, carry_(leaving, floor_));
    // J, C and B only change with a match state above all before: the maximum is asked for no more often.
    if (any_lane(L::greatest(top_word_, best) != top_word_)) join(best);
    if (any_lane(L::greatest(deletions_matter_, best_deletion) != deletions_matter_)) extend_deletions();
  }

  /// @param again  set where the sums may have left 16 bits
  GPUSEQ_HD i32 finish(bool& again) {
    if constexpr (policy.arithmetic == Arithmetic::s16x2) again = exact_only_ || top_ > arguments_.safe_top;
    return top_ >= 32767 ? kOverflow : ended_;
  }

 private:
  /// E -> J, E -> C and J -> B, from a row's match states.
  GPUSEQ_HD void join(u32 best) {
    const i32 now = greatest_integer_of_group<L, policy.lanes>(best);
    top_ = now > top_ ? now : top_;
    top_word_ = L::splat(top_);
    joined_ = now + arguments_.end_loop > joined_ ? now + arguments_.end_loop : joined_;
    ended_ = now + arguments_.end_move > ended_ ? now + arguments_.end_move : ended_;
    set_begin((joined_ > arguments_.word_base ? joined_ : arguments_.word_base) + move_);
  }
  /// D -> D is worth nothing to the next row as long as no deletion exceeds what its bound leaves below B.
  GPUSEQ_HD void set_begin(i32 begin) {
    begin_ = L::splat(begin);
    const i32 most = begin - arguments_.delete_bound;
    deletions_matter_ = L::splat(most > 32767 ? 32767 : most);
  }

  /// D -> D along the lanes' words, and again as long as what leaves a lane is more than what the next has.
  GPUSEQ_HD void extend_deletions() {
    u32 next = deletion_.get(0);
    bool more = true;
    while (more) {
#pragma unroll(kUnrolled <Tuned>)
      for (u32 q = 0; q < words_(); ++q) {
        const u32 now = L::greatest(deletion_.get(q), next);
        deletion_.set(q, now);
        next = L::sum(now, steps_.deletion(q));
      }
      next = carry_(next, floor_);
      const u32 first = deletion_.get(0);
      more = any_lane(L::greatest(first, next) != first);
    }
  }

  const FilterArguments& arguments_;
  WordCount<Tuned> words_;
  Row<Tuned> match_, insert_, deletion_;
  Steps<Tuned> steps_;
  Carry<L, policy.lanes> carry_;
  u32 floor_;
  i32 move_ = 0;
  i32 joined_ = 0, ended_ = 0, top_ = 0;
  u32 begin_ = 0, top_word_ = 0, deletions_matter_ = 0;
  bool exact_only_ = false;
};

}  // namespace gpuseq::profile_hmm
