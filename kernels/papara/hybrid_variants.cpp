#include "kernels/papara/problem.hpp"

namespace gpuseq::papara {

std::vector<Variant> hybrid_variants() {
  return {};
}

}  // namespace gpuseq::papara
