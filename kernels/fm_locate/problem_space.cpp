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
                                   "positions of a strand of a query that are located at most, those of the "
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
  return {
      listed_axis("sa_rate", {1, 2, 4, 8, 16, 32, 64, 128}, 32,
                  "suffixes, or rows, for each one whose position is stored"),
      listed_axis("sa_sampling", {"text"s, "rows"s}, "text"s,
                  "text: the suffixes from each so-manieth place of the text, rows marked by a bit; rows: "
                  "each so-manieth row, so that a walk may be of any length")};
}

Layout layout_of(const Point& point) {
  return {.rate = static_cast<u32>(point.integer("sa_rate")),
          .in_text_order = point.word("sa_sampling") == "text"};
}

}  // namespace gpuseq::fm_locate
