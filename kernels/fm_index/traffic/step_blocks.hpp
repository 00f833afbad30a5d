#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/fm_index/traffic.hpp"
#include "kernels/fm_index/walk.hpp"

namespace gpuseq::fm_index {

inline constexpr std::size_t kSectorBytes = 32;
inline constexpr u64 kOneBlockBytes =
    128;  // memory fetches this much at one place about as fast as one sector

/// Whole sectors of an index.
struct Span {
  u64 begin, end;
  friend bool operator==(const Span&, const Span&) = default;
};

inline Span sectors(u64 at, u64 bytes) {
  return {at / kSectorBytes * kSectorBytes, (at + bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes};
}

inline Span hull(const Span& one, const Span& other) {
  return {std::min(one.begin, other.begin), std::max(one.end, other.end)};
}
/// Whether a counter and rows are one block.
inline bool is_one_place(const Span& counter, const Span& rows) {
  const Span both = hull(counter, rows);
  return both.end - both.begin <= std::max(kOneBlockBytes, rows.end - rows.begin);
}

/// Where in entries a block lies: the counter and the rows together, or one of them where they lie apart.
enum class PartOfEntry : u8 { both, counters, rows };
constexpr std::array kAllParts{PartOfEntry::both, PartOfEntry::counters, PartOfEntry::rows};

struct Blocks {
  double count = 0, bytes = 0;
  Blocks& operator+=(const Blocks& other) {
    count += other.count;
    bytes += other.bytes;
    return *this;
  }
};

using BlocksOfParts = std::array<Blocks, kAllParts.size()>;

/// Distinct blocks of one step, at most four. Data in a line of 128 bytes
/// of which the step has another block is no block more: l and h of few
/// rows are often in neighbouring entries, which are read together.
class StepBlocks {
 public:
  explicit StepBlocks(RowsRead rows_read) : rows_read_(rows_read) {}

  void add(const Walker::Touched& touched) {
    const Span counter = sectors(touched.counter_at, 4), rows = sectors(touched.rows_at, touched.rows_bytes);
    const bool all_rows = rows_read_ == RowsRead::all_rows;
    const Span counted = all_rows ? rows : sectors(touched.counted_at, touched.counted_bytes);
    const bool reads_rows = all_rows || touched.counted_bytes > 0;
    if (is_one_place(counter, rows)) {
      Block& block = block_at(hull(counter, rows), PartOfEntry::both);
      read(block, counter);
      if (reads_rows) read(block, counted);
    } else {
      read(block_at(counter, PartOfEntry::counters), counter);
      if (reads_rows || rows_read_ == RowsRead::all_of_entry)
        read(block_at(rows, PartOfEntry::rows), counted);
    }
  }
  void add_to(BlocksOfParts& parts) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (!is_beside_another(i))
        parts[static_cast<std::size_t>(blocks_[i].part)] += {1, bytes_of(blocks_[i])};
  }
  /// Calls visit(part, first byte) for each block.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < count_; ++i) visit(blocks_[i].part, blocks_[i].span.begin);
  }

 private:
  struct Block {
    Span span;
    PartOfEntry part;
    u64 read;  // bit i: sector i of the span
  };

  Block& block_at(const Span& span, PartOfEntry part) {
    for (std::size_t i = 0; i < count_; ++i)
      if (blocks_[i].span == span) return blocks_[i];
    blocks_[count_] = {span, part, 0};
    return blocks_[count_++];
  }
  static void read(Block& block, const Span& sectors) {
    for (u64 at = sectors.begin; at < sectors.end; at += kSectorBytes)
      block.read |= u64{1} << (at - block.span.begin) / kSectorBytes;
  }
  bool is_beside_another(std::size_t i) const {
    const auto line_of = [](u64 at) { return at / kOneBlockBytes; };
    const Span& span = blocks_[i].span;
    return line_of(span.begin) == line_of(span.end - 1) &&
           std::any_of(
               blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(i), [&](const Block& other) {
                 return other.part == blocks_[i].part && line_of(other.span.begin) == line_of(span.begin) &&
                        line_of(other.span.end - 1) == line_of(span.begin);
               });
  }
  double bytes_of(const Block& block) const {
    if (rows_read_ == RowsRead::all_of_entry) return static_cast<double>(block.span.end - block.span.begin);
    return static_cast<double>(kSectorBytes) * std::popcount(block.read);
  }

  RowsRead rows_read_;
  std::array<Block, 4> blocks_{};
  std::size_t count_ = 0;
};

/// The share of a part in an entry of a sampled layout.
inline double share_of(PartOfEntry part, const Layout& layout) {
  if (part == PartOfEntry::both) return 1;
  const double rows =
      static_cast<double>(layout.chunks() * layout.chunk_bytes()) / static_cast<double>(layout.entry_bytes());
  return part == PartOfEntry::rows ? rows : 1 - rows;
}

}  // namespace gpuseq::fm_index
