#pragma once

#include <cstddef>

#include "kernels/fm_index/cuda/device_order.cuh"

// Launches of device_order.cu by the CUDA runtime, which CUB's sort needs, in the current context. Each
// function returns null if it succeeds, else the error text of the runtime.

namespace gpuseq::fm_index {

/// Device memory of a sort: two arrays of keys and two of numbers, [queries] each, and the scratch of CUB.
struct OrderMemory {
  u32* keys[2];
  u32* numbers[2];
  void* scratch;
  std::size_t scratch_bytes;
};

/// The bytes of `scratch` for so many queries and bits of keys.
const char* scratch_for_order(u32 queries, u32 key_bits, std::size_t& bytes);

/// Sorts the queries' numbers by their keys, those with equal keys as they were.
/// @param numbers  the one of memory.numbers that has them then; neither of memory.keys is needed any more
const char* launch_order(const OrderArguments& arguments, const OrderMemory& memory, const u32*& numbers,
                         void* stream);

/// Writes where the queries begin that are searched one after the other, and how long each is.
/// @param bases  not written where all are equally long
const char* launch_places(const OrderArguments& arguments, const u32* numbers, u32* begin, u32* bases,
                          void* stream);

/// Puts intervals, of 64-bit positions if `wide`, where their queries came from.
const char* launch_give_back(u32 queries, const u32* numbers, const void* found, void* intervals, bool wide,
                             void* stream);

}  // namespace gpuseq::fm_index
