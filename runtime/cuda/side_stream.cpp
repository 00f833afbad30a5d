#include "runtime/cuda/side_stream.hpp"

#include "runtime/cuda/driver_api.hpp"

namespace gpuseq::cuda {

SideStream::SideStream(CudaDevice& device, CudaDevice& side) : device_(&device), side_(&side) {
  try {
    device.make_current();  // an event belongs to the device of the stream that it is recorded on
    check(driver().event_create(&forked_, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    side.make_current();
    check(driver().stream_create(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    check(driver().event_create(&joined_, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
  } catch (...) {
    release();
    throw;
  }
}

SideStream::~SideStream() {
  try {
    side_->make_current();
    release();
  } catch (const std::exception&) {
    // The context is lost, and the stream with it.
  }
}

void SideStream::release() noexcept {
  if (joined_ != nullptr) driver().event_destroy(joined_);
  if (forked_ != nullptr) driver().event_destroy(forked_);
  if (stream_ != nullptr) driver().stream_destroy(stream_);
}

void SideStream::order(const CudaDevice& of, CUstream first, CUevent event, CUstream waiting) {
  of.make_current();
  check(driver().event_record(event, first), "cuEventRecord between streams");
  check(driver().stream_wait_event(waiting, event, CU_EVENT_WAIT_DEFAULT), "cuStreamWaitEvent");
}

void SideStream::synchronize() {
  side_->make_current();
  check(driver().stream_synchronize(stream_), "cuStreamSynchronize of a second stream");
}

void SideStream::fork() {
  order(*device_, device_->stream(), forked_, stream_);
}

void SideStream::join() {
  order(*side_, stream_, joined_, device_->stream());
}

}  // namespace gpuseq::cuda
