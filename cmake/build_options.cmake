# Warnings are errors in every target of ours.
add_library(gpuseq_options INTERFACE)
target_compile_options(gpuseq_options INTERFACE -Wall -Wextra -Werror -Wno-psabi -pthread)
# The FM-index counts bits, and without a flag the compiler calls a function for it. It holds for all files: where it
# differs, a precompiled header is not used.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(gpuseq_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-mpopcnt>)
endif()
# Where loops lie within lines of the instruction cache is worth 4 % and must not depend on the code before them. It holds
# for all files, too: GCC forgets the alignment where a precompiled header was made without.
target_compile_options(gpuseq_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-falign-functions=64>)
target_include_directories(gpuseq_options INTERFACE ${CMAKE_SOURCE_DIR})
target_link_libraries(gpuseq_options INTERFACE nlohmann_json::nlohmann_json fmt::fmt Threads::Threads)
if(GPUSEQ_SANITIZE)
  target_compile_options(gpuseq_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                                  -fno-omit-frame-pointer)
  target_link_options(gpuseq_options INTERFACE -fsanitize=address,undefined)
endif()
if(GPUSEQ_FUZZ)
  # Checks of every pointer would double the size of the code; the address sanitizer notes what comes of them, and the
  # build with GPUSEQ_SANITIZE has them all.
  target_compile_options(gpuseq_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined
                         -fno-sanitize=alignment,null,object-size,vptr -fno-sanitize-recover=undefined
                         -fno-omit-frame-pointer)
  target_link_options(gpuseq_options INTERFACE -fsanitize=address,undefined)
endif()
if(GPUSEQ_HAVE_CUDA)
  target_compile_definitions(gpuseq_options INTERFACE GPUSEQ_HAVE_CUDA=1)
endif()

# What most files include, parsed once: half of the compiler's time went into it. GCC leaves a precompiled header
# that was made with other machine flags unused.
function(gpuseq_precompiled name)
  cmake_parse_arguments(arg "" "" "HEADERS;LINKS" ${ARGN})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Carries the precompiled header.\n")
  add_library(${name} STATIC ${source})
  target_link_libraries(${name} PRIVATE gpuseq_options ${arg_LINKS})
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()
set(CMAKE_PCH_WARN_INVALID OFF)
set(GPUSEQ_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)  # a third less time than -O3; what is tested has its own
if(NOT GPUSEQ_FUZZ)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 warns falsely within std::string (bugs 105329, 105651), and of a precompiled header it forgets that it is the system's.
    target_compile_options(gpuseq_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overread;-Wno-stringop-overflow>)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      # GCC 13 and later warn of loops over a view that a temporary returns, although the data outlive both.
      target_compile_options(gpuseq_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
    endif()
    target_compile_options(gpuseq_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)  # for ccache
    # GCC collects garbage from 128 MB on, and the precompiled header takes most of them: it is a fifth of the time.
    target_compile_options(gpuseq_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>)  # kB
  endif()
  set(headers <algorithm> <array> <chrono> <condition_variable> <filesystem> <fstream> <functional> <map> <memory> <mutex>
              <optional> <ranges> <set> <span> <sstream> <string> <thread> <unordered_map> <variant> <vector>
              <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>
              ${CMAKE_SOURCE_DIR}/runtime/contract/axes.hpp ${CMAKE_SOURCE_DIR}/runtime/contract/variant.hpp)
  gpuseq_precompiled(gpuseq_precompiled HEADERS ${headers})
  if(GPUSEQ_TESTS)
    gpuseq_precompiled(gpuseq_precompiled_tests HEADERS ${headers} <gtest/gtest.h> <gmock/gmock.h> LINKS GTest::gtest GTest::gmock)
    target_compile_options(gpuseq_precompiled_tests PRIVATE ${GPUSEQ_TEST_OPTIONS})
  endif()
endif()

# gpuseq_library(name SOURCES ... LINKS ... PRIVATE_LINKS ...): the static library of one folder; what it may
# include is what it links.
function(gpuseq_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC gpuseq_options ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  target_precompile_headers(${name} REUSE_FROM gpuseq_precompiled)
  # Most of the compiler's time goes into what files instantiate alike: 32 at a time take a quarter of it. Measured CPU
  # code and the oracles stay apart: what they become does not depend on neighbours.
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${GPUSEQ_UNITY} UNITY_BUILD_BATCH_SIZE 32)
  set(apart ${arg_SOURCES})
  list(FILTER apart INCLUDE REGEX "/(cpu/|simd/|oracle)")
  set_source_files_properties(${apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(GPUSEQ_HAVE_CUDA)
    target_include_directories(${name} SYSTEM PUBLIC ${CUDA_INCLUDE})
  endif()
endfunction()

# gpuseq_test(name SOURCES ... LINKS ...): one GoogleTest program, its cases known to CTest.
function(gpuseq_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} GTest::gtest GTest::gmock GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM gpuseq_precompiled_tests)
  target_compile_options(${name} PRIVATE ${GPUSEQ_TEST_OPTIONS})
  set(properties TIMEOUT 600)
  if(name MATCHES "^bench_(test|peer_program_test|kill_test|.*_run_test)$")
    # No test looks at the plots of these runs, and the scripts of a plot take a second and a half.
    list(APPEND properties ENVIRONMENT GPUSEQ_PYTHON=/nonexistent)
  endif()
  # One at a time: some fill the GPU's memory to see what is said then. What takes long begins first, or a processor waits
  # for it at the end.
  gpuseq_suites(on_gpu "_gpu_test.cpp$|cuda_texture_test.cpp$|cuda_probes_test.cpp$" ${arg_SOURCES})
  gpuseq_suites(slow "_cuda_compile_test.cpp$|/cuda_compile_test.cpp$" ${arg_SOURCES})
  gpuseq_discover(${name} "${on_gpu}" ${properties} RESOURCE_LOCK gpu)
  gpuseq_discover(${name} "${slow}" ${properties} COST 20)
  string(JOIN ":" others ${on_gpu} ${slow})
  gpuseq_discover(${name} "-${others}" ${properties})
endfunction()

# The filters of the test suites in those of the sources that match.
function(gpuseq_suites out pattern)
  list(FILTER ARGN INCLUDE REGEX ${pattern})
  set(suites)
  foreach(source ${ARGN})
    file(STRINGS ${source} tests REGEX "^(TEST|TEST_F|TEST_P|TYPED_TEST)\\(")
    list(TRANSFORM tests REPLACE "^[A-Z_]+\\(([A-Za-z0-9_]+),.*" "\\1")
    list(APPEND suites ${tests})
  endforeach()
  list(REMOVE_DUPLICATES suites)
  list(TRANSFORM suites REPLACE "(.+)" "\\1.*:*/\\1.*:\\1/*")
  set(${out} ${suites} PARENT_SCOPE)
endfunction()

function(gpuseq_discover name filter)
  if(filter)
    string(REPLACE ";" ":" filter "${filter}")
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 TEST_FILTER "${filter}" PROPERTIES ${ARGN})
  endif()
endfunction()
