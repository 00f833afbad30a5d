// Viterbi in words, states in memory. Compiled once per Highway target.
#if defined(GPUSEQ_PROFILE_HMM_CPU_VITERBI_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_PROFILE_HMM_CPU_VITERBI_INL
#undef GPUSEQ_PROFILE_HMM_CPU_VITERBI_INL
#else
#define GPUSEQ_PROFILE_HMM_CPU_VITERBI_INL
#endif

#include <algorithm>
#include <utility>

#include "kernels/profile_hmm/cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::profile_hmm::HWY_NAMESPACE {

template <u32 kSequences, bool kPlainSteps>
class Viterbi {
  static constexpr std::size_t N = kLanes<Word>;
  template <std::size_t... kSequence>
  using List = std::index_sequence<kSequence...>;
  using All = std::make_index_sequence<kSequences>;
  /// State of a vector of positions: the best path to the next match state, the insert state of the next row,
  /// and the path from B.
  enum State : u32 { kOnward, kInsert, kBegin };

  struct Cells {
    V<Word> onward, removed, most, match, insert;
  };

 public:
  static void run(ViterbiJob& job, Best& best) {
    Viterbi viterbi(job);
    viterbi.start();
    u32 i = 0;
    // The longest sequence is first. When a sequence ends, its result is stored and the others continue.
    for (u32 s = kSequences; s-- > 0;) {
      for (const u32 end = job.batch->lengths[s]; i < end; ++i) viterbi.row(i, All());
      best[s] = largest<Word>(load(viterbi.most_[s]));
    }
  }

 private:
  explicit Viterbi(ViterbiJob& job)
      : job_(job), profile_(job.profile), vectors_(job.profile.stripes.vectors) {}

  Word* state(u32 q, u32 s, State state) {
    return job_.scratch + ((std::size_t{q} * kSequences + s) * kViterbiStates + state) * N;
  }

  void start() {
    const V<Word> floor = set<Word>(job_.floor);
    for (u32 s = 0; s < kSequences; ++s) {
      for (u32 q = 0; q < vectors_; ++q) {
        hn::Store(floor, Lanes<Word>(), state(q, s, kOnward));
        hn::Store(floor, Lanes<Word>(), state(q, s, kInsert));
      }
      hn::Store(set<Word>(kWordFloor), Lanes<Word>(), most_[s]);
      set_begin(s, job_.base + job_.move[s]);
      record_[s] = std::min(job_.base - job_.end_loop, 32766);
    }
  }

  void set_begin(u32 s, i32 begin) {
    begin_[s] = begin;
    const V<Word> from = set<Word>(begin);
    for (u32 q = 0; q < vectors_; ++q)
      hn::Store(hn::SaturatedAdd(from, load(profile_.begin + q * N)), Lanes<Word>(), state(q, s, kBegin));
  }

  template <std::size_t... kSequence>
  HWY_INLINE void row(u32 i, List<kSequence...>) {
    const V<Word> floor = set<Word>(job_.floor);
    const std::size_t row = profile_.stripes.row();
    const Word* scores[] = {profile_.scores + job_.batch->codes[kSequence][i] * row...};
    Cells cells[] = {Cells{next_lane<Word>(load(state(vectors_ - 1, kSequence, kOnward)), floor), floor,
                           load(most_[kSequence]), floor, floor}...};
    const Word* steps = profile_.steps;
    Word* states = job_.scratch;
    for (u32 q = 0, vectors = vectors_; q < vectors; ++q) {
      vector(cells, scores, steps, states, List<kSequence...>());
      steps += kStripedSteps * N;
      states += kSequences * kViterbiStates * N;
      ((scores[kSequence] += N), ...);
    }
    (hn::Store(cells[kSequence].most, Lanes<Word>(), most_[kSequence]), ...);
    (finish_row(static_cast<u32>(kSequence), cells[kSequence], floor), ...);
  }

  HWY_INLINE static V<Word> along(V<Word> state, V<Word> step) {
    if constexpr (kPlainSteps) return hn::Add(state, step);
    return hn::SaturatedAdd(state, step);
  }
  /// A vector of positions. Each step is loaded once for all sequences; after a store it
  /// would be loaded again.
  template <std::size_t... kSequence>
  HWY_INLINE static void vector(Cells* cells, const Word* const* scores, const Word* steps, Word* states,
                                List<kSequence...>) {
    const auto at = [&](std::size_t s, State state) { return states + (s * kViterbiStates + state) * N; };
    const auto step = [&](StripedStep which) { return load_once(steps + which * N); };
    V<Word> onward[] = {(void(kSequence), V<Word>())...};
    const auto enter = [&](std::size_t s) {
      Cells& c = cells[s];
      c.match = hn::SaturatedAdd(hn::Max(c.onward, load(at(s, kBegin))), load(scores[s]));
      c.most = hn::Max(c.most, c.match);
      c.insert = load_once(at(s, kInsert));
      c.onward = load(at(s, kOnward));
    };
    (enter(kSequence), ...);
    const V<Word> to_match = step(kToMatch);
    ((onward[kSequence] = along(cells[kSequence].match, to_match)), ...);
    const V<Word> from_insert = step(kInsertToMatch);
    ((onward[kSequence] = hn::Max(onward[kSequence], along(cells[kSequence].insert, from_insert))), ...);
    const V<Word> from_delete = step(kDeleteToMatch);
    ((onward[kSequence] = hn::Max(onward[kSequence], along(cells[kSequence].removed, from_delete))), ...);
    const V<Word> along_delete = step(kAlongDelete);
    ((cells[kSequence].removed = along(cells[kSequence].removed, along_delete)), ...);
    const V<Word> to_delete = step(kToDelete);
    ((cells[kSequence].removed = hn::Max(cells[kSequence].removed, along(cells[kSequence].match, to_delete))),
     ...);
    const V<Word> along_insert = step(kAlongInsert);
    ((cells[kSequence].insert = along(cells[kSequence].insert, along_insert)), ...);
    const V<Word> to_insert = step(kToInsert);
    ((cells[kSequence].insert = hn::Max(cells[kSequence].insert, along(cells[kSequence].match, to_insert))),
     ...);
    (in_place(cells[kSequence].most), ...);
    (hn::Store(onward[kSequence], Lanes<Word>(), at(kSequence, kOnward)), ...);
    (hn::Store(cells[kSequence].insert, Lanes<Word>(), at(kSequence, kInsert)), ...);
  }

  HWY_INLINE void finish_row(u32 s, const Cells& cells, V<Word> floor) {
    if (HWY_UNLIKELY(any_above<Word>(cells.most, set<Word>(record_[s])))) {
      record_[s] = largest<Word>(cells.most);
      set_begin(s, record_[s] + job_.end_loop + job_.move[s]);
    }
    const V<Word> removed = next_lane<Word>(cells.removed, floor);
    if (HWY_UNLIKELY(matters(s, 0, removed))) correct(s, removed, floor);
  }

  HWY_INLINE bool matters(u32 s, u32 q, V<Word> removed) const {
    return any_above<Word>(hn::SaturatedAdd(removed, load(profile_.gain + q * N)), set<Word>(begin_[s]));
  }

  /// Deletions that continue in the next lane. Source: Farrar 2007 (lazy F).
  HWY_INLINE void correct(u32 s, V<Word> removed, V<Word> floor) {
    ++job_.rows_corrected;
    for (u32 q = 0; matters(s, q, removed);) {
      const Word* steps = profile_.steps + std::size_t{q} * kStripedSteps * N;
      Word* onward = state(q, s, kOnward);
      hn::Store(hn::Max(load(onward), hn::SaturatedAdd(removed, load(steps + kDeleteToMatch * N))),
                Lanes<Word>(), onward);
      removed = hn::SaturatedAdd(removed, load(steps + kAlongDelete * N));
      ++job_.vectors_corrected;
      if (++q < vectors_) continue;
      q = 0;
      removed = next_lane<Word>(removed, floor);
    }
  }

  ViterbiJob& job_;
  const StripedWords profile_;
  const u32 vectors_;
  i32 begin_[kSequences], record_[kSequences];
  HWY_ALIGN Word most_[kSequences][N];
};

template <bool kPlainSteps>
ViterbiKernel viterbi_of(u32 sequences) {
  if (sequences == 1) return &Viterbi<1, kPlainSteps>::run;
  if (sequences == 2) return &Viterbi<2, kPlainSteps>::run;
  if (sequences == 4) return &Viterbi<4, kPlainSteps>::run;
  return nullptr;
}
inline ViterbiKernel viterbi(u32 sequences, bool plain_steps) {
  return plain_steps ? viterbi_of<true>(sequences) : viterbi_of<false>(sequences);
}

}  // namespace gpuseq::profile_hmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
