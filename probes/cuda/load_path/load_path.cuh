#pragma once

#include "probes/cuda/access.cuh"
#include "probes/cuda/latency.cuh"
#include "probes/cuda/load_path/load_path_arguments.cuh"

// One lane follows a chain of loads by one path to memory: each node holds the address of the next load, in
// the form that the path uses, so that no computation is in between. Bound by the latency of a load.
//
// A launch first goes round the chain untimed, as it begins with empty first-level caches; then, if
// requested, along a second chain by another path; then it times one or more rounds of the first.

namespace gpuseq::probes {

enum class LoadPath {
  global,     // ld.global: a normal load, through the L1
  l2,         // ld.global.cg: bypasses the L1
  read_only,  // ld.global.nc: read-only memory
  texture,    // a texture over linear memory, 16 bytes per texel
  constant,   // ld.const: constant memory, through its own caches
  shared,     // ld.shared: without a cache
};

/// The image of the nodes, filled by the host. Nodes hold offsets into it.
extern "C" {
__constant__ uint4 load_path_constants[kConstantNodesBytes / 16];
}

template <LoadPath kPath>
struct PathAddress {
  using Type = u32;
};
template <>
struct PathAddress<LoadPath::global> {
  using Type = u64;
};
template <>
struct PathAddress<LoadPath::l2> {
  using Type = u64;
};
template <>
struct PathAddress<LoadPath::read_only> {
  using Type = u64;
};

/// Replaces an address by the value at it.
template <LoadPath kPath>
__device__ inline void load_next(typename PathAddress<kPath>::Type& at, u64 texture) {
  // Volatile keeps the loads between the two clock readings.
  if constexpr (kPath == LoadPath::global) {
    asm volatile("ld.global.u64 %0, [%0];" : "+l"(at)::"memory");
  } else if constexpr (kPath == LoadPath::l2) {
    asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at)::"memory");
  } else if constexpr (kPath == LoadPath::read_only) {
    asm volatile("ld.global.nc.u64 %0, [%0];" : "+l"(at)::"memory");
  } else if constexpr (kPath == LoadPath::texture) {
    u32 y, z, w;
    asm volatile("tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%0}];"
                 : "+r"(at), "=r"(y), "=r"(z), "=r"(w)
                 : "l"(texture)
                 : "memory");
  } else if constexpr (kPath == LoadPath::constant) {
    const u64 place = __cvta_generic_to_constant(load_path_constants) + at;
    asm volatile("ld.const.u32 %0, [%1];" : "=r"(at) : "l"(place) : "memory");
  } else {
    asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at)::"memory");
  }
}

/// The address after `loads` loads. It must be used: ptxas removes loads without a use.
template <LoadPath kPath>
__device__ inline auto warmed(u64 first, u64 texture, u64 loads) {
  auto at = static_cast<typename PathAddress<kPath>::Type>(first);
#pragma unroll 1
  for (u64 i = 0; i < loads; ++i) load_next<kPath>(at, texture);
  return at;
}

/// @tparam kOther  the path of the second chain
template <LoadPath kPath, LoadPath kOther>
struct LoadPathKernel {
  __device__ static void run(Chase* chase, const LoadPathArguments& a) {
    u64 first = a.first + threadIdx.x;  // 0, hidden from the compiler: uniform loads are other instructions
    u64 begin = 0;
    if constexpr (kPath == LoadPath::shared) {
      __shared__ uint4 own[kSharedNodesBytes / 16];
      begin = __cvta_generic_to_shared(own);
      const char* const image = reinterpret_cast<const char*>(a.nodes);
#pragma unroll 1
      for (u64 i = 0; i < a.node_count; ++i)
        own[i * a.stride_bytes / 16].x =
            static_cast<u32>(begin) + *reinterpret_cast<const u32*>(image + i * a.stride_bytes);
    }
    auto at = warmed<kPath>(begin + first, a.texture, a.warming);
    const auto other = warmed<kOther>(a.other_first, a.texture, a.between);
    at += other == static_cast<decltype(other)>(~u64{0});  // never true; uses the result
    follow(chase, at, a.loads, [&](decltype(at)& next) { load_next<kPath>(next, a.texture); });
    chase->at -= begin;
  }
};

}  // namespace gpuseq::probes
