#pragma once

#include "kernels/fm_index/data/verify.cuh"

// The sort key of a query, in so many bits that a radix sort takes few passes.

namespace gpuseq::fm_index {

/// The bases that order queries: so many, 1 ... 16, from their begin on, or from their end back.
struct OrderKey {
  u32 bases;
  bool from_end;
};

/// 16 symbols in the opposite order.
GPUSEQ_HD u32 reversed_symbols(u32 symbols) {
  symbols = (symbols >> 2 & 0x33333333) | (symbols & 0x33333333) << 2;
  symbols = (symbols >> 4 & 0x0f0f0f0f) | (symbols & 0x0f0f0f0f) << 4;
  symbols = (symbols >> 8 & 0x00ff00ff) | (symbols & 0x00ff00ff) << 8;
  return symbols >> 16 | symbols << 16;
}

/// The key of a query, in the lowest 2 * key.bases bits: the base that is taken first in the highest of them,
/// As behind the last.
/// @param word  (number) -> 16 symbols of the packed query
template <class Word>
GPUSEQ_HD u32 order_key(u32 bases, const OrderKey& key, const Word& word) {
  const u32 count = bases < key.bases ? bases : key.bases;
  if (count == 0) return 0;
  const u32 symbols = query_symbols(key.from_end ? 0 : bases - count, count, word);
  const u32 taken = key.from_end ? reversed_symbols(symbols) >> (2 * (16 - count)) : symbols;
  return taken << (2 * (key.bases - count));
}

}  // namespace gpuseq::fm_index
