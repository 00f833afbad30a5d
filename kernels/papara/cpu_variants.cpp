#include "kernels/papara/problem.hpp"

namespace gpuseq::papara {

std::vector<Variant> cpu_variants() {
  return {};
}

}  // namespace gpuseq::papara
