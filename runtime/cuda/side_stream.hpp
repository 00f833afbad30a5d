#pragma once

#include <cuda.h>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// A second stream of a device, for what runs at the same time as its own. Between fork() and join() the work
/// of both counts as work on the device's stream: time_s() has it all. The device must outlive it.
class SideStream {
 public:
  explicit SideStream(CudaDevice& device);
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
  void order(CUstream first, CUevent event, CUstream waiting);

  CudaDevice* device_;
  CUstream stream_ = nullptr;
  CUevent forked_ = nullptr, joined_ = nullptr;
};

}  // namespace gpuseq::cuda
