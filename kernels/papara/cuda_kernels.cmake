gpuseq_device_sources(papara
  HEADERS
    runtime/host_device.hpp
    runtime/warp.cuh
    runtime/words.cuh
    kernels/papara/scoring.cuh
    kernels/papara/score.cuh
    kernels/papara/score_block.cuh
    kernels/papara/score_blocked.cuh
    kernels/papara/score_lanes.cuh
    kernels/papara/score_policy.cuh
    kernels/papara/score_row_wise.cuh
  POLICY ${CMAKE_CURRENT_SOURCE_DIR}/cuda_policy.cpp)
