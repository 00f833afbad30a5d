#pragma once

#include <string>

namespace gpuseq::bench {

/// A hash of all that decides what this program's probes measure: their sources, how samples are taken, the
/// compiler and its flags. Of two programs that differ in it neither believes the other's profiles.
std::string probe_version();

}  // namespace gpuseq::bench
