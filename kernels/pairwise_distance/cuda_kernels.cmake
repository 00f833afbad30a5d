gpuseq_device_sources(pairwise_distance
  HEADERS
    runtime/host_device.hpp
    runtime/warp.cuh
    kernels/pairwise_distance/block.cuh
    kernels/pairwise_distance/ladder.cuh
    kernels/pairwise_distance/ladder_policy.cuh
    kernels/pairwise_distance/tile_kernel.cuh
    kernels/pairwise_distance/tile_policy.cuh
    kernels/pairwise_distance/tile_products.cuh
  POLICY ${CMAKE_CURRENT_SOURCE_DIR}/cuda_policy.cpp)
