// `scalar`: positions of rows, one walk after the other; every step waits for the line of the previous step.
//
// Bound by: latency of one line per step and one sample per walk.
//
// Source: Ferragina and Manzini 2000, section 3.2.

#include "kernels/fm_locate/cpu/step.hpp"

namespace gpuseq::fm_locate {
namespace {

template <bool marked>
u32 position_of(const IndexView& index, u32 row) {
  const Step<marked> step(index);
  u32 steps = 0;
  while (marked ? !step.is_marked(row) : !step.ends_by_number(row)) {
    if (row == index.dollar_row) return steps;  // the suffix from 0, which may lack a sample if unmarked
    row = step.lf(row);
    ++steps;
  }
  return index.samples[step.sample(row)] + steps;
}

template <bool marked>
void locate_one_by_one(const WalkJob& job) {
  RowStream rows(job);
  for (u32 row, place; rows.next(row, place);) job.positions[place] = position_of<marked>(job.index, row);
}

}  // namespace

DispatchedWalks scalar_kernel(bool marked) {
  return {marked ? &locate_one_by_one<true> : &locate_one_by_one<false>, "scalar"};
}

}  // namespace gpuseq::fm_locate
