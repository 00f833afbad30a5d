#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "kernels/common/tuned_kernel.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"

namespace gpuseq {

/// The kernel of a policy on a device: from the image that nvcc made, or compiled by NVRTC.
/// @param image    of the family's kernels that were compiled ahead of time; used only if requested
/// @param headers  see TunedKernel::source()
/// @throws ResourceError if nvcc did not compile it; CudaError
template <class Policy>
std::shared_ptr<cuda::Kernel> load_kernel(const TunedKernel<Policy>& kernels, const Policy& of,
                                          bool ahead_of_time, std::string_view image,
                                          std::map<std::string, std::string> headers,
                                          cuda::CudaDevice& device, const std::filesystem::path& cache_dir) {
  if (!ahead_of_time) return device.load(kernels.source(of, std::move(headers)), cache_dir);
  if (!kernels.is_ahead_of_time(of))
    throw ResourceError("nvcc did not compile " + kernels.name(of) + "; use compiled_by = nvrtc");
  return std::make_shared<cuda::Kernel>(device, image, kernels.name(of));
}

}  // namespace gpuseq
