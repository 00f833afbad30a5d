// Walks with one row per 64-bit vector lane. Compiled once per Highway target.
#if defined(GPUSEQ_FM_LOCATE_CPU_WALK_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_LOCATE_CPU_WALK_LANES_INL
#undef GPUSEQ_FM_LOCATE_CPU_WALK_LANES_INL
#else
#define GPUSEQ_FM_LOCATE_CPU_WALK_LANES_INL
#endif

#include <array>
#include <vector>

#include "hwy/highway.h"
#include "kernels/fm_index/cpu/lanes-inl.hpp"
#include "kernels/fm_locate/cpu/step.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_locate::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace lanes = gpuseq::fm_index::HWY_NAMESPACE;

using lanes::kLanes;
using lanes::LaneArray;
using lanes::Lanes;
using lanes::V;

/// The lines of the rows of a vector, and LF of these rows.
template <bool marked>
class LineLanes {
  static constexpr Lanes d{};
  static constexpr u32 chunks = chunks_of_line(marked);

 public:
  /// Byte offsets of the lines of rows.
  static HWY_INLINE V line_of(V row) {
    if constexpr (marked) return hn::ShiftLeft<6>(hn::ShiftRight<7>(row));
    // Division by 192: by 64 with a shift, by 3 with the multiplication of all 32 bits.
    return hn::ShiftLeft<6>(hn::ShiftRight<39>(lanes::multiply<false>(row, hn::Set(d, 0xAAAAAAAB))));
  }

  /// @param line  byte offset of each row's line
  HWY_INLINE LineLanes(const IndexView& index, const LaneArray& line, V row) : row_(row) {
    lanes::load_both(index.lines, line, counters_[0], counters_[1]);
    for (u32 chunk = 0; chunk < chunks; ++chunk)
      lanes::load_both(index.lines + 16 * (1 + chunk), line, low_[chunk], high_[chunk]);
    if constexpr (marked) {
      lanes::load_both(index.lines + 48, line, marks_[0], marks_[1]);
      offset_ = hn::And(row, hn::Set(d, rows_of_line(marked) - 1));
    } else {
      const V number = hn::ShiftRight<6>(hn::Load(d, line));
      offset_ = hn::Sub(row, hn::Add(hn::ShiftLeft<7>(number), hn::ShiftLeft<6>(number)));
    }
    bit_ = hn::And(offset_, hn::Set(d, kChunkRows - 1));
  }

  /// Bit i: the row of lane i has a sample. For marked lines.
  HWY_INLINE u32 with_sample() const {
    const V one = hn::Set(d, 1);
    const auto found = hn::Eq(hn::And(hn::Shr(of_chunk(marks_), bit_), one), one);
    u8 bits[8] = {};
    hn::StoreMaskBits(d, found, bits);
    return bits[0];
  }

  HWY_INLINE V lf(const IndexView& index) const {
    const V one = hn::Set(d, 1);
    const V low = hn::And(hn::Shr(of_chunk(low_), bit_), one);
    const V high = hn::And(hn::Shr(of_chunk(high_), bit_), one);
    // bit - 1 has all bits set if the symbol's bit is 0: the rows with a 0 in the plane match
    const V flip_low = hn::Sub(low, one), flip_high = hn::Sub(high, one);
    V result = hn::Zero(d);
    for (u32 chunk = 0; chunk < chunks; ++chunk) {
      const V rows = hn::And(hn::Xor(low_[chunk], flip_low), hn::Xor(high_[chunk], flip_high));
      result = hn::Add(result,
                       lanes::count_bits(hn::And(rows, lanes::first_rows_from(offset_, chunk * kChunkRows))));
    }
    const auto is_a = hn::Eq(hn::Or(low, high), hn::Zero(d));
    const V before = hn::IfThenElse(is_a, of_a(index), counter(low, high));
    const V dollar = hn::IfThenElseZero(lanes::greater(row_, hn::Set(d, index.dollar_row)), one);
    return hn::Sub(hn::Add(result, before), hn::IfThenElseZero(is_a, dollar));
  }

 private:
  template <std::size_t count>
  HWY_INLINE V of_chunk(const V (&of)[count]) const {
    const V chunk = hn::ShiftRight<6>(offset_);
    V chosen = of[0];
    for (std::size_t i = 1; i < count; ++i)
      chosen = hn::IfThenElse(hn::Eq(chunk, hn::Set(d, i)), of[i], chosen);
    return chosen;
  }
  static HWY_INLINE V lower(V pair) { return hn::And(pair, hn::Set(d, 0xFFFFFFFF)); }
  HWY_INLINE V counter(V low, V high) const {
    const V pair = hn::IfThenElse(hn::Eq(high, hn::Zero(d)), counters_[0], counters_[1]);
    return lower(hn::Shr(pair, hn::ShiftLeft<5>(low)));
  }
  HWY_INLINE V of_a(const IndexView& index) const {
    if constexpr (!marked) return lower(counters_[0]);
    const V others = hn::Add(hn::ShiftRight<32>(counters_[0]),
                             hn::Add(lower(counters_[1]), hn::ShiftRight<32>(counters_[1])));
    return hn::Sub(hn::Add(hn::Set(d, index.a_base), hn::Sub(row_, offset_)), others);
  }

  V row_, offset_, bit_;
  V counters_[2];
  V low_[chunks], high_[chunks];
  V marks_[2];
};

/// Positions whose samples are prefetched. Each is stored after kAsked further samples were prefetched.
class AskedSamples {
 public:
  explicit AskedSamples(const WalkJob& job) : job_(job) {}

  HWY_INLINE void ask(u32 sample, u32 steps, u32 place) {
    __builtin_prefetch(job_.index.samples + sample);
    Asked& oldest = asked_[next_++ % kAsked];
    if (next_ > kAsked) store(oldest);
    oldest = {sample, steps, place};
  }
  void store_all() const {
    for (u64 i = next_ > kAsked ? next_ - kAsked : 0; i < next_; ++i) store(asked_[i % kAsked]);
  }

 private:
  static constexpr u64 kAsked = 32;
  struct Asked {
    u32 sample, steps, place;
  };
  HWY_INLINE void store(const Asked& asked) const {
    job_.positions[asked.place] = job_.index.samples[asked.sample] + asked.steps;
  }

  const WalkJob& job_;
  std::array<Asked, kAsked> asked_;
  u64 next_ = 0;
};

/// Interleaved groups of walks, one walk per lane; a lane whose walk ends takes the next row.
template <bool marked>
class WalkBatch {
 public:
  explicit WalkBatch(const WalkJob& job)
      : job_(job),
        step_(job.index),
        rows_(job),
        asked_(job),
        groups_(std::max<std::size_t>(1, std::min(job.in_flight, job.end - job.begin) / kLanes)) {}

  void run() {
    std::size_t live = 0;
    for (Group& group : groups_) {
      group.live = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) take(group, lane);
      if (group.live == 0) break;
      ask(group, hn::Load(d, group.row));
      ++live;
    }
    while (live > 0)
      for (std::size_t i = 0; i < live; ++i)
        if (!turn(groups_[i])) std::swap(groups_[i], groups_[--live]);
    asked_.store_all();
  }

 private:
  static constexpr Lanes d{};

  struct Group {
    HWY_ALIGN LaneArray row;
    HWY_ALIGN LaneArray line;
    HWY_ALIGN LaneArray steps;
    u32 place[kLanes];
    u32 live;  // bit i: lane i has a walk
  };

  /// One step of a group. @returns false if no lane has a walk and no row is left
  HWY_INLINE bool turn(Group& group) {
    V row = hn::Load(d, group.row);
    const LineLanes<marked> line(job_.index, group.line, row);
    u32 ended = 0;
    if constexpr (marked) {
      ended = line.with_sample() & group.live;
      for (u32 left = ended; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::size_t>(__builtin_ctz(left));
        const u32 at = static_cast<u32>(group.row[lane]);
        asked_.ask(step_.sample(at), static_cast<u32>(group.steps[lane]), group.place[lane]);
      }
    }
    row = line.lf(job_.index);
    hn::Store(row, d, group.row);
    hn::Store(hn::Add(hn::Load(d, group.steps), hn::Set(d, 1)), d, group.steps);
    if constexpr (!marked) ended = ended_by_number(group, row);
    if (ended != 0) {
      for (; ended != 0; ended &= ended - 1) take(group, static_cast<std::size_t>(__builtin_ctz(ended)));
      if (group.live == 0) return false;
    }
    if (group.live != kAllLanes) [[unlikely]]
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        if ((group.live >> lane & 1) == 0) group.row[lane] = 0;
    ask(group, hn::Load(d, group.row));
    return true;
  }

  /// Lanes whose walks end: their row has a sample or is the row of the suffix from 0. Stores or prefetches
  /// their positions.
  HWY_INLINE u32 ended_by_number(const Group& group, V row) {
    const V rate = hn::Set(d, (u64{1} << job_.index.rate_bits) - 1);
    const auto found =
        hn::Or(hn::Eq(hn::And(row, rate), hn::Zero(d)), hn::Eq(row, hn::Set(d, job_.index.dollar_row)));
    u8 bits[8] = {};
    hn::StoreMaskBits(d, found, bits);
    const u32 ended = bits[0] & group.live;
    for (u32 left = ended; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(__builtin_ctz(left));
      end_by_number(static_cast<u32>(group.row[lane]), static_cast<u32>(group.steps[lane]),
                    group.place[lane]);
    }
    return ended;
  }
  /// @returns whether the walk ends at this row
  HWY_INLINE bool end_by_number(u32 row, u32 steps, u32 place) {
    if (step_.ends_by_number(row))
      asked_.ask(step_.sample(row), steps, place);
    else if (row == job_.index.dollar_row)
      job_.positions[place] = steps;
    else
      return false;
    return true;
  }

  /// Gives a lane the next row that needs a walk, or leaves the lane idle.
  HWY_INLINE void take(Group& group, std::size_t lane) {
    u32 row, place;
    group.live &= ~(1u << lane);
    while (rows_.next(row, place)) {
      if (!marked && end_by_number(row, 0, place)) continue;
      group.row[lane] = row;
      group.steps[lane] = 0;
      group.place[lane] = place;
      group.live |= 1u << lane;
      return;
    }
    group.row[lane] = 0;
  }

  HWY_INLINE void ask(Group& group, V row) const {
    hn::Store(LineLanes<marked>::line_of(row), d, group.line);
    for (std::size_t lane = 0; lane < kLanes; ++lane) __builtin_prefetch(job_.index.lines + group.line[lane]);
  }

  static constexpr u32 kAllLanes = (1u << kLanes) - 1;

  const WalkJob& job_;
  const Step<marked> step_;
  RowStream rows_;
  AskedSamples asked_;
  std::vector<Group> groups_;
};

template <bool marked>
void locate_in_lanes(const WalkJob& job) {
  WalkBatch<marked>(job).run();
}

}  // namespace gpuseq::fm_locate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
