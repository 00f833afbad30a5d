#include <cstdio>

#include "kernels/exact_match/cuda_policy.hpp"

// Build step: prints the CUDA source of the kernels that nvcc compiles ahead of time.
int main() {
  const std::string text = gpuseq::exact_match::kernel_text(gpuseq::exact_match::ahead_of_time_policies());
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return written && std::fflush(stdout) == 0 ? 0 : 1;
}
