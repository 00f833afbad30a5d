#pragma once

#include "kernels/fm_index/cuda/search_device.cuh"

// Search on the one-hot layout: a step of k bases reads one block of 32 (d = 224) or 64 bytes (d = 480),
// which holds its counter and one bit a row, so nothing is matched, only counted. The lanes of a query take
// neighbouring 16-byte pieces of the block in turn, count them for l and h, and sum. l and h are counted from
// the same pieces where they share a block; a vote finds out whether that holds for the warp. Bound by:
// random 32-byte sectors, one per k bases. Source: split bit-vectors, Herruzo et al. (IEEE/ACM TCBB, 2020),
// on a GPU's memory sector.

namespace gpuseq::fm_index {

template <class Tuned>
struct OneHotBlock {
  static constexpr u32 k = Tuned::value.k;
  static constexpr u32 d = Tuned::value.d;
  static constexpr bool wide = Tuned::value.wide;
  static constexpr bool in_l1 = Tuned::value.entries_in_l1;
  static constexpr u32 lanes = Tuned::value.lanes_per_query;
  static constexpr u32 block_bytes = Tuned::value.layout().entry_bytes();
  static constexpr u32 pieces = block_bytes / (16 * lanes);  // a lane's
  using Position = typename PositionType<wide>::type;

  GPUSEQ_HD static u32 block(Position position) { return static_cast<u32>(position >> 5) / (d / 32); }
  GPUSEQ_HD static u32 offset(Position position, u32 block) { return static_cast<u32>(position) - block * d; }

  /// The offset of a lane's i-th piece in the block.
  GPUSEQ_HD static u32 piece_offset(u32 i, u32 lane) { return (i * lanes + lane) * 16; }
  /// Whether a row before `limit` has its bit in the piece, or the counter is there.
  GPUSEQ_HD static bool needs_piece(u32 i, u32 lane, u32 limit) {
    return i * lanes + lane < 2 || first_row(i, 0, lane) < static_cast<i32>(limit);
  }
  /// The row of the lowest bit of a word of a piece; -32 for the counter.
  GPUSEQ_HD static i32 first_row(u32 i, u32 word, u32 lane) {
    return static_cast<i32>(piece_offset(i, lane) * 8 + word * 32) - 32;
  }
  /// A lane's share of the target row before `offset`: its rows, and the counter if it has it.
  GPUSEQ_HD static u32 share(const Piece (&piece)[pieces], u32 lane, u32 offset) {
    u32 rows = 0;
#pragma unroll
    for (u32 i = 0; i < pieces; ++i) {
#pragma unroll
      for (u32 j = 0; j < 4; ++j) {
        const u32 before = piece[i].word[j] & ~bits_from(static_cast<i32>(offset) - first_row(i, j, lane));
        const bool is_counter = i == 0 && j == 0 && lane == 0;
        rows += is_counter ? piece[i].word[j] : popcount32(before);
      }
    }
    return rows;
  }
};

template <class Tuned>
class OneHot {
  using Block = OneHotBlock<Tuned>;
  static constexpr u32 lanes = Block::lanes;

 public:
  using Position = typename Block::Position;
  static constexpr bool whole_warp = true;

  struct Fetch {
    u32 offset_l, offset_h;
    Position base_l, base_h;
    Piece pieces_l[Block::pieces], pieces_h[Block::pieces];
    bool joint;      // l and h share a block
    bool any_apart;  // in some lane of the warp they do not
  };

  GPUSEQ_HD OneHot(const SearchArguments& arguments, const ThreadPlace& place, u8*)
      : arguments_(arguments), lane_(place.thread % lanes) {}

  GPUSEQ_HD void fetch(Fetch& fetch, u32, u32 word, Position l, Position h, bool active) const {
    const u32 block_l = Block::block(l);
    const u32 block_h = Block::block(h);
    fetch.offset_l = Block::offset(l, block_l);
    fetch.offset_h = Block::offset(h, block_h);
    fetch.joint = block_l == block_h;
    fetch.any_apart = any_lane(active && !fetch.joint);
    load(fetch.pieces_l, word, block_l, fetch.joint ? fetch.offset_h : fetch.offset_l, active);
    fetch.base_l = fetch.base_h = active ? base(word, block_l) : 0;
    if (fetch.any_apart) {
      const bool apart = active && !fetch.joint;
      load(fetch.pieces_h, word, block_h, fetch.offset_h, apart);
      if (apart) fetch.base_h = base(word, block_h);
    }
  }

  GPUSEQ_HD void advance(Fetch& fetch, u32, u32, Position& l, Position& h) const {
    l = fetch.base_l + sum_over_lanes<lanes>(Block::share(fetch.pieces_l, lane_, fetch.offset_l));
    u32 row = sum_over_lanes<lanes>(Block::share(fetch.pieces_l, lane_, fetch.offset_h));
    if (fetch.any_apart) {
      const u32 apart = sum_over_lanes<lanes>(Block::share(fetch.pieces_h, lane_, fetch.offset_h));
      if (!fetch.joint) row = apart;
    }
    h = fetch.base_h + row;
  }

 private:
  GPUSEQ_HD void load(Piece (&pieces)[Block::pieces], u32 word, u32 block, u32 limit, bool wanted) const {
    const u64 number = word * arguments_.index.blocks_per_word + block;
    const u8* address = arguments_.index.entries + number * Block::block_bytes;
#pragma unroll
    for (u32 i = 0; i < Block::pieces; ++i) {
      pieces[i] = Piece{};
      if (wanted && Block::needs_piece(i, lane_, limit))
        pieces[i] = load_piece<Block::in_l1>(address + Block::piece_offset(i, lane_));
    }
  }

  GPUSEQ_HD Position base(u32 word, u32 block) const {
    if constexpr (!Block::wide) return 0;
    const u64 superblock = quotient(block, arguments_.superblock_reciprocal);
    return static_cast<Position>(
        arguments_.index.superblocks[superblock * Tuned::value.layout().words() + word]);
  }

  const SearchArguments& arguments_;
  u32 lane_;
};

}  // namespace gpuseq::fm_index
