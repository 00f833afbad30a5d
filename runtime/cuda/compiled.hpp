#pragma once

#include <string>

#include "runtime/contract/family.hpp"

namespace gpuseq::cuda {

/// NVRTC's output for a source and one architecture. Needs no GPU.
struct Compiled {
  std::string cubin;
  Resources resources;  // registers, spills, local and shared bytes from the compiler's log; compile_s
  std::string log;
  std::string cache_problem;  // why the cubin could not be cached; empty if it was
};

}  // namespace gpuseq::cuda
