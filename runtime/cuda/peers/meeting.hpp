#pragma once

#include <span>
#include <vector>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// A stream and its device.
struct DeviceStream {
  CudaDevice* device;
  CUstream stream;
};

/// Synchronises streams of several devices, or several of one. The devices must outlive it.
class Meeting {
 public:
  explicit Meeting(std::span<const DeviceStream> streams);
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  /// Work enqueued on any of the streams after this call starts after all work enqueued on all of them
  /// before, and sees the values that kernels stored in the other devices' memory.
  void meet();

 private:
  struct Side {
    DeviceStream at;
    CUevent came = nullptr;
  };
  void release() noexcept;

  std::vector<Side> sides_;
};

}  // namespace gpuseq::cuda
