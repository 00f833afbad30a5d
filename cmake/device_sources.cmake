# Device code: what NVRTC compiles at run time is linked in as text, what nvcc compiles ahead of time as a fatbin.

# gpuseq_device_headers(library name folder): links every .cuh below `folder`, and those that all device code shares,
# into `library`; gpuseq::<name>::device_headers() gives them by the names that they are included by.
function(gpuseq_device_headers library name folder)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
       ${CMAKE_SOURCE_DIR}/runtime/cuda/device/*.cuh ${CMAKE_SOURCE_DIR}/${folder}/*.cuh)
  set(embedded)
  set(entries)
  foreach(header ${headers})
    get_filename_component(stem ${header} NAME_WE)
    embed(${library} ${name}_${stem} ${CMAKE_SOURCE_DIR}/${header})
    string(APPEND embedded "GPUSEQ_EMBEDDED(${name}_${stem})\n")
    string(APPEND entries "    {\"${header}\", std::string(embedded_${name}_${stem}())},\n")
  endforeach()
  set(table ${CMAKE_CURRENT_BINARY_DIR}/${name}_device_headers.cpp)
  file(CONFIGURE OUTPUT ${table} @ONLY CONTENT "#include <map>
#include <string>

#include \"runtime/io/embedded.hpp\"

namespace gpuseq::@name@ {
namespace {
@embedded@}  // namespace

std::map<std::string, std::string> device_headers();
std::map<std::string, std::string> device_headers() {
  return {
@entries@  };
}
}  // namespace gpuseq::@name@
")
  target_sources(${library} PRIVATE ${table})
  # Tables and tests compile device sources for the host, where `#pragma unroll` is unknown.
  target_compile_options(${library} PUBLIC -Wno-unknown-pragmas)
  list(TRANSFORM headers PREPEND ${CMAKE_SOURCE_DIR}/)
  set(GPUSEQ_DEVICE_HEADERS ${headers} PARENT_SCOPE)
endfunction()

# gpuseq_ahead_of_time(library name): links what gpuseq::<name>::ahead_of_time_text() (cuda/policy.cpp) gives, compiled,
# into `library` as the fatbin <name>_fatbin. A build step prints that text.
function(gpuseq_ahead_of_time library name)
  set(printer ${name}_print_source)
  set(main ${CMAKE_CURRENT_BINARY_DIR}/${printer}.cpp)
  file(CONFIGURE OUTPUT ${main} @ONLY CONTENT "#include <cstdio>
#include <string>

namespace gpuseq::@name@ {
std::string ahead_of_time_text();
}

int main() {
  const std::string text = gpuseq::@name@::ahead_of_time_text();
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return written && std::fflush(stdout) == 0 ? 0 : 1;
}
")
  add_executable(${printer} ${main})
  target_link_libraries(${printer} PRIVATE gpuseq_${name}_policy)
  set(ahead_of_time ${CMAKE_CURRENT_BINARY_DIR}/${name}_ahead_of_time)
  add_custom_command(
    OUTPUT ${ahead_of_time}.fatbin
    COMMAND ${printer} > ${ahead_of_time}.cu
    COMMAND ${NVCC} -std=c++20 -I${CMAKE_SOURCE_DIR} -gencode arch=compute_80,code=compute_80
            -gencode arch=compute_90,code=sm_90 -fatbin ${ahead_of_time}.cu -o ${ahead_of_time}.fatbin
    DEPENDS ${printer} ${GPUSEQ_DEVICE_HEADERS}
    COMMENT "Compiling kernels of ${name} ahead of time"
    VERBATIM)
  # As a source of the library, so that its rule is known where the file is embedded.
  target_sources(${library} PRIVATE ${ahead_of_time}.fatbin)
  embed(${library} ${name}_fatbin ${ahead_of_time}.fatbin)
endfunction()

# gpuseq_launched_by_runtime(library sources...): links .cu files, compiled by nvcc for host and device, into `library`. They launch
# by the CUDA runtime what is a library's own, as CUB's device-wide algorithms; kernels of ours that are compiled for points do not.
function(gpuseq_launched_by_runtime library)
  foreach(source ${ARGN})
    get_filename_component(stem ${source} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${stem}.cu.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${NVCC} -std=c++20 -O3 -I${CMAKE_SOURCE_DIR} -gencode arch=compute_75,code=compute_75
              -gencode arch=compute_90,code=sm_90 -Xcompiler=-fPIE,-Wall,-Wextra,-Wno-unknown-pragmas
              -MD -MT ${object} -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source}
      DEPFILE ${object}.d
      COMMENT "Compiling ${stem}.cu for host and device"
      VERBATIM)
    target_sources(${library} PRIVATE ${object})
  endforeach()
  target_link_libraries(${library} PUBLIC ${CUDART_STATIC} ${CMAKE_DL_LIBS} rt)
endfunction()
