#pragma once

#include <cuda.h>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// A second stream, of the same or another device, for work concurrent with the device's own stream. Between
/// fork() and join(), time_s() includes the work of both. The devices must outlive it.
class SideStream {
 public:
  explicit SideStream(CudaDevice& device) : SideStream(device, device) {}
  /// @param side  the device of the stream
  SideStream(CudaDevice& device, CudaDevice& side);
  ~SideStream();
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;

  CUstream stream() const { return stream_; }
  /// Blocks until the work enqueued here is done.
  void synchronize();
  /// Work enqueued here after this call starts after the current work of the device's stream.
  void fork();
  /// Work enqueued on the device's stream after this call starts after the current work here.
  void join();

 private:
  void release() noexcept;
  /// Makes `waiting` wait for the current work of `first`.
  /// @param of  the device of `first` and `event`
  static void order(const CudaDevice& of, CUstream first, CUevent event, CUstream waiting);

  CudaDevice* device_;
  CudaDevice* side_;
  CUstream stream_ = nullptr;
  CUevent forked_ = nullptr, joined_ = nullptr;
};

}  // namespace gpuseq::cuda
