#pragma once

#include <cuda.h>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// A second stream, of a device or of another one, for what runs at the same time as the device's own.
/// Between fork() and join() the work of both counts as work on the device's stream: time_s() has it all. The
/// devices must outlive it.
class SideStream {
 public:
  explicit SideStream(CudaDevice& device) : SideStream(device, device) {}
  /// @param side  that the stream is of
  SideStream(CudaDevice& device, CudaDevice& side);
  ~SideStream();
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;

  CUstream stream() const { return stream_; }
  /// The host waits for what has been enqueued here.
  void synchronize();
  /// What is enqueued here from now on starts after what the device's stream has now.
  void fork();
  /// What is enqueued on the device's stream from now on starts after what has been enqueued here.
  void join();

 private:
  void release() noexcept;
  /// `waiting` goes on when `first` has done what it has now.
  /// @param of  the device that `first` and `event` are of
  static void order(const CudaDevice& of, CUstream first, CUevent event, CUstream waiting);

  CudaDevice* device_;
  CudaDevice* side_;
  CUstream stream_ = nullptr;
  CUevent forked_ = nullptr, joined_ = nullptr;
};

}  // namespace gpuseq::cuda
