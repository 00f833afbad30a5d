#include "kernels/profile_hmm/oracle.hpp"

#include <algorithm>
#include <vector>

namespace gpuseq::profile_hmm {
namespace {

/// Cells are bytes that begin at 128; HMMER stores them as signed numbers from -128 and takes the largest as
/// unsigned. Both agree up to 255. A cell gains at most `bias` on the previous cell: its predecessor was 256
/// - bias or more if it exceeds 255, which is an overflow already. Its value therefore does not matter.
RawScore ssv(const Profile& profile, std::span<const u8> residues) {
  constexpr i32 kBegin = 128;
  const i32 bias = profile.bias;
  i32 best = kBegin;
  std::vector<i32> cells(std::size_t{profile.length} + 1, kBegin);  // cells[k + 1]: of position k
  for (const u8 residue : residues) {
    const u8* costs = profile.costs(residue);
    for (u32 k = profile.length; k-- > 0;) {
      cells[k + 1] = std::max(kBegin, cells[k] + bias - costs[k]);
      best = std::max(best, cells[k + 1]);
    }
    if (best >= 255 - bias) return kOverflow;
  }
  return static_cast<RawScore>(best);
}

RawScore msv(const Profile& profile, std::span<const u8> residues) {
  const i32 base = profile.base, bias = profile.bias;
  // HMMER adds them in 8 bits.
  const i32 enter = (length_model(static_cast<u32>(residues.size())).jump + profile.begin_match) & 255;
  i32 j = 0;
  i32 begin = std::max(0, base - enter);
  std::vector<i32> cells(std::size_t{profile.length} + 1, 0);  // cells[k + 1]: of position k
  for (const u8 residue : residues) {
    const u8* costs = profile.costs(residue);
    i32 end = 0;
    for (u32 k = profile.length; k-- > 0;) {
      const i32 gained = std::min(255, std::max(cells[k], begin) + bias);
      cells[k + 1] = std::max(0, gained - costs[k]);
      end = std::max(end, cells[k + 1]);
    }
    if (end >= 255 - bias) return kOverflow;
    j = std::max(j, end - profile.end);
    begin = std::max(0, std::max(base, j) - enter);
  }
  return static_cast<RawScore>(j);
}

i32 add(i32 a, i32 b) {
  return std::clamp(a + b, -32768, 32767);
}

/// The states of one row; index k + 1 is position k, index 0 is left of the first position.
struct Row {
  explicit Row(std::size_t length)
      : match(length + 1, kWordFloor), insert(length + 1, kWordFloor), remove(length + 1, kWordFloor) {}
  std::vector<i32> match, insert, remove;
};

/// The next row without D -> D. @return the largest match state and the largest delete state, including a
/// delete state beyond the last position
std::pair<i32, i32> next_row(const Profile& profile, const i16* scores, i32 begin, const Row& above,
                             Row& row) {
  const auto step = [&](Step s, u32 k) { return i32{profile.steps[s][k]}; };
  i32 end = kWordFloor, most_removed = kWordFloor;
  row.remove[1] = kWordFloor;
  for (u32 k = 0; k < profile.length; ++k) {
    const i32 entered =
        std::max({add(begin, step(kBeginMatch, k)), add(above.match[k], step(kMatchMatch, k)),
                  add(above.insert[k], step(kInsertMatch, k)), add(above.remove[k], step(kDeleteMatch, k))});
    row.match[k + 1] = add(entered, scores[k]);
    row.insert[k + 1] = std::max(add(above.match[k + 1], step(kMatchInsert, k)),
                                 add(above.insert[k + 1], step(kInsertInsert, k)));
    const i32 removed = add(row.match[k + 1], step(kMatchDelete, k));
    if (k + 1 < profile.length) row.remove[k + 2] = removed;
    end = std::max(end, row.match[k + 1]);
    most_removed = std::max(most_removed, removed);
  }
  return {end, most_removed};
}

void follow_deletions(const Profile& profile, Row& row) {
  for (u32 k = 1; k < profile.length; ++k)
    row.remove[k + 1] = std::max(row.remove[k + 1], add(row.remove[k], profile.steps[kDeleteDelete][k - 1]));
}

RawScore viterbi(const Profile& profile, std::span<const u8> residues) {
  const i32 move = length_model(static_cast<u32>(residues.size())).move;
  const i32 n = profile.word_base;
  i32 begin = n + move, j = kWordFloor, c = kWordFloor;
  Row above(profile.length), row(profile.length);
  for (const u8 residue : residues) {
    const auto [end, most_removed] = next_row(profile, profile.scores(residue), begin, above, row);
    if (end >= 32767) return kOverflow;
    c = std::max(c, end + profile.end_move);
    j = std::max(j, end + profile.end_loop);
    begin = std::max(j, n) + move;
    // HMMER's test whether D -> D can matter to the next row; it is wrong for the models of
    // delete_bound_is_low().
    if (most_removed + profile.delete_bound > begin) follow_deletions(profile, row);
    std::swap(above, row);
  }
  return static_cast<RawScore>(c);
}

}  // namespace

RawScore oracle_score(const Profile& profile, Filter filter, std::span<const u8> residues) {
  if (residues.empty()) return kNoScore;
  switch (filter) {
    case Filter::ssv:
      return ssv(profile, residues);
    case Filter::msv:
      return msv(profile, residues);
    case Filter::viterbi:
      return viterbi(profile, residues);
  }
  return kNoScore;
}

FilterScore oracle_msv_filter(const Profile& profile, std::span<const u8> residues) {
  const auto length = static_cast<u32>(residues.size());
  const auto score = ssv_score(profile, length, oracle_score(profile, Filter::ssv, residues));
  return score ? *score : msv_score(profile, length, oracle_score(profile, Filter::msv, residues));
}

bool delete_bound_is_low(const Profile& profile) {
  const auto& dd = profile.steps[kDeleteDelete];
  for (u32 k = 0; k + 1 < profile.length; ++k)
    if (dd[k] > 0) return true;
  for (u32 k = 1; k + 2 < profile.length; ++k) {
    const i32 gain = dd[k] + profile.steps[kDeleteMatch][k + 2] - profile.steps[kBeginMatch][k + 2];
    if (gain > profile.delete_bound) return true;
  }
  return false;
}

}  // namespace gpuseq::profile_hmm
