// `interleaved`: in_flight strands of queries are interleaved on a thread.
//
// After each step a strand prefetches the lines of its next step, and the next strand takes a step. A strand
// that ends is replaced at once, so that up to 2 in_flight reads overlap. Entries of the prefix table are
// prefetched kAhead strands before they are read.
//
// Bound by: instructions if the index is in the cache, else by lines in flight.
//
// Source: Kucherov, Salikhov, Tsur 2016; Lam et al. 2009.

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/fm_mismatch/cpu/searches.hpp"

namespace gpuseq::fm_mismatch {
namespace {

template <u32 mismatches>
class Turns {
 public:
  explicit Turns(const SearchJob& job)
      : job_(job),
        place_(job.begin),
        ahead_(job.index, nullptr, 0),
        nodes_(std::min<u64>(job.in_flight, job.end - job.begin) * waiting_nodes(mismatches)) {
    for (std::size_t at = 0; at < nodes_.size(); at += waiting_nodes(mismatches))
      turns_.push_back({CpuSearches<mismatches>(job.index, nodes_.data() + at, 1), 0, {}});
  }

  void run() {
    for (u64 place = job_.begin; place < job_.begin + kAhead; ++place) look_ahead(place);
    std::vector<Turn*> live;
    for (Turn& turn : turns_)
      if (next(turn)) live.push_back(&turn);
    while (!live.empty())
      for (std::size_t i = 0; i < live.size(); ++i)
        if (!take(*live[i])) {
          live[i] = live.back();
          live.pop_back();
        }
  }

 private:
  struct Turn {
    CpuSearches<mismatches> searches;
    u64 place;
    LineInMemory line;  // of the strand's next step
  };

  /// @returns false if no strand is left
  bool next(Turn& turn) {
    while (place_ < job_.end) {
      turn.place = place_++;
      look_ahead(turn.place + kAhead);
      if (start(turn.searches, job_, turn.place)) {
        ask(turn);
        return true;
      }
      job_.answers[turn.place] = turn.searches.answer();
    }
    return false;
  }
  bool take(Turn& turn) {
    if (turn.searches.template advance<true>(turn.line)) {
      ask(turn);
      return true;
    }
    job_.answers[turn.place] = turn.searches.answer();
    return next(turn);
  }
  /// Prefetches the entries of the prefix table for the searches of a place.
  void look_ahead(u64 place) {
    if (job_.index.prefix_symbols == 0 || place >= job_.end) return;
    const auto [query, reverse_complement] = strand_of(job_, place);
    ahead_.for_each_entry(job_.queries, query, reverse_complement,
                          [](const u8* entry) { __builtin_prefetch(entry); });
  }
  static void ask(Turn& turn) {
    turn.line = turn.searches.template line<true>();
    __builtin_prefetch(turn.line.address());
    if (!turn.searches.reads_one_line(turn.line)) __builtin_prefetch(turn.searches.end_line());
  }

  static constexpr u64 kAhead = 16;  // places

  const SearchJob& job_;
  u64 place_;
  CpuSearches<mismatches> ahead_;  // only lists the entries of the prefix table
  std::vector<Node> nodes_;
  std::vector<Turn> turns_;
};

template <u32 mismatches>
void search_in_turns(const SearchJob& job) {
  Turns<mismatches>(job).run();
}

}  // namespace

SearchKernel interleaved_kernel(u32 mismatches) {
  if (mismatches == 0) return &search_in_turns<0>;
  return mismatches == 1 ? &search_in_turns<1> : &search_in_turns<2>;
}

}  // namespace gpuseq::fm_mismatch
