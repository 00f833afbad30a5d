#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "kernels/fm_index/library/engine.hpp"

namespace gpuseq::fm_index {

/// Packs queries that are given as letters, some at a time.
class QueryBatch {
 public:
  /// @param begin  [queries + 1], as of gpuseq_fm_index_search()
  /// @throws UsageError if it does not ascend, or a query is too long
  QueryBatch(const char* letters, std::span<const u64> begin, ThreadPool& pool);

  /// The next queries: so few that they take about kLettersATime. False when there are none left.
  bool next();
  u64 first() const { return first_; }
  PackedBatch packed() const;
  /// Whether query `i` of the batch has other letters than A C G T, and no answer.
  bool is_other(u64 i) const { return others_[i] != 0; }

  static constexpr u64 kLettersATime = u64{64} << 20;

 private:
  std::string_view letters_of(u64 query) const;

  const char* letters_;
  std::span<const u64> begin_;
  ThreadPool& pool_;
  u64 first_ = 0, end_ = 0;  // of the batch
  std::vector<u32> packed_, units_, bases_;
  std::vector<u8> others_;
};

}  // namespace gpuseq::fm_index
