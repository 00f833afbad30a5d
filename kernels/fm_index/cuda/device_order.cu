#include <cub/device/device_radix_sort.cuh>

#include "kernels/fm_index/cuda/device_order_launch.hpp"

// The kernels of device_order.cuh and CUB's radix sort between them. Compiled by nvcc for host and device:
// CUB chooses by the device what it launches.

namespace gpuseq::fm_index {
namespace {

constexpr u32 kThreads = 256;

__global__ void keys_kernel(OrderArguments arguments, u32* keys, u32* numbers) {
  const u32 query = blockIdx.x * kThreads + threadIdx.x;
  if (query < arguments.queries.count) write_key(arguments, query, keys, numbers);
}

__global__ void places_kernel(OrderArguments arguments, const u32* numbers, u32* begin, u32* bases) {
  const u32 at = blockIdx.x * kThreads + threadIdx.x;
  if (at < arguments.queries.count) write_place(arguments, at, numbers, begin, bases);
}

template <typename Position>
__global__ void give_back_kernel(u32 queries, const u32* numbers, const AlignedInterval<Position>* found,
                                 AlignedInterval<Position>* intervals) {
  const u32 at = blockIdx.x * kThreads + threadIdx.x;
  if (at < queries) give_back(at, numbers, found, intervals);
}

u32 blocks_of(u32 queries) {
  return (queries + kThreads - 1) / kThreads;
}

const char* words_of(cudaError_t status) {
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

/// What the last launch said, which is then forgotten.
const char* launched() {
  return words_of(cudaGetLastError());
}

}  // namespace

const char* scratch_for_order(u32 queries, u32 key_bits, std::size_t& bytes) {
  cub::DoubleBuffer<u32> keys, numbers;
  return words_of(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, numbers, static_cast<int>(queries), 0,
                                                  static_cast<int>(key_bits)));
}

const char* launch_order(const OrderArguments& arguments, const OrderMemory& memory, const u32*& numbers,
                         void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  const u32 queries = arguments.queries.count;
  cub::DoubleBuffer<u32> keys(memory.keys[0], memory.keys[1]), sorted(memory.numbers[0], memory.numbers[1]);
  keys_kernel<<<blocks_of(queries), kThreads, 0, on>>>(arguments, keys.Current(), sorted.Current());
  if (const char* failed = launched()) return failed;
  std::size_t bytes = memory.scratch_bytes;
  const cudaError_t status =
      cub::DeviceRadixSort::SortPairs(memory.scratch, bytes, keys, sorted, static_cast<int>(queries), 0,
                                      static_cast<int>(2 * arguments.key.bases), on);
  numbers = sorted.Current();
  return words_of(status);
}

const char* launch_places(const OrderArguments& arguments, const u32* numbers, u32* begin, u32* bases,
                          void* stream) {
  places_kernel<<<blocks_of(arguments.queries.count), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
      arguments, numbers, begin, bases);
  return launched();
}

const char* launch_give_back(u32 queries, const u32* numbers, const void* found, void* intervals, bool wide,
                             void* stream) {
  const auto launch = [&]<typename Position>(Position) {
    give_back_kernel<<<blocks_of(queries), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
        queries, numbers, static_cast<const AlignedInterval<Position>*>(found),
        static_cast<AlignedInterval<Position>*>(intervals));
  };
  if (wide)
    launch(u64{});
  else
    launch(u32{});
  return launched();
}

}  // namespace gpuseq::fm_index
