# The program of the Python wheel (pyproject.toml): the objects of an ordinary build, linked with static libraries against the C
# library of an older system. Its tag is what auditwheel reads from the result (backend.py).
set(libraries ${CMAKE_SOURCE_DIR}/build/wheel-libraries)
execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/dependencies.sh ${libraries} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "cmake/wheel/dependencies.sh failed")
endif()

# gpuseq_static(target archive): links the archive where the build would link the target's shared library.
function(gpuseq_static target archive)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY)
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES ${libraries}/lib/lib${archive}.a)
    return()
  endif()
  get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
  foreach(configuration ${configurations})
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} ${libraries}/lib/lib${archive}.a)
  endforeach()
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${libraries}/lib/lib${archive}.a)
endfunction()
gpuseq_static(fmt::fmt fmt)
gpuseq_static(simdjson::simdjson simdjson)
gpuseq_static(benchmark::benchmark benchmark)
gpuseq_static(ZLIB::ZLIB z)
gpuseq_static(PkgConfig::HWLOC hwloc)
gpuseq_static(PkgConfig::HWY hwy)
gpuseq_static(PkgConfig::RE2 re2)
gpuseq_static(PkgConfig::XXHASH xxhash)
set(DIVSUFSORT_LIBRARY ${libraries}/lib/libdivsufsort.a)
set(DIVSUFSORT64_LIBRARY ${libraries}/lib/libdivsufsort64.a)

# GCC looks for libraries beside itself first, so that the older system's folders are named.
set(system ${libraries}/sysroot)
add_link_options(--sysroot=${system} -B${system}/usr/lib/x86_64-linux-gnu -L${system}/unwinder -L${system}/usr/lib/x86_64-linux-gnu
                 -L${system}/lib/x86_64-linux-gnu -static-libstdc++ -static-libgcc ${system}/glibc.o
                 -Wl,--wrap=exp,--wrap=exp2,--wrap=log,--wrap=log2,--wrap=pow)
string(APPEND CMAKE_CXX_STANDARD_LIBRARIES " -lpthread -ldl -lrt")
install(DIRECTORY ${libraries}/licences ${libraries}/data DESTINATION share/gpuseq-bench)
# Python finds the package gpuseq where the program does.
install(FILES ${CMAKE_CURRENT_LIST_DIR}/gpuseq_bench.pth DESTINATION ${SKBUILD_PLATLIB_DIR})
