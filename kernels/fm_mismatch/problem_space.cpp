#include "kernels/fm_locate/text_problem.hpp"
#include "kernels/fm_mismatch/problem.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::fm_mismatch {
namespace {

std::vector<Axis> axes_with_mismatches() {
  std::vector<Axis> axes = fm_locate::text_axes();
  axes.push_back(listed_axis("mismatches", {0, 1, 2}, i64{kMostMismatches},
                             "maximum number of mismatches between an occurrence and its query"));
  axes.push_back(fm_locate::strands_axis());
  return axes;
}

}  // namespace

const SearchSpace& problem_space() {
  static const SearchSpace space(axes_with_mismatches(), fm_locate::text_constraints());
  return space;
}

u32 mismatches_of(const Point& problem) {
  return static_cast<u32>(problem.integer("mismatches"));
}

u32 strands_of(const Point& problem) {
  return fm_locate::strands_of(problem) == fm_locate::Strands::both ? 2 : 1;
}

}  // namespace gpuseq::fm_mismatch
