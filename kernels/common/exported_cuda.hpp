#pragma once

#include <span>
#include <string>

#include "kernels/common/tuned_kernel.hpp"
#include "runtime/contract/exported_library.hpp"

namespace gpuseq {

/// Makes a library search on GPUs: adds cuda_engine.cpp of its folder and two generated files for the point,
/// cuda_point.hpp and kernel.cu.
/// @param definition  C++ definitions of the declarations in cuda_point.hpp;
/// TunedKernel::address() gives addresses
/// @param policies  of the compiled kernels; the first is the point's
template <class Policy>
void add_cuda(ExportedLibrary& library, const TunedKernel<Policy>& kernels, std::span<const Policy> policies,
              std::string point_text, const std::string& definition) {
  const std::string folder = library.folder + "/";
  library.cuda = true;
  library.least_architecture = kernels.least_architecture(policies.front());
  library.sources.insert(library.sources.end(), {folder + "cuda_engine.cpp", folder + "kernel.cu"});
  library.written[folder + "cuda_point.hpp"] = std::move(point_text);
  library.written[folder + "kernel.cu"] =
      fmt::format("#include \"{}cuda_point.hpp\"\n{}\n{}", folder, kernels.text(policies), definition);
}

}  // namespace gpuseq
