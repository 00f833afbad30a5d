#include "bench/config/build_texts.hpp"

namespace gpuseq::bench {

/// No commit: nothing that is fuzzed prints one, and the library need not be built again for each.
const BuildTexts kBuildTexts{
    .version = "fuzz", .commit = "", .compiler = "", .flags = "", .build_type = "fuzz", .source_dir = ""};

}  // namespace gpuseq::bench
