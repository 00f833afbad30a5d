#pragma once

#include "kernels/fm_index/cuda/device_order.cuh"
#include "kernels/fm_index/data/queries.hpp"
#include "runtime/cuda/cuda.hpp"

namespace gpuseq::fm_index {

/// The 16-byte units of each query where all are equally long and lie one behind the other; else 0.
u32 even_units(const Queries& queries);

/// An upper estimate of DeviceOrder::bytes().
u64 order_bytes_at_most(u64 queries, u64 interval_bytes);

/// Puts queries in order on a device, and their answers back, as part of each launch of a search.
class DeviceOrder {
 public:
  /// @param arguments  with at least one query
  /// @param wide  positions have 64 bits
  /// @throws DoesNotFit if the device has not the memory, ResourceError with the reason if nothing can be
  /// sorted there
  DeviceOrder(const OrderArguments& arguments, bool wide, cuda::CudaDevice& device);

  /// The queries in order, once sort() is done.
  QueryView queries() const;
  /// Where the search leaves their intervals.
  void* found() const { return found_.as<void>(); }

  /// Both are enqueued on the device's stream.
  void sort();
  void give_back(void* intervals);

  /// The memory of the order, without queries and intervals.
  std::size_t bytes() const;

 private:
  cuda::CudaDevice& device_;
  OrderArguments arguments_;
  bool wide_;
  cuda::DeviceBuffer keys_[2], numbers_[2];  // once sorted, keys have where queries begin, and their lengths
  cuda::DeviceBuffer scratch_, found_;
  const u32* sorted_ = nullptr;  // of numbers_
};

}  // namespace gpuseq::fm_index
