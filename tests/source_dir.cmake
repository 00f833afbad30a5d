# Tells tests where the checkout is: for tests/, and for tests/fuzz in a build that has the fuzz targets alone.
add_library(gpuseq_test_source_dir STATIC ${CMAKE_SOURCE_DIR}/tests/source_dir.cpp)
target_include_directories(gpuseq_test_source_dir PUBLIC ${CMAKE_SOURCE_DIR})
target_compile_definitions(gpuseq_test_source_dir PRIVATE GPUSEQ_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
# Golden texts of tests (tests/golden/README.md).
add_library(gpuseq_golden_text STATIC ${CMAKE_SOURCE_DIR}/tests/golden_text.cpp)
target_link_libraries(gpuseq_golden_text PUBLIC gpuseq_test_source_dir GTest::gtest PRIVATE gpuseq_options)
