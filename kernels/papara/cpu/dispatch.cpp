#include "kernels/papara/cpu/dispatch.hpp"

namespace gpuseq::papara {

DispatchedKernel dispatch_kernel(std::initializer_list<CompiledKernels> compiled, int bits,
                                 SimdTarget wanted) {
  Dispatched<DispatchedKernel> chosen = dispatch(compiled, wanted, bits);
  chosen.kernels.target = std::move(chosen.target);
  chosen.kernels.instruction_set = std::move(chosen.instruction_set);
  return std::move(chosen.kernels);
}

}  // namespace gpuseq::papara
