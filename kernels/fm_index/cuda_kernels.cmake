# Device sources that NVRTC compiles at run time are linked in as text; points compiled ahead of time by nvcc
# as a fatbin.
set(device_headers
    runtime/host_device.hpp
    kernels/fm_index/layout.cuh
    kernels/fm_index/search.cuh
    kernels/fm_index/search_cooperative.cuh
    kernels/fm_index/search_device.cuh
    kernels/fm_index/search_memory.cuh
    kernels/fm_index/search_one_hot.cuh
    kernels/fm_index/search_policy.cuh
    kernels/fm_index/search_query.cuh
    kernels/fm_index/search_sampled.cuh
    kernels/fm_index/search_task.cuh)
set(device_header_files)
foreach(header ${device_headers})
  get_filename_component(name ${header} NAME_WE)
  embed(gpuseq_fm_index_cuda fm_index_${name} ${CMAKE_SOURCE_DIR}/${header})
  list(APPEND device_header_files ${CMAKE_SOURCE_DIR}/${header})
endforeach()

add_executable(fm_index_print_source ${CMAKE_CURRENT_SOURCE_DIR}/cuda_ahead_of_time/print_source.cpp
                                     ${CMAKE_CURRENT_SOURCE_DIR}/cuda_policy.cpp)
target_link_libraries(fm_index_print_source PRIVATE gpuseq_runtime)
set(ahead_of_time ${CMAKE_CURRENT_BINARY_DIR}/fm_index_ahead_of_time)
add_custom_command(
  OUTPUT ${ahead_of_time}.fatbin
  COMMAND fm_index_print_source > ${ahead_of_time}.cu
  COMMAND ${NVCC} -std=c++20 -I${CMAKE_SOURCE_DIR} -gencode arch=compute_80,code=compute_80
          -gencode arch=compute_90,code=sm_90 -fatbin ${ahead_of_time}.cu -o ${ahead_of_time}.fatbin
  DEPENDS fm_index_print_source ${device_header_files}
  COMMENT "Compiling FM-index kernels ahead of time"
  VERBATIM)
# As a source of the library, so that its rule is known where the file is embedded.
target_sources(gpuseq_fm_index_cuda PRIVATE ${ahead_of_time}.fatbin)
embed(gpuseq_fm_index_cuda fm_index_fatbin ${ahead_of_time}.fatbin)
# Tests compile the device sources for the host, where `#pragma unroll` is unknown.
target_compile_options(gpuseq_fm_index_cuda INTERFACE -Wno-unknown-pragmas)
