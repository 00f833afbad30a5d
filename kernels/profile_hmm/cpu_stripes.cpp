#include "kernels/profile_hmm/cpu_stripes.hpp"

#include <algorithm>

namespace gpuseq::profile_hmm {
namespace {

Stripes stripes_of(u32 positions, u32 lanes) {
  return {.lanes = lanes, .vectors = (positions + lanes - 1) / lanes};
}

/// Calls `set(at, k)` for each place of a striped row, with the position there; beyond the last, with
/// `positions`.
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
      if (real && unbiased > 127) cut_off_[code] = true;
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
}

StripedWords WordStripes::words() const {
  const auto words = [](const HugeBuffer& buffer) { return reinterpret_cast<const i16*>(buffer.data()); };
  return {stripes_, words(scores_), words(steps_), words(begin_), words(gain_)};
}

/// Beyond the last position everything is impossible, so that the match states there stay at -32768: nothing
/// leads on from the last position, and the way from B begins there.
void WordStripes::set_scores(const Profile& profile) {
  for (u32 code = 0; code < kProfileRows; ++code)
    for_each_place(stripes_, profile.length, [&](std::size_t place, u32 k) {
      const bool real = code != kPadding && k < profile.length;
      words_of(scores_)[code * stripes_.row() + place] = real ? profile.scores(code)[k] : kWordFloor;
    });
}

void WordStripes::set_steps(const Profile& profile) {
  const auto leaving = [&](Step step, u32 k) {
    return k < profile.length ? profile.steps[step][k] : kWordFloor;
  };
  const auto onward = [&](Step step, u32 k) { return leaving(step, k + 1); };
  for_each_place(stripes_, profile.length, [&](std::size_t place, u32 k) {
    words_of(begin_)[place] = leaving(kBeginMatch, k);
    const std::size_t q = place / stripes_.lanes, lane = place % stripes_.lanes;
    const auto set = [&](StripedStep step, i16 score) {
      words_of(steps_)[(q * kStripedSteps + step) * stripes_.lanes + lane] = score;
    };
    set(kToMatch, onward(kMatchMatch, k));
    set(kInsertToMatch, onward(kInsertMatch, k));
    set(kDeleteToMatch, onward(kDeleteMatch, k));
    set(kToDelete, leaving(kMatchDelete, k));
    set(kAlongDelete, leaving(kDeleteDelete, k));
    set(kToInsert, leaving(kMatchInsert, k));
    set(kAlongInsert, leaving(kInsertInsert, k));
  });
}

void WordStripes::set_gains(const Profile& profile) {
  std::vector<i32> gain(std::size_t{profile.length} + 1, kWordFloor);
  // From the last position that has another behind it.
  for (u32 k = profile.length > 0 ? profile.length - 1 : 0; k-- > 0;)
    gain[k] = std::max(profile.steps[kDeleteMatch][k + 1] - profile.steps[kBeginMatch][k + 1],
                       profile.steps[kDeleteDelete][k] + gain[k + 1]);
  for_each_place(stripes_, profile.length,
                 [&](std::size_t place, u32 k) { words_of(gain_)[place] = clamped(gain[k]); });
}

}  // namespace gpuseq::profile_hmm
