#include "kernels/papara/outline.hpp"

#include "kernels/papara/data/letters.hpp"

namespace gpuseq::papara {

Penalties penalties_of(const Point& problem) {
  const auto cost = [&](std::string_view axis) { return static_cast<i32>(problem.integer(axis)); };
  return {.mismatch = cost("mismatch"),
          .cgap = cost("cgap"),
          .gap_open = cost("gap_open"),
          .gap_extend = cost("gap_extend"),
          .insertion = cost("insertion")};
}

Alphabet alphabet_of(const Point& problem) {
  return parse_alphabet(problem.word("alphabet"));
}

}  // namespace gpuseq::papara
