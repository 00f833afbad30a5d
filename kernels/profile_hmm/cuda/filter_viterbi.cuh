#pragma once

#include "kernels/profile_hmm/cuda/filter_bytes.cuh"

// P7Viterbi: local alignments with insertions and deletions, in the striped order of Farrar 2007. D -> D is
// computed within a lane's words with the rest of a row, and across lanes only if it can matter; or, as in
// lazy F, completely after the row if it can matter (Deletions).

namespace gpuseq::profile_hmm {

/// Scores of transitions for a lane: 8 words for each of its words.
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
    if constexpr (policy.loads == Loads::words) {
      OfWord step;
#pragma unroll
      for (u32 i = 0; i < 4; ++i) {
        step.in.word[i] = table_word<memory>(table_ + policy.step_place(q, kBeginMatch + i, lane_));
        step.out.word[i] = table_word<memory>(table_ + policy.step_place(q, kMatchDelete + i, lane_));
      }
      return step;
    } else {
      return {table_piece<memory>(table_ + policy.step_place(q, kBeginMatch, lane_)),
              table_piece<memory>(table_ + policy.step_place(q, kMatchDelete, lane_))};
    }
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
    // Cells of the previous row, on the diagonal.
    u32 match_before = carry_(match_.get(last), floor_);
    u32 insert_before = carry_(insert_.get(last), floor_);
    u32 deletion_before = carry_(deletion_.get(last), floor_);
    u32 best = floor_, held = floor_, most_opened = floor_;
    u32 deleted = floor_;  // a word's deletion from the previous word of this row
#pragma unroll(kUnrolled <Tuned>)
    for (u32 q = 0; q < words_(); ++q) {
      const auto step = steps_.of(q);
      const u32 match = match_.get(q), insert = insert_.get(q), deletion = deletion_.get(q);
      u32 now = L::sum(begin_, step.get(kBeginMatch));
      now = L::sum_greatest(match_before, step.get(kMatchMatch), now);
      now = L::sum_greatest(insert_before, step.get(kInsertMatch), now);
      now = L::sum_greatest(deletion_before, step.get(kDeleteMatch), now);
      now = L::sum(now, scores.get(q));
      insert_.set(q, L::sum_greatest(match, step.get(kMatchInsert), L::sum(insert, step.get(kInsertInsert))));
      match_.set(q, now);
      deletion_.set(q, deleted);
      const u32 opened = L::sum(now, step.get(kMatchDelete));
      if constexpr (policy.deletions == Deletions::lazy_f) {
        deleted = opened;
        most_opened = L::greatest(most_opened, opened);
      } else {
        deleted = q == 0 ? opened : L::sum_greatest(deleted, step.get(kDeleteDelete), opened);
      }
      match_before = match;
      insert_before = insert;
      deletion_before = deletion;
      if constexpr (policy.row == Memory::registers && L::count == 2) {
        // Two cells with one instruction.
        if (q % 2 == 1)
          best = L::greatest(best, held, now);
        else if (q == last)
          best = L::greatest(best, now);
        held = now;
      } else {
        best = L::greatest(best, now);
      }
    }
    const u32 from = carry_(deleted, floor_);
    deletion_.set(0, from);
    // J, C and B change only with a match state above all earlier ones: other rows need no maximum.
    const bool joins = kReducesRows<Tuned> || L::greatest(top_word_, best) != top_word_;
    if constexpr (policy.deletions == Deletions::lazy_f) {
      if (kReducesRows<Tuned> || any_lane(joins)) join(best);
      follow_deletions(most_opened);
    } else {
      const bool extends = L::greatest(deletions_matter_, from) != deletions_matter_;
      if (kReducesRows<Tuned> || any_lane(joins || extends)) {
        if (kReducesRows<Tuned> || any_lane(joins)) join(best);
        extend_deletions();
      }
    }
  }

  /// Whether further residues cannot change the result.
  GPUSEQ_HD bool decided() const {
    return policy.arithmetic == Arithmetic::s16x2 ? left_to_exact() : top_ >= 32767;
  }
  /// @param again  set if the sums may have left 16 bits
  GPUSEQ_HD i32 finish(bool& again) {
    if constexpr (policy.arithmetic == Arithmetic::s16x2) again = left_to_exact();
    return top_ >= 32767 ? kOverflow : ended_;
  }

 private:
  GPUSEQ_HD bool left_to_exact() const {
    return exact_only_ || top_ > arguments_.safe_top;
  }
  /// E -> J, E -> C and J -> B, from a row's match states.
  GPUSEQ_HD void join(u32 best) {
    const i32 now = greatest_integer_of_group<L, policy.lanes, kReducesRows<Tuned>>(best);
    top_ = now > top_ ? now : top_;
    top_word_ = L::splat(top_);
    joined_ = now + arguments_.end_loop > joined_ ? now + arguments_.end_loop : joined_;
    ended_ = now + arguments_.end_move > ended_ ? now + arguments_.end_move : ended_;
    set_begin((joined_ > arguments_.word_base ? joined_ : arguments_.word_base) + move_);
  }
  /// D -> D does not matter to the next row if no deletion exceeds B minus the bound of its gain.
  GPUSEQ_HD void set_begin(i32 begin) {
    begin_ = L::splat(begin);
    const i32 most = begin - arguments_.delete_bound;
    deletions_matter_ = L::splat(most > 32767 ? 32767 : most);
  }

  /// D -> D from the deletions of the previous lanes, repeated while a deletion increases.
  GPUSEQ_HD void extend_deletions() {
    u32 from = deletion_.get(0);
    while (any_lane(L::greatest(deletions_matter_, from) != deletions_matter_)) {
      u32 deleted = deletion_.get(0);
#pragma unroll(kUnrolled <Tuned>)
      for (u32 q = 1; q < words_(); ++q) {
        deleted = L::sum_greatest(deleted, steps_.deletion(q - 1), deletion_.get(q));
        deletion_.set(q, deleted);
      }
      from = carry_(L::sum(deleted, steps_.deletion(words_() - 1)), floor_);
      const u32 first = deletion_.get(0), now = L::greatest(first, from);
      if (!any_lane(now != first)) return;
      deletion_.set(0, now);
    }
  }

  /// Computes D -> D completely if a row has a deletion that can matter: once along every lane's words, and
  /// then from the previous lanes while a deletion increases.
  /// @param most_opened  of the row's M -> D, state by state
  GPUSEQ_HD void follow_deletions(u32 most_opened) {
    if constexpr (kReducesRows<Tuned>) most_opened = greatest_of_group<L, policy.lanes, true>(most_opened);
    if (!any_lane(L::greatest(deletions_matter_, most_opened) != deletions_matter_)) return;
    u32 deleted = deletion_.get(0);
#pragma unroll(kUnrolled <Tuned>)
    for (u32 q = 0; q < words_(); ++q) {
      deleted = L::greatest(deleted, deletion_.get(q));
      deletion_.set(q, deleted);
      deleted = L::sum(deleted, steps_.deletion(q));
    }
#pragma unroll 1
    for (;;) {
      deleted = carry_(deleted, floor_);
#pragma unroll(kUnrolled <Tuned>)
      for (u32 q = 0; q < words_(); ++q) {
        const u32 before = deletion_.get(q), now = L::greatest(deleted, before);
        if (!any_lane(now != before)) return;
        deletion_.set(q, now);
        deleted = L::sum(now, steps_.deletion(q));
      }
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
