// `interleaved`: positions of rows, with in_flight walks interleaved on a thread.
//
// After each step a walk prefetches the line of its next row, or its sample, and the next walk takes a step.
// A walk that ends is replaced at once, so that up to in_flight reads overlap.
//
// Bound by: instructions, more than by lines in flight.
//
// Source: Ferragina and Manzini 2000, section 3.2.

#include <utility>
#include <vector>

#include "kernels/fm_locate/cpu/step.hpp"

namespace gpuseq::fm_locate {
namespace {

template <bool marked>
class Walks {
 public:
  explicit Walks(const WalkJob& job)
      : job_(job), step_(job.index), rows_(job), walks_(std::min(job.in_flight, job.end - job.begin)) {}

  void run() {
    std::size_t live = 0;
    while (live < walks_.size() && start(walks_[live])) ++live;
    while (live > 0)
      for (std::size_t i = 0; i < live; ++i)
        if (!turn(walks_[i])) std::swap(walks_[i], walks_[--live]);
  }

 private:
  static constexpr u32 kNone = ~0u;

  struct Walk {
    u32 row;
    u32 steps;
    u32 place;
    u32 sample;  // number of the prefetched sample; kNone if the row's line is prefetched
  };

  bool start(Walk& walk) {
    if (!rows_.next(walk.row, walk.place)) return false;
    walk.steps = 0;
    ask(walk);
    return true;
  }
  /// Prefetches the line of the walk's row, or its sample if the row's number shows that it has one.
  void ask(Walk& walk) const {
    if (!marked && step_.ends_by_number(walk.row)) return ask_for_sample(walk);
    walk.sample = kNone;
    step_.prefetch(walk.row);
  }
  void ask_for_sample(Walk& walk) const {
    walk.sample = step_.sample(walk.row);
    __builtin_prefetch(job_.index.samples + walk.sample);
  }

  /// Reads the prefetched data and prefetches the next. @returns false if no walk and no row is left
  bool turn(Walk& walk) {
    if (walk.sample != kNone) return finish(walk, job_.index.samples[walk.sample] + walk.steps);
    if constexpr (marked) {
      if (step_.is_marked(walk.row)) {
        ask_for_sample(walk);
        return true;
      }
    } else if (walk.row == job_.index.dollar_row) {
      return finish(walk, walk.steps);
    }
    walk.row = step_.lf(walk.row);
    ++walk.steps;
    ask(walk);
    return true;
  }
  bool finish(Walk& walk, u32 position) {
    job_.positions[walk.place] = position;
    return start(walk);
  }

  const WalkJob& job_;
  const Step<marked> step_;
  RowStream rows_;
  std::vector<Walk> walks_;
};

template <bool marked>
void locate_in_turns(const WalkJob& job) {
  Walks<marked>(job).run();
}

}  // namespace

DispatchedWalks interleaved_kernel(bool marked) {
  return {marked ? &locate_in_turns<true> : &locate_in_turns<false>, "scalar"};
}

}  // namespace gpuseq::fm_locate
