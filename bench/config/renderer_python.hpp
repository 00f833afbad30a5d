#pragma once

#include <filesystem>

namespace gpuseq::bench {

/// The interpreter of the virtual environment with the plot renderer: $GPUSEQ_PYTHON, which the launcher
/// sets, or the checkout's; empty: there is none.
std::filesystem::path renderer_python();

}  // namespace gpuseq::bench
