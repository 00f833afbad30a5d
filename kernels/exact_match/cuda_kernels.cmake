gpuseq_device_sources(exact_match
  HEADERS
    runtime/host_device.hpp
    runtime/warp.cuh
    kernels/exact_match/tree.cuh
    kernels/exact_match/match_kernel.cuh
    kernels/exact_match/match_memory.cuh
    kernels/exact_match/match_policy.cuh
    kernels/exact_match/match_traversal.cuh
  POLICY ${CMAKE_CURRENT_SOURCE_DIR}/cuda_policy.cpp)
