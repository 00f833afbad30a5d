#pragma once

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// Streams of two devices, or two of one, that wait for each other. The devices must outlive it.
class Meeting {
 public:
  Meeting(CudaDevice& first, CUstream of_first, CudaDevice& second, CUstream of_second);
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  /// What is enqueued on either stream from now on starts after what both have now; what a kernel has stored
  /// into the other device's memory is there then.
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
