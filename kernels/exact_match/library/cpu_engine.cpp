#include <algorithm>

#include "kernels/exact_match/cpu/search.hpp"
#include "kernels/exact_match/found_matches.hpp"
#include "kernels/exact_match/library/cpu_point.hpp"
#include "kernels/exact_match/library/engine.hpp"
#include "kernels/exact_match/library/point.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u64 kLeastLettersATime = 16'000, kMostLettersATime = 250'000;

class CpuEngine final : public Engine {
 public:
  CpuEngine(const SuffixTree& tree, const Search& search, ThreadPool& pool)
      : tree_(tree),
        search_(search),
        pool_(pool),
        prefixes_(make_prefix_table(tree.view(), std::min(kExportedLetters.prefix, search.min_length), pool)),
        filter_(make_word_filter({tree.text.data(), tree.text.size()},
                                 std::min(kExportedLetters.filter, search.min_length), pool)) {}

  u64 most_queries() const override { return ~u64{0}; }

  MatchList find(const Queries& queries) override {
    const u64 letters = std::min<u64>(
        kMostLettersATime, piece_size(queries.bases(), pool_.size(), kLeastLettersATime, kMostLettersATime));
    return list_in_pieces(queries, letters, pool_, [&](u64 first, u64 count) {
      return find_matches({.tree = tree_.view(),
                           .search = search_,
                           .prefixes = &prefixes_,
                           .filter = &filter_,
                           .queries = &queries,
                           .begin = first,
                           .end = first + count,
                           .in_flight = kExportedInFlight});
    });
  }

 private:
  const SuffixTree& tree_;
  Search search_;
  ThreadPool& pool_;
  PrefixTable prefixes_;
  WordFilter filter_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const SuffixTree& tree, const Search& search, int, ThreadPool& pool) {
  return std::make_unique<CpuEngine>(tree, search, pool);
}

}  // namespace gpuseq::exact_match
