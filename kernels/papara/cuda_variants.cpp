#include "kernels/papara/problem.hpp"

namespace gpuseq::papara {

std::vector<Variant> cuda_variants() {
  return {};
}

}  // namespace gpuseq::papara
