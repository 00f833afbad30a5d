#include "kernels/profile_hmm/cpu/stripes.hpp"

#include <algorithm>

namespace gpuseq::profile_hmm {
namespace {

/// Calls `set(at, k)` for each element of a striped row with its position k; beyond the
/// last, k is `positions`.
template <typename Set>
void for_each_place(const Stripes& stripes, u32 positions, Set set) {
  for (u32 q = 0; q < stripes.vectors; ++q)
    for (u32 lane = 0; lane < stripes.lanes; ++lane)
      set(std::size_t{q} * stripes.lanes + lane, std::min(lane * stripes.vectors + q, positions));
}

i16 clamped(i32 value) {
  return static_cast<i16>(std::clamp(value, -32768, 32767));
}

i16* words_of(HugeBuffer& buffer) {
  return reinterpret_cast<i16*>(buffer.data());
}

}  // namespace

Stripes stripes_of(u32 positions, u32 lanes) {
  return {.lanes = lanes, .vectors = (positions + lanes - 1) / lanes};
}

ByteStripes::ByteStripes(const Profile& profile, u32 lanes)
    : stripes_(stripes_of(profile.length, lanes)),
      costs_(kProfileRows * stripes_.row(), Pages::small),
      all_costs_(kProfileRows * stripes_.row(), Pages::small) {
  auto* const cut = reinterpret_cast<std::int8_t*>(costs_.data());
  u8* const all = reinterpret_cast<u8*>(all_costs_.data());
  for (u32 code = 0; code < kProfileRows; ++code)
    for_each_place(stripes_, profile.length, [&](std::size_t place, u32 k) {
      const bool real = code != kPadding && k < profile.length;
      const i32 cost = real ? i32{profile.costs(code)[k]} : 255, unbiased = cost - profile.bias;
      const std::size_t at = code * stripes_.row() + place;
      all[at] = static_cast<u8>(cost);
      cut[at] = static_cast<std::int8_t>(real ? std::clamp(unbiased, -128, 127) : 127);
      if (real && unbiased > 127) cut_off_ |= 1u << code;
    });
}

WordStripes::WordStripes(const Profile& profile, u32 lanes)
    : stripes_(stripes_of(profile.length, lanes)),
      scores_(kProfileRows * stripes_.row() * sizeof(i16), Pages::small),
      steps_(kStripedSteps * stripes_.row() * sizeof(i16), Pages::small),
      begin_(stripes_.row() * sizeof(i16), Pages::small),
      gain_(stripes_.row() * sizeof(i16), Pages::small) {
  set_scores(profile);
  set_steps(profile);
  set_gains(profile);
  set_range(profile);
}

StripedWords WordStripes::words() const {
  const auto words = [](const HugeBuffer& buffer) { return reinterpret_cast<const i16*>(buffer.data()); };
  return {stripes_, words(scores_), words(steps_), words(begin_), words(gain_)};
}

/// Beyond the last position no residue is possible and B leads nowhere. A path from the last position stays
/// at least 32768 below an earlier match state there, and so is never the largest.
void WordStripes::set_scores(const Profile& profile) {
  for (u32 code = 0; code < kProfileRows; ++code)
    for_each_place(stripes_, profile.length, [&](std::size_t place, u32 k) {
      const i16 score = k == profile.length ? kWordFloor
                        : code == kPadding  ? i16{0}
                                            : profile.scores(code)[k];
      words_of(scores_)[code * stripes_.row() + place] = score;
    });
}

/// Transitions from the last position lead nowhere and are 0.
void WordStripes::set_steps(const Profile& profile) {
  for_each_place(stripes_, profile.length, [&](std::size_t place, u32 k) {
    words_of(begin_)[place] = k < profile.length ? profile.steps[kBeginMatch][k] : kWordFloor;
    const std::size_t q = place / stripes_.lanes, lane = place % stripes_.lanes;
    const auto set = [&](StripedStep to, Step from, u32 position) {
      words_of(steps_)[(q * kStripedSteps + to) * stripes_.lanes + lane] =
          k + 1 < profile.length ? profile.steps[from][position] : i16{0};
    };
    set(kToMatch, kMatchMatch, k + 1);
    set(kInsertToMatch, kInsertMatch, k + 1);
    set(kDeleteToMatch, kDeleteMatch, k + 1);
    set(kToDelete, kMatchDelete, k);
    set(kAlongDelete, kDeleteDelete, k);
    set(kToInsert, kMatchInsert, k);
    set(kAlongInsert, kInsertInsert, k);
  });
}

void WordStripes::set_gains(const Profile& profile) {
  std::vector<i32> gain(std::size_t{profile.length} + 1, kWordFloor);
  // From the last position that has a successor.
  for (u32 k = profile.length > 0 ? profile.length - 1 : 0; k-- > 0;)
    gain[k] = std::max(profile.steps[kDeleteMatch][k + 1] - profile.steps[kBeginMatch][k + 1],
                       profile.steps[kDeleteDelete][k] + gain[k + 1]);
  for_each_place(stripes_, profile.length,
                 [&](std::size_t place, u32 k) { words_of(gain_)[place] = clamped(gain[k]); });
}

void WordStripes::set_range(const Profile& profile) {
  i32 least_step = 0, least_leave = 0, least_enter = 0, least_score = 0;
  for (u32 k = 0; k < profile.length; ++k) {
    least_enter = std::min(least_enter, i32{profile.steps[kBeginMatch][k]});
    for (u32 code = 0; code < kAminoAcids; ++code)
      least_score = std::min(least_score, i32{profile.scores(code)[k]});
    if (k + 1 == profile.length) continue;
    for (const Step step : {kMatchMatch, kInsertMatch, kDeleteMatch})
      least_step = std::min(least_step, i32{profile.steps[step][k + 1]});
    for (const Step step : {kMatchDelete, kMatchInsert})
      least_leave = std::min(least_leave, i32{profile.steps[step][k]});
    for (const Step step : {kInsertInsert, kDeleteDelete})
      least_step = std::min(least_step, i32{profile.steps[step][k]});
  }
  plain_floor_ = static_cast<i16>(-32768 - std::min(least_step, least_leave));
  least_begin_ = plain_floor_ - least_enter - least_score - least_leave;
  for (u32 code = 0; code < kResidueCodes; ++code) {
    const std::span<const i16> scores(profile.scores(code), profile.length);
    if (std::ranges::none_of(scores, [&](i16 score) { return score < least_score; }))
      usual_codes_ |= 1u << code;
  }
}

}  // namespace gpuseq::profile_hmm
