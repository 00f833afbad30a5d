#include "kernels/profile_hmm/cuda/tables.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/profile_hmm/cuda/filter_lanes.cuh"

namespace gpuseq::profile_hmm {
namespace {

/// Whether a code stands for one or several amino acids; other codes are impossible in every match state.
bool is_residue(u32 code) {
  return code < kAminoAcids || (code > kGap && code < kResidueCodes - 2);
}

/// Calls `fill(word, lane, which, state)` for the states of the lanes' words: state k is in word k mod Q; the
/// stripes of Q states go through the lanes first, then through the states of a word.
template <class Fill>
void for_states(const Policy& policy, u32 words, Fill fill) {
  for (u32 which = 0; which < policy.states(); ++which)
    for (u32 lane = 0; lane < policy.lanes; ++lane)
      for (u32 word = 0; word < words; ++word)
        fill(word, lane, which, (which * policy.lanes + lane) * words + word);
}

/// The number for a residue in a match state; beyond the model, a number with which no cell gains.
template <class L>
struct CostsOf {
  const Policy& policy;
  const Profile& profile;
  const WordRange& range;

  i32 ssv_cost(u32 code, u32 state) const {
    const i32 biased = code == kPad || state >= profile.length ? 255 : profile.costs(code)[state];
    return std::min(biased - profile.bias, 127);
  }
  i32 operator()(u32 code, u32 state) const {
    const bool beyond = code == kPad || state >= profile.length;
    if (policy.filter == Filter::viterbi) return beyond ? kWordFloor : profile.scores(code)[state];
    if constexpr (requires { L::ssv_start; }) {
      if (policy.filter == Filter::ssv) return L::ssv_gain(ssv_cost(code, state));
      return L::msv_gain(beyond ? 255 : profile.costs(code)[state], profile.bias);
    }
    return 0;  // 32-bit states are for Viterbi only
  }
};

template <class L>
std::vector<u32> cost_table(const Policy& policy, const Profile& profile, u32 words, const WordRange& range) {
  const bool wraps = policy.filter == Filter::viterbi && policy.arithmetic == Arithmetic::s16x2;
  const CostsOf<L> cost{policy, profile, range};
  std::vector<u32> table(policy.cost_words(words), 0);
  for (u32 code = 0; code < kCostRows; ++code)
    for_states(policy, words, [&](u32 word, u32 lane, u32 which, u32 state) {
      i32 value = 0;
      if (wraps)
        value = code == kPad || !is_residue(code) || state >= profile.length ? range.lowest_score
                                                                             : profile.scores(code)[state];
      else
        value = cost(code, state);
      table[code * policy.row_stride(words) + policy.cost_place(words, word, lane)] |=
          L::placed(value, which);
    });
  return table;
}

template <class L>
std::vector<u32> step_table(const Policy& policy, const Profile& profile, u32 words, const WordRange& range) {
  const bool wraps = policy.arithmetic == Arithmetic::s16x2;
  std::vector<u32> table(policy.step_words(words), 0);
  for_states(policy, words, [&](u32 word, u32 lane, u32 which, u32 state) {
    for (u32 step = 0; step < kSteps; ++step) {
      i32 value = state < profile.length ? profile.steps[step][state] : kWordFloor;
      if (wraps && value == kWordFloor) value = step == kBeginMatch ? range.lowest_begin : range.lowest_step;
      table[policy.step_place(word, step, lane)] |= L::placed(value, which);
      if (step == kDeleteDelete) table[policy.delete_place(words, word, lane)] |= L::placed(value, which);
    }
  });
  return table;
}

template <class L>
FilterTables tables_of(const Policy& policy, const Profile& profile, u32 words, const WordRange& range) {
  FilterTables tables{.costs = cost_table<L>(policy, profile, words, range), .steps = {}};
  if (policy.filter == Filter::viterbi) tables.steps = step_table<L>(policy, profile, words, range);
  return tables;
}

/// The least step inside a model.
std::optional<i16> lowest_inner_step(const Profile& profile) {
  i16 lowest = 0;
  for (u32 step = kMatchMatch; step < kSteps; ++step) {
    const bool leads_in = step <= kDeleteMatch;
    for (u32 state = leads_in ? 1 : 0; state + (leads_in ? 0 : 1) < profile.length; ++state)
      lowest = std::min(lowest, profile.steps[step][state]);
  }
  if (lowest == kWordFloor) return std::nullopt;
  return lowest;
}

}  // namespace

std::optional<WordRange> word_range(const Profile& profile, u32 longest) {
  const auto step = lowest_inner_step(profile);
  if (!step) return std::nullopt;
  i32 lowest_score = 0, highest_score = 0, lowest_begin = 0;
  for (u32 code = 0; code < kResidueCodes; ++code) {
    if (!is_residue(code)) continue;
    const auto [low, high] = std::minmax_element(profile.scores(code), profile.scores(code) + profile.length);
    lowest_score = std::min<i32>(lowest_score, *low);
    highest_score = std::max<i32>(highest_score, *high);
  }
  for (const i16 begin : profile.steps[kBeginMatch]) lowest_begin = std::min<i32>(lowest_begin, begin);
  if (lowest_score == kWordFloor || lowest_begin == kWordFloor) return std::nullopt;
  const i32 least_begun = profile.word_base + length_model(std::max(longest, 1u)).move + lowest_begin;
  const i32 floor = least_begun + lowest_score + *step;
  if (floor + *step < kWordFloor) return std::nullopt;
  return WordRange{.floor = static_cast<i16>(floor),
                   .lowest_step = *step,
                   .lowest_begin = static_cast<i16>(lowest_begin),
                   .lowest_score = static_cast<i16>(lowest_score),
                   .safe_top = static_cast<i16>(32767 - highest_score)};
}

FilterTables make_tables(const Policy& policy, const Profile& profile, u32 words, const WordRange& range) {
  switch (policy.arithmetic) {
    case Arithmetic::video:
      if (policy.filter == Filter::viterbi) return tables_of<SaturatingWords>(policy, profile, words, range);
      return tables_of<Bytes>(policy, profile, words, range);
    case Arithmetic::s16x2:
      return tables_of<Words>(policy, profile, words, range);
    case Arithmetic::f16x2:
      return tables_of<Halves>(policy, profile, words, range);
    case Arithmetic::s32:
      break;
  }
  return tables_of<Integers>(policy, profile, words, range);
}

FilterArguments profile_arguments(const Policy& policy, const Profile& profile, const WordRange& range) {
  const bool wraps = policy.arithmetic == Arithmetic::s16x2;
  FilterArguments arguments{};
  arguments.base = profile.base;
  arguments.bias = profile.bias;
  arguments.begin_match = profile.begin_match;
  arguments.end = profile.end;
  arguments.word_base = profile.word_base;
  arguments.end_loop = profile.end_loop;
  arguments.end_move = profile.end_move;
  arguments.delete_bound = profile.delete_bound;
  arguments.floor = wraps ? range.floor : kWordFloor;
  arguments.safe_top = wraps ? range.safe_top : 32767;
  return arguments;
}

PackedSequences pack_sequences(const Sequences& sequences, bool sorted) {
  std::vector<u32> order;
  for (u64 i = 0; i < sequences.count(); ++i)
    if (sequences.length(i) > 0) order.push_back(static_cast<u32>(i));
  if (sorted)
    std::stable_sort(order.begin(), order.end(),
                     [&](u32 a, u32 b) { return sequences.length(a) > sequences.length(b); });
  PackedSequences packed;
  packed.entries.reserve(order.size());
  packed.residues.reserve(sequences.residues() + order.size() * kChunk / 2);
  for (const u32 i : order) {
    const auto row = sequences.row(i);
    const LengthModel length = length_model(static_cast<u32>(row.size()));
    const bool exact = std::any_of(row.begin(), row.end(), [](u8 code) { return !is_residue(code); });
    packed.entries.push_back({.chunk = static_cast<u32>(packed.residues.size() / kChunk),
                              .residues = static_cast<u32>(row.size()),
                              .index = i,
                              .jump = static_cast<u16>(length.jump | (exact ? kExact : 0)),
                              .move = length.move});
    packed.residues.insert(packed.residues.end(), row.begin(), row.end());
    packed.residues.resize((packed.residues.size() + kChunk - 1) / kChunk * kChunk, kPad);
  }
  return packed;
}

}  // namespace gpuseq::profile_hmm
