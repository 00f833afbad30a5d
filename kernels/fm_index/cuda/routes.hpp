#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/fm_index/cuda/device_search.hpp"
#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/data/index.hpp"
#include "kernels/fm_index/data/queries.hpp"
#include "kernels/fm_index/estimate.hpp"
#include "runtime/contract/work.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/side_stream.hpp"
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
/// @param range  of the queries; without: all
RoutedQueries route(const Queries& queries, u32 prefix_symbols, u32 k, std::optional<QueryRange> range = {});

/// An upper estimate of DeviceRoutes::bytes().
u64 route_bytes_at_most(const SearchPoint& at, const QuerySizes& queries);

/// A seat for each multiprocessor. @param window_of  by number; @param count  of multiprocessors
struct Seats {
  std::vector<Seat> seats = {};
  std::vector<u32> seat_of = {};  // by number, also those that no multiprocessor has
};
Seats seats_of(const cuda::SmWindows& window_of, u32 windows, u32 count);

/// A window for each multiprocessor, with remarks.
struct Windows {
  cuda::SmWindows window_of = {};
  std::vector<std::string> notes = {};
};
/// @param index  its copy in device memory may be given back: to find groups takes the memory
Windows windows_of(const SearchPoint& at, const Index& index, cuda::CudaDevice& device,
                   const std::filesystem::path& cache_dir);

/// The arguments of a launch of a step for at most `most` queries from `first` on, a multiple of a portion.
/// @param all  arguments without the step and the portions that its seats have taken
SearchArguments arguments_of_step(const SearchArguments& all, const Policy& policy, u32 step, u32 first,
                                  u32 most);

/// Limits the footprint of a multiprocessor to one of so many windows.
void keep_to_window(Traffic& traffic, u32 windows);

/// Queries and windows of one_hot_routed on a device, and its launches.
class DeviceRoutes {
 public:
  /// @param windows  of the device
  /// @param streams  of batches of the queries, which take their steps at the same time, so that the last
  /// blocks of a batch leave room for those of another
  /// @param crossing  of a device that shares the words with others
  DeviceRoutes(const RoutedQueries& queries, u32 windows, const cuda::SmWindows& window_of, u32 streams,
               cuda::CudaDevice& device, const std::optional<Crossing>& crossing = {});

  /// Enqueues all steps. @param arguments  but for `routes`
  void launch(cuda::Kernel& kernel, const Policy& policy, u32 blocks, const SearchArguments& arguments);

  /// The same a step of a batch at a time; the first step is kOpeningStep.
  void begin();
  void enqueue(u32 step, u32 batch, cuda::Kernel& kernel, const Policy& policy, u32 blocks,
               const SearchArguments& arguments);
  void end();
  u32 steps() const { return steps_; }
  u32 batches() const { return static_cast<u32>(1 + sides_.size()); }
  CUstream stream(u32 batch) const { return batch == 0 ? device_->stream() : sides_[batch - 1]->stream(); }

  std::size_t bytes() const;
  double upload_s() const { return upload_s_; }

 private:
  cuda::CudaDevice* device_;
  cuda::DeviceBuffer words_, openings_, steps_of_, seats_, seat_of_;
  cuda::DeviceBuffer taken_;  // [streams][steps][seats][kTakenStride]
  Routes routes_{};
  u32 steps_ = 0;
  u32 batch_ = 0;                                         // queries of a stream, whole portions
  std::vector<std::unique_ptr<cuda::SideStream>> sides_;  // of all batches but the first
  double upload_s_ = 0;
};

}  // namespace gpuseq::fm_index
