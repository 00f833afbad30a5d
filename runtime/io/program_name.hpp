#pragma once

namespace gpuseq {

/// As it is called, and as its folders and messages begin.
inline constexpr const char* kProgramName = "gpuseq-bench";

}  // namespace gpuseq
