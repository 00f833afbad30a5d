#pragma once

#include "kernels/pairwise_distance/cuda/block.cuh"
#include "kernels/pairwise_distance/cuda/ladder_policy.cuh"

// Hamming distances of all pairs: the kernels of Payne et al. 2010 from the naive to the last one, and the
// last one with the alternatives that they name: constant memory, textures, parallel reduction.
//
// Mapping: a block takes a pair (both orders of it, and each instance with itself); its threads take
// attributes with a stride of the block.
//
// Bound by: naive and coalesced by loads, and with char4 and byte_register by additions to one address in
// memory; shared by the one thread that sums the counts of the others, with a reduction by instructions, and
// with constant memory by its reads: lanes request different words, which are served one after the other.
//
// Source: Payne, Sinnott-Armstrong, Moore 2010, sections 5.1 to 5.3 and 7. The tree: Harris, Optimizing
// Parallel Reduction in CUDA, NVIDIA, with sequential addressing and its loop unrolled.

namespace gpuseq::pairwise_distance {

/// The data of ReadPath::constant; the host fills it.
#if defined(__CUDACC__)
extern "C" {
__constant__ u32 ladder_constants[kConstantBytes / sizeof(u32)];
}
#else
inline u32 ladder_constants[kConstantBytes / sizeof(u32)];
#endif

/// On the host a texture is the address of its data.
GPUSEQ_HD u32 fetch_word(u64 texture, u32 texel) {
#if defined(__CUDA_ARCH__)
  return tex1Dfetch<u32>(texture, static_cast<int>(texel));
#else
  return reinterpret_cast<const u32*>(texture)[texel];
#endif
}

/// The bytes of an instance, read by a path.
template <ReadPath path>
class Row {
 public:
  GPUSEQ_HD Row(const LadderArguments& arguments, u32 instance)
      : first_(arguments.data + u64{instance} * arguments.row_bytes),
        texture_(arguments.texture),
        first_word_(instance * (arguments.row_bytes / kWordBytes)) {}

  /// Codes of four attributes. @param attribute  the first of them, a multiple of 4
  GPUSEQ_HD u32 codes(u32 attribute) const {
    if constexpr (path == ReadPath::global)
      return load_word<true>(first_ + attribute);
    else if constexpr (path == ReadPath::constant)
      return ladder_constants[first_word_ + attribute / kWordBytes];
    else
      return fetch_word(texture_, first_word_ + attribute / kWordBytes);
  }

 private:
  static constexpr u32 kWordBytes = sizeof(u32);
  const u8* first_;
  u64 texture_;
  u32 first_word_;  // in constant memory or a texture, which have less than 2^32 words
};

/// The number of differing codes among four attributes, of those that exist.
GPUSEQ_HD u32 differing_bytes(u32 a, u32 b, u32 attribute, u32 attributes, u32* add_each) {
  u32 count = 0;
  const u32 differences = a ^ b;
#pragma unroll
  for (u32 byte = 0; byte < 4; ++byte) {
    if ((differences >> (8 * byte) & 0xff) == 0 || attribute + byte >= attributes) continue;
    if (add_each != nullptr)
      fetch_add(add_each, 1);
    else
      ++count;
  }
  return count;
}

/// The sum over `lanes` adjacent lanes, a power of 2, in all of them.
template <u32 lanes>
GPUSEQ_HD u32 sum_of_lanes(u32 value) {
#pragma unroll
  for (u32 distance = 1; distance < lanes; distance *= 2) value += shuffle_xor(value, distance);
  return value;
}

/// Adds the counts of a block's threads; the first thread writes the sum.
/// @param shared  LadderPolicy::shared_words(): for Sum::shuffles unset, else the counts of the threads
/// @param count  Sum::shuffles: the caller's
template <class Tuned>
GPUSEQ_HD void write_sum(u32* distance, u32 thread, u32* shared, u32 count) {
  constexpr LadderPolicy policy = Tuned::value;
  constexpr u32 kThreads = policy.threads, kWarps = policy.warps();
  static_assert((kThreads & (kThreads - 1)) == 0, "halves of threads are whole down to one");
  if constexpr (policy.sum == Sum::one_thread) {
    sync_block();
    if (thread != 0) return;
    for (u32 i = 1; i < kThreads; ++i) shared[0] += shared[i];
    *distance = shared[0];
  } else if constexpr (policy.sum == Sum::tree) {
#pragma unroll
    for (u32 half = kThreads / 2; half > 0; half /= 2) {
      sync_block();
      if (thread < half) shared[thread] += shared[thread + half];
    }
    if (thread == 0) *distance = shared[0];
  } else {
    count = sum_of_lanes<kWarp>(count);
    if constexpr (kWarps > 1) {
      if (thread % kWarp == 0) shared[thread / kWarp] = count;
      sync_block();
      if (thread >= kWarp) return;
      count = sum_of_lanes<kWarps>(thread < kWarps ? shared[thread] : 0);
    }
    if (thread == 0) *distance = count;
  }
}

/// The distance of a block's pair; every thread calls it once.
/// @param shared  LadderPolicy::shared_words()
template <class Tuned>
GPUSEQ_HD void ladder(const LadderArguments& arguments, const ThreadPlace& place, u32* shared) {
  constexpr LadderPolicy policy = Tuned::value;
  const u32 count = arguments.instances, attributes = arguments.attributes;
  const u32 gx = place.block % count, gy = place.block / count;
  u32* distance = arguments.distances + u64{gy} * count + gx;
  if constexpr (!policy.bytes()) {
    const auto* data = reinterpret_cast<const i32*>(arguments.data);
    const u64 x = policy.rung == Rung::naive ? gx : u64{gx} * attributes;
    const u64 y = policy.rung == Rung::naive ? gy : u64{gy} * attributes;
    const u64 step = policy.rung == Rung::naive ? count : 1;
    for (u32 i = place.thread; i < attributes; i += policy.threads)
      if (data[x + i * step] != data[y + i * step]) fetch_add(distance, 1);
  } else {
    const Row<policy.path> x(arguments, gx), y(arguments, gy);
    constexpr bool kInShared = policy.rung == Rung::shared && policy.sum != Sum::shuffles;
    u32 counted = 0;
    if constexpr (kInShared) shared[place.thread] = 0;
    for (u32 i = 4 * place.thread; i < attributes; i += 4 * policy.threads) {
      u32* each = policy.rung == Rung::char4 ? distance : nullptr;
      const u32 differing = differing_bytes(x.codes(i), y.codes(i), i, attributes, each);
      if constexpr (policy.rung == Rung::byte_register) fetch_add(distance, differing);
      if constexpr (kInShared)
        shared[place.thread] += differing;
      else
        counted += differing;
    }
    if constexpr (policy.rung == Rung::shared) write_sum<Tuned>(distance, place.thread, shared, counted);
  }
}

#if defined(__CUDACC__)
/// The body of a kernel with LadderPolicy::threads threads per block.
template <class Tuned>
__device__ __forceinline__ void ladder_kernel(const LadderArguments& arguments) {
  extern __shared__ __align__(16) u32 ladder_counts[];
  ladder<Tuned>(arguments, {threadIdx.x, blockIdx.x, gridDim.x}, ladder_counts);
}
#endif

}  // namespace gpuseq::pairwise_distance
