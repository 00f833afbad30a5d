#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/data/queries.hpp"
#include "kernels/fm_index/estimate.hpp"
#include "runtime/cuda/cuda.hpp"

// The data of a search on each of its devices.

namespace gpuseq::fm_index {

/// The kernel of a point, compiled for the device or taken from those that nvcc compiled.
/// @throws as load_kernel()
std::shared_ptr<cuda::Kernel> search_kernel_on(cuda::CudaDevice& device, const SearchPoint& at,
                                               const std::filesystem::path& cache_dir);

/// Queries that follow each other.
struct QueryRange {
  std::size_t first = 0, count = 0;
};

/// Queries of a range in device memory, as kernels read them.
class DeviceQueries {
 public:
  DeviceQueries() = default;
  /// @throws ResourceError if they are more than the kernels number, DoesNotFit
  DeviceQueries(const Queries& queries, QueryRange range, cuda::CudaDevice& device);

  QueryView view() const {
    return {packed_.as<const u32>(), begin_.as<const u32>(), bases_.as<const u32>(), count_};
  }
  std::size_t bytes() const { return packed_.size() + begin_.size() + bases_.size(); }
  double upload_s() const { return upload_s_; }

 private:
  cuda::DeviceBuffer packed_, begin_, bases_;
  u32 count_ = 0;
  double upload_s_ = 0;
};

/// The bytes of such queries, all of them.
u64 device_query_bytes(const QuerySizes& queries);

/// @param index  whose pointers are to device memory
SearchArguments search_arguments(const Policy& policy, const IndexView& index, const QueryView& queries,
                                 void* intervals);

/// Blocks of a launch: one wave, no more than there is work for. Allows the kernel its shared memory.
/// @param notes  is told where fewer threads are resident than the point asks for
unsigned search_blocks(const SearchPoint& at, cuda::Kernel& kernel, const cuda::CudaDevice& device,
                       std::size_t queries, std::vector<std::string>& notes);

std::size_t interval_bytes(const Policy& policy);
/// @param intervals  as a policy's kernel left them; @param to  one for each of them, overwritten
/// @returns seconds of the copy
double download_intervals(const Policy& policy, const cuda::DeviceBuffer& intervals, cuda::CudaDevice& device,
                          std::span<Interval<u64>> to);

}  // namespace gpuseq::fm_index
