#include "kernels/fm_index/library/query_batch.hpp"

#include <algorithm>

#include "kernels/common/library/c_interface.hpp"
#include "kernels/fm_index/data/query_packing.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr u64 kQueriesPerTask = 4096;
constexpr u64 kMostQueriesATime = u64{4} << 20;

}  // namespace

QueryBatch::QueryBatch(const char* letters, std::span<const u64> begin, ThreadPool& pool)
    : letters_(letters), begin_(begin), pool_(pool) {
  library::require_places(begin, (u64{1} << 32) - 1, "query", "fewer than 2^32");
}

std::string_view QueryBatch::letters_of(u64 query) const {
  return {letters_ + begin_[query], begin_[query + 1] - begin_[query]};
}

bool QueryBatch::next() {
  const u64 queries = begin_.size() - 1;
  first_ = end_;
  if (first_ == queries) return false;
  units_.clear();
  u64 units = 0;
  while (end_ < queries && end_ - first_ < kMostQueriesATime &&
         (end_ == first_ || begin_[end_ + 1] - begin_[first_] <= kLettersATime)) {
    units_.push_back(static_cast<u32>(units));
    units += packed_words(letters_of(end_++).size()) / 4;
  }
  packed_.assign(units * 4, 0);
  bases_.resize(units_.size());
  others_.resize(units_.size());
  pool_.parallel_for(units_.size(), kQueriesPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view letters = letters_of(first_ + i);
      others_[i] = pack_query(letters, packed_.data() + u64{units_[i]} * 4) ? 0 : 1;
      bases_[i] = others_[i] != 0 ? 0 : static_cast<u32>(letters.size());
    }
  });
  return true;
}

PackedBatch QueryBatch::packed() const {
  return {.view = {packed_.data(), units_.data(), bases_.data(), static_cast<u32>(units_.size())},
          .packed = packed_};
}

}  // namespace gpuseq::fm_index
