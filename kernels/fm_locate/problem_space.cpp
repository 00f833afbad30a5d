#include "kernels/fm_locate/problem.hpp"
#include "kernels/fm_locate/text_problem.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::fm_locate {
namespace {

using namespace std::string_literals;

constexpr i64 kMostMaxHits = i64{1} << 32;

std::vector<Axis> axes() {
  std::vector<Axis> axes = text_axes();
  axes.push_back(open_integer_axis("max_hits", 0, kMostMaxHits, kUsualMaxHits,
                                   "maximum number of positions located per strand of a query, from the "
                                   "first rows of its interval; 0: all"));
  axes.push_back(strands_axis());
  return axes;
}

}  // namespace

const SearchSpace& problem_space() {
  static const SearchSpace space(axes(), text_constraints());
  return space;
}

std::vector<Axis> layout_axes() {
  return {listed_axis("sa_rate", {1, 2, 4, 8, 16, 32, 64, 128}, 32,
                      "sampling rate of the suffix array: suffixes (or rows) per stored position"),
          listed_axis("sa_sampling", {"text"s, "rows"s}, "text"s,
                      "text: suffixes at every sa_rate-th position of the text, whose rows are marked by a "
                      "bit; rows: every sa_rate-th row, without a limit on the length of a walk")};
}

Layout layout_of(const Point& point) {
  return {.rate = static_cast<u32>(point.integer("sa_rate")),
          .in_text_order = point.word("sa_sampling") == "text"};
}

}  // namespace gpuseq::fm_locate
