#pragma once

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// Synchronises streams of two devices, or two of one. The devices must outlive it.
class Meeting {
 public:
  Meeting(CudaDevice& first, CUstream of_first, CudaDevice& second, CUstream of_second);
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  /// Work enqueued on either stream after this call starts after all work enqueued on both before, and sees
  /// the values that kernels stored in the other device's memory.
  void meet();

 private:
  struct Side {
    CudaDevice* device;
    CUstream stream;
    CUevent came = nullptr;
  };
  void release() noexcept;

  Side sides_[2];
};

}  // namespace gpuseq::cuda
