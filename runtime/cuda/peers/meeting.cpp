#include "runtime/cuda/peers/meeting.hpp"

#include "runtime/cuda/driver_api.hpp"

namespace gpuseq::cuda {

Meeting::Meeting(CudaDevice& first, CUstream of_first, CudaDevice& second, CUstream of_second)
    : sides_{{.device = &first, .stream = of_first}, {.device = &second, .stream = of_second}} {
  try {
    for (Side& side : sides_) {
      side.device->make_current();  // an event belongs to the device of the stream that it is recorded on
      check(driver().event_create(&side.came, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    }
  } catch (...) {
    release();
    throw;
  }
}

Meeting::~Meeting() {
  release();
}

void Meeting::release() noexcept {
  for (Side& side : sides_)
    if (side.came != nullptr) driver().event_destroy(side.came);
}

// Both record before either waits, so that neither waits for the other's wait.
void Meeting::meet() {
  for (const Side& side : sides_) {
    side.device->make_current();
    check(driver().event_record(side.came, side.stream), "cuEventRecord where streams meet");
  }
  for (int i = 0; i < 2; ++i) {
    sides_[i].device->make_current();
    check(driver().stream_wait_event(sides_[i].stream, sides_[1 - i].came, CU_EVENT_WAIT_DEFAULT),
          "cuStreamWaitEvent where streams meet");
  }
}

}  // namespace gpuseq::cuda
