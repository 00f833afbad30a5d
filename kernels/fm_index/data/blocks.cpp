#include "kernels/fm_index/data/blocks.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace gpuseq::fm_index {
namespace {

constexpr u32 kMaxWords = 1u << (2 * kMaxK);
constexpr u64 kRowsPerPart = u64{1} << 18;

u32 popcount(u32 bits) {
  return popcount32(bits);
}
u32 popcount(u64 bits) {
  return popcount64(bits);
}

/// The planes of the first k columns, in pieces of 32 or 64 rows (`Bits`); rows past the last read as A.
template <typename Bits>
class Pieces {
 public:
  static constexpr u32 kRows = 8 * sizeof(Bits);

  Pieces(const Bwt& bwt, u32 k) : bwt_(bwt), k_(k) {}

  Bits low(u32 column, u64 piece) const { return plane(column, piece, 0); }
  Bits high(u32 column, u64 piece) const { return plane(column, piece, 1); }

  /// masks[w] = the rows of a piece whose stored word is w, of those in `valid`.
  void split(u64 piece, Bits valid, Bits* masks) const {
    masks[0] = valid;
    u32 words = 1;
    for (u32 j = 0; j < k_; ++j) {
      const Bits l = low(j, piece), h = high(j, piece);
      const Bits match[4] = {~l & ~h, l & ~h, ~l & h, l & h};
      for (u32 s = 4; s-- > 0;)  // symbol 0 last: it overwrites the source of the others
        for (u32 w = 0; w < words; ++w) masks[s * words + w] = masks[w] & match[s];
      words *= 4;
    }
  }

 private:
  Bits plane(u32 column, u64 piece, u32 which) const {
    const u64 row = piece * kRows;
    const std::vector<u64>& planes = bwt_.columns[column].planes;
    const u64 word = row / 64 * 2 + which;
    return word < planes.size() ? static_cast<Bits>(planes[word] >> (row % 64)) : 0;
  }
  const Bwt& bwt_;
  u32 k_;
};

/// Rows of a piece of 32 that exist and whose word holds no `$`.
u32 rows_without_dollar(const DollarRows& dollar, u64 rows, u64 piece) {
  const u64 first = piece * 32;
  u32 valid =
      first >= rows ? 0 : static_cast<u32>(first_rows(static_cast<u32>(std::min<u64>(32, rows - first))));
  for (u64 row : dollar.row)
    if (row / 32 == piece) valid &= ~(1u << (row % 32));
  return valid;
}

void fill_sampled(const Bwt& bwt, const Layout& layout, u64 begin, u64 end, u32* counts, std::byte* entries) {
  const Pieces<u64> pieces(bwt, layout.k);
  const u32 words = layout.words();
  std::array<u64, kMaxWords> masks;
  for (u64 e = begin; e < end; ++e) {
    std::byte* entry = entries + e * layout.entry_bytes();
    std::memcpy(entry, counts + (layout.alternate() && e % 2 == 1 ? words / 2 : 0), layout.counter_bytes());
    std::byte* chunk = entry + layout.bitmap_offset();
    for (u64 c = e * layout.chunks(); c < (e + 1) * layout.chunks(); ++c) {
      for (u32 j = 0; j < layout.k; ++j, chunk += 16) {
        const u64 planes[2] = {pieces.low(j, c), pieces.high(j, c)};
        std::memcpy(chunk, planes, 16);
      }
      pieces.split(c, ~u64{0}, masks.data());
      for (u32 w = 0; w < words; ++w) counts[w] += popcount64(masks[w]);
    }
  }
}

void fill_one_hot(const Bwt& bwt, const Layout& layout, const DollarRows& dollar, u64 begin, u64 end,
                  u32* counts, u64 blocks_per_word, std::byte* blocks) {
  const Pieces<u32> pieces(bwt, layout.k);
  const u32 words = layout.words(), pieces_per_block = layout.d / 32, block_bytes = layout.entry_bytes();
  std::vector<u32> masks(static_cast<std::size_t>(pieces_per_block) * words);
  for (u64 b = begin; b < end; ++b) {
    for (u32 i = 0; i < pieces_per_block; ++i) {
      const u64 piece = b * pieces_per_block + i;
      pieces.split(piece, rows_without_dollar(dollar, bwt.rows, piece), &masks[u64{i} * words]);
    }
    for (u32 w = 0; w < words; ++w) {
      std::byte* block = blocks + (w * blocks_per_word + b) * block_bytes;
      std::memcpy(block, &counts[w], 4);
      for (u32 i = 0; i < pieces_per_block; ++i) {
        const u32 bits = masks[u64{i} * words + w];
        std::memcpy(block + 4 + u64{4} * i, &bits, 4);
        counts[w] += popcount32(bits);
      }
    }
  }
}

template <typename Bits, typename Valid>
void count_pieces(const Pieces<Bits>& pieces, u32 words, u64 begin, u64 end, const Valid& valid,
                  u64* counts) {
  std::array<Bits, kMaxWords> masks;
  for (u64 piece = begin; piece < end; ++piece) {
    pieces.split(piece, valid(piece), masks.data());
    for (u32 w = 0; w < words; ++w) counts[w] += popcount(masks[w]);
  }
}

}  // namespace

u64 blocks_of(const Layout& layout, u64 rows) {
  // Positions go up to `rows`; alternate counters may be in the entry after a position's own.
  return rows / layout.d + (layout.one_hot() ? 1 : 2);
}

Division divide(const Layout& layout, u64 rows, u64 superblock_rows) {
  Division result;
  result.blocks = blocks_of(layout, rows);
  result.blocks_per_superblock = layout.wide ? std::max<u64>(1, superblock_rows / layout.d) : result.blocks;
  result.superblocks = (result.blocks + result.blocks_per_superblock - 1) / result.blocks_per_superblock;
  const u64 grain = std::max<u64>(1, kRowsPerPart / layout.d);
  for (u64 s = 0; s < result.superblocks; ++s) {
    const u64 last = std::min(result.blocks, (s + 1) * result.blocks_per_superblock);
    for (u64 b = s * result.blocks_per_superblock; b < last; b += grain)
      result.parts.push_back({.begin = b, .end = std::min(last, b + grain), .superblock = s});
  }
  return result;
}

void count_words(const Bwt& bwt, const Layout& layout, const DollarRows& dollar, u64 begin, u64 end,
                 std::span<u64> counts) {
  if (layout.one_hot()) {
    const auto valid = [&](u64 piece) { return rows_without_dollar(dollar, bwt.rows, piece); };
    count_pieces(Pieces<u32>(bwt, layout.k), layout.words(), begin * layout.d / 32, end * layout.d / 32,
                 valid, counts.data());
  } else {
    count_pieces(
        Pieces<u64>(bwt, layout.k), layout.words(), begin * layout.chunks(), end * layout.chunks(),
        [](u64) { return ~u64{0}; }, counts.data());
  }
}

void fill_blocks(const Bwt& bwt, const Layout& layout, const DollarRows& dollar, u64 begin, u64 end,
                 std::span<u32> counts, u64 blocks_per_word, std::byte* entries) {
  if (layout.one_hot())
    fill_one_hot(bwt, layout, dollar, begin, end, counts.data(), blocks_per_word, entries);
  else
    fill_sampled(bwt, layout, begin, end, counts.data(), entries);
}

}  // namespace gpuseq::fm_index
