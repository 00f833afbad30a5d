#include <cstdio>

#include "kernels/pairwise_distance/cuda_policy.hpp"

// Build step: prints the CUDA source of the kernels that nvcc compiles ahead of time.
int main() {
  using namespace gpuseq::pairwise_distance;
  const std::string text = kernel_text(ahead_of_time_ladder(), ahead_of_time_tiles());
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return written && std::fflush(stdout) == 0 ? 0 : 1;
}
