#pragma once

#include <string>

namespace gpuseq::bench {

/// A hash of all that determines the results of this program's probes: their sources, the sampling, the
/// compiler and its flags. Programs with different hashes do not use each other's profiles.
std::string probe_version();

}  // namespace gpuseq::bench
