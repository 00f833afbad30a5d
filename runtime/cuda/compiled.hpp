#pragma once

#include <string>

#include "runtime/contract/family.hpp"

namespace gpuseq::cuda {

/// What NVRTC made of a source for one architecture. Needs no GPU.
struct Compiled {
  std::string cubin;
  Resources resources;  // registers, spills, local and shared bytes read from the compiler's log; compile_s
  std::string log;
  std::string cache_problem;  // why the cubin could not be kept, if it could not
};

}  // namespace gpuseq::cuda
