#pragma once

namespace gpuseq {

/// The name of the executable, and the prefix of its folders and messages.
inline constexpr const char* kProgramName = "gpuseq-bench";

}  // namespace gpuseq
