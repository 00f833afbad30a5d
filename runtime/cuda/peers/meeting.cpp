#include "runtime/cuda/peers/meeting.hpp"

#include "runtime/cuda/driver_api.hpp"

namespace gpuseq::cuda {

Meeting::Meeting(std::span<const DeviceStream> streams) {
  for (const DeviceStream& at : streams) sides_.push_back({.at = at});
  try {
    for (Side& side : sides_) {
      side.at.device->make_current();  // an event belongs to the device of the stream that it is recorded on
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
  for (const Side& side : sides_)
    if (side.came != nullptr) driver().event_destroy(side.came);
}

// All record before any waits, so that none waits for another's wait.
void Meeting::meet() {
  for (const Side& side : sides_) {
    side.at.device->make_current();
    check(driver().event_record(side.came, side.at.stream), "cuEventRecord where streams meet");
  }
  for (const Side& side : sides_) {
    side.at.device->make_current();
    for (const Side& other : sides_)
      if (&other != &side)
        check(driver().stream_wait_event(side.at.stream, other.came, CU_EVENT_WAIT_DEFAULT),
              "cuStreamWaitEvent where streams meet");
  }
}

}  // namespace gpuseq::cuda
