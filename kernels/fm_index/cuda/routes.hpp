#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/data/queries.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/sm_windows.hpp"

namespace gpuseq::fm_index {

/// Queries as one_hot_routed reads them (Routes), in host memory.
struct RoutedQueries {
  std::vector<u8> words = {};      // [steps][pitch]
  std::vector<u32> openings = {};  // [count]
  std::vector<u32> steps_of = {};  // [count]; empty: `steps` each
  u64 pitch = 0;
  u32 steps = 0;  // at most
};
RoutedQueries route(const Queries& queries, u32 prefix_symbols, u32 k);

/// Queries and windows of one_hot_routed on a device, and its launches.
class DeviceRoutes {
 public:
  DeviceRoutes(const RoutedQueries& queries, u32 windows, const cuda::SmWindows& window_of,
               cuda::CudaDevice& device);

  /// Enqueues all steps. @param arguments  but for `routes`
  void launch(cuda::Kernel& kernel, const Policy& policy, u32 blocks, SearchArguments arguments);

  std::size_t bytes() const;
  double upload_s() const { return upload_s_; }

 private:
  cuda::DeviceBuffer words_, openings_, steps_of_, window_of_;
  cuda::DeviceBuffer taken_;  // [steps][windows]
  Routes routes_{};
  u32 steps_ = 0;
  double upload_s_ = 0;
};

}  // namespace gpuseq::fm_index
