# gpuseq_device_sources(family HEADERS ... POLICY ...): links the device sources that NVRTC compiles at run time into
# gpuseq_<family>_cuda as text, which gpuseq::<family>::device_headers() gives by name, and the points that nvcc
# compiles ahead of time as the fatbin <family>_fatbin. What nvcc compiles is printed by cuda_ahead_of_time/print_source.cpp with the sources in POLICY.
function(gpuseq_device_sources family)
  cmake_parse_arguments(arg "" "" "HEADERS;POLICY" ${ARGN})
  set(library gpuseq_${family}_cuda)
  set(header_files)
  set(embedded)
  set(entries)
  foreach(header ${arg_HEADERS})
    get_filename_component(stem ${header} NAME_WE)
    embed(${library} ${family}_${stem} ${CMAKE_SOURCE_DIR}/${header})
    list(APPEND header_files ${CMAKE_SOURCE_DIR}/${header})
    string(APPEND embedded "GPUSEQ_EMBEDDED(${family}_${stem})\n")
    string(APPEND entries "    {\"${header}\", std::string(embedded_${family}_${stem}())},\n")
  endforeach()
  set(table ${CMAKE_CURRENT_BINARY_DIR}/${family}_device_headers.cpp)
  file(CONFIGURE OUTPUT ${table} @ONLY CONTENT "#include <map>
#include <string>

#include \"runtime/embedded.hpp\"

namespace gpuseq::@family@ {
namespace {
@embedded@}  // namespace

std::map<std::string, std::string> device_headers();
std::map<std::string, std::string> device_headers() {
  return {
@entries@  };
}
}  // namespace gpuseq::@family@
")
  target_sources(${library} PRIVATE ${table})

  set(printer ${family}_print_source)
  add_executable(${printer} ${CMAKE_CURRENT_SOURCE_DIR}/cuda_ahead_of_time/print_source.cpp ${arg_POLICY})
  target_link_libraries(${printer} PRIVATE gpuseq_runtime)
  set(ahead_of_time ${CMAKE_CURRENT_BINARY_DIR}/${family}_ahead_of_time)
  add_custom_command(
    OUTPUT ${ahead_of_time}.fatbin
    COMMAND ${printer} > ${ahead_of_time}.cu
    COMMAND ${NVCC} -std=c++20 -I${CMAKE_SOURCE_DIR} -gencode arch=compute_80,code=compute_80
            -gencode arch=compute_90,code=sm_90 -fatbin ${ahead_of_time}.cu -o ${ahead_of_time}.fatbin
    DEPENDS ${printer} ${header_files}
    COMMENT "Compiling kernels of ${family} ahead of time"
    VERBATIM)
  # As a source of the library, so that its rule is known where the file is embedded.
  target_sources(${library} PRIVATE ${ahead_of_time}.fatbin)
  embed(${library} ${family}_fatbin ${ahead_of_time}.fatbin)
  # Tables and tests compile device sources for the host, where `#pragma unroll` is unknown.
  target_compile_options(${library} PUBLIC -Wno-unknown-pragmas)
endfunction()
