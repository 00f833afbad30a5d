#include "bench/config/build_texts.hpp"

#include "gpuseq_commit.hpp"  // written by git_commit.cmake at every build

namespace gpuseq::bench {

const BuildTexts kBuildTexts{.version = GPUSEQ_VERSION,
                             .commit = GPUSEQ_COMMIT,
                             .compiler = GPUSEQ_COMPILER,
                             .flags = GPUSEQ_FLAGS,
                             .build_type = GPUSEQ_BUILD_TYPE,
                             .source_dir = GPUSEQ_SOURCE_DIR};

}  // namespace gpuseq::bench
