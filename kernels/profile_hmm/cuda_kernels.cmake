gpuseq_device_sources(profile_hmm
  HEADERS
    runtime/host_device.hpp
    runtime/warp.cuh
    runtime/words.cuh
    kernels/profile_hmm/filter.hpp
    kernels/profile_hmm/filter_bytes.cuh
    kernels/profile_hmm/filter_kernel.cuh
    kernels/profile_hmm/filter_lanes.cuh
    kernels/profile_hmm/filter_policy.cuh
    kernels/profile_hmm/filter_rows.cuh
    kernels/profile_hmm/filter_viterbi.cuh
  POLICY ${CMAKE_CURRENT_SOURCE_DIR}/cuda_policy.cpp)
