gpuseq_device_sources(fm_index
  HEADERS
    runtime/host_device.hpp
    runtime/warp.cuh
    kernels/fm_index/layout.cuh
    kernels/fm_index/search.cuh
    kernels/fm_index/search_cooperative.cuh
    kernels/fm_index/search_device.cuh
    kernels/fm_index/search_memory.cuh
    kernels/fm_index/search_one_hot.cuh
    kernels/fm_index/search_policy.cuh
    kernels/fm_index/search_query.cuh
    kernels/fm_index/search_sampled.cuh
    kernels/fm_index/search_task.cuh
  POLICY ${CMAKE_CURRENT_SOURCE_DIR}/cuda_policy.cpp)
